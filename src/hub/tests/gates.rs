//! The gate of a task in its reply note: what is decided there, once, and about what was shown.

use std::fs;

use super::Table;
use super::reply::Notes;
use super::support::Client;
use crate::hub::TaskState;
use crate::room::Handle;
use crate::task::{Decision, Gate, Record, Standing, Status};

const WRITE: &str = "\n\n- [ ] send";

/// A task that waits for a person, and its note.
async fn at_gate(table: &Table, gate: Gate) -> (Client, Notes) {
    let agent = table.client("agent");
    let task = agent.task_with("Parser", |create| create.gate = gate).await;
    agent.publish(&task, "architect", "design").await;
    agent.publish(&task, "executor", "code_changes").await;
    let notes = Notes::of_room(table, "parser").await;
    notes.until(|text| text.contains("waits for your decision") && text.contains("UTC) · 2\n")).await;
    (agent, notes)
}

async fn state(table: &Table) -> TaskState {
    table.hub.task_state("parser").await.unwrap()
}

async fn records(table: &Table) -> Vec<Record> {
    table.hub.read_task("parser", 1, 50).await.unwrap().1
}

/// The note with a tick beside a decision, and these words.
fn decided(text: &str, decision: &str, words: &str) -> String {
    let ticked = text.replace(&format!("- [ ] {decision}"), &format!("- [x] {decision}"));
    ticked.replace(WRITE, &format!("\n{words}{WRITE}"))
}

fn sent(text: &str) -> String {
    text.replace("- [ ] send", "- [x] send")
}

#[tokio::test]
async fn an_open_gate_is_passed_in_the_note() {
    let table = Table::new().await;
    let (_agent, notes) = at_gate(&table, Gate::Open).await;
    let text = notes.text();
    assert!(
        text.contains("> - 1 · `design` · architect · s\n> - 2 · `code_changes` · executor · s\n"),
        "{text}"
    );
    fs::write(&notes.reply, decided(&text, "Approve", "well done")).unwrap();
    fs::write(&notes.reply, sent(&notes.text())).unwrap();
    let text = notes.until(|text| text.contains("is approved, and not closed yet")).await;
    assert!(!text.contains("[x]") && !text.contains("well done") && !text.contains("Approve"), "{text}");
    let decision = records(&table).await.pop().unwrap();
    assert_eq!(
        (decision.payload.text("body"), decision.agent.as_deref()),
        (Some("well done"), Some("@user"))
    );
    assert_eq!(decision.standing, Standing::Plain, "nobody vouches for a word from a note");
    fs::write(&notes.reply, sent(&decided(&text, "Close", ""))).unwrap();
    notes.until(|text| text.contains("The conversation is closed")).await;
    assert_eq!(state(&table).await.status, Some(Status::Closed));
}

#[tokio::test]
async fn a_gate_for_people_shows_itself_and_says_where_it_is_decided() {
    let table = Table::new().await;
    let (agent, notes) = at_gate(&table, Gate::Human).await;
    let text = notes.text();
    assert!(text.contains("`turnroom task decide parser approve --expected-version 2`"), "{text}");
    assert_eq!(text.matches("- [ ]").count(), 1, "only words are sent from here: {text}");
    agent.decide("parser", Decision::Close).await;
    notes.until(|text| text.contains("@user proposes: Close") && text.contains("--expected-version 3")).await;
    agent.vouched_for().decide("parser", Decision::Reject).await;
    notes.until(|text| text.contains("No question waits for you.")).await;
}

#[tokio::test]
async fn what_came_in_between_is_not_decided_with_it() {
    let table = Table::new().await;
    let (agent, notes) = at_gate(&table, Gate::Open).await;
    let half = decided(&notes.text(), "Approve", "well done");
    fs::write(&notes.reply, &half).unwrap();
    agent.publish("parser", "architect", "note").await;
    fs::write(&notes.reply, sent(&half)).unwrap();
    let text = notes.until(|text| text.contains("Not sent: ")).await;
    assert!(text.contains("in between came 3 note (architect)") && text.contains("decide again"), "{text}");
    assert!(text.contains("UTC) · 3\n") && text.contains("> - 3 · `note`"), "{text}");
    assert!(text.contains("\nwell done\n") && !text.contains("[x]"), "{text}");
    let now = state(&table).await;
    assert_eq!((now.status, now.version), (Some(Status::PendingApproval), 3));
    fs::write(&notes.reply, sent(&text.replace("- [ ] Approve", "- [x] Approve"))).unwrap();
    notes.until(|text| text.contains("is approved")).await;
    assert_eq!(records(&table).await.pop().unwrap().payload.text("body"), Some("well done"));
}

