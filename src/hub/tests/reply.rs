//! Reply notes: what people answer in a file beside the transcript reaches the room, once.
//!
//! Files are saved in real time, so time does not stand still here; nothing waits longer than it must.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Table;
use super::support::{Client, settle};
use crate::hub::rest::REST_AFTER;
use crate::hub::{TurnResult, TurnStatus};
use crate::room::{Message, Sender, Via};

/// Nothing takes so long, unless it never comes.
const PATIENCE: Duration = Duration::from_secs(20);

/// The files of a room.
pub(super) struct Notes {
    pub(super) reply: PathBuf,
    pub(super) transcript: PathBuf,
}

impl Notes {
    async fn of(table: &Table) -> Self {
        Self::of_room(table, "talk").await
    }

    pub(super) async fn of_room(table: &Table, room: &str) -> Self {
        let state = table.hub.room_state(&table.client("s").caller, Some(room)).await.unwrap();
        let transcript = state.filepath;
        Self { reply: transcript.with_extension("reply.md"), transcript }
    }

    pub(super) fn text(&self) -> String {
        fs::read_to_string(&self.reply).unwrap_or_default()
    }

    pub(super) fn save(&self, part: &str, by: &str) {
        let text = self.text();
        assert!(text.contains(part), "{text}");
        fs::write(&self.reply, text.replace(part, by)).expect("saved");
    }

    pub(super) async fn until(&self, is_so: impl Fn(&str) -> bool) -> String {
        until(&self.reply, is_so).await
    }
}

/// Waits until this stands in a file.
pub(super) async fn until_in(file: &Path, words: &str) -> String {
    until(file, |text| text.contains(words)).await
}

/// What stands in a file, as soon as it is like this.
pub(super) async fn until(file: &Path, is_so: impl Fn(&str) -> bool) -> String {
    let text = || fs::read_to_string(file).unwrap_or_default();
    let look = async {
        while !is_so(&text()) {
            really(5).await;
        }
        text()
    };
    let found = tokio::time::timeout(PATIENCE, look).await;
    found.unwrap_or_else(|_| panic!("it stays {}", text()))
}

/// Lets real time go by, also where the time of the test stands still.
async fn really(milliseconds: u64) {
    let waited = tokio::task::spawn_blocking(move || {
        let (_never, told) = std::sync::mpsc::channel::<()>();
        // Nobody tells anything.
        let _ = told.recv_timeout(Duration::from_millis(milliseconds));
    });
    waited.await.expect("it ends");
}

async fn ask(alice: &Client, content: &str, choices: &[&str]) -> u64 {
    let asked = alice.send("@Alice", content, |send| {
        send.choices = choices.iter().map(ToString::to_string).collect();
        send.block = Some(false);
    });
    asked.await.unwrap().turn.posted.unwrap().seq_id
}

async fn said(table: &Table) -> Vec<Message> {
    let page = table.hub.everything_said("talk", None, None, 500).await.unwrap();
    let messages = page.messages.iter().filter(|message| message.via == Via::Note);
    messages.map(|message| (**message).clone()).collect()
}

async fn heard(alice: &Client) -> TurnResult {
    alice.wait_for("@Alice", PATIENCE).await.turn
}

#[tokio::test]
async fn a_room_has_a_reply_note_from_its_start_and_its_transcript_links_it() {
    let table = Table::new().await;
    table.room(&["@Alice"], |_| ()).await;
    let notes = Notes::of(&table).await;
    assert!(notes.text().contains("No question waits for you."), "{}", notes.text());
    let transcript = fs::read_to_string(&notes.transcript).unwrap();
    assert!(transcript.contains("Nothing waits for you. · [Answer here](talk.reply.md)"), "{transcript}");
}

#[tokio::test]
async fn one_tick_answers_the_question_and_wakes_who_asked() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let notes = Notes::of(&table).await;
    let seq = ask(&alice, "@user may I?", &["Yes, *please*", "No"]).await;
    notes.until(|text| text.contains("> @user may I?")).await;
    notes.save("- [ ] Yes", "- [x] Yes");
    let turn = heard(&alice).await;
    assert_eq!(turn.status, TurnStatus::YourTurn);
    let answer = said(&table).await.remove(0);
    assert_eq!((answer.content.as_str(), answer.reply_to), ("Yes, *please*", Some(seq)));
    assert!(!answer.is_verified && answer.via == Via::Note);
    let text = notes.until(|text| text.contains("No question waits")).await;
    assert!(!text.contains("[x]"), "{text}");
    let transcript = fs::read_to_string(&notes.transcript).unwrap();
    assert!(transcript.contains("@user (via note) ➔ @Alice"), "{transcript}");
}

#[tokio::test]
async fn a_person_may_speak_in_the_note_at_any_time() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let notes = Notes::of(&table).await;
    notes.save("\n\n- [ ] send", "\n@Alice go on, please\n\n- [x] send");
    heard(&alice).await;
    notes.until(|text| !text.contains("go on")).await;
    assert_eq!(said(&table).await[0].content, "@Alice go on, please");
}

#[tokio::test]
async fn what_was_sent_while_no_hub_ran_is_posted_once_however_often_it_is_saved() {
    let mut table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let notes = Notes::of(&table).await;
    ask(&alice, "@user may I?", &["Yes", "No"]).await;
    let asked = notes.until(|text| text.contains("may I?")).await;
    let ticked = asked.replace("- [ ] No", "- [x] No").replace("\n\n- [ ] send", "\nnot today\n\n- [ ] send");
    drop(alice);
    table.hub.stop();
    table.hub.shared.replies.close().await;
    fs::write(&notes.reply, &ticked).unwrap();
    table.restart().await;
    notes.until(|text| text.contains("No question waits")).await;
    assert_eq!(said(&table).await[0].content, "No\n\nnot today");
    // A sync tool brings the old version once more.
    fs::write(&notes.reply, &ticked).unwrap();
    notes.until(|text| !text.contains("not today")).await;
    assert_eq!(said(&table).await.len(), 1);
}

