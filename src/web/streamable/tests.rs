//! `/mcp` through the real router and rmcp, with a server that has no hub.

mod listening;

use std::pin::Pin;

use axum::body::{Body, HttpBody};
use axum::http::{Request, StatusCode};
use futures::StreamExt;

use super::super::guard::Entry;
use super::super::testing::{Scene, call, initialize, post, text};
use super::*;

/// Starts a session of an older client.
async fn session_id(scene: &Scene) -> String {
    let response = scene.ask_tcp(post("/mcp").body(initialize()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::OK);
    let id = response.headers()[SESSION_HEADER].to_str().unwrap().to_owned();
    assert!(text(response).await.contains("protocolVersion"));
    let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let request = post("/mcp").header(SESSION_HEADER, &id).body(Body::from(initialized)).unwrap();
    assert_eq!(scene.ask_tcp(request).await.status(), StatusCode::ACCEPTED);
    id
}

async fn ask(scene: &Scene, id: &str, body: Body) -> Response {
    scene.ask_tcp(post("/mcp").header(SESSION_HEADER, id).body(body).unwrap()).await
}

fn stream_of(id: &str) -> Request<Body> {
    Request::get("/mcp")
        .header("host", "localhost")
        .header("accept", "text/event-stream")
        .header(SESSION_HEADER, id)
        .body(Body::empty())
        .unwrap()
}

fn modern(tool: &str) -> Request<Body> {
    let meta = serde_json::json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let params = serde_json::json!({"name": tool, "arguments": {}, "_meta": meta});
    post("/mcp")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", tool)
        .body(super::super::testing::rpc(1, "tools/call", &params))
        .unwrap()
}

#[tokio::test]
async fn the_handler_learns_session_and_token_of_an_http_request() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    let answer = text(ask(&scene, &id, call(2, "echo")).await).await;
    assert!(answer.contains(&format!("FromHttp Some(\\\"{id}\\\") true")), "{answer}");
    let answer = text(scene.ask_tcp(modern("echo")).await).await;
    assert!(answer.contains("FromHttp None true"), "{answer}");
}

#[tokio::test]
async fn both_spellings_of_the_path_work_and_nothing_below_it() {
    let scene = Scene::new();
    for (path, status) in
        [("/mcp", StatusCode::OK), ("/mcp/", StatusCode::OK), ("/mcp/x", StatusCode::NOT_FOUND)]
    {
        let response = scene.ask_tcp(post(path).body(initialize()).unwrap()).await;
        assert_eq!(response.status(), status, "{path}");
    }
}

#[tokio::test]
async fn a_toolset_that_is_not_there_is_refused_with_those_there_are() {
    let scene = Scene::new();
    for (path, status) in [
        ("/mcp?toolsets=room", StatusCode::OK),
        ("/mcp?other=1", StatusCode::OK),
        ("/mcp?toolsets=chess", StatusCode::BAD_REQUEST),
    ] {
        let response = scene.ask_tcp(post(path).body(initialize()).unwrap()).await;
        assert_eq!(response.status(), status, "{path}");
    }
    let mut wish = modern("echo");
    *wish.uri_mut() = "/mcp?toolsets=tasks".parse().unwrap();
    assert!(text(scene.ask_tcp(wish).await).await.contains("Some(\\\"tasks\\\")"));
    let refused = scene.ask_tcp(post("/mcp?toolsets=chess").body(initialize()).unwrap()).await;
    let told = text(refused).await;
    assert!(told.contains("no toolset `chess`") && told.contains("room,tasks"), "{told}");
}

#[tokio::test]
async fn a_whole_answer_is_told_as_sent() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    text(ask(&scene, &id, call(2, "echo")).await).await;
    // The requests before it were the two of the handshake.
    scene.desk.heard("sent 2").await;
    text(scene.ask_tcp(modern("echo")).await).await;
    scene.desk.heard("sent 3").await;
    assert!(!scene.desk.told().iter().any(|what| what.starts_with("cut")));
}

#[tokio::test]
async fn a_call_of_an_older_client_that_goes_away_is_cancelled_and_its_answer_cut() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    let response = ask(&scene, &id, call(2, "wait")).await;
    scene.desk.heard("call wait").await;
    drop(response);
    scene.desk.heard("gone").await;
    scene.desk.heard("cut 2").await;
}

