//! Counts who uses the hub just now, so that a hub that a bridge started can end when nobody does.

use std::time::Duration;

use tokio::sync::watch;

/// The number of clients: bridges, streams, sessions and calls in progress. Clones count together.
#[derive(Clone, Debug)]
pub struct Clients {
    count: watch::Sender<usize>,
}

/// One client; it counts until this is dropped.
#[derive(Debug)]
pub struct Present {
    count: watch::Sender<usize>,
}

impl Clients {
    /// Nobody is here yet.
    #[must_use]
    pub fn none() -> Self {
        Self { count: watch::Sender::new(0) }
    }

    /// Counts one more.
    #[must_use]
    pub fn enter(&self) -> Present {
        self.count.send_modify(|count| *count += 1);
        Present { count: self.count.clone() }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        *self.count.borrow()
    }

    /// Comes back when nobody is here.
    pub async fn gone(&self) {
        // It cannot fail: the sender lives as long as `self`.
        drop(self.count.subscribe().wait_for(|count| *count == 0).await);
    }

    /// Comes back when nobody has been here for `long` without a break.
    pub async fn gone_for(&self, long: Duration) {
        let mut count = self.count.subscribe();
        loop {
            self.gone().await;
            count.mark_unchanged();
            if *count.borrow() == 0 && tokio::time::timeout(long, count.changed()).await.is_err() {
                return;
            }
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.count.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    const LONG: Duration = Duration::from_mins(1);

    #[tokio::test(start_paused = true)]
    async fn the_time_without_clients_starts_anew_with_each_client() {
        let clients = Clients::none();
        let mut ended = std::pin::pin!(clients.gone_for(LONG));
        assert!(ended.as_mut().now_or_never().is_none());

        tokio::time::advance(LONG / 60 * 59).await;
        drop(clients.enter());
        assert!(ended.as_mut().now_or_never().is_none());
        tokio::time::advance(LONG / 60 * 59).await;
        assert!(ended.as_mut().now_or_never().is_none());
        tokio::time::advance(Duration::from_secs(2)).await;
        assert!(ended.as_mut().now_or_never().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_stays_keeps_the_hub() {
        let clients = Clients::none();
        let first = clients.enter();
        let second = clients.enter();
        let mut ended = std::pin::pin!(clients.gone_for(LONG));
        drop(first);
        tokio::time::advance(LONG * 10).await;
        assert!(ended.as_mut().now_or_never().is_none());
        drop(second);
        ended.await;
        assert_eq!(clients.count(), 0);
    }
}
