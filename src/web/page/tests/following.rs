//! The stream of a page: no gap, no double, and a slow page slows nothing.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::http::Request;
use futures::StreamExt;
use serde_json::json;
use tokio::time::timeout;

use super::house::House;
use crate::hub::request::Wait;
use crate::web::page::caller;
use crate::web::page::following::{Changed, Following, Place};

const ALL: Changed = Changed { place: true, inbox: true };
const PLACE: Changed = Changed { place: true, inbox: false };
/// More than any page waits for.
const LONG: Duration = Duration::from_secs(20);

/// One event, as it stands in the stream.
#[derive(Debug)]
struct Told {
    name: String,
    id: Option<u64>,
    data: String,
}

struct Stream {
    body: BodyDataStream,
    text: String,
}

impl Stream {
    async fn open(house: &House, query: &str, last: Option<&str>) -> Self {
        let mut request = house.get(&format!("/stream{query}"));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let request: Request<Body> = request.body(Body::empty()).expect("a request");
        Self { body: house.ask(request).await.into_body().into_data_stream(), text: String::new() }
    }

    /// The next event; `None` when the stream has ended.
    async fn next(&mut self) -> Option<Told> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let event = read(event);
                self.text = rest.to_owned();
                if !event.name.is_empty() {
                    return Some(event);
                }
                continue;
            }
            let bytes = self.body.next().await?.expect("a part of the stream");
            self.text += std::str::from_utf8(&bytes).expect("text");
        }
    }

    async fn next_called(&mut self, name: &str) -> Told {
        loop {
            let told = self.next().await.expect("the stream goes on");
            if told.name == name {
                return told;
            }
        }
    }

    /// The numbers of the entries that come until this one.
    async fn entries_until(&mut self, last: u64) -> Vec<u64> {
        let mut ids = Vec::new();
        while ids.last() != Some(&last) {
            ids.push(self.next_called("entry").await.id.expect("an entry has its number as id"));
        }
        ids
    }
}

fn read(event: &str) -> Told {
    let field = |name: &str| -> Option<String> {
        let start = format!("{name}:");
        let values: Vec<_> =
            event.lines().filter_map(|line| line.strip_prefix(&start)).map(str::trim_start).collect();
        (!values.is_empty()).then(|| values.join("\n"))
    };
    Told {
        name: field("event").unwrap_or_default(),
        id: field("id").map(|id| id.parse().expect("a number")),
        data: field("data").unwrap_or_default(),
    }
}

async fn newest(house: &House) -> u64 {
    house.page.hub.everything_said("talk", None, None, 1).await.expect("it can be read").last_seq_id
}

