//! `/sse` through the real router, with raw requests.

use axum::body::{Body, BodyDataStream};
use axum::http::Request;
use axum::response::Response;

use super::super::testing::{Scene, call, initialize, post};
use super::*;

/// A client that reads one event after the other.
struct Client {
    stream: BodyDataStream,
    address: String,
}

impl Client {
    async fn connect(scene: &Scene, path: &str) -> Self {
        let request = Request::get(path).header("host", "localhost").body(Body::empty()).unwrap();
        let response = scene.ask_tcp(request).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut stream = response.into_body().into_data_stream();
        let first = next(&mut stream).await.unwrap();
        let address =
            first.strip_prefix("event: endpoint\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
        Self { address: address.unwrap().to_owned(), stream }
    }

    async fn post(&self, scene: &Scene, body: Body) -> Response {
        scene.ask_tcp(post(&self.address).body(body).unwrap()).await
    }

    async fn greet(scene: &Scene) -> Self {
        Self::greet_at(scene, "/sse").await
    }

    async fn greet_at(scene: &Scene, path: &str) -> Self {
        let mut client = Self::connect(scene, path).await;
        assert_eq!(client.post(scene, initialize()).await.status(), StatusCode::ACCEPTED);
        assert!(client.next().await.unwrap().contains(r#""id":1,"result":{"#));
        let initialized = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert_eq!(client.post(scene, Body::from(initialized)).await.status(), StatusCode::ACCEPTED);
        client
    }

    async fn next(&mut self) -> Option<String> {
        next(&mut self.stream).await
    }
}

async fn next(stream: &mut BodyDataStream) -> Option<String> {
    Some(String::from_utf8(stream.next().await?.unwrap().to_vec()).unwrap())
}

#[tokio::test]
async fn a_client_gets_an_address_posts_to_it_and_reads_the_answers() {
    let scene = Scene::new();
    let mut client = Client::greet(&scene).await;
    assert!(client.address.starts_with("/messages?session_id="));
    client.post(&scene, call(2, "echo")).await;
    let answer = client.next().await.unwrap();
    assert!(answer.starts_with("event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,"), "{answer}");
    assert!(answer.contains("Fixed(Named(\\\"sse:") && answer.ends_with("}\n\n"), "{answer}");
}

#[tokio::test]
async fn a_client_says_in_the_address_which_tools_it_wants() {
    let scene = Scene::new();
    for (path, shown) in [("/sse?toolsets=room", "Some(\\\"room\\\")"), ("/sse", "None")] {
        let mut client = Client::greet_at(&scene, path).await;
        client.post(&scene, call(2, "echo")).await;
        let answer = client.next().await.unwrap();
        assert!(answer.contains(&format!("false {shown}")), "{answer}");
    }
    let request =
        Request::get("/sse?toolsets=chess").header("host", "localhost").body(Body::empty()).unwrap();
    assert_eq!(scene.ask_tcp(request).await.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_message_is_accepted_at_once_although_its_call_blocks() {
    let scene = Scene::new();
    let mut client = Client::greet(&scene).await;
    assert_eq!(client.post(&scene, call(2, "wait")).await.status(), StatusCode::ACCEPTED);
    assert_eq!(client.post(&scene, call(3, "echo")).await.status(), StatusCode::ACCEPTED);
    assert!(client.next().await.unwrap().contains("\"id\":3"));
}

#[tokio::test]
async fn the_end_of_the_stream_is_the_end_of_the_session_and_cancels_its_calls() {
    let scene = Scene::new();
    let client = Client::greet(&scene).await;
    client.post(&scene, call(2, "wait")).await;
    scene.desk.heard("call wait").await;
    let Client { stream, address } = client;
    drop(stream);
    let id = address.rsplit('=').next().unwrap();
    assert_eq!(scene.desk.heard("ended").await, format!("ended Named(\"sse:{id}\")"));
    scene.desk.heard("cancelled").await;
    let late = scene.ask_tcp(post(&address).body(call(3, "echo")).unwrap()).await.status();
    assert_eq!(late, StatusCode::NOT_FOUND);
    assert_eq!(scene.clients.count(), 0);
}

#[tokio::test]
async fn a_client_that_leaves_before_it_speaks_leaves_nothing_behind() {
    let scene = Scene::new();
    let client = Client::connect(&scene, "/sse").await;
    assert_eq!(scene.clients.count(), 1);
    drop(client);
    scene.desk.heard("ended").await;
    assert_eq!(scene.clients.count(), 0);
}

#[tokio::test]
async fn what_is_no_message_is_refused_and_the_session_lives() {
    let scene = Scene::new();
    let mut client = Client::greet(&scene).await;
    for bad in ["", "{", "[]", "\"x\"", "{\"jsonrpc\":\"1.0\"}", "\u{0}"] {
        assert_eq!(client.post(&scene, Body::from(bad)).await.status(), StatusCode::BAD_REQUEST, "{bad}");
    }
    let no_session = scene.ask_tcp(post("/messages").body(call(2, "echo")).unwrap()).await;
    assert_eq!(no_session.status(), StatusCode::BAD_REQUEST);
    let unknown = scene.ask_tcp(post("/messages?session_id=x").body(call(2, "echo")).unwrap()).await;
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
    client.post(&scene, call(2, "echo")).await;
    assert!(client.next().await.unwrap().contains("\"id\":2"));
}

#[tokio::test]
async fn the_stream_ends_when_the_hub_does() {
    let scene = Scene::new();
    let mut client = Client::greet(&scene).await;
    scene.closing.cancel();
    assert!(client.next().await.is_none());
}
