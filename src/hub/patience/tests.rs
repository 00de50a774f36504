//! What is known, said and learned of clients.

use super::*;

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn client(name: &str) -> Client {
    Client { name: name.to_owned(), version: "1.0".to_owned() }
}

fn patience() -> Patience {
    said(&[])
}

fn said(clients: &[(&str, u64)]) -> Patience {
    let clients = clients.iter().map(|(start, wait)| ((*start).to_owned(), seconds(*wait))).collect();
    Patience::new(Waits { clients, ..Waits::default() }, None)
}

/// Calls of `somebody` are given up at these ages.
fn after(ages: &[f64]) -> Duration {
    let patience = patience();
    for age in ages {
        patience.given_up(Some(&client("somebody")), Duration::from_secs_f64(*age));
    }
    patience.of(Some(&client("somebody")))
}

#[test]
fn a_client_gets_what_the_settings_say_of_its_name_and_version() {
    let patience = said(&[("Codex", 240), ("codex-mcp-client 0.1.", 50), ("visual studio code", 200)]);
    let of = |name: &str, version: &str| {
        patience.of(Some(&Client { name: name.to_owned(), version: version.to_owned() })).as_secs()
    };
    assert_eq!(patience.of(None), seconds(45));
    assert_eq!(of("somebody", "1"), 45);
    assert_eq!(of("codex-mcp-client", "0.150.0"), 240);
    assert_eq!(of("codex-mcp-client", "0.1.7"), 50, "the longest start counts");
    assert_eq!(of("Visual Studio Code", ""), 200);
}

#[test]
fn two_calls_given_up_at_the_same_age_end_the_next_ones_earlier() {
    assert_eq!(after(&[30.0]), seconds(45), "one may be a person who interrupts");
    assert_eq!(after(&[30.0, 30.9]), seconds(27));
    assert_eq!(after(&[30.0, 25.0, 35.0, 41.0]), seconds(45), "people interrupt at any age");
    assert_eq!(after(&[30.0, 40.0, 25.0, 30.5]), seconds(27), "others may come between");
}

#[test]
fn no_wait_gets_shorter_than_twenty_seconds() {
    assert_eq!(after(&[21.0, 21.0, 20.0, 20.0]), seconds(20));
    assert_eq!(after(&[2.0, 2.0, 5.0, 5.0]), seconds(45), "who interrupts at once is a person");
}

#[test]
fn a_version_learns_for_itself_alone() {
    let patience = patience();
    let newer = Client { version: "2.0".to_owned(), ..client("somebody") };
    for _ in 0..2 {
        patience.given_up(Some(&client("Somebody")), seconds(30));
    }
    assert_eq!(patience.of(Some(&client("somebody"))), seconds(27));
    assert_eq!(patience.of(Some(&newer)), seconds(45));
}

#[test]
fn waits_that_end_well_get_longer_again_up_to_what_is_known() {
    let patience = patience();
    let somebody = client("somebody");
    for _ in 0..2 {
        patience.given_up(Some(&somebody), seconds(30));
    }
    let mut lengths = Vec::new();
    for _ in 0..15 {
        patience.arrived(&somebody, patience.of(Some(&somebody)));
        lengths.push(patience.of(Some(&somebody)).as_secs());
    }
    assert_eq!(lengths, [27, 27, 27, 27, 33, 33, 33, 33, 33, 42, 42, 42, 42, 42, 45]);
}

#[test]
fn shorter_waits_and_interrupted_rows_raise_nothing() {
    let patience = patience();
    let somebody = client("somebody");
    for _ in 0..2 {
        patience.given_up(Some(&somebody), seconds(30));
    }
    for round in 0..20 {
        patience.arrived(&somebody, seconds(10));
        if round % 4 == 0 {
            patience.given_up(Some(&somebody), seconds(3));
        }
        patience.arrived(&somebody, seconds(27));
    }
    assert_eq!(patience.of(Some(&somebody)), seconds(27));
}

#[test]
fn a_disappointed_trust_grows_half_as_fast() {
    let patience = patience();
    let somebody = client("somebody");
    let rounds = |patience: &Patience| {
        let before = patience.of(Some(&somebody));
        (1..100).find(|_| patience.arrived(&somebody, before)).unwrap()
    };
    for expected in [5, 10, 20] {
        for _ in 0..2 {
            patience.given_up(Some(&somebody), seconds(30));
        }
        assert_eq!(rounds(&patience), expected);
    }
}

#[test]
fn what_was_learned_outlives_the_hub() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("waits.json");
    let patience = Patience::new(Waits::default(), Some(file.clone()));
    for _ in 0..2 {
        patience.given_up(Some(&client("somebody")), seconds(30));
    }
    patience.save();
    let next = Patience::new(Waits::default(), Some(file.clone()));
    assert_eq!(next.of(Some(&client("somebody"))), seconds(27));
    let expected = SafeWait { client: "somebody 1.0".to_owned(), wait: seconds(27), is_learned: true };
    assert_eq!(learned_waits(&file), std::slice::from_ref(&expected));
    assert!(next.report().contains(&expected));
}

#[test]
fn a_damaged_file_is_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("waits.json");
    std::fs::write(&file, "[{\"client\": 3}").unwrap();
    assert_eq!(Patience::new(Waits::default(), Some(file)).of(Some(&client("somebody"))), seconds(45));
}
