//! Puzzles: one shared state for all, guards before a move, whose floor a state is, and what is due after a restart.

use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::Table;
use super::reply::{Notes, until_in};
use super::support::{Client, settle};
use crate::clock::set_wall_clock;
use crate::hub::request::{Join, Wait};
use crate::hub::{
    ActOnPuzzle, Acted, AddPuzzle, AnswerGuard, Caller, HubError, ListPuzzles, PuzzleState, WaitPuzzle,
};

const MINUTE: Duration = Duration::from_mins(1);

/// Two states, and an action that leads from each to the other.
pub(super) fn lamp() -> Value {
    json!({
        "id": "lamp",
        "initialState": "OFF",
        "states": {
            "OFF": { "actions": { "press": { "targetState": "ON" } } },
            "ON": { "actions": { "press": { "targetState": "OFF" } } },
        },
    })
}

/// A state that somebody must agree to leave.
pub(super) fn guarded(who: &str) -> Value {
    json!({
        "id": "release",
        "initialState": "DRAFT",
        "states": {
            "DRAFT": {
                "exitGuard": { "participant": who, "question": "Is it whole?", "expiresMinutes": 10 },
                "actions": { "publish": { "targetState": "OUT" } },
            },
            "OUT": {},
        },
    })
}

impl Client {
    pub(super) async fn add(&self, config: Value) -> PuzzleState {
        let request = AddPuzzle { config, ..AddPuzzle::default() };
        self.hub.add_puzzle(&self.caller, request).await.unwrap().state
    }

    pub(super) async fn act(&self, puzzle: &str, action: &str, actor: &str) -> Result<Acted, HubError> {
        let request = ActOnPuzzle {
            puzzle: puzzle.to_owned(),
            action: action.to_owned(),
            actor: Some(actor.to_owned()),
            ..ActOnPuzzle::default()
        };
        self.hub.act_on_puzzle(&self.caller, request).await
    }

    pub(super) async fn answer_guard(
        &self,
        guard: &str,
        by: &str,
        pass: bool,
    ) -> Result<PuzzleState, HubError> {
        let request = AnswerGuard {
            puzzle: "release".to_owned(),
            guard: guard.to_owned(),
            pass,
            reason: Some("because".to_owned()),
            by: by.to_owned(),
            request_id: None,
        };
        self.hub.answer_guard(&self.caller, request).await.map(|(state, _)| state)
    }

    pub(super) async fn joined(&self, room: &str, handle: &str) {
        let join = Join {
            handle: handle.to_owned(),
            room: Some(room.to_owned()),
            timeout: Some(Duration::ZERO),
            ..Join::default()
        };
        self.hub.join(&self.caller, join).await.unwrap();
    }