#[tokio::test]
async fn a_rejection_needs_a_reason_and_wakes_who_has_to_mend() {
    let table = Table::new().await;
    let (_agent, notes) = at_gate(&table, Gate::Open).await;
    fs::write(&notes.reply, sent(&notes.text().replace("- [ ] Reject", "- [x] Reject"))).unwrap();
    let text = notes.until(|text| text.contains("Not sent: a rejection needs a reason")).await;
    assert_eq!(state(&table).await.version, 2);
    fs::write(&notes.reply, sent(&text.replace("\n> ⚠️", "\ntests are missing\n> ⚠️"))).unwrap();
    notes.until(|text| text.contains("No question waits for you.")).await;
    let now = state(&table).await;
    assert_eq!((now.status, now.version), (Some(Status::Implementing), 3));
    assert_eq!(records(&table).await.pop().unwrap().payload.text("body"), Some("tests are missing"));
}

#[tokio::test]
async fn a_half_written_decision_outlives_the_hub_and_is_taken_once_however_often_it_is_saved() {
    let mut table = Table::new().await;
    let (_agent, notes) = at_gate(&table, Gate::Open).await;
    let half = decided(&notes.text(), "Reject", "tests are missing");
    fs::write(&notes.reply, &half).unwrap();
    table.hub.stop();
    table.hub.shared.replies.close().await;
    table.restart().await;
    let state_of_room = Notes::of_room(&table, "parser").await;
    assert_eq!(state_of_room.text(), half);
    fs::write(&notes.reply, sent(&half)).unwrap();
    notes.until(|text| text.contains("No question waits for you.")).await;
    // A sync tool brings the old version once more, while no hub runs and later.
    for _ in 0..2 {
        table.hub.stop();
        table.hub.shared.replies.close().await;
        fs::write(&notes.reply, sent(&half)).unwrap();
        table.restart().await;
        notes.until(|text| !text.contains("tests are missing")).await;
    }
    let decisions: Vec<_> = records(&table).await.into_iter().skip(2).collect();
    assert_eq!(decisions.len(), 1, "{decisions:?}");
}

#[tokio::test]
async fn a_room_for_verified_words_decides_nothing_in_its_note() {
    let table = Table::new().await;
    table.room(&["@Bob"], |init| init.policy.humans_verified_only = Some(true)).await;
    let agent = table.client("agent");
    let cast = |role| (role, "@Bob".to_owned());
    let task = agent.task_with("Parser", |create| {
        create.gate = Gate::Open;
        create.room = Some("talk".to_owned());
        create.cast = crate::task::Role::ALL.into_iter().map(cast).collect();
    });
    let task = task.await;
    agent.publish(&task, "architect", "design").await;
    agent.publish(&task, "executor", "code_changes").await;
    let notes = Notes::of_room(&table, "talk").await;
    let text = notes.until(|text| text.contains("waits for your decision")).await;
    assert!(!text.contains("- [ ]") && text.contains("turnroom task decide parser approve"), "{text}");
}

#[tokio::test]
async fn words_beside_a_gate_are_said_in_the_room() {
    let table = Table::new().await;
    let (_agent, notes) = at_gate(&table, Gate::Open).await;
    fs::write(&notes.reply, sent(&decided(&notes.text(), "None", "I look at it tomorrow"))).unwrap();
    notes.until(|text| !text.contains("tomorrow")).await;
    let said = table.hub.everything_said("parser", None, None, 50).await.unwrap().messages;
    let said = said.iter().find(|message| message.content == "I look at it tomorrow").unwrap();
    assert!(said.sender == crate::room::Sender::Participant(Handle::user()));
    let now = state(&table).await;
    assert_eq!((now.status, now.version), (Some(Status::PendingApproval), 2));
}
