//! `turnroom doctor --repair`: what can be read of a damaged journal becomes the new one.

use anyhow::Context;

use super::super::failure::Failure;
use super::finding::Finding;
use crate::clock::Clock;
use crate::hub::survey::{is_loose, survey};
use crate::journal::{SqliteArchive, repair as repair_journal, search};
use crate::paths::DataFolder;

const ABOUT: &str = "repair";

/// Repairs the journal, if it is damaged.
pub(super) async fn repair(folder: &DataFolder) -> Result<Vec<Finding>, Failure> {
    // Held to the end, so that no hub starts in between.
    let _lock = folder.lock().map_err(anyhow::Error::from)?;
    let path = folder.journal();
    if !path.exists() {
        return Ok(vec![Finding::ok(ABOUT, "there is no journal yet")]);
    }
    if is_sound(folder).await {
        return Ok(vec![Finding::ok(ABOUT, "the journal is sound; nothing was changed")]);
    }
    let when = Clock::start().now().wall.format("%Y-%m-%d %H.%M.%S");
    let kept = folder.path().join(format!("journal (damaged {when}).db"));
    let repaired = repair_journal(&path, &kept, is_loose).map_err(anyhow::Error::from)?;
    search::discard(&folder.search()).context("the search index cannot be deleted; delete `search.db`")?;
    let what =
        format!("{} events are saved; the old journal is `{}`", repaired.events, repaired.kept.display());
    let mut findings = vec![Finding::ok(ABOUT, what)];
    for cut in repaired.cut {
        let (stream, last, detail) = (cut.stream, cut.last, cut.detail);
        let what = if is_loose(&stream) {
            format!("damaged entries of the list of {stream} are left out: {detail}")
        } else {
            format!("`{stream}` ends at event {last} now: {detail}")
        };
        let next = "its transcript may hold more; a hub keeps it aside before it writes the next one";
        findings.push(Finding::warning(ABOUT, what, next));
    }
    Ok(findings)
}

async fn is_sound(folder: &DataFolder) -> bool {
    let archive = SqliteArchive::new(&folder.journal());
    let has_sound_pages = archive.complaints().await.is_ok_and(|complaints| complaints.is_empty());
    let has_owners = archive.strays().await.is_ok_and(|strays| strays == 0);
    let survey = survey(&archive).await;
    has_sound_pages
        && has_owners
        && survey.is_ok_and(|found| {
            found.damaged_entries == 0
                && found.damaged_tasks.is_empty()
                && found.damaged_puzzles.is_empty()
                && found.rooms.iter().all(|room| room.damage.is_none())
        })
}
