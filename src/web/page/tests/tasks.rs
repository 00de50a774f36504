//! Tasks on the page: what is shown, and what a person decides.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::house::House;
use crate::hub::ListTasks;

const PLAIN: &str = "text/html";
const SCRIPT: &str = "application/json";
const HOSTILE: &str = "\"><script>alert('1')</script>\u{202e}";

/// A task that waits for a decision, at record 2.
async fn at_the_gate(house: &House) {
    house.task("The parser", "solo").await;
    house.publish("the-parser", "design", "by hand", json!({})).await;
    house.publish("the-parser", "code_changes", "done", json!({ "commits": ["3f9c2ab"] })).await;
}

async fn status(house: &House) -> String {
    let state = house.page.hub.task_state("the-parser").await.unwrap();
    format!("{} {}", state.status.unwrap().as_str(), state.version)
}

#[tokio::test]
async fn a_person_makes_a_task_and_finds_it_on_the_board() {
    let house = House::new().await;
    assert!(house.load("/tasks").await.1.contains("No task is open."));
    assert!(house.load("/tasks/new").await.1.contains("Start a task"));
    let fields = [
        ("title", "The parser"),
        ("description", "one\r\ntwo"),
        ("flow", "direct"),
        ("executor", "Bob"),
        ("reviewer", ""),
        ("gate", "human"),
        ("request_id", "once"),
    ];
    for _ in 0..2 {
        let (status, _) = house.send("/tasks/new", &fields, PLAIN).await;
        assert_eq!(status, StatusCode::SEE_OTHER);
    }
    let open = ListTasks { status: None, include_closed: true, limit: 9, after: None };
    let made = house.page.hub.list_tasks(&open).await.unwrap().tasks;
    assert_eq!(made.len(), 1, "sent twice, made once");
    assert_eq!((made[0].description.as_str(), made[0].creator.as_str()), ("one\ntwo", "@user"));
    let board = house.load("/tasks").await.1;
    assert!(board.contains("href=\"/tasks/the-parser\"") && board.contains("@Bob"), "{board}");
    let task = house.load("/tasks/the-parser").await.1;
    assert!(task.contains("Nothing was published yet.") && task.contains("href=\"/rooms/the-parser\""));
    let room = house.load("/rooms/the-parser").await.1;
    assert!(room.contains("<a href=\"/tasks/the-parser\" dir=\"auto\">The parser</a>"), "{room}");
    assert!(room.contains("<a href=\"/tasks/the%2Dparser\">Task"), "{room}");
    assert!(house.load("/").await.1.contains("Tasks <span class=\"count soft\">1</span>"));
}

#[tokio::test]
async fn a_task_that_cannot_be_made_keeps_what_was_filled_in() {
    let house = House::new().await;
    let fields = [("title", "A <b>"), ("description", "words"), ("executor", "@a b"), ("flow", "solo")];
    let (status, page) = house.send("/tasks/new", &fields, PLAIN).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("value=\"A &#60;b&#62;\"") && page.contains("value=\"@a b\""), "{page}");
    assert!(page.contains("<option value=\"solo\" selected>") && page.contains("role=\"alert\"><strong>"));
}

