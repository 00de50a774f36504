//! The file of the journal: there, and sound in all its pages.

use super::super::show;
use super::finding::Finding;
use crate::journal::SqliteArchive;
use crate::paths::DataFolder;

const ABOUT: &str = "journal";

/// What helps against damage.
pub(super) const REPAIR: &str = "stop the hub, then `turnroom doctor --repair` saves what can be read; or put back a copy of `journal.db`";

/// Nothing: there is no journal yet.
pub(super) async fn check(folder: &DataFolder, archive: &SqliteArchive, is_running: bool) -> Vec<Finding> {
    let path = folder.journal();
    if !path.exists() {
        let next = "stop the hub, and put the file back";
        let gone =
            || Finding::fault(ABOUT, format!("`{}` is gone under a running hub", path.display()), next);
        return is_running.then(gone).into_iter().collect();
    }
    let mut findings = match archive.complaints().await {
        Ok(complaints) if complaints.is_empty() => {
            vec![Finding::ok(ABOUT, "every page of the file is sound")]
        }
        Ok(complaints) => complaints.into_iter().map(|what| Finding::fault(ABOUT, what, REPAIR)).collect(),
        Err(error) => vec![Finding::fault(ABOUT, show::with_causes(&error), REPAIR)],
    };
    match archive.strays().await {
        Ok(0) | Err(_) => {}
        Ok(strays) => {
            let what = format!("{strays} events belong to no room: the name of their stream is lost");
            findings.push(Finding::fault(ABOUT, what, REPAIR));
        }
    }
    findings
}
