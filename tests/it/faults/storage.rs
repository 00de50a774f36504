//! What people do to a note, and pollers to a room.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::rmcp_clients::house::{Client, House, news};

/// Alice and Bob speak by turns; number `turn` is said.
async fn say(clients: [&Client; 2], turn: usize) {
    let [speaker, other] = if turn.is_multiple_of(2) { ["@Alice", "@Bob"] } else { ["@Bob", "@Alice"] };
    let post = json!({ "sender": speaker, "content": format!("{other}, word {turn}"), "room": "talk", "block": false });
    assert!(clients[turn % 2].call("send_message", post).await["posted"].is_object());
}

/// The words that a note shows, in its order.
fn shown(note: &Path) -> Vec<String> {
    let text = fs::read_to_string(note).expect("a note");
    text.lines().filter_map(|line| line.strip_prefix("> ")).map(str::to_owned).collect()
}

fn said(turns: usize) -> Vec<String> {
    let other = |turn: usize| if turn.is_multiple_of(2) { "@Bob" } else { "@Alice" };
    (0..turns).map(|turn| format!("{}, word {turn}", other(turn))).collect()
}

#[tokio::test]
async fn a_note_that_is_edited_cut_emptied_moved_or_deleted_comes_back_whole_and_no_edit_is_lost() {
    let house = House::open().await;
    let bob = house.over_stdio().await;
    let alice = house.two_in_a_room("talk", &bob).await;
    let clients = [&alice, &bob];
    let note = house.notes().join("talk.md");
    let edits: [&dyn Fn(&str); 5] = [
        &|text| fs::write(&note, text.replacen("### @Alice", "### Alicia the Great", 1)).unwrap(),
        &|text| fs::write(&note, text.split_at(text.len() / 2).0).unwrap(),
        &|_| fs::write(&note, "").unwrap(),
        &|_| fs::rename(&note, house.notes().join("moved.md")).unwrap(),
        &|_| fs::remove_file(&note).unwrap(),
    ];
    say(clients, 0).await;
    for (edit, turn) in edits.iter().zip(1..) {
        edit(&fs::read_to_string(&note).unwrap());
        say(clients, turn).await;
        assert_eq!(shown(&note), said(turn + 1), "after edit {turn}");
    }
    let files = fs::read_dir(house.notes()).unwrap().map(|file| file.unwrap().path());
    let texts: Vec<String> = files.filter_map(|file| fs::read_to_string(file).ok()).collect();
    assert!(texts.iter().any(|text| text.contains("Alicia the Great")), "what was typed is kept");
    assert_eq!(shown(&house.notes().join("moved.md")), said(4), "a file that was moved is the person's");
}

#[tokio::test]
async fn a_poller_gets_each_of_two_words_at_once_and_each_once() {
    const ROUNDS: usize = 25;
    let house = House::open().await;
    let clients = [house.over_stdio().await, house.over_http().await, house.over_old_http().await];
    let room = json!({
        "filepath": "talk.md", "room": "talk", "participants": ["@Alice", "@Bob", "@Poller"], "barrier": 0,
        "floor": "open", "max_agent_turns": 0,
    });
    clients[0].call("init_conversation", room).await;
    let [alice, bob, poller] = &clients;
    let post = |sender: &str, round: usize| json!({ "sender": sender, "content": format!("{sender} {round} @Poller"), "room": "talk", "block": false });
    let poll = async {
        let mut heard = Vec::new();
        while heard.len() < 2 * ROUNDS {
            let look = json!({ "handle": "@Poller", "room": "talk", "timeout_seconds": 0 });
            heard.extend(news(&poller.call("wait_for_turn", look).await));
        }
        heard
    };
    let speak = async {
        for round in 0..ROUNDS {
            tokio::join!(
                alice.call("send_message", post("@Alice", round)),
                bob.call("send_message", post("@Bob", round)),
            );
        }
    };
    let both = Box::pin(async { tokio::join!(poll, speak).0 });
    let heard =
        tokio::time::timeout(std::time::Duration::from_mins(1), both).await.expect("every word comes");
    let numbers: Vec<u64> = heard.iter().map(|word| word["seq_id"].as_u64().unwrap()).collect();
    assert!(numbers.is_sorted_by(|before, after| before < after), "{numbers:?}");
    let mut words: Vec<&Value> = heard.iter().map(|word| &word["content"]).collect();
    words.sort_by_key(ToString::to_string);
    let mut all: Vec<Value> =
        (0..ROUNDS).flat_map(|n| ["@Alice", "@Bob"].map(|who| json!(format!("{who} {n} @Poller")))).collect();
    all.sort_by_key(Value::to_string);
    assert_eq!(words, all.iter().collect::<Vec<_>>());
}