#[tokio::test]
async fn a_person_approves_and_closes_and_both_are_verified() {
    let house = House::new().await;
    at_the_gate(&house).await;
    let fields = [("decision", "approve"), ("version", "2"), ("handle", "@user"), ("reason", "good\r\nwork")];
    let (code, _) = house.send("/tasks/the-parser/decide", &fields, PLAIN).await;
    assert_eq!((code, status(&house).await.as_str()), (StatusCode::SEE_OTHER, "pending_approval 3"));
    assert!(
        house.load("/tasks/the-parser").await.1.contains("proposal, not verified"),
        "nobody vouches for it"
    );
    let fields = [("decision", "approve"), ("version", "3"), ("handle", "@user"), ("reason", "good\r\nwork")];
    let (code, text) = house.act("/tasks/the-parser/decide", &fields).await;
    assert_eq!((code, text.as_str()), (StatusCode::OK, r#"{"status":"done","verified":true}"#));
    assert_eq!(status(&house).await, "approved 4");
    let fields = [("decision", "close"), ("version", "4")];
    let (code, _) = house.act("/tasks/the-parser/decide", &fields).await;
    assert_eq!((code, status(&house).await.as_str()), (StatusCode::OK, "closed 5"));
    let page = house.load("/tasks/the-parser").await.1;
    assert_eq!(page.matches("✓ verified, @user").count(), 2, "{page}");
    assert!(page.contains("<section id=\"decide\" aria-labelledby=\"decide-heading\" hidden "), "{page}");
    assert!(house.load("/tasks?closed=yes").await.1.contains("href=\"/tasks/the-parser\""));
    assert!(!house.load("/tasks").await.1.contains("href=\"/tasks/the-parser\""));
}

#[tokio::test]
async fn what_came_in_between_is_told_and_the_reason_is_kept() {
    let house = House::new().await;
    at_the_gate(&house).await;
    house.publish("the-parser", "note", "wait", json!({})).await;
    let fields = [("decision", "reject"), ("version", "2"), ("reason", "my <b>reason</b>")];
    let (code, page) = house.send("/tasks/the-parser/decide", &fields, PLAIN).await;
    assert_eq!(
        (code, status(&house).await.as_str()),
        (StatusCode::UNPROCESSABLE_ENTITY, "pending_approval 3")
    );
    assert!(page.contains("Nothing was done: record 3, note of architect came in"), "{page}");
    assert!(page.contains("my &#60;b&#62;reason&#60;/b&#62;</textarea>"), "{page}");
    assert!(page.contains("name=\"version\" value=\"3\""), "the form is about what it shows");
    let (code, text) = house.send("/tasks/the-parser/decide", &fields, SCRIPT).await;
    let error: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        (&error["error"]["code"], &error["error"]["version"]),
        (&json!("version_conflict"), &json!(3))
    );
}

#[tokio::test]
async fn a_decision_without_a_version_or_a_rejection_without_a_reason_is_none() {
    let house = House::new().await;
    at_the_gate(&house).await;
    for fields in [
        &[("decision", "approve")][..],
        &[("decision", "approve"), ("version", "two")],
        &[("decision", "explode"), ("version", "2")],
        &[("version", "2")],
        &[("decision", "reject"), ("version", "2"), ("reason", " ")],
    ] {
        for accept in [PLAIN, SCRIPT] {
            let (code, text) = house.send("/tasks/the-parser/decide", fields, accept).await;
            assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{fields:?}: {text}");
        }
    }
    let forged = "decision=approve&version=2&token=guessed".to_owned();
    for path in ["/tasks/the-parser/decide", "/tasks/the-parser/ack", "/tasks/new"] {
        assert_eq!(house.send_raw(path, forged.clone(), SCRIPT).await.0, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(status(&house).await, "pending_approval 2");
}

#[tokio::test]
async fn nobody_but_a_person_starts_an_agent_and_a_refusal_is_told_in_words() {
    let house = House::new().await;
    house.task("The parser", "full").await;
    let path = "/tasks/the-parser/start";
    for force in [&[][..], &[("force", "yes")]] {
        let (code, page) = house.send(path, force, PLAIN).await;
        assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(page.contains("Nothing was started") && page.contains("let this browser in anew"), "{page}");
        let (code, text) = house.act(path, force).await;
        let error: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (code, &error["error"]["code"]),
            (StatusCode::UNPROCESSABLE_ENTITY, &json!("not_startable"))
        );
        assert!(text.contains("no command is set that starts the architect, @Ada"), "{text}");
    }
    let (_, text) = house.send(path, &[], SCRIPT).await;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["error"]["code"], "not_verified");
    assert_eq!(house.send_raw(path, "token=guessed".to_owned(), SCRIPT).await.0, StatusCode::FORBIDDEN);
    assert_eq!(house.act("/tasks/nowhere/start", &[]).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let page = house.load("/tasks/the-parser").await.1;
    assert!(!page.contains("/start\""), "there is no button for what cannot be started: {page}");
}

#[tokio::test]
async fn what_does_not_fit_is_marked_until_a_person_has_seen_it() {
    let house = House::new().await;
    house.task("The parser", "full").await;
    house.publish("the-parser", "revision", "too early", json!({})).await;
    let page = house.load("/tasks/the-parser").await.1;
    assert!(page.contains("does not fit</span>") && page.contains("action=\"/tasks/the-parser/ack\""));
    let (code, _) = house.send("/tasks/the-parser/ack", &[("version", "1")], PLAIN).await;
    assert_eq!(code, StatusCode::SEE_OTHER);
    let page = house.load("/tasks/the-parser").await.1;
    assert!(!page.contains("does not fit</span>") && !page.contains("/ack\""), "{page}");
    assert_eq!(status(&house).await, "designing 2");
}

#[tokio::test]
async fn a_decision_of_an_agent_is_shown_as_a_proposal() {
    let house = House::new().await;
    at_the_gate(&house).await;
    house.publish("the-parser", "decision", "I am @user", json!({ "decision": "approve" })).await;
    let page = house.load("/tasks/the-parser").await.1;
    assert!(page.contains("proposal, not verified") && page.contains("proposes to approve"), "{page}");
    assert!(!page.contains("✓ verified"));
}

#[tokio::test]
async fn words_of_others_stay_in_their_place_in_a_task() {
    let house = House::new().await;
    house.task(&format!("The parser {HOSTILE}"), "solo").await;
    let open = ListTasks { status: None, include_closed: true, limit: 1, after: None };
    let task = house.page.hub.list_tasks(&open).await.unwrap().tasks.remove(0).task;
    let hostile = json!({ "commits": [HOSTILE], "verdict": HOSTILE, "decision": HOSTILE, "extra": HOSTILE });
    for content_type in ["design", "review", "decision", HOSTILE.trim_end_matches('\u{202e}')] {
        house.publish(&task, content_type, HOSTILE, hostile.clone()).await;
    }
    let room = format!("/rooms/{task}");
    for path in [&format!("/tasks/{task}"), "/tasks", "/", &room] {
        let (code, page) = house.load(path).await;
        assert_eq!(code, StatusCode::OK, "{path}");
        assert!(!page.contains("<script>alert"), "{path}: {page}");
        assert!(*path == room || !page.contains('\u{202e}'), "{path}: {page}");
    }
}

#[tokio::test]
async fn a_long_task_is_read_in_parts() {
    let house = House::new().await;
    house.task("The parser", "full").await;
    for number in 1..=130 {
        house.publish("the-parser", "note", &format!("note {number}"), json!({})).await;
    }
    let shows = |page: &str, version: u64| page.contains(&format!("<li id=\"{version}\""));
    let newest = house.load("/tasks/the-parser").await.1;
    assert!(shows(&newest, 31) && shows(&newest, 130) && !shows(&newest, 30));
    assert!(newest.contains("?since=1\">Older") && !newest.contains("data-elsewhen"));
    let oldest = house.load("/tasks/the-parser?since=1").await.1;
    assert!(
        shows(&oldest, 1) && shows(&oldest, 100) && !shows(&oldest, 101) && oldest.contains("?since=101\"")
    );
    assert!(oldest.contains("data-elsewhen"));
    assert!(shows(&house.load("/tasks/the-parser?at=20").await.1, 20));
    for senseless in ["?since=-1", "?at=x", "?since=18446744073709551616"] {
        let (status, told) = house.load(&format!("/tasks/the-parser{senseless}")).await;
        assert!(
            status == 400 && told.contains("this address makes no sense"),
            "{senseless}: {status} {told}"
        );
    }
    for odd in ["?since=0", "?since=99999", "?at=0", "?at=18446744073709551615"] {
        assert_eq!(house.load(&format!("/tasks/the-parser{odd}")).await.0, StatusCode::OK, "{odd}");
    }
    // Of large records there are fewer on a page.
    let large = "x".repeat(700 << 10);
    for _ in 0..3 {
        house.publish("the-parser", "note", "large", json!({ "body": large })).await;
    }
    let page = house.load("/tasks/the-parser").await.1;
    assert!(shows(&page, 133) && !shows(&page, 132) && page.contains(">Older records"));
}

#[tokio::test]
async fn a_task_that_is_not_there_is_said_to_be_none() {
    let house = House::new().await;
    for task in ["nowhere", "%2e%2e%2fetc", "%3Cscript%3E", "a%00b", &"x".repeat(5_000)] {
        for (code, text) in [
            house.load(&format!("/tasks/{task}")).await,
            house
                .send(&format!("/tasks/{task}/decide"), &[("decision", "close"), ("version", "0")], PLAIN)
                .await,
        ] {
            assert!(code.is_client_error(), "{task}: {code}");
            assert!(!text.contains("<script>"), "{text}");
        }
    }
    assert!(house.load("/tasks/nowhere").await.1.contains("<h1>No such task</h1>"));
}
