//! What is known, said and learned of clients.

use super::*;

const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn client(name: &str) -> Client {
    Client { name: name.to_owned(), version: "1.0".to_owned() }
}

fn said(name: &str, version: Option<&str>, wait: u64) -> ClientWait {
    ClientWait { name: name.to_owned(), version: version.map(str::to_owned), wait: seconds(wait) }
}

/// Calls of `somebody` are given up at these ages.
fn after(ages: &[f64]) -> Duration {
    let patience = Patience::default();
    for age in ages {
        patience.given_up(Some(&client("somebody")), Duration::from_secs_f64(*age));
    }
    patience.of(Some(&client("somebody")))
}

#[test]
fn a_client_gets_the_longest_wait_known_to_be_safe() {
    let patience = Patience::default();
    assert_eq!(patience.of(None), seconds(45));
    assert_eq!(patience.of(Some(&client("somebody"))), seconds(45));
    assert_eq!(patience.of(Some(&client("Claude-Code"))), seconds(110));
    assert_eq!(patience.of(Some(&client("codex-mcp-client"))), seconds(240));
}

#[test]
fn what_a_person_says_of_a_client_counts_more_than_what_is_known() {
    let patience = Patience::new(vec![said("Codex", Some("0.1."), 50), said("codex", None, 3_000)], None);
    let codex = |version: &str| Client { name: "codex-mcp-client".to_owned(), version: version.to_owned() };
    assert_eq!(patience.of(Some(&codex("0.1.7"))), seconds(50));
    assert_eq!(patience.of(Some(&codex("0.150.0"))), seconds(3_000));
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
    let patience = Patience::default();
    let newer = Client { version: "2.0".to_owned(), ..client("somebody") };
    for _ in 0..2 {
        patience.given_up(Some(&client("Somebody")), seconds(30));
    }
    assert_eq!(patience.of(Some(&client("somebody"))), seconds(27));
    assert_eq!(patience.of(Some(&newer)), seconds(45));
}

#[test]
fn waits_that_end_well_get_longer_again_up_to_what_is_known() {
    let patience = Patience::default();
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
    let patience = Patience::default();
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
    let patience = Patience::default();
    let somebody = client("somebody");
    let rounds = |patience: &Patience| {
        let before = patience.of(Some(&somebody));
        (1..).find(|_| patience.arrived(&somebody, before)).unwrap()
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
    let patience = Patience::new(Vec::new(), Some(file.clone()));
    for _ in 0..2 {
        patience.given_up(Some(&client("somebody")), seconds(30));
    }
    patience.save();
    let next = Patience::new(Vec::new(), Some(file.clone()));
    assert_eq!(next.of(Some(&client("somebody"))), seconds(27));
    let expected = SafeWait {
        client: "somebody".to_owned(),
        version: Some("1.0".to_owned()),
        wait: seconds(27),
        source: WaitSource::Learned,
    };
    assert_eq!(learned_waits(&file), [expected.clone()]);
    assert!(next.report().contains(&expected));
}

#[test]
fn a_damaged_file_is_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("waits.json");
    std::fs::write(&file, "[{\"client\": 3}").unwrap();
    assert_eq!(Patience::new(Vec::new(), Some(file)).of(Some(&client("somebody"))), seconds(45));
}
