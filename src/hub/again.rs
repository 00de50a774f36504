//! What a disk has refused is done when it works again; what a hub leaves undone at its end, by the next one.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::error::HubError;
use super::shared::Shared;

/// After a failure it is tried again so much later.
pub(super) const AGAIN: Duration = Duration::from_secs(5);

/// Something that is not to be left half done. Dropped before its end, it leaves word.
struct Unfinished {
    shared: Arc<Shared>,
    is_done: bool,
}

impl Unfinished {
    fn begin(shared: &Arc<Shared>) -> Self {
        Self { shared: Arc::clone(shared), is_done: false }
    }

    fn done(mut self) {
        self.is_done = true;
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_done {
            self.shared.is_left_undone.store(true, Ordering::Release);
        }
    }
}

impl Shared {
    /// Does something that is not to be left half done. If the hub stops before its end, the next one looks for what is
    /// missing, as after a crash.
    pub(super) async fn whole<T>(self: &Arc<Self>, work: impl Future<Output = T>) -> T {
        let unfinished = Unfinished::begin(self);
        let outcome = work.await;
        unfinished.done();
        outcome
    }

    /// Does something in the background, at once, and once more after each time that a disk refuses it. What fails for
    /// another reason is left.
    pub(super) fn until_the_disk_works<F, Work>(self: &Arc<Self>, work: F)
    where
        F: Fn(Arc<Self>) -> Work + Send + 'static,
        Work: Future<Output = Result<(), HubError>> + Send,
    {
        let (shared, unfinished) = (Arc::clone(self), Unfinished::begin(self));
        let works = async move {
            while let Err(error) = work(Arc::clone(&shared)).await {
                tracing::warn!(%error, "what a disk had refused is not done yet");
                if !error.is_of_a_disk() {
                    break;
                }
                tokio::time::sleep(AGAIN).await;
            }
            unfinished.done();
        };
        let stop = self.stop.clone();
        self.tasks.spawn(async move { stop.run_until_cancelled(works).await });
    }
}
