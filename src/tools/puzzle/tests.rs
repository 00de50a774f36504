//! What callers of puzzles are told: what came of a call, and what to do next.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::hub::request::Delete;
use crate::hub::{Caller, Hub, Mouth, Session};
use crate::tools;

/// A hub in memory, and one who calls.
struct House {
    hub: Arc<Hub>,
    caller: Caller,
    _folder: tempfile::TempDir,
}

impl House {
    async fn with(config: Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let hub = Hub::in_memory(folder.path()).await;
        let caller = Caller::new(Session::Named("test".into()), Mouth::Mcp);
        let house = Self { hub, caller, _folder: folder };
        let added = house.call("add_puzzle", json!({ "config": config })).await;
        assert!(added["next"].is_string() && added["success"] == true, "{added}");
        house
    }

    async fn call(&self, tool: &str, given: Value) -> Value {
        let given = given.as_object().cloned().unwrap();
        tools::call(&self.hub, &self.caller, tool, given).await.json
    }

    /// Calls a tool about the puzzle `p`.
    async fn about(&self, tool: &str, mut given: Value) -> Value {
        given["puzzleId"] = json!("p");
        self.call(tool, given).await
    }

    async fn act(&self, action: &str, actor: &str) -> Value {
        self.about("perform_action_on_puzzle", json!({ "actionName": action, "actor": actor })).await
    }

    async fn answer(&self, guard: &Value, verdict: &str) -> Value {
        let given = json!({ "guardId": guard["pending"][0]["guardId"], "verdict": verdict, "by": "@Bob" });
        self.about("answer_guard", given).await
    }
}

/// `go` leads from A to B, where it ends, once `guards` let it.
fn machine(guards: &Value) -> Value {
    json!({
        "id": "p",
        "context": { "ok": false },
        "initialState": "A",
        "states": {
            "A": { "exitGuard": guards, "actions": { "go": { "targetState": "B" }, "end": { "targetState": "C" } } },
            "B": { "final": true },
            "C": {},
        },
    })
}

fn bob() -> Value {
    json!({ "participant": "@Bob", "question": "May it?" })
}

