//! Learns of answers that were written and not read. A client that closes a connection with bytes of it unread resets
//! it, and one whose machine is gone lets it time out: then the last answer on it counts as cut.
//!
//! **Invariant (an unread answer is given again):** an answer stands until the next request on its connection, which
//! its client makes only after it has read it, or until the connection ends in order.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::extract::ConnectInfo;
use axum::extract::connect_info::Connected;
use axum::http::Extensions;
use axum::middleware::AddExtension;
use axum::serve::{IncomingStream, Listener};
use axum::{Extension, Router};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tower::Layer;

/// A listener whose connections tell how they end.
#[derive(Debug)]
pub struct Watched<L>(L);

/// A connection that tells how it ends.
pub struct Line<I> {
    inner: I,
    connection: Connection,
}

/// What the requests of one connection share with its bytes.
#[derive(Clone, Default)]
pub struct Connection(Arc<Mutex<Vec<IfUnread>>>);

/// What is to be done if the last answer was not read. Must be quick.
type IfUnread = Box<dyn FnOnce() + Send>;

impl<L> Watched<L> {
    /// Watches what `listener` accepts.
    pub fn over(listener: L) -> Self {
        Self(listener)
    }
}

impl<L: Listener> Listener for Watched<L> {
    type Io = Line<L::Io>;
    type Addr = L::Addr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        let (inner, address) = self.0.accept().await;
        (Line { inner, connection: Connection::default() }, address)
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.0.local_addr()
    }
}

impl<I> Line<I> {
    /// Watches a connection that was accepted elsewhere; gives it, and the service for its requests.
    pub fn over(inner: I, routes: Router) -> (Self, AddExtension<Router, ConnectInfo<Connection>>) {
        let connection = Connection::default();
        // Around the routes, which all connections share; a layer on them would copy their table.
        let service = Extension(ConnectInfo(connection.clone())).layer(routes);
        (Self { inner, connection }, service)
    }
}

impl<L: Listener> Connected<IncomingStream<'_, Watched<L>>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Watched<L>>) -> Self {
        stream.io().connection.clone()
    }
}

impl Connection {
    /// The connection of a request, if it came over a [`Watched`] listener.
    pub(super) fn of(extensions: &Extensions) -> Option<Self> {
        extensions.get::<ConnectInfo<Self>>().map(|info| info.0.clone())
    }

    /// An answer was handed to the connection; this is to be done if its client does not read it.
    pub(super) fn sent(&self, if_unread: impl FnOnce() + Send + 'static) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(if_unread));
    }

    /// A request has come: what was sent before was read.
    pub(super) fn heard(&self) {
        drop(self.take());
    }

    fn take(&self) -> Vec<IfUnread> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn note<T>(&self, polled: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        // An end in order is no error: the client has read everything then.
        if matches!(polled, Poll::Ready(Err(_))) {
            self.take().into_iter().for_each(|act| act());
        }
        polled
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Line<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        self.connection.note(polled)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Line<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.connection.note(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.inner).poll_write_vectored(context, slices);
        self.connection.note(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let polled = Pin::new(&mut self.inner).poll_flush(context);
        self.connection.note(polled)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests;
