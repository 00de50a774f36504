//! What those hear who wait in a room for a puzzle, and what people are told of puzzles that wait for nobody who is here.

use std::time::Duration;

use serde_json::{Value, json};

use super::Table;
use super::support::Client;
use crate::hub::request::{BarrierRequest, Leave, Wait};
use crate::hub::{TurnResult, TurnStatus};
use crate::room::Status;

const MINUTE: Duration = Duration::from_mins(1);

/// `@Ada` goes from one state to the next, all of them her own.
fn alone() -> Value {
    let go = |to: &str| json!({ "who": "@Ada", "actions": { "go": { "targetState": to } } });
    let end = json!({ "final": true });
    json!({
        "id": "release",
        "initialState": "A",
        "states": { "A": go("B"), "B": go("C"), "C": go("D"), "D": go("E"), "E": go("END"), "END": end },
    })
}

/// `@Carol` must agree before `@Ada` goes on.
fn guarded() -> Value {
    let guard = json!({ "participant": "@Carol", "question": "Is it whole?" });
    json!({
        "id": "release",
        "room": "talk",
        "initialState": "A",
        "states": {
            "A": { "who": "@Ada", "exitGuard": guard, "actions": { "go": { "targetState": "B" } } },
            "B": { "who": "@Bob", "actions": { "end": { "targetState": "C", "allowed": "@Bob" } } },
            "C": { "final": true },
        },
    })
}

impl Client {
    async fn wait_in(&self, room: &str, handle: &str, timeout: Duration) -> TurnResult {
        let (handle, room) = (handle.to_owned(), Some(room.to_owned()));
        let wait = Wait { handle, room, timeout: Some(timeout), ..Wait::default() };
        self.hub.wait(&self.caller, wait).await.unwrap().turn
    }
}

impl Table {
    /// A room with these agents, of whom those have come; `@Ada` has acted, if `has_acted`.
    async fn talk(&self, here: &[&str]) {
        let all = ["@Ada", "@Bob", "@Carol", "@user"];
        self.room(&all, |init| init.policy.barrier = Some(BarrierRequest::Count(0))).await;
        for name in here {
            self.client(name).joined("talk", name).await;
        }
        self.client("a").add(guarded()).await;
    }

    async fn leaves(&self, handle: &str) {
        let client = self.client(handle);
        let leave = Leave { handle: handle.to_owned(), room: Some("talk".to_owned()), key: None };
        client.hub.leave(&client.caller, leave).await.unwrap();
    }

    async fn titles(&self) -> Vec<String> {
        self.hub.inbox().await.iter().map(crate::hub::Item::title).collect()
    }

