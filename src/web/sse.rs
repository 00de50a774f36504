//! The old HTTP+SSE transport of MCP 2024-11-05: `GET /sse` opens the stream and names the address to which the client
//! posts its messages.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{get, post};
use futures::{SinkExt, Stream, StreamExt, stream};
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::{ServerHandler, ServiceExt};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::{CancellationToken, PollSender};

use super::desk::Desk;
use super::refusal::limit_reached;
use super::toolsets::wish;
use crate::hub::Session;
use crate::mcp::{Origin, SessionSource};
use crate::secret;

/// Messages that wait on either side; a sender waits when there are more.
const QUEUE: usize = 64;
const KEEP_ALIVE: Duration = Duration::from_secs(15);

type Inboxes = Mutex<HashMap<Arc<str>, mpsc::Sender<ClientJsonRpcMessage>>>;

/// The routes `/sse` and `/messages`.
pub(super) fn routes<S, F>(
    desk: Arc<dyn Desk>,
    closing: CancellationToken,
    max_sessions: usize,
    make: F,
) -> Router
where
    S: ServerHandler,
    F: Fn(Origin) -> S + Send + Sync + 'static,
{
    let lines = Lines { inboxes: Arc::default(), desk, closing, max_sessions, make: Arc::new(make) };
    Router::new()
        .route("/sse", get(open))
        .route("/sse/", get(open))
        .route("/messages", post(receive))
        .route("/messages/", post(receive))
        // The guard has looked at the length of every body.
        .layer(DefaultBodyLimit::disable())
        .with_state(lines)
}

struct Lines<F> {
    inboxes: Arc<Inboxes>,
    desk: Arc<dyn Desk>,
    closing: CancellationToken,
    max_sessions: usize,
    make: Arc<F>,
}

impl<F> Clone for Lines<F> {
    fn clone(&self) -> Self {
        Self {
            inboxes: self.inboxes.clone(),
            desk: self.desk.clone(),
            closing: self.closing.clone(),
            max_sessions: self.max_sessions,
            make: self.make.clone(),
        }
    }
}

/// One open stream. Its drop is the end of the session.
struct Line {
    id: Arc<str>,
    inboxes: Arc<Inboxes>,
    desk: Arc<dyn Desk>,
    running: CancellationToken,
}

impl Line {
    fn session(&self) -> Session {
        Session::Named(format!("sse:{}", self.id).into())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        lock(&self.inboxes).remove(&self.id);
        self.running.cancel();
        self.desk.session_ended(&self.session());
    }
}

async fn open<S, F>(
    State(lines): State<Lines<F>>,
    address: Uri,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Response>
where
    S: ServerHandler,
    F: Fn(Origin) -> S + Send + Sync + 'static,
{
    let toolsets = wish(&address).map_err(|refused| *refused)?;
    let id: Arc<str> = secret::id().into();
    let (to_server, from_client) = mpsc::channel(QUEUE);
    let (to_client, answers) = mpsc::channel::<ServerJsonRpcMessage>(QUEUE);
    {
        let mut inboxes = lock(&lines.inboxes);
        if inboxes.len() >= lines.max_sessions {
            return Err(limit_reached("sessions over SSE at once", lines.max_sessions, "sessions"));
        }
        inboxes.insert(id.clone(), to_server);
    }
    let line = Line {
        id: id.clone(),
        inboxes: lines.inboxes,
        desk: lines.desk,
        running: lines.closing.child_token(),
    };
    let session = SessionSource::Fixed(line.session());
    let server = (lines.make)(Origin { session, folders: Vec::new(), toolsets, is_back: false, kept: None });
    let sink = PollSender::new(to_client).sink_map_err(std::io::Error::other);
    // It ends with `line.running`, or with the channel from the client, which `line` closes.
    tokio::spawn(serve(server, sink, ReceiverStream::new(from_client), line.running.clone()));

    let address = Event::default().event("endpoint").data(format!("/messages?session_id={id}"));
    let closing = lines.closing.cancelled_owned();
    let messages = ReceiverStream::new(answers).filter_map(move |message| {
        // Moved in here, so that the line lives as long as the stream.
        let _line = &line;
        std::future::ready(event(&message))
    });
    let events = stream::once(std::future::ready(address)).chain(messages).take_until(closing);
    Ok(Sse::new(events.map(Ok)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

async fn serve<S: ServerHandler>(
    server: S,
    sink: impl futures::Sink<ServerJsonRpcMessage, Error = std::io::Error> + Send + Unpin + 'static,
    stream: ReceiverStream<ClientJsonRpcMessage>,
    running: CancellationToken,
) {
    match server.serve_with_ct((sink, stream), running).await {
        Ok(service) => {
            if let Err(error) = service.waiting().await {
                tracing::warn!(%error, "an SSE session broke");
            }
        }
        Err(error) => tracing::debug!(%error, "an SSE session ended before it began"),
    }
}

fn event(message: &ServerJsonRpcMessage) -> Option<Event> {
    match serde_json::to_string(message) {
        Ok(json) => Some(Event::default().event("message").data(json)),
        Err(error) => {
            tracing::error!(%error, "a message cannot be written as JSON");
            None
        }
    }
}

#[derive(Deserialize)]
struct Address {
    session_id: String,
}

async fn receive<F>(
    State(lines): State<Lines<F>>,
    Query(address): Query<Address>,
    body: axum::body::Bytes,
) -> (StatusCode, &'static str) {
    let inbox = lock(&lines.inboxes).get(address.session_id.as_str()).cloned();
    let Some(inbox) = inbox else {
        return (StatusCode::NOT_FOUND, "no such session; open /sse again");
    };
    let Ok(message) = serde_json::from_slice(&body) else {
        return (StatusCode::BAD_REQUEST, "the body is no JSON-RPC message");
    };
    match inbox.send(message).await {
        Ok(()) => (StatusCode::ACCEPTED, "accepted"),
        Err(_) => (StatusCode::GONE, "the session has ended; open /sse again"),
    }
}

fn lock(inboxes: &Inboxes) -> MutexGuard<'_, HashMap<Arc<str>, mpsc::Sender<ClientJsonRpcMessage>>> {
    inboxes.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
