//! The guard, through the real router, on every route.

use axum::body::Body;
use axum::http::{Method, Request};

use super::super::testing::{Scene, TOKEN};
use super::*;

const ROUTES: [(Method, &str); 10] = [
    (Method::POST, "/mcp"),
    (Method::GET, "/mcp"),
    (Method::DELETE, "/mcp/"),
    (Method::GET, "/sse"),
    (Method::POST, "/messages?session_id=x"),
    (Method::POST, "/api/tools/list_participants"),
    (Method::POST, "/api/commands/status"),
    (Method::POST, "/api/commands/stop"),
    (Method::GET, "/"),
    (Method::OPTIONS, "/nowhere"),
];

type Headers<'a> = &'a [(&'a str, &'a str)];

async fn statuses(scene: &Scene, entry: Entry, headers: Headers<'_>) -> Vec<StatusCode> {
    let mut statuses = Vec::new();
    for (method, path) in ROUTES {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = scene.ask(entry, request.body(Body::empty()).unwrap()).await;
        assert!(!response.headers().keys().any(|name| name.as_str().starts_with("access-control")));
        statuses.push(response.status());
    }
    statuses
}

async fn assert_all(scene: &Scene, headers: Headers<'_>, status: StatusCode) {
    assert_eq!(statuses(scene, Entry::Tcp, headers).await, [status; ROUTES.len()], "{headers:?}");
}

/// Neither refused nor asked for a token, beside `/api`.
async fn assert_lets_through(scene: &Scene, headers: Headers<'_>) {
    for (status, (_, path)) in statuses(scene, Entry::Tcp, headers).await.into_iter().zip(ROUTES) {
        let is_refused = [StatusCode::FORBIDDEN, StatusCode::UNAUTHORIZED].contains(&status);
        assert!(!is_refused || path.starts_with("/api"), "{headers:?} {path} {status}");
    }
}

#[tokio::test]
async fn every_route_is_for_hosts_of_this_machine_only() {
    let scene = Scene::new();
    for host in ["127.0.0.1:8000", "localhost", "LocalHost:9000", "[::1]:8000", "127.0.0.1"] {
        assert_lets_through(&scene, &[("host", host)]).await;
    }
    let foreign = [
        "evil.com",
        "localhost.evil.com",
        "localhost@evil.com",
        "evil.com@localhost",
        "127.0.0.1.nip.io",
        "localhost.",
        "::1",
        "0.0.0.0:8000",
        "",
        "a b",
        "localhost:8000:8000",
    ];
    for host in foreign {
        assert_all(&scene, &[("host", host)], StatusCode::FORBIDDEN).await;
    }
    assert_all(&scene, &[], StatusCode::FORBIDDEN).await;
    assert_all(&scene, &[("host", "localhost"), ("host", "evil.com")], StatusCode::FORBIDDEN).await;
}

#[tokio::test]
async fn every_route_is_closed_to_pages_of_other_origins() {
    let scene = Scene::new();
    for origin in ["http://localhost:5173", "http://127.0.0.1", "http://[::1]:8000"] {
        assert_lets_through(&scene, &[("host", "localhost"), ("origin", origin)]).await;
    }
    let foreign = [
        "null",
        "",
        "http://evil.com",
        "https://localhost",
        "http://localhost@evil.com",
        "http://localhost.evil.com",
        "file://",
        "localhost",
        "http://localhost, http://evil.com",
    ];
    for origin in foreign {
        assert_all(&scene, &[("host", "localhost"), ("origin", origin)], StatusCode::FORBIDDEN).await;
    }
}