    async fn status(&self, handle: &str) -> Status {
        let state = self.hub.room_state(&self.client("looker").caller, Some("talk")).await.unwrap();
        state.participants.iter().find(|member| member.handle.as_str() == handle).unwrap().status
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_goes_on_is_told_of_each_turn_of_its_own_at_once() {
    let table = Table::new().await;
    let ada = table.client("@Ada");
    let room = ada.add(alone()).await.room.unwrap().id;
    ada.joined(&room, "@Ada").await;
    for _ in 0..5 {
        let turn = ada.wait_in(&room, "@Ada", MINUTE).await;
        assert_eq!((turn.status, turn.waited), (TurnStatus::YourTurn, Duration::ZERO));
        ada.act("release", "go", "@Ada").await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_who_is_not_here_is_told_so_once() {
    let table = Table::new().await;
    table.talk(&["@Ada"]).await;
    let ada = table.client("@Ada");
    assert_eq!(ada.wait_in("talk", "@Ada", MINUTE).await.status, TurnStatus::YourTurn);
    ada.act("release", "go", "@Ada").await.unwrap();
    let told = ada.wait_in("talk", "@Ada", MINUTE).await;
    assert_eq!((told.status, told.waited), (TurnStatus::YourTurn, Duration::ZERO));
    assert_eq!(told.next, "your `go` waits for @Carol, who is not here; pass_turn, or tell @user");
    for _ in 0..40 {
        let told = ada.wait_in("talk", "@Ada", MINUTE).await;
        assert_eq!((told.status, told.waited), (TurnStatus::Timeout, MINUTE));
    }
    table.client("@Carol").joined("talk", "@Carol").await;
    table.client("@Carol").answer_guard("g2", "@Carol", false).await.unwrap();
    assert_eq!(ada.wait_in("talk", "@Ada", MINUTE).await.waited, Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_for_a_panel_is_told_how_many_of_it_are_enough() {
    for (quorum, told) in [(None, "1 of 3 others"), (Some(2), "2 of 3 others"), (Some(3), "3 others")] {
        let table = Table::new().await;
        let all = ["@Ada", "@Bob", "@Carol", "@Dave"];
        table.room(&all, |init| init.policy.barrier = Some(BarrierRequest::Count(0))).await;
        let ada = table.client("@Ada");
        ada.joined("talk", "@Ada").await;
        let mut machine = guarded();
        let guard = &mut machine["states"]["A"]["exitGuard"];
        guard["participant"] = json!(&all[1..]);
        if let Some(quorum) = quorum {
            guard["quorum"] = json!(quorum);
        }
        ada.add(machine).await;
        ada.act("release", "go", "@Ada").await.unwrap();
        let turn = ada.wait_in("talk", "@Ada", MINUTE).await;
        assert_eq!(
            turn.next,
            format!("your `go` waits for {told}, who are not here; pass_turn, or tell @user")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_here_can_answer_is_in_the_inbox_and_its_actor_is_not() {
    let table = Table::new().await;
    table.talk(&["@Ada", "@Carol"]).await;
    table.leaves("@Carol").await;
    table.client("@Ada").act("release", "go", "@Ada").await.unwrap();
    assert_eq!(table.titles().await, ["puzzle release waits for @Carol, who has left"]);
    // Nothing tells the room that @Ada waits for the puzzle.
    tokio::time::sleep(MINUTE * 600).await;
    assert_eq!(table.titles().await, ["puzzle release waits for @Carol, who has left"]);
    assert_eq!(table.status("@Ada").await, Status::Active);
    let inbox = table.hub.inbox().await;
    assert_eq!(inbox[0].command(), "turnroom puzzle show release");
    table.client("@Carol").joined("talk", "@Carol").await;
    assert_eq!(table.titles().await, [] as [&str; 0]);
}

#[tokio::test(start_paused = true)]
async fn a_state_of_somebody_who_has_left_is_in_the_inbox_also_after_a_restart() {
    let mut table = Table::new().await;
    table.talk(&["@Ada", "@Bob", "@Carol"]).await;
    table.leaves("@Bob").await;
    table.client("@Ada").act("release", "go", "@Ada").await.unwrap();
    table.client("@Carol").answer_guard("g2", "@Carol", true).await.unwrap();
    let title = ["puzzle release waits for @Bob, who has left"];
    assert_eq!(table.titles().await, title);
    table.restart().await;
    assert_eq!(table.titles().await, title);
}

#[tokio::test(start_paused = true)]
async fn a_room_that_waits_for_who_has_not_come_is_in_the_inbox_when_that_lasts() {
    let table = Table::new().await;
    table.talk(&["@Ada"]).await;
    table.client("@Ada").act("release", "go", "@Ada").await.unwrap();
    assert_eq!(table.titles().await, [] as [&str; 0]);
    tokio::time::sleep(MINUTE).await;
    assert_eq!(table.titles().await, ["puzzle release waits for @Carol, who is not here"]);
}

#[tokio::test(start_paused = true)]
async fn whoever_was_away_and_acts_is_here() {
    let table = Table::new().await;
    table.talk(&["@Ada", "@Carol"]).await;
    tokio::time::sleep(MINUTE * 40).await;
    assert_eq!((table.status("@Ada").await, table.status("@Carol").await), (Status::Away, Status::Away));
    table.client("@Ada").act("release", "go", "@Ada").await.unwrap();
    assert_eq!(table.status("@Ada").await, Status::Active);
    table.client("@Carol").answer_guard("g2", "@Carol", false).await.unwrap();
    assert_eq!(table.status("@Carol").await, Status::Active);
    assert_eq!(table.floor("talk").await.as_deref(), Some("@Ada"));
}

#[tokio::test(start_paused = true)]
async fn a_room_that_waits_for_the_timer_of_a_puzzle_is_not_called_stuck() {
    let drink = json!({ "drink": { "targetState": "cold" } });
    let stuck = vec!["everybody waits in talk"];
    for (after, actions, titles) in [
        (json!({ "3600000": { "targetState": "cold" } }), json!({}), vec![]),
        (json!({ "3600000": { "targetState": "cold" } }), drink.clone(), stuck.clone()),
        (json!({}), drink, stuck),
    ] {
        let table = Table::new().await;
        let (alice, bob) = table.two().await;
        let states = json!({ "hot": { "after": after, "actions": actions }, "cold": {} });
        alice.add(json!({ "id": "tea", "room": "talk", "initialState": "hot", "states": states })).await;
        alice.pass("@Alice").await;
        let mut waits = Vec::new();
        for (client, handle) in [(alice, "@Alice"), (bob, "@Bob")] {
            client.look(handle).await;
            waits.push(tokio::spawn(async move { client.wait_in("talk", handle, 20 * MINUTE).await }));
        }
        tokio::time::sleep(10 * MINUTE).await;
        assert_eq!(table.titles().await, titles);
        for wait in waits {
            wait.abort();
        }
    }
}
