//! The same words twice.

use crate::room::Refusal;
use crate::room::command::Post;
use crate::room::tests::table::{post, private, reply_to, table, texts};

fn with_id(id: &str, message: Post) -> Post {
    Post { request_id: Some(id.to_owned()), ..message }
}

#[test]
fn a_known_request_id_gives_the_first_result() {
    let mut table = table(&["@Alice", "@Bob"]);
    let message = with_id("r1", post("@Alice", "@Bob hello"));
    let seq = table.post(message.clone());
    table.acknowledges("@Alice", 3, true);
    assert_eq!(table.repeat(&message).unwrap(), seq);
}

#[test]
fn a_request_id_stands_for_one_message() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.post(with_id("r1", post("@Alice", "@Bob hello")));
    for other in [
        post("@Alice", "@Bob goodbye"),
        private("@Alice", "@Bob hello"),
        Post { recipients: texts(&["@Bob"]), ..post("@Alice", "@Bob hello") },
        Post { reply_to: Some(reply_to(1, "@Bob")), ..post("@Alice", "@Bob hello") },
    ] {
        let refused = table.repeat(&with_id("r1", other)).unwrap_err();
        assert_eq!(refused, Refusal::RequestIdReused("r1".to_owned()));
    }
}

#[test]
fn request_ids_of_one_sender_are_not_anothers() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.post(with_id("r1", post("@Alice", "@Bob hello")));
    assert_eq!(table.repeat(&with_id("r1", post("@Bob", "@Alice hello"))), Ok(None));
}

#[test]
fn the_same_words_are_a_retry_until_an_answer_has_arrived() {
    let mut table = table(&["@Alice", "@Bob"]);
    let message = post("@Alice", "@Bob hello");
    let seq = table.post(message.clone());
    assert_eq!(table.repeat(&message).unwrap(), seq);
    table.acknowledges("@Alice", 2, false);
    table.acknowledges("@Bob", 3, true);
    assert_eq!(table.repeat(&message).unwrap(), seq);
    table.acknowledges("@Alice", 3, true);
    assert_eq!(table.repeat(&message), Ok(None));
}

#[test]
fn other_words_are_no_retry() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.say("@Alice", "@Bob hello");
    for other in [
        post("@Alice", "@Bob hello!"),
        post("@Bob", "@Bob hello"),
        private("@Alice", "@Bob hello"),
        Post { recipients: texts(&["@Bob"]), ..post("@Alice", "@Bob hello") },
    ] {
        assert_eq!(table.repeat(&other), Ok(None));
    }
}

#[test]
fn another_request_id_makes_the_same_words_new() {
    let mut table = table(&["@Alice", "@Bob"]);
    table.post(with_id("r1", post("@Alice", "@Bob hello")));
    assert_eq!(table.repeat(&with_id("r2", post("@Alice", "@Bob hello"))), Ok(None));
}

#[test]
fn the_newest_thousand_request_ids_are_kept() {
    let mut table = table(&["@Alice", "@Bob"]);
    let message = |n: usize| with_id(&format!("r{n}"), post("@user", &format!("word {n}")));
    let seqs: Vec<_> = (0..1_001).map(|n| table.post(message(n))).collect();
    assert_eq!(table.repeat(&message(1)).unwrap(), seqs[1]);
    assert_eq!(table.repeat(&message(1_000)).unwrap(), seqs[1_000]);
    assert_eq!(table.repeat(&message(0)), Ok(None));
}

#[test]
fn a_repeat_tells_whom_the_first_one_addressed() {
    let mut table = table(&["@Alice", "@Bob"]);
    let message = post("@Alice", "@Bob and @Dvae");
    table.post(message.clone());
    let repeat = table.room.repeat_of(&message).unwrap().unwrap();
    assert_eq!((repeat.seq, repeat.unknown), (3, texts(&["@Dvae"])));
    assert_eq!(*repeat.recipients, [super::table::handle("@Bob")]);
}

#[test]
fn words_said_before_the_last_ones_are_a_retry_too() {
    let mut table = table(&["@Alice", "@Bob", "@user"]);
    let one = table.say("@user", "one");
    let two = table.say("@user", "two");
    assert_eq!(table.repeat(&post("@user", "one")), Ok(Some(one)));
    assert_eq!(table.repeat(&post("@user", "two")), Ok(Some(two)));
    table.acknowledges("@user", two, true);
    assert_eq!(table.repeat(&post("@user", "one")), Ok(None));
}
