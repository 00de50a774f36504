//! The guard, through the real router, on every route and with every method. The routes are those that the router
//! has: a new one is tested without being named here.

use axum::body::Body;
use axum::http::{Method, Request};

use super::super::testing::{Scene, TOKEN, text};
use super::*;
use crate::mcp::MAX_MESSAGE;

const METHODS: [Method; 7] =
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
/// No route leads there.
const NOWHERE: [&str; 2] = ["/", "/nowhere"];

/// The paths that the router knows. It tells them only where it is shown for debugging: quoted, and from the root.
fn paths(scene: &Scene) -> Vec<String> {
    let shown = format!("{:?}", scene.web.routes(Entry::Tcp));
    let quoted = regex::Regex::new(r#""(/[^"]*)""#).unwrap();
    let parameter = regex::Regex::new(r"\{[^}]*\}").unwrap();
    let mut paths: Vec<String> = quoted
        .captures_iter(&shown)
        .map(|path| parameter.replace_all(&path[1], "status").into_owned())
        .chain(NOWHERE.map(str::to_owned))
        .collect();
    paths.sort();
    paths.dedup();
    for known in ["/mcp", "/mcp/", "/sse", "/messages", "/api/tools/status", "/api/commands/status"] {
        assert!(
            paths.iter().any(|path| path == known),
            "the router does not tell its paths any more: {shown}"
        );
    }
    paths
}

/// Every method at every path; a session of SSE is named where one is needed.
fn routes(scene: &Scene) -> Vec<(Method, String)> {
    let paths = paths(scene).into_iter().map(|path| path + "?session_id=x");
    paths.flat_map(|path| METHODS.map(|method| (method, path.clone()))).collect()
}

type Headers<'a> = &'a [(&'a str, &'a str)];

async fn statuses(scene: &Scene, entry: Entry, headers: Headers<'_>) -> Vec<StatusCode> {
    let mut statuses = Vec::new();
    for (method, path) in routes(scene) {
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
    let statuses = statuses(scene, Entry::Tcp, headers).await;
    for (got, (method, path)) in statuses.into_iter().zip(routes(scene)) {
        // The way in needs no token, since browsers cannot show it.
        let is_way_in = status == StatusCode::UNAUTHORIZED && path.starts_with(page::WAY_IN);
        assert!(got == status || is_way_in, "{headers:?} {method} {path} {got}");
    }
}

/// Neither refused nor asked for a token, beside `/api` and the page, which have doors of their own.
async fn assert_lets_through(scene: &Scene, headers: Headers<'_>) {
    for (status, (_, path)) in statuses(scene, Entry::Tcp, headers).await.into_iter().zip(routes(scene)) {
        let is_refused = [StatusCode::FORBIDDEN, StatusCode::UNAUTHORIZED].contains(&status);
        let has_own_door = path.starts_with("/api") || page::is_page(path.trim_end_matches("?session_id=x"));
        assert!(!is_refused || has_own_door, "{headers:?} {path} {status}");
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
async fn a_page_of_another_site_is_refused_also_where_its_browser_names_no_origin() {
    let scene = Scene::new();
    let host = ("host", "127.0.0.1:8000");
    let site = ("sec-fetch-site", "cross-site");
    assert_all(&scene, &[host, site], StatusCode::FORBIDDEN).await;
    let image = [host, site, ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")];
    assert_all(&scene, &image, StatusCode::FORBIDDEN).await;
    let frame = [host, site, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")];
    assert_all(&scene, &frame, StatusCode::FORBIDDEN).await;
    let link = [host, site, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    assert_lets_through(&scene, &link).await;
    assert_lets_through(&scene, &[host, ("sec-fetch-site", "same-origin")]).await;
    // A page of this machine under another name of it: its browser calls the two different sites.
    assert_lets_through(&scene, &[host, site, ("origin", "http://localhost:5173")]).await;
}

#[tokio::test]
async fn a_strict_guard_asks_for_the_token_on_loopback_too() {
    let scene = Scene::strict();
    let host = ("host", "localhost");
    assert_all(&scene, &[host], StatusCode::UNAUTHORIZED).await;
    assert_all(&scene, &[host, ("authorization", "Bearer wrong")], StatusCode::UNAUTHORIZED).await;
    let right = format!("Bearer {TOKEN}");
    let statuses = statuses(&scene, Entry::Tcp, &[host, ("authorization", &right)]).await;
    assert!(!statuses.contains(&StatusCode::UNAUTHORIZED));
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
async fn a_body_of_more_than_eight_mebibytes_is_refused_on_every_route_and_at_both_doors() {
    let scene = Scene::new();
    let too_long = (MAX_MESSAGE + 1).to_string();
    let at_doors = |path: String| [(Entry::Tcp, path.clone()), (Entry::Local, path)];
    for (entry, path) in paths(&scene).into_iter().flat_map(at_doors) {
        let request = || {
            Request::post(&path)
                .header("host", "localhost")
                .header("authorization", format!("Bearer {TOKEN}"))
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
        };
        let chunk = axum::body::Bytes::from(vec![b' '; MAX_MESSAGE / 2 + 1]);
        let chunks = [Ok::<_, std::io::Error>(chunk.clone()), Ok(chunk)];
        let streamed = request().body(Body::from_stream(futures::stream::iter(chunks))).unwrap();
        let announced = request().header("content-length", &too_long);
        let announced = announced.body(Body::from(vec![b' '; MAX_MESSAGE + 1])).unwrap();
        for sent in [streamed, announced] {
            let refused = scene.ask(entry, sent).await;
            assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE, "{path}");
            assert!(text(refused).await.contains("more than 8 MiB"), "{path}");
        }
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