fn says(answer: &Value, words: &str) -> bool {
    answer["next"].as_str().is_some_and(|next| next.contains(words))
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_puzzle_that_has_ended_answers_at_once_and_says_so() {
    for end in ["go", "end"] {
        let house = House::with(machine(&json!({ "rule": { "not": { "actor": ["@Nobody"] } } }))).await;
        let done = house.act(end, "@Ada").await;
        assert!(done["success"] == true && says(&done, "it has ended"), "{done}");
        for given in [json!({}), json!({ "states": ["A"] }), json!({ "since_version": 2 })] {
            // Time stands still: a wait of a day would be a timeout.
            let waited = house.about("wait_for_puzzle", given).await;
            assert_eq!((&waited["ended"], &waited["timeout"]), (&json!(true), &Value::Null), "{waited}");
            assert!(waited["isFinal"] == (end == "go") && says(&waited, "do not wait"), "{waited}");
        }
        let refused = house.act("go", "@Ada").await;
        assert_eq!(refused["error"]["code"], "unknown_action");
        assert!(says(&refused["error"], "it has ended"), "{refused}");
        let future = house.about("wait_for_puzzle", json!({ "since_version": 9 })).await;
        assert_eq!(future["error"]["code"], "invalid_argument", "{future}");
        assert!(future["success"] == false && future["reason"].is_string(), "{future}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_is_over_says_whose_word_is_waited_for() {
    let house = House::with(machine(&bob())).await;
    house.act("go", "@Ada").await;
    let waited = house.about("wait_for_puzzle", json!({ "timeout_seconds": 1 })).await;
    assert!(waited["timeout"] == true && waited["isFinal"] == false, "{waited}");
    assert!(says(&waited, "no news") && says(&waited, "@Bob must answer guard"), "{waited}");
}

#[tokio::test(start_paused = true)]
async fn whoever_waits_learns_how_many_of_those_asked_have_to_agree() {
    for (quorum, before, after) in [
        (None, "one of @Bob, @Carol, @Dan must answer", "it has ended"),
        (Some(2), "2 of @Bob, @Carol, @Dan must answer", "one of @Carol, @Dan must answer"),
        (Some(3), "@Bob, @Carol, @Dan must answer", "@Carol, @Dan must answer"),
    ] {
        let mut panel = json!({ "participant": ["@Bob", "@Carol", "@Dan"], "question": "May it?" });
        if let Some(quorum) = quorum {
            panel["quorum"] = json!(quorum);
        }
        let house = House::with(machine(&panel)).await;
        let asked = house.act("go", "@Ada").await;
        let begins = |words: &str| asked["next"].as_str().is_some_and(|next| next.starts_with(words));
        assert!(begins(before), "{asked}");
        let snapshot = house.about("get_puzzle_snapshot", json!({})).await;
        assert!(says(&snapshot, before), "{snapshot}");
        let waiting = json!({ "actionName": "go", "actor": "@Ada", "wait_seconds": 5 });
        let (waited, answered) =
            tokio::join!(house.about("perform_action_on_puzzle", waiting), house.answer(&asked, "pass"));
        assert!(says(&answered, after) && says(&waited, after), "{answered} {waited}");
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_answers_a_guard_learns_what_came_of_it() {
    let rule = json!({ "rule": { "context": "ok", "is": true } });
    let mut closed = machine(&bob());
    closed["states"]["B"]["enterGuard"] = rule;
    for (machine, verdict, outcome, words) in [
        (machine(&bob()), "pass", "moved", "it has ended"),
        (machine(&bob()), "refuse", "refused", "nothing has moved"),
        (closed, "pass", "refused", "was refused all the same"),
    ] {
        let house = House::with(machine).await;
        let asked = house.act("go", "@Ada").await;
        let answered = house.answer(&asked, verdict).await;
        assert!(answered["success"] == true && answered["outcome"] == outcome, "{answered}");
        assert!(says(&answered, words), "{answered}");
        assert_eq!(answered["reason"].is_string(), outcome == "refused", "{answered}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_answer_says_what_to_do_next_and_the_context_can_be_read() {
    let house = House::with(machine(&bob())).await;
    let snapshot = house.about("get_puzzle_snapshot", json!({})).await;
    assert_eq!(snapshot["context"], json!({ "ok": false }));
    for tool in ["get_puzzle_snapshot", "get_puzzle_history", "remove_puzzle"] {
        let answer = house.about(tool, json!({})).await;
        assert!(answer["next"].is_string(), "{tool}: {answer}");
    }
    for tool in ["list_puzzles", "count_puzzles"] {
        let answer = house.call(tool, json!({})).await;
        assert!(answer["next"].is_string(), "{tool}: {answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_says_what_helps() {
    let house = House::with(machine(&bob())).await;
    let own = house.act("go", "@Bob").await;
    assert_eq!(own["error"]["code"], "guard_unavailable");
    assert!(says(&own["error"], "let somebody else act"), "{own}");
    let none = house.answer(&json!({ "pending": [{ "guardId": "g9" }] }), "pass").await;
    assert!(says(&none["error"], "no guard waits for an answer"), "{none}");
    for number in 0..16 {
        house.act("go", &format!("@Racer{number}")).await;
    }
    let one_more = house.act("go", "@Late").await;
    assert_eq!(one_more["error"]["code"], "limit_exceeded");
    assert!(says(&one_more["error"], "wait until a question to @Bob is answered"), "{one_more}");
}

#[tokio::test(start_paused = true)]
async fn who_named_no_version_is_not_told_of_one_that_was_expected() {
    let house = House::with(machine(&bob())).await;
    let asked = house.act("go", "@Ada").await;
    let given = json!({ "actionName": "go", "actor": "@Eve", "wait_seconds": 60 });
    let (lost, _) = tokio::join!(house.about("perform_action_on_puzzle", given), async {
        while house.hub.puzzle("p").await.unwrap().snapshot.pending.len() < 2 {
            tokio::task::yield_now().await;
        }
        house.answer(&asked, "pass").await
    });
    assert_eq!(lost["error"]["code"], "version_conflict");
    let told = lost["error"]["message"].as_str().unwrap();
    assert!(
        told.contains("the puzzle has moved before this was done") && !told.contains("expected"),
        "{told}"
    );
    assert_eq!(lost["reason"], lost["error"]["message"]);
}

#[tokio::test(start_paused = true)]
async fn why_says_what_a_guard_asks_of_a_person_and_the_command_that_answers() {
    let house = House::with(machine(&json!({ "participant": "@user", "question": "May it?" }))).await;
    let asked = house.act("go", "@Ada").await;
    let room = house.hub.puzzle("p").await.unwrap().room.unwrap().id;
    let state = house.hub.room_state(&house.caller, Some(&room)).await.unwrap();
    let why = tools::why(&state, &house.hub.inbox().await);
    let command =
        format!("turnroom puzzle answer p {} pass", asked["pending"][0]["guardId"].as_str().unwrap());
    assert_eq!(why["puzzles"], json!(["@Ada wants to do go on puzzle p: May it?"]));
    assert_eq!(why["act"], json!(command));
}

#[tokio::test(start_paused = true)]
async fn where_no_room_calls_those_who_are_asked_the_actor_is_told_to() {
    let house = House::with(machine(&bob())).await;
    let room = house.hub.puzzle("p").await.unwrap().room.unwrap().id;
    assert!(!says(&house.act("go", "@Ada").await, "tell them yourself"));
    let close = json!({ "handle": "@user", "room": room });
    house.call("close_conversation", close).await;
    let asked = house.act("go", "@Eve").await;
    assert!(says(&asked, &format!("room `{room}` is closed, so nobody is called there")), "{asked}");
    let snapshot = house.about("get_puzzle_snapshot", json!({})).await;
    assert!(says(&snapshot, "tell them yourself") && snapshot["room"] == room.as_str(), "{snapshot}");
    house.hub.delete(&house.caller, Delete { room, force: true, with_transcript: false }).await.unwrap();
    let snapshot = house.about("get_puzzle_snapshot", json!({})).await;
    assert!(
        says(&snapshot, "was deleted, so nobody is called there") && snapshot["room"].is_null(),
        "{snapshot}"
    );
}