    /// Joins, waits for its turn, and gives all that it was told.
    pub(super) async fn join_in(&self, room: &str, handle: &str) -> String {
        self.joined(room, handle).await;
        let wait = Wait { handle: handle.to_owned(), room: Some(room.to_owned()), ..Wait::default() };
        let turn = self.hub.wait(&self.caller, wait).await.unwrap().turn;
        turn.new_messages.iter().map(|given| given.message.content.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The same client with a person who vouches for it.
    pub(super) fn of_a_person(&self) -> Self {
        Self { caller: Caller { is_verified: true, ..self.caller.clone() }, ..self.clone() }
    }
}

impl Table {
    pub(super) async fn stands(&self, puzzle: &str) -> String {
        self.hub.puzzle(puzzle).await.unwrap().snapshot.current_state
    }
}

/// Minutes go by on the wall clock, and some time for the hub to see it.
pub(super) async fn pass(minutes: i64) {
    set_wall_clock(TimeDelta::minutes(minutes));
    sleep(2 * MINUTE).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_40_that_take_what_can_be_taken_once_one_wins_and_the_others_learn_the_state() {
    let table = Table::new().await;
    let maker = table.client("maker");
    let config = json!({
        "id": "prize",
        "initialState": "FREE",
        "states": { "FREE": { "actions": { "take": { "targetState": "TAKEN" } } }, "TAKEN": {} },
    });
    maker.add(config).await;
    let racers = (0..40).map(|racer| {
        let client = table.client(&format!("racer {racer}"));
        tokio::spawn(async move { client.act("prize", "take", &format!("@Racer{racer}")).await })
    });
    let outcomes: Vec<_> = join_all(racers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    for lost in outcomes.into_iter().filter_map(Result::err) {
        let HubError::Puzzle { state: Some(state), .. } = lost else { panic!("{lost:?}") };
        assert_eq!((state.snapshot.current_state.as_str(), state.snapshot.version), ("TAKEN", 2));
    }
}

#[tokio::test(start_paused = true)]
async fn a_puzzle_stands_after_a_restart_where_it_stood_and_an_id_is_used_once() {
    let mut table = Table::new().await;
    let client = table.client("a");
    client.add(lamp()).await;
    client.act("lamp", "press", "@Ada").await.unwrap();
    table.restart().await;
    assert_eq!((table.stands("lamp").await.as_str(), table.hub.puzzle_count().await.unwrap()), ("ON", 1));
    let (_, history) = table.hub.puzzle_history("lamp", 0, 10).await.unwrap();
    assert_eq!(history.iter().map(|happened| happened.version).collect::<Vec<_>>(), [1, 2]);
    let again = AddPuzzle { config: lamp(), ..AddPuzzle::default() };
    let refused = table.hub.add_puzzle(&client.caller, again).await.unwrap_err();
    assert_eq!(refused.code(), "puzzle_exists");
}

#[tokio::test(start_paused = true)]
async fn an_id_that_is_kept_for_the_page_was_nobodys() {
    let table = Table::new().await;
    let config = json!({ "id": "new", "initialState": "A", "states": { "A": {} } });
    let request = AddPuzzle { config, ..AddPuzzle::default() };
    let refused = table.hub.add_puzzle(&table.client("a").caller, request).await.unwrap_err();
    assert_eq!(refused.code(), "invalid_argument");
    assert!(refused.to_string().contains("the id `new` is kept for the page"), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn the_same_request_makes_one_puzzle_also_after_a_restart() {
    let mut table = Table::new().await;
    let mut config = lamp();
    config.as_object_mut().unwrap().remove("id");
    let request = AddPuzzle { config, request_id: Some("r1".to_owned()), ..AddPuzzle::default() };
    let caller = table.client("a").caller;
    let first = table.hub.add_puzzle(&caller, request.clone()).await.unwrap().state.puzzle;
    assert_eq!(table.hub.add_puzzle(&caller, request.clone()).await.unwrap().state.puzzle, first);
    table.restart().await;
    assert_eq!(table.hub.add_puzzle(&caller, request.clone()).await.unwrap().state.puzzle, first);
    let other = AddPuzzle { name: Some("Other".to_owned()), ..request };
    assert_eq!(table.hub.add_puzzle(&caller, other).await.unwrap_err().code(), "request_id_reused");
    assert_eq!(table.hub.puzzle_count().await.unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_guard_of_a_person_is_in_the_inbox_and_only_a_person_passes_it() {
    let mut table = Table::new().await;
    let client = table.client("a");
    client.add(guarded("@user")).await;
    let Acted::Pending(_, asked) = client.act("release", "publish", "@Ada").await.unwrap() else {
        panic!("it waits")
    };
    let guard = asked.id.clone();
    table.crash().await;
    settle().await;
    let inbox = table.hub.inbox().await;
    let item = inbox.iter().find(|item| item.want.kind() == "guard").unwrap();
    assert_eq!(item.title(), "@Ada wants to do publish on puzzle release");
    assert_eq!(item.command(), format!("turnroom puzzle answer release {guard} pass"));
    let client = table.client("a");
    let refused = client.answer_guard(&guard, "@user", true).await.unwrap_err();
    assert_eq!(refused.code(), "needs_person");
    let state = client.of_a_person().answer_guard(&guard, "@user", true).await.unwrap();
    assert_eq!(state.snapshot.current_state, "OUT");
    assert!(table.hub.inbox().await.iter().all(|item| item.want.kind() != "guard"));
    let late = client.of_a_person().answer_guard(&guard, "@user", false).await.unwrap_err();
    assert_eq!(late.code(), "already_settled");
}

#[tokio::test]
async fn a_guard_of_a_person_stands_in_the_reply_note_and_in_the_transcript() {
    let table = Table::new().await;
    let client = table.client("a");
    let room = client.add(guarded("@user")).await.room.expect("whoever judges needs a room").id;
    let notes = Notes::of_room(&table, &room).await;
    let Acted::Pending(_, asked) = client.act("release", "publish", "@Ada").await.unwrap() else {
        panic!("it waits")
    };
    let command = format!("turnroom puzzle answer release {} pass", asked.id);
    let text = notes.until(|text| text.contains("> Is it whole?")).await;
    assert!(text.contains(&command) && !text.contains("No question waits"), "{text}");
    let said = "What you write here is said in the room; it decides nothing.";
    assert!(text.contains(said) && text.contains("@Ada: `publish`, `DRAFT` → `OUT`"), "{text}");
    assert_eq!(text.matches("- [ ]").count(), 1, "only words are sent from here: {text}");
    let transcript = until_in(&notes.transcript, "Puzzles that wait for a person: `release`").await;
    assert!(!transcript.contains("Nothing waits for you"), "{transcript}");
    client.of_a_person().answer_guard(&asked.id, "@user", true).await.unwrap();
    notes.until(|text| text.contains("No question waits for you.")).await;
    until_in(&notes.transcript, "Nothing waits for you.").await;
}

#[tokio::test(start_paused = true)]
async fn a_guard_of_a_participant_is_its_turn_in_the_room_and_a_refusal_says_why() {
    let table = Table::new().await;
    let client = table.client("a");
    let state = client.add(guarded("@Rita")).await;
    let room = state.room.expect("whoever judges needs a room").id;
    let rita = table.client("rita");
    let waiting = {
        let (rita, room) = (rita.clone(), room.clone());
        tokio::spawn(async move { rita.join_in(&room, "@Rita").await })
    };
    settle().await;
    let Acted::Pending(_, asked) = client.act("release", "publish", "@Ada").await.unwrap() else {
        panic!("it waits")
    };
    let turn = waiting.await.unwrap();
    assert!(turn.contains("Is it whole?"), "{turn}");
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Rita"));
    let own = client.answer_guard(&asked.id, "@Ada", true).await.unwrap_err();
    assert_eq!(own.code(), "not_asked");
    let state = rita.answer_guard(&asked.id, "@Rita", false).await.unwrap();
    assert_eq!(state.snapshot.current_state, "DRAFT");
    let (_, history) = table.hub.puzzle_history("release", 0, 10).await.unwrap();
    let kinds: Vec<_> = history.iter().map(|happened| happened.event.kind()).collect();
    assert_eq!(kinds, ["puzzle_added", "guard_asked", "verdict_given", "action_refused"]);
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_a_puzzle_hears_of_the_next_change_and_of_a_state() {
    let table = Table::new().await;
    let client = table.client("a");
    client.add(lamp()).await;
    let wait = |states: &[&str]| WaitPuzzle {
        puzzle: "lamp".to_owned(),
        states: states.iter().map(ToString::to_string).collect(),
        timeout: Some(MINUTE),
        since: None,
    };
    let next = wait(&[]);
    let (woken, _) = tokio::join!(client.hub.wait_for_puzzle(&client.caller, &next), async {
        settle().await;
        client.act("lamp", "press", "@Ada").await.unwrap()
    });
    let (state, has_come) = woken.unwrap();
    assert_eq!((state.snapshot.current_state.as_str(), has_come), ("ON", true));
    let on = client.hub.wait_for_puzzle(&client.caller, &wait(&["ON"])).await.unwrap();
    assert!(on.1, "it stands there already");
    let (_, has_come) = client.hub.wait_for_puzzle(&client.caller, &wait(&["OFF"])).await.unwrap();
    assert!(!has_come, "the time is over");
    let never = client.hub.wait_for_puzzle(&client.caller, &wait(&["DIM"])).await.unwrap_err();
    assert_eq!(never.allowed(), ["OFF", "ON"]);
    let waits = wait(&["OFF"]);
    let (gone, _) = tokio::join!(client.hub.wait_for_puzzle(&client.caller, &waits), async {
        settle().await;
        client.hub.remove_puzzle(&client.caller, "lamp", Some("@Ada")).await.unwrap()
    });
    assert_eq!(gone.unwrap_err().code(), "puzzle_removed");
}

#[tokio::test(start_paused = true)]
async fn a_state_calls_those_whose_it_is_and_relieves_the_team_before() {
    let table = Table::new().await;
    let client = table.client("a");
    let config = json!({
        "id": "relay",
        "initialState": "SPECIFICATION",
        "states": {
            "SPECIFICATION": { "who": ["@Ada", "@Bob"], "actions": { "done": { "targetState": "DESIGN" } } },
            "DESIGN": { "who": "@Dora" },
        },
    });
    let room = client.add(config).await.room.unwrap().id;
    table.client("ada").joined(&room, "@Ada").await;
    table.client("bob").joined(&room, "@Bob").await;
    let dora = table.client("dora");
    let waiting = {
        let (dora, room) = (dora.clone(), room.clone());
        tokio::spawn(async move { dora.join_in(&room, "@Dora").await })
    };
    settle().await;
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Ada"));
    client.act("relay", "done", "@Ada").await.unwrap();
    let told = waiting.await.unwrap();
    assert!(told.contains("`SPECIFICATION` → `DESIGN`"), "{told}");
    assert!(told.contains("it is the turn of @Dora; @Ada, @Bob may stop"), "{told}");
    assert_eq!(table.floor(&room).await.as_deref(), Some("@Dora"));
}

#[tokio::test(start_paused = true)]
async fn a_timer_moves_a_puzzle_also_if_the_hub_was_away_when_it_ran_out() {
    let mut table = Table::new().await;
    let config = json!({
        "id": "tea",
        "initial": "drawing",
        "states": {
            "drawing": { "after": { "60000": "ready" } },
            "ready": { "after": { "600000": "cold" } },
            "cold": { "type": "final" },
        },
    });
    table.client("a").add(config).await;
    settle().await;
    assert_eq!(table.stands("tea").await, "drawing");
    pass(2).await;
    assert_eq!(table.stands("tea").await, "ready");
    table.restart().await;
    pass(20).await;
    assert_eq!(table.stands("tea").await, "cold");
}

#[tokio::test(start_paused = true)]
async fn a_guard_that_nobody_answers_in_time_is_refused() {
    let table = Table::new().await;
    let client = table.client("a");
    client.add(guarded("@user")).await;
    client.act("release", "publish", "@Ada").await.unwrap();
    pass(11).await;
    let state = table.hub.puzzle("release").await.unwrap();
    assert_eq!((state.snapshot.current_state.as_str(), state.snapshot.pending.len()), ("DRAFT", 0));
    assert!(table.hub.inbox().await.iter().all(|item| item.want.kind() != "guard"));
}

#[tokio::test(start_paused = true)]
async fn puzzles_are_listed_in_the_order_in_which_they_were_added_each_once() {
    let table = Table::new().await;
    let client = table.client("a");
    for number in 0..30 {
        let mut config = lamp();
        config["id"] = json!(format!("p{}", 29 - number));
        client.add(config).await;
    }
    client.hub.remove_puzzle(&client.caller, "p20", None).await.unwrap();
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = table.hub.list_puzzles(&ListPuzzles { after, limit: 7 }).await.unwrap();
        seen.extend(page.puzzles.into_iter().map(|puzzle| puzzle.puzzle));
        after = seen.last().cloned();
        if !page.more {
            break;
        }
    }
    let expected: Vec<_> =
        (0..30).rev().filter(|number| *number != 20).map(|number| format!("p{number}")).collect();
    assert_eq!(seen, expected);
}
