//! The hub's side of a bridge: a greeting, then rmcp on the same connection, as over stdio.
//!
//! rmcp lets the calls of a client that is gone run on for seconds. Here the end of the connection ends them at once.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ServerHandler, ServiceExt};
use tokio::io::{AsyncRead, BufReader, ReadBuf};
use tokio_util::sync::CancellationToken;

use super::hello::{self, Hello, Welcome};
use crate::hub::Session;
use crate::mcp::{MAX_MESSAGE, Marked, Origin, SessionSource};
use crate::platform::socket::LocalStream;
use crate::secret;

/// A bridge that does not greet for so long is none.
const GREETING: Duration = Duration::from_secs(10);

/// Serves bridges.
pub struct Host<F> {
    make: F,
    ended: Box<dyn Fn(&Session) + Send + Sync>,
    closing: CancellationToken,
    /// The newest connection of each bridge: only its end is the end of the session.
    newest: Mutex<HashMap<String, u64>>,
    visits: AtomicU64,
}

impl<S, F> Host<F>
where
    S: ServerHandler,
    F: Fn(Origin) -> S + Send + Sync + 'static,
{
    /// `make` makes the MCP server of one bridge; `ended` is told of the end of its session; `closing` ends all.
    pub fn new(
        make: F,
        ended: impl Fn(&Session) + Send + Sync + 'static,
        closing: CancellationToken,
    ) -> Self {
        Self { make, ended: Box::new(ended), closing, newest: Mutex::default(), visits: AtomicU64::new(0) }
    }

    /// Serves one connection to its end.
    pub async fn attend(&self, stream: LocalStream) {
        if let Err(error) = self.serve(stream).await {
            tracing::debug!(%error, "a bridge broke off");
        }
    }

    async fn serve(&self, stream: LocalStream) -> io::Result<()> {
        let (reader, mut writer) = stream.into_split();
        let mut reader = BufReader::new(reader);
        let line = tokio::time::timeout(GREETING, hello::read(&mut reader)).await??;
        let hello = match Hello::parse(&line) {
            Ok(hello) => hello,
            Err(why) => return hello::write(&mut writer, &Welcome::new(Some(why))).await,
        };
        hello::write(&mut writer, &Welcome::new(None)).await?;
        tracing::debug!(
            bridge = hello.bridge,
            version = hello.version,
            client = hello.client,
            "a bridge came"
        );

        let visit = self.visit(&hello.bridge);
        let server = (self.make)(Origin {
            session: SessionSource::Fixed(visit.session.clone()),
            // What they are was looked at when the greeting was read.
            toolsets: hello.toolsets().unwrap_or_default(),
            // It subscribes again by itself.
            is_back: hello.is_back,
            kept: None,
            folders: hello.folders,
        });
        let running = self.closing.child_token();
        let reader = UntilEnd { inner: reader, ended: running.clone() };
        let lines = serve_lines(server, reader, writer, running.clone());
        let at_the_end = async {
            running.cancelled().await;
            // At once: what the client waits for ends, and its handles are free.
            drop(visit);
        };
        tokio::join!(lines, at_the_end);
        Ok(())
    }

    fn visit(&self, bridge: &str) -> Visit<'_, F> {
        let number = self.visits.fetch_add(1, Ordering::Relaxed);
        let session = Session::Named(Arc::from(format!("bridge:{bridge}")));
        let mut newest = self.newest();
        if newest.insert(bridge.to_owned(), number).is_some() {
            // It has lost its old connection, and with it perhaps an answer.
            (self.ended)(&session);
        }
        Visit { host: self, bridge: bridge.to_owned(), number, session }
    }
}

impl<F> Host<F> {
    fn newest(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection of a bridge. Its drop is the end of the session, unless the bridge has come back.
struct Visit<'a, F> {
    host: &'a Host<F>,
    bridge: String,
    number: u64,
    session: Session,
}

impl<F> Drop for Visit<'_, F> {
    fn drop(&mut self) {
        let mut newest = self.host.newest();
        if newest.get(&self.bridge) == Some(&self.number) {
            newest.remove(&self.bridge);
            // Under the lock: a bridge that comes back now comes after the end of its session, not before it.
            (self.host.ended)(&self.session);
        }
    }
}

async fn serve_lines<S: ServerHandler>(
    server: S,
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl tokio::io::AsyncWrite + Send + Unpin + 'static,
    running: CancellationToken,
) {
    // Also when rmcp ends by itself, the session has ended.
    let _end = running.clone().drop_guard();
    let transport = AsyncRwTransport::new_server(reader, writer).with_max_line_length(MAX_MESSAGE);
    // A bridge goes on with the next hub, and so does its client.
    let transport = Marked::new(transport, secret::id());
    match server.serve_with_ct(transport, running).await {
        Ok(service) => {
            if let Err(error) = service.waiting().await {
                tracing::warn!(%error, "the session of a bridge broke");
            }
        }
        Err(error) => tracing::debug!(%error, "the session of a bridge ended before it began"),
    }
}

/// Reads to the end, and tells when it is there.
struct UntilEnd<R> {
    inner: R,
    ended: CancellationToken,
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilEnd<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        if let Poll::Ready(result) = &polled
            && (result.is_err() || (buffer.filled().len() == before && buffer.remaining() > 0))
        {
            self.ended.cancel();
        }
        polled
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
