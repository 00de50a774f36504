//! Wherever the machine stands, times are UTC, and say so.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::house::House;
use crate::support::{out, run};

/// Far from UTC, by no whole hour; and one that is on summer time in one half of the year.
const ZONES: [&str; 2] = ["Asia/Kathmandu", "Australia/Lord_Howe"];

/// A moment of an answer or an event: with its offset, which is none.
fn moment(text: &str) -> DateTime<Utc> {
    let moment = DateTime::parse_from_rfc3339(text).expect("RFC 3339");
    assert_eq!(moment.offset().local_minus_utc(), 0, "{text}");
    moment.to_utc()
}

#[tokio::test]
async fn times_are_utc_in_every_zone() {
    for zone in ZONES {
        let house = House::open_in_zone(zone).await;
        let bob = house.over_http().await;
        let alice = house.two_in_a_room("talk", &bob).await;
        let said = json!({ "sender": "@Alice", "content": "@Bob, what time is it?", "room": "talk", "block": false });
        alice.call("send_message", said).await;
        let state = alice.call("list_participants", json!({ "room": "talk" })).await;
        let last = moment(state["last_activity"].as_str().expect("a time"));

        let path = house.notes().join("talk.md");
        let note = std::fs::read_to_string(&path).expect("a note");
        let written: DateTime<Utc> =
            path.metadata().and_then(|found| found.modified()).expect("a time").into();
        assert!((written - last).abs() < TimeDelta::minutes(10), "{zone}: {last}, written {written}");
        let shown = last.format("(%F %T UTC)").to_string();
        assert!(note.contains(&shown), "{zone}: {shown} is not in\n{note}");

        let log = out(&run(&house.data(), &["log", "--room", "talk"]));
        let times: Vec<&str> =
            log.split("\"at\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(times.len() > 3, "{log}");
        assert!(
            times.into_iter().all(|at| (written - moment(at)).abs() < TimeDelta::minutes(10)),
            "{zone}: {log}"
        );
    }
}