#[tokio::test]
async fn beyond_loopback_every_route_asks_for_the_token() {
    let scene = Scene::bound("hub.example", "192.0.2.7");
    let right = format!("bearer  {TOKEN}");
    let host = ("host", "hub.example:8000");
    assert_lets_through(&scene, &[host, ("authorization", &right)]).await;
    assert_lets_through(&scene, &[("host", "192.0.2.7"), ("authorization", &right)]).await;
    assert_lets_through(&scene, &[("host", "localhost"), ("authorization", &right)]).await;

    let wrong =
        ["Bearer", "Bearer ", "Bearer wrong", TOKEN, &format!("Basic {TOKEN}"), &format!("Bearer {TOKEN}x")];
    for value in wrong {
        assert_all(&scene, &[host, ("authorization", value)], StatusCode::UNAUTHORIZED).await;
    }
    assert_all(&scene, &[host], StatusCode::UNAUTHORIZED).await;
    assert_all(&scene, &[host, ("authorization", &right), ("authorization", "x")], StatusCode::UNAUTHORIZED)
        .await;
    assert_all(&scene, &[("host", "evil.com"), ("authorization", &right)], StatusCode::FORBIDDEN).await;
}

#[tokio::test]
async fn bound_to_all_addresses_any_name_of_the_machine_is_right_with_the_token() {
    let scene = Scene::bound("0.0.0.0", "0.0.0.0");
    let right = format!("Bearer {TOKEN}");
    assert_lets_through(&scene, &[("host", "container-7:8000"), ("authorization", &right)]).await;
    assert_all(&scene, &[("host", "container-7:8000")], StatusCode::UNAUTHORIZED).await;
    let foreign = [("host", "container-7"), ("authorization", right.as_str()), ("origin", "http://evil.com")];
    assert_all(&scene, &foreign, StatusCode::FORBIDDEN).await;
}

#[tokio::test]
async fn a_missing_token_is_asked_for() {
    let scene = Scene::new();
    let request =
        Request::post("/api/commands/stop").header("host", "localhost").body(Body::from("{}")).unwrap();
    let response = scene.ask(Entry::Tcp, request).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(response.headers()[header::WWW_AUTHENTICATE], "Bearer");
    assert!(!scene.stop.is_cancelled());
}

#[tokio::test]
async fn the_local_socket_needs_neither_host_nor_token() {
    let statuses = statuses(&Scene::bound("0.0.0.0", "0.0.0.0"), Entry::Local, &[("host", "anything")]).await;
    assert!(!statuses.contains(&StatusCode::FORBIDDEN) && !statuses.contains(&StatusCode::UNAUTHORIZED));
}

#[tokio::test]
async fn a_body_of_more_than_eight_mebibytes_is_refused_on_every_route() {
    let scene = Scene::new();
    let too_long = (MAX_BODY + 1).to_string();
    for path in ["/mcp", "/mcp/", "/messages?session_id=x", "/api/tools/x"] {
        let request = || {
            Request::post(path)
                .header("host", "localhost")
                .header("authorization", format!("Bearer {TOKEN}"))
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
        };
        let announced = request().header("content-length", &too_long).body(Body::empty()).unwrap();
        assert_eq!(scene.ask(Entry::Tcp, announced).await.status(), StatusCode::PAYLOAD_TOO_LARGE, "{path}");
        let chunk = axum::body::Bytes::from(vec![b' '; MAX_BODY / 2 + 1]);
        let chunks = [Ok::<_, std::io::Error>(chunk.clone()), Ok(chunk)];
        let sent = request().body(Body::from_stream(futures::stream::iter(chunks))).unwrap();
        assert_eq!(scene.ask(Entry::Tcp, sent).await.status(), StatusCode::PAYLOAD_TOO_LARGE, "{path}");
    }
}

#[test]
fn rmcp_gets_the_same_lists() {
    let guard = Guard::new("::1", "::1".parse().unwrap(), TOKEN.into());
    assert!(guard.host_names().contains(&"[::1]".to_owned()));
    assert!(guard.origins().contains(&"http://[::1]:*".to_owned()));
    let all = Guard::new("0.0.0.0", "0.0.0.0".parse().unwrap(), TOKEN.into());
    assert!(all.host_names().is_empty());
    assert_eq!(all.origins(), ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"]);
}
