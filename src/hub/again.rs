//! What a disk has refused is done when it works again.

use std::sync::Arc;
use std::time::Duration;

use super::error::HubError;
use super::shared::Shared;

/// After a failure it is tried again so much later.
pub(super) const AGAIN: Duration = Duration::from_secs(5);

impl Shared {
    /// Does something in the background, at once, and once more after each time that a disk refuses it. What fails for
    /// another reason is left.
    pub(super) fn until_the_disk_works<F, Work>(self: &Arc<Self>, work: F)
    where
        F: Fn(Arc<Self>) -> Work + Send + 'static,
        Work: Future<Output = Result<(), HubError>> + Send,
    {
        let shared = Arc::clone(self);
        let works = async move {
            while let Err(error) = work(Arc::clone(&shared)).await {
                tracing::warn!(%error, "what a disk had refused is not done yet");
                if !error.is_of_a_disk() {
                    return;
                }
                tokio::time::sleep(AGAIN).await;
            }
        };
        let stop = self.stop.clone();
        self.tasks.spawn(async move { stop.run_until_cancelled(works).await });
    }
}