#[tokio::test]
async fn an_answer_that_comes_second_stays_in_the_note_with_the_reason() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let notes = Notes::of(&table).await;
    ask(&alice, "@user may I?", &[]).await;
    let asked = notes.until(|text| text.contains("may I?")).await;
    table.client("page").say("@user", "@Alice yes").await;
    notes.until(|text| text.contains("No question waits")).await;
    fs::write(&notes.reply, asked.replace("\n\n- [ ] send", "\nrather not\n\n- [x] send")).unwrap();
    let text = notes.until(|text| text.contains("Not sent: ")).await;
    assert!(text.contains("\nrather not\n") && text.contains("does not wait for an answer"), "{text}");
    assert!(said(&table).await.is_empty());
    notes.save("- [ ] send", "- [x] send");
    notes.until(|text| !text.contains("rather not")).await;
    assert_eq!(said(&table).await[0].content, "rather not");
}

#[tokio::test(start_paused = true)]
async fn the_note_of_a_room_at_rest_is_looked_after() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let notes = Notes::of(&table).await;
    ask(&alice, "@user may I?", &["Yes"]).await;
    tokio::time::sleep(Duration::from_hours(2) + REST_AFTER).await;
    for live in table.hub.shared.rooms_seen() {
        assert!(!live.lock_as_it_is(&table.hub.shared).await.is_loaded());
    }
    notes.save("- [ ] Yes", "- [x] Yes");
    for _ in 0..2_000 {
        if notes.text().contains("No question waits") {
            break;
        }
        really(5).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(said(&table).await[0].content, "Yes");
}

#[tokio::test]
async fn a_room_for_verified_words_says_so_in_its_note() {
    let table = Table::new().await;
    table.room(&["@Alice"], |init| init.policy.humans_verified_only = Some(true)).await;
    let notes = Notes::of(&table).await;
    let text = notes.text();
    assert!(text.contains("Only verified words count") && !text.contains("- [ ]"), "{text}");
}

#[tokio::test]
async fn a_closed_room_takes_nothing_and_says_so() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let notes = Notes::of(&table).await;
    let before = notes.text();
    alice.close("@user").await.unwrap();
    notes.until(|text| text.contains("The conversation is closed")).await;
    fs::write(&notes.reply, before.replace("\n\n- [ ] send", "\ntoo late\n\n- [x] send")).unwrap();
    let text = notes.until(|text| text.contains("Not sent: ")).await;
    assert!(text.contains("too late"), "{text}");
}

#[tokio::test]
async fn a_file_of_somebody_else_is_left_alone_and_the_room_is_told() {
    let mut table = Table::new().await;
    table.room(&["@Alice"], |_| ()).await;
    let notes = Notes::of(&table).await;
    table.restart().await;
    fs::write(notes.transcript.with_file_name("other.reply.md"), "mine").unwrap();
    table.room(&["@Alice"], |init| init.filepath = "other.md".to_owned()).await;
    let transcript = fs::read_to_string(notes.transcript.with_file_name("other.md")).unwrap();
    assert!(transcript.contains("There is no reply note: `other.reply.md`"), "{transcript}");
    assert!(!transcript.contains("Answer here"));
    assert_eq!(fs::read_to_string(notes.transcript.with_file_name("other.reply.md")).unwrap(), "mine");
}

#[tokio::test]
async fn a_room_that_takes_the_place_of_another_takes_its_note_and_keeps_its_words() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let notes = Notes::of(&table).await;
    ask(&alice, "@user may I?", &[]).await;
    notes.until(|text| text.contains("may I?")).await;
    notes.save("\n\n- [ ] send", "\nhalf a thought\n\n- [ ] send");
    table.room(&["@Carol"], |init| (init.force, init.topic) = (true, Some("Next".to_owned()))).await;
    notes.until(|text| text.contains("# Answer: Next")).await;
    let folder = fs::read_dir(notes.reply.parent().unwrap()).unwrap().flatten();
    let kept = folder.filter(|file| file.file_name().to_string_lossy().starts_with("talk.reply (edited"));
    let kept: Vec<String> = kept.map(|file| fs::read_to_string(file.path()).unwrap()).collect();
    assert!(kept.len() == 1 && kept[0].contains("half a thought"), "{kept:?}");
}

#[tokio::test]
async fn what_one_message_asks_two_people_stands_once_in_the_note_and_is_answered_for_user() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.humans = vec!["@Carol".to_owned()]).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    let first = alice.spawn_join("@Alice");
    settle().await;
    bob.join("@Bob").await;
    first.await.unwrap().unwrap();
    let seq = ask(&alice, "@Carol and @user: pick one", &["Red", "Blue"]).await;
    let notes = Notes::of(&table).await;
    let text = notes.until(|text| text.contains("Blue")).await;
    assert_eq!(text.matches("Blue").count(), 1, "{text}");
    let line = text.lines().find(|line| line.contains("Blue")).unwrap().to_owned();
    notes.save(&line, &line.replace("[ ]", "[x]"));
    let answer = alice.wait("@Alice").await;
    let answer = answer.turn.new_messages.iter().find(|given| given.message.reply_to == Some(seq)).unwrap();
    let sender = &answer.message.sender;
    assert!(matches!(sender, Sender::Participant(sender) if sender.as_str() == "@user"), "{sender:?}");
    let open: Vec<_> = table.hub.inbox().await.iter().map(|item| item.to.to_string()).collect();
    assert_eq!(open, ["@Carol"]);
}