#[tokio::test]
async fn a_call_of_a_new_client_that_goes_away_is_cancelled_and_its_answer_cut() {
    let scene = Scene::new();
    let request = tokio::spawn(tower::ServiceExt::oneshot(scene.web.routes(Entry::Tcp), modern("wait")));
    scene.desk.heard("call wait").await;
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    scene.desk.heard("cut 0").await;
}

/// The event that carries the answer is the last thing on the connection, in the form that rmcp gives it.
#[tokio::test]
async fn the_answer_ends_its_stream_at_once() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    for response in [ask(&scene, &id, call(2, "echo")).await, scene.ask_tcp(modern("echo")).await] {
        let mut body = response.into_body();
        while !body.is_end_stream() {
            let event = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
            assert!(event.is_some(), "the stream ended after its answer");
        }
    }
}

#[tokio::test]
async fn a_cut_answer_is_not_resumed() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    let answer = text(ask(&scene, &id, call(2, "echo")).await).await;
    assert!(!answer.contains("retry:"), "no event invites to resume: {answer}");
    let event = answer.lines().find_map(|line| line.strip_prefix("id:")).unwrap().trim().to_owned();
    let resume = |event: &str| {
        let mut request = stream_of(&id);
        request.headers_mut().insert(LAST_EVENT_HEADER, event.parse().unwrap());
        request
    };
    assert_eq!(scene.ask_tcp(resume(&event)).await.status(), StatusCode::GONE, "{event}");
    // The stream that belongs to no call goes on.
    assert_eq!(scene.ask_tcp(resume("0")).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn an_unknown_session_is_not_found() {
    let scene = Scene::new();
    for id in ["67e55044-10b1-426f-9247-bb680e5fe0c8", "nonsense", "../../etc"] {
        let response = ask(&scene, id, call(2, "echo")).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{id}");
        let error: serde_json::Value = serde_json::from_str(&text(response).await).unwrap();
        assert_eq!((&error["jsonrpc"], &error["error"]["code"]), (&"2.0".into(), &(-32001).into()), "{id}");
        assert!(error["error"]["message"].as_str().unwrap().contains("initialize"), "{error}");
        assert_eq!(scene.ask_tcp(stream_of(id)).await.status(), StatusCode::NOT_FOUND, "{id}");
    }
}

#[tokio::test]
async fn a_deleted_session_has_ended_and_is_not_found() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    let request = Request::delete("/mcp").header("host", "localhost").header(SESSION_HEADER, &id);
    assert!(scene.ask_tcp(request.body(Body::empty()).unwrap()).await.status().is_success());
    assert!(scene.desk.heard("ended").await.contains(&id));
    assert_eq!(ask(&scene, &id, call(2, "echo")).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_old_session_id_works_after_a_restart() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    let scene = scene.restarted();
    let answer = text(ask(&scene, &id, call(2, "echo")).await).await;
    assert!(answer.contains(&id), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_session_ends_a_moment_after_its_stream_broke_off_and_works_again() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    let stream = scene.ask_tcp(stream_of(&id)).await;
    assert_eq!(stream.status(), StatusCode::OK);
    assert!(stream.into_body().into_data_stream().next().await.is_some());
    assert!(scene.desk.heard("ended").await.contains(&id));
    let answer = text(ask(&scene, &id, call(2, "echo")).await).await;
    assert!(answer.contains(&id), "{answer}");
}

#[tokio::test]
async fn streams_and_sessions_count_as_clients() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    assert_eq!(scene.clients.count(), 1);
    let stream = scene.ask_tcp(stream_of(&id)).await;
    assert_eq!((scene.clients.count(), scene.web.calls().count()), (2, 0));
    let waiting = ask(&scene, &id, call(2, "wait")).await;
    assert_eq!((scene.clients.count(), scene.web.calls().count()), (3, 1));
    drop((stream, waiting));
    assert_eq!((scene.clients.count(), scene.web.calls().count()), (1, 0));
}

#[tokio::test]
async fn closing_ends_every_stream() {
    let scene = Scene::new();
    let id = session_id(&scene).await;
    let stream = scene.ask_tcp(stream_of(&id)).await;
    let waiting = ask(&scene, &id, call(2, "wait")).await;
    scene.closing.cancel();
    text(stream).await;
    text(waiting).await;
}