#[tokio::test]
async fn a_stream_goes_on_after_the_last_entry_that_its_page_got() {
    let house = House::new().await;
    for number in 0..10 {
        house.say(&format!("line {number}")).await;
    }
    let last = newest(&house).await;
    let mut stream = Stream::open(&house, "?room=talk&after=2", None).await;
    assert_eq!(stream.entries_until(last).await, (3..=last).collect::<Vec<_>>());
    house.say("while it is followed").await;
    assert!(stream.next_called("entry").await.data.contains("while it is followed"));
    drop(stream);
    for number in 0..120 {
        house.say(&format!("missed {number}")).await;
    }
    // A browser names the last one that it got, whatever its address says.
    let mut again = Stream::open(&house, "?room=talk&after=2", Some(&last.to_string())).await;
    let newest = newest(&house).await;
    assert_eq!(again.entries_until(newest).await, (last + 1..=newest).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_page_that_is_far_behind_or_ahead_is_told_to_load_itself_anew() {
    let house = House::new().await;
    for number in 0..600 {
        house.say(&format!("line {number}")).await;
    }
    for query in ["?room=talk&after=1", "?room=talk&after=99999", "?room=nowhere"] {
        let mut stream = Stream::open(&house, query, None).await;
        assert_eq!(stream.next().await.map(|told| told.name).as_deref(), Some("resync"), "{query}");
        assert!(stream.next().await.is_none(), "{query}");
    }
}

#[tokio::test]
async fn a_page_that_does_not_read_slows_nothing() {
    let house = House::new().await;
    let mut slow = Stream::open(&house, "?room=talk&after=0", None).await;
    slow.next().await.expect("it has begun");
    // Many more than are kept on the way to a page.
    for number in 0..300 {
        house.say(&format!("line {number}")).await;
    }
    let mut quick = Stream::open(&house, "?room=talk&after=0", None).await;
    let newest = newest(&house).await;
    assert_eq!(quick.entries_until(newest).await, (1..=newest).collect::<Vec<_>>());
    // And the slow one gets the rest, once it reads.
    let rest = slow.entries_until(newest).await;
    assert!(rest.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{rest:?}");
}

#[tokio::test]
async fn the_first_page_is_told_what_waits_and_where_rooms_stand() {
    let house = House::new().await;
    let mut stream = Stream::open(&house, "", None).await;
    assert!(stream.next_called("inbox").await.data.contains("data-count=\"0\""));
    assert!(stream.next_called("rooms").await.data.contains("id=\"room/talk\""));
    house.say("@user which one?").await;
    while !stream.next_called("inbox").await.data.contains("which one?") {}
}

#[tokio::test]
async fn nothing_in_a_message_makes_an_event() {
    let house = House::new().await;
    house.say("hello").await;
    let last = newest(&house).await;
    let mut stream = Stream::open(&house, &format!("?room=talk&after={last}"), None).await;
    stream.next_called("status").await;
    house.say("a\n\nevent: entry\nid: 99\ndata: forged\n\n\rdata: b\r\rid: 98").await;
    let told = stream.next_called("entry").await;
    assert_eq!(told.id, Some(last + 1));
    assert!(told.data.contains("forged"), "{}", told.data);
}

async fn following(house: &House, place: Place) -> Following {
    let hub = Arc::clone(&house.page.hub);
    let mut following = Following::new(hub, place).await.expect("the room is there");
    assert_eq!(following.changed().await.ok(), Some(ALL));
    // The room has just been made; the inbox has not seen that yet.
    while timeout(LONG, following.changed()).await.is_ok() {}
    following
}

/// What wakes the page next, if anything does.
async fn next(following: &mut Following) -> Option<Changed> {
    timeout(LONG, following.changed()).await.ok().map(|changed| changed.expect("the room is there"))
}

/// A call of an agent that waits begins and ends.
async fn wait(house: &House, room: &str) {
    let wait = Wait {
        handle: "@Bob".into(),
        room: Some(room.into()),
        timeout: Some(Duration::from_millis(10)),
        ..Wait::default()
    };
    house.page.hub.wait(&caller(), wait).await.expect("he takes part");
}

#[tokio::test(start_paused = true)]
async fn what_happens_in_another_room_does_not_wake_the_page_of_a_room() {
    let house = House::new().await;
    house.start("busy").await;
    house.join("talk").await;
    house.join("busy").await;
    let mut page = following(&house, Place::Room("talk".to_owned())).await;
    for number in 0..50 {
        house.say_in("busy", &format!("line {number}")).await;
        wait(&house, "busy").await;
    }
    assert_eq!(next(&mut page).await, None);
    wait(&house, "talk").await;
    assert_eq!(next(&mut page).await, Some(PLACE));
    assert_eq!(next(&mut page).await, None);
    house.say_in("busy", "@user which one?").await;
    assert_eq!(next(&mut page).await, Some(Changed { place: false, inbox: true }));
}

#[tokio::test]
async fn the_page_of_a_task_is_told_records_and_where_it_stands() {
    let house = House::new().await;
    house.task("The parser", "solo").await;
    for number in 1..=60 {
        house.publish("the-parser", "note", &format!("note {number}"), json!({})).await;
    }
    let mut stream = Stream::open(&house, "?task=the%2Dparser&after=2", None).await;
    for version in 3..=60 {
        let told = stream.next_called("record").await;
        assert_eq!(told.id, Some(version));
        assert!(told.data.contains(&format!("note {version}")), "{}", told.data);
    }
    assert!(stream.next_called("status").await.data.contains("designing"));
    house.publish("the-parser", "design", "so\n\nevent: gone", json!({})).await;
    assert_eq!(stream.next_called("record").await.id, Some(61));
    assert!(stream.next_called("status").await.data.contains("implementing"));
    house.publish("the-parser", "code_changes", "done", json!({})).await;
    stream.next_called("record").await;
    assert!(stream.next_called("status").await.data.contains("name=\"version\" value=\"62\""));
    // A note comes in while a person is about to decide: the form is about what was shown with it.
    house.publish("the-parser", "note", "wait", json!({})).await;
    stream.next_called("record").await;
    let status = stream.next_called("status").await.data;
    assert!(status.contains("63 records") && status.contains("name=\"version\" value=\"62\""), "{status}");
}

#[tokio::test]
async fn the_board_and_the_first_page_are_told_of_tasks() {
    let house = House::new().await;
    let mut board = Stream::open(&house, "?board=yes", None).await;
    let mut home = Stream::open(&house, "", None).await;
    assert!(board.next_called("status").await.data.contains("No task is open."));
    assert!(home.next_called("rooms").await.data.contains("id=\"tasks-link\""));
    house.task("The parser", "full").await;
    while !board.next_called("status").await.data.contains("href=\"/tasks/the-parser\"") {}
    while !home.next_called("rooms").await.data.contains("<span class=\"count soft\">1</span>") {}
    house.publish("the-parser", "code_changes", "too early", json!({})).await;
    while !board.next_called("status").await.data.contains("needs a look") {}
    let mut later = Stream::open(&house, "?board=yes", None).await;
    assert!(later.next_called("inbox").await.data.contains("task the-parser needs a look"));
}

#[tokio::test(start_paused = true)]
async fn what_happens_in_rooms_does_not_wake_the_page_of_a_task() {
    let house = House::new().await;
    house.task("The parser", "full").await;
    let mut page = following(&house, Place::Task("the-parser".to_owned())).await;
    for number in 0..20 {
        house.say(&format!("line {number}")).await;
        wait(&house, "talk").await;
    }
    // That the architect of the task is there, and goes again, is told in the inbox only.
    while let Some(changed) = next(&mut page).await {
        assert!(!changed.place, "{changed:?}");
    }
    house.publish("the-parser", "note", "hello", json!({})).await;
    while !next(&mut page).await.expect("it is told").place {}
}

#[tokio::test(start_paused = true)]
async fn the_first_page_is_woken_when_a_room_stands_in_another_way_and_not_by_calls_that_wait() {
    let house = House::new().await;
    house.join("talk").await;
    let mut page = following(&house, Place::Home).await;
    for _ in 0..10 {
        wait(&house, "talk").await;
    }
    assert_eq!(next(&mut page).await, None);
    house.say("hello").await;
    assert_eq!(next(&mut page).await, Some(PLACE));
    assert_eq!(next(&mut page).await, None);
    house.start("other").await;
    assert_eq!(next(&mut page).await, Some(PLACE));
}

#[tokio::test(start_paused = true)]
async fn a_page_that_could_not_be_told_tries_all_again() {
    let house = House::new().await;
    let mut page = following(&house, Place::Room("talk".to_owned())).await;
    assert_eq!(next(&mut page).await, None);
    page.begin_again();
    assert_eq!(next(&mut page).await, Some(ALL));
    assert_eq!(next(&mut page).await, None);
}

#[tokio::test]
async fn the_page_says_who_paused_a_room_and_why() {
    let house = House::new().await;
    let mut stream = Stream::open(&house, "?room=talk", None).await;
    stream.next_called("status").await;
    house.page.hub.pause(&caller(), Some("talk")).await.expect("a person may");
    assert!(stream.next_called("status").await.data.contains("paused by @user"));
    let (_, page) = house.load("/rooms/talk").await;
    assert!(page.contains("paused by @user"), "{page}");
}

#[tokio::test]
async fn what_waits_is_told_only_when_it_has_changed() {
    let house = House::new().await;
    house.say("@user which one?").await;
    let last = newest(&house).await;
    let mut stream = Stream::open(&house, &format!("?room=talk&after={last}"), None).await;
    assert!(stream.next_called("inbox").await.data.contains("which one?"));
    house.say("nobody is asked").await;
    let mut told = Vec::new();
    while !told.contains(&"entry".to_owned()) {
        told.push(stream.next().await.expect("the stream goes on").name);
    }
    house.say("@user and this?").await;
    loop {
        let next = stream.next().await.expect("the stream goes on");
        if next.name == "inbox" {
            assert!(next.data.contains("and this?"), "{}", next.data);
            break;
        }
    }
}

#[tokio::test]
async fn a_page_of_a_puzzle_follows_what_happens_to_it_and_to_no_other() {
    let house = House::new().await;
    for id in ["one", "other"] {
        let states = json!({ "A": { "actions": { "go": { "targetState": "B" } } }, "B": { "final": true } });
        house.puzzle(json!({ "id": id, "initialState": "A", "states": states })).await;
    }
    let mut stream = Stream::open(&house, "?puzzle=one&after=1", None).await;
    assert!(stream.next_called("status").await.data.contains("value=\"go\""));
    house.act_on("one", "go", "@Ada").await;
    let step = stream.next_called("record").await;
    assert!(step.id == Some(2) && step.data.contains("@Ada"), "{step:?}");
    let status = stream.next_called("status").await.data;
    assert!(status.contains("It has ended.") && status.contains("<svg id=\"machine\""), "{status}");
    let hub = Arc::clone(&house.page.hub);
    let mut following = Following::new(hub, Place::Puzzle("one".to_owned())).await.unwrap();
    assert_eq!(following.changed().await.unwrap(), ALL);
    house.act_on("other", "go", "@Ada").await;
    house.page.hub.remove_puzzle(&caller(), "one", None).await.unwrap();
    let gone = timeout(LONG, async {
        loop {
            if let Err(gone) = following.changed().await {
                return gone;
            }
        }
    });
    assert_eq!(gone.await.expect("it is told").code(), "puzzle_removed");
}
