//! The API through the real router.

use axum::body::Body;
use axum::http::header;

use super::super::testing::{Scene, TOKEN, post, text};
use super::*;
use crate::hub::{Mouth, Session};

async fn ask(scene: &Scene, path: &str, body: &str) -> (u16, Value) {
    let response = scene.ask(Entry::Local, post(path).body(Body::from(body.to_owned())).unwrap()).await;
    let status = response.status().as_u16();
    (status, serde_json::from_str(&text(response).await).unwrap())
}

#[tokio::test]
async fn a_tool_answers_with_its_json() {
    let scene = Scene::new();
    assert_eq!(ask(&scene, "/api/tools/echo", r#"{"a":1}"#).await, (200, json!({"a": 1})));
    assert_eq!(ask(&scene, "/api/tools/refuse", "{}").await, (422, json!({"error": {"code": "no"}})));
    let caller = scene.desk.callers.lock().unwrap()[0].clone();
    assert_eq!((caller.session, caller.mouth), (Session::Alone, Mouth::Terminal));
}

#[tokio::test]
async fn a_body_that_is_no_object_is_a_bad_request() {
    let scene = Scene::new();
    for body in ["", "x", "[]", "1", "{\"a\":"] {
        for path in ["/api/tools/echo", "/api/commands/resume", "/api/commands/status"] {
            let (status, answer) = ask(&scene, path, body).await;
            // A list is also a way to write a command's body, an empty one lacks nothing.
            if status != 200 || body != "[]" {
                assert_eq!(
                    (status, &answer["error"]["code"]),
                    (400, &json!("invalid_argument")),
                    "{path} {body}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_caller_has_the_session_and_folders_of_its_headers() {
    let scene = Scene::new();
    let request =
        post("/api/tools/echo").header("x-turnroom-session", "me").header("x-turnroom-folders", r#"["/a"]"#);
    let response = scene.ask(Entry::Local, request.body(Body::from("{}")).unwrap()).await;
    assert_eq!(response.status(), StatusCode::OK);
    let caller = scene.desk.callers.lock().unwrap()[0].clone();
    assert_eq!(caller.session, Session::Named("api:me".into()));
    assert_eq!(caller.folders, [PathBuf::from("/a")]);
}

#[tokio::test]
async fn over_tcp_the_token_opens_the_api() {
    let scene = Scene::new();
    let request = post("/api/tools/echo").header(header::AUTHORIZATION, format!("Bearer {TOKEN}"));
    let response = scene.ask_tcp(request.body(Body::from("{}")).unwrap()).await;
    assert_eq!(response.status(), StatusCode::OK);
    let response = scene.ask_tcp(post("/api/tools/echo").body(Body::from("{}")).unwrap()).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_client_that_goes_away_cancels_its_call_and_takes_its_answer_back() {
    let scene = Scene::new();
    let request = post("/api/tools/wait").body(Body::from("{}")).unwrap();
    let call = tokio::spawn(tower::ServiceExt::oneshot(scene.web.routes(Entry::Local), request));
    scene.desk.heard("call wait").await;
    call.abort();
    scene.desk.heard("cancelled").await;
    scene.desk.heard("take back 7").await;
}

#[tokio::test]
async fn an_answer_that_is_not_read_is_taken_back() {
    let scene = Scene::new();
    let response =
        scene.ask(Entry::Local, post("/api/tools/echo").body(Body::from("{\"a\":1}")).unwrap()).await;
    drop(response);
    scene.desk.heard("take back 7").await;
}

#[tokio::test]
async fn an_answer_that_is_read_stays_given() {
    let scene = Scene::new();
    ask(&scene, "/api/tools/echo", r#"{"a":1}"#).await;
    assert_eq!(scene.desk.told(), ["call echo"]);
}

#[tokio::test]
async fn a_call_that_breaks_is_an_answer_too() {
    let scene = Scene::new();
    let (status, answer) = ask(&scene, "/api/tools/break", "{}").await;
    assert_eq!((status, &answer["error"]["code"]), (500, &json!("internal_error")));
}

#[tokio::test]
async fn commands_reach_the_hub() {
    let scene = Scene::new();
    let cases = [
        ("resume", r#"{"room":"a"}"#, r#"Resume { room: Some("a") }"#),
        ("start", r#"{"room":null}"#, "Start { room: None }"),
        ("remove", r#"{"handle":"@Bob"}"#, r#"Remove { room: None, handle: "@Bob" }"#),
        ("key", r#"{"handle":"@Bob","room":"a"}"#, r#"Key { room: Some("a"), handle: "@Bob" }"#),
        ("log", "{}", "Log { room: None }"),
        (
            "start_next",
            r#"{"task_id":"a","force":true}"#,
            r#"StartNext { task: "a", if_started: StartAnew }"#,
        ),
        (
            "ack_task",
            r#"{"task_id":"a","handle":"@user","expected_version":3}"#,
            r#"Acknowledge(Acknowledge { task: "a", by: "@user", note: None, expected_version: Some(3) })"#,
        ),
        (
            "event",
            r#"{"event":"done","handle":"@Bob"}"#,
            r#"Report(ReportTurn { task: None, role: None, handle: Some("@Bob"), activity: Done, reason: None })"#,
        ),
        ("allow", r#"{"folder":"/a"}"#, r#"Allow { folder: "/a" }"#),
    ];
    for (name, body, command) in cases {
        assert_eq!(ask(&scene, &format!("/api/commands/{name}"), body).await, (200, json!(command)));
    }
}

#[tokio::test]
async fn a_command_that_makes_no_sense_is_refused() {
    let scene = Scene::new();
    let cases = [
        ("fly", "{}", 404),
        ("remove", "{}", 422),
        ("key", r#"{"room":"a"}"#, 422),
        ("allow", "{}", 422),
        ("start_next", "{}", 422),
        ("event", "{}", 422),
        ("event", r#"{"event":"gone","handle":"@Bob"}"#, 422),
        ("ack_task", r#"{"task_id":"a"}"#, 422),
        ("allow", r#"{"folder":"a"}"#, 422),
        ("resume", r#"{"rooms":"a"}"#, 400),
        ("resume", r#"{"room":1}"#, 400),
    ];
    for (name, body, expected) in cases {
        let (status, answer) = ask(&scene, &format!("/api/commands/{name}"), body).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (expected, &json!("invalid_argument")),
            "{name} {body}"
        );
    }
}

#[tokio::test]
async fn a_body_that_cannot_be_read_says_what_is_wrong_with_it() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    for (body, words) in [
        (format!("{{\"a\":{deep}}}"), "recursion limit exceeded"),
        ("{\"a\":1e999}".to_owned(), "number out of range"),
        ("{\"a\":\"\\ud800\"}".to_owned(), "hex escape"),
    ] {
        let (status, answer) = ask(&Scene::new(), "/api/tools/context_publish", &body).await;
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(status == 400 && message.contains(words), "{message}");
    }
}

#[tokio::test]
async fn status_tells_what_runs_and_stop_asks_it_to_end() {
    let scene = Scene::new();
    let (status, answer) = ask(&scene, "/api/commands/status", "{}").await;
    assert_eq!(status, 200);
    assert_eq!(
        (&answer["version"], &answer["rooms"], &answer["pid"]),
        (&json!("1.2.3"), &json!(3), &json!(4))
    );
    assert!(!scene.stop.is_cancelled());
    assert_eq!(ask(&scene, "/api/commands/stop", "{}").await, (200, json!({"status": "stopping"})));
    assert!(scene.stop.is_cancelled());
}
