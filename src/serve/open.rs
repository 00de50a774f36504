//! Opens and closes the rooms.
//!
//! STAND-IN of the branch `web`, until `Hub::open` is there: journal, search index and hub are put together here.

use std::sync::Arc;

use super::ServeOptions;
use crate::hub::Hub;

/// Why the rooms cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {}

/// The hub of a data folder.
#[expect(clippy::unused_async, reason = "stand-in")]
pub(super) async fn open(_options: &ServeOptions) -> Result<Arc<Hub>, OpenError> {
    Ok(Arc::new(Hub {}))
}

/// Writes what is left to be written.
#[expect(clippy::unused_async, reason = "stand-in")]
pub(super) async fn close(_hub: &Arc<Hub>) {}
