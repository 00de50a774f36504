//! The connections to the TCP port: not too many at once, and none that takes for ever to ask for something.
//!
//! axum's own server has neither limit: whoever can reach the port could hold every file that the hub may open.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::serve::Listener;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::platform::socket::tune;
use crate::web::Line;

/// The head of a request comes within this time after the connection, or after the answer before it. Longer than
/// clients keep an unused connection, so that none is closed while they use it again.
const HEAD: Duration = Duration::from_mins(2);
/// So many connections too many are told so at the same time; the rest is closed.
const TOLD: usize = 32;
/// How long telling may take.
const TELLING: Duration = Duration::from_secs(1);

/// Serves HTTP until `shut` fires and everybody has left.
pub(super) async fn serve(mut listener: TcpListener, routes: Router, limit: usize, shut: CancellationToken) {
    let (places, told) = (Arc::new(Semaphore::new(limit)), Arc::new(Semaphore::new(TOLD)));
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            () = shut.cancelled() => break,
            (stream, _) = Listener::accept(&mut listener) => {
                tune(&stream);
                if let Ok(place) = places.clone().try_acquire_owned() {
                    open.spawn(attend(stream, routes.clone(), shut.clone(), place));
                } else if let Ok(place) = told.clone().try_acquire_owned() {
                    open.spawn(refuse(stream, limit, place));
                }
            }
            Some(_) = open.join_next() => {}
        }
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

async fn attend(stream: TcpStream, routes: Router, shut: CancellationToken, place: OwnedSemaphorePermit) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD);
    let (line, service) = Line::over(stream, routes);
    let service = TowerToHyperService::new(service);
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(line), service));
    let served = tokio::select! {
        served = connection.as_mut() => served,
        () = shut.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = served {
        tracing::trace!(%error, "a connection broke");
    }
    drop(place);
}

async fn refuse(stream: TcpStream, limit: usize, place: OwnedSemaphorePermit) {
    if let Err(error) = tokio::time::timeout(TELLING, tell(stream, limit)).await {
        tracing::trace!(%error, "a connection too many did not listen");
    }
    drop(place);
}

/// Says why there is no service, and waits until the other side has read it.
async fn tell(mut stream: TcpStream, limit: usize) -> io::Result<()> {
    let body = serde_json::json!({"error": {
        "code": "limit_reached",
        "message": format!("connections at once: at most {limit}"),
        "next": "close some, and try again; a person can raise `connections` in [limits] of config.toml",
    }})
    .to_string();
    let head = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close";
    let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::routing::get;

    use super::*;

    async fn start(limit: usize) -> (SocketAddr, CancellationToken, tokio::task::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, shut) = (listener.local_addr().unwrap(), CancellationToken::new());
        let routes = Router::new().route("/", get(async || "here"));
        (address, shut.clone(), tokio::spawn(serve(listener, routes, limit, shut)))
    }

    async fn ask(address: SocketAddr) -> String {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn one_connection_too_many_is_told_so_and_a_place_is_given_again() {
        let (address, shut, server) = start(1).await;
        let slow = TcpStream::connect(address).await.unwrap();
        let mut refused = ask(address).await;
        // The first one may not have been taken in yet.
        while refused.ends_with("here") {
            refused = ask(address).await;
        }
        assert!(refused.contains("503") && refused.contains("connections at once: at most 1"), "{refused}");
        drop(slow);
        while !ask(address).await.ends_with("here") {}
        shut.cancel();
        server.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn who_connects_and_asks_nothing_is_sent_away() {
        let (address, _shut, _server) = start(1).await;
        let mut slow = TcpStream::connect(address).await.unwrap();
        slow.write_all(b"GET / HTTP/1.1\r\nHost: local").await.unwrap();
        let mut rest = Vec::new();
        // Either way of ending a connection will do.
        let _ = slow.read_to_end(&mut rest).await;
        assert!(ask(address).await.ends_with("here"));
    }
}
