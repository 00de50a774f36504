//! Reading a whole stream of the journal, page by page.

use std::ops::ControlFlow;

use crate::journal::{Journal, JournalError, Recorded, StreamId, Version};

/// Events that are read at once.
const PAGE: usize = 1_000;

/// Gives all that a stream has after a version, page by page, until `take` breaks off. No page is empty.
pub(super) async fn read_on<E: From<JournalError>>(
    journal: &dyn Journal,
    stream: &StreamId,
    after: Version,
    mut take: impl FnMut(&[Recorded]) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut page = journal.read(stream, after, PAGE).await?;
    while let Some(last) = page.last().map(|recorded| recorded.version) {
        // The next page is read while this one is taken.
        let (next, taken) = tokio::join!(journal.read(stream, last, PAGE), async { take(&page) });
        if taken?.is_break() {
            return Ok(());
        }
        page = next?;
    }
    Ok(())
}
