//! For tests of those above: a hub that keeps everything in memory.

use std::path::Path;
use std::sync::Arc;

use super::{Hub, Settings};
use crate::journal::MemoryJournal;
use crate::journal::search::MemorySearch;

impl Hub {
    /// A hub over memory; its transcripts lie in this folder.
    pub(crate) async fn in_memory(folder: &Path) -> Arc<Self> {
        let settings = Settings { folders: vec![folder.to_owned()], ..Settings::default() };
        let (journal, search) = (Arc::new(MemoryJournal::new()), Arc::new(MemorySearch::new()));
        Arc::new(Self::open(journal, search, settings).await.expect("memory can be read"))
    }
}
