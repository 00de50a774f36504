//! As whom each session of a client calls turnroom: one small file per session, so that several agents on one machine,
//! in one folder, with the same settings, are told apart.

use std::fs;
use std::path::{Path, PathBuf};

use super::Input;
use crate::paths::DataFolder;
use crate::platform;

/// Sessions that are remembered; the oldest ones are forgotten.
const KEPT: usize = 200;

/// Remembers as whom the session has just called. Losing it only keeps the hooks silent.
pub(super) fn remember(folder: &DataFolder, input: &Input) {
    let (Some(session), Some(caller)) = (input.session(), input.caller()) else { return };
    let folder = folder.hook_sessions();
    let file = folder.join(session);
    if fs::read_to_string(&file).is_ok_and(|known| known == caller) {
        return;
    }
    let kept = fs::create_dir_all(&folder).and_then(|()| platform::files::replace(&file, caller.as_bytes()));
    if let Err(error) = kept {
        tracing::debug!(%error, "the session cannot be remembered");
    }
    forget_old(&folder);
}

/// As whom the session called last.
pub(in crate::cli) fn recall(folder: &DataFolder, input: &Input) -> Option<String> {
    fs::read_to_string(folder.hook_sessions().join(input.session()?)).ok()
}

fn forget_old(folder: &Path) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(_, PathBuf)> =
        files.filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file.path()))).collect();
    files.sort();
    for (_, old) in files.iter().take(files.len().saturating_sub(KEPT)) {
        // Another hook may have been faster.
        let _ = fs::remove_file(old);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::Environment;

    fn folder(root: &tempfile::TempDir) -> DataFolder {
        DataFolder::open(Some(root.path()), &Environment::read()).unwrap()
    }

    fn input(session: &str, handle: &str) -> Input {
        Input::parse(
            format!(r#"{{"session_id":"{session}","tool_input":{{"handle":"{handle}"}}}}"#).as_bytes(),
        )
    }

    #[test]
    fn each_session_is_remembered_as_whom_it_called_last() {
        let root = tempfile::tempdir().unwrap();
        let folder = folder(&root);
        for (session, handle) in [("s1", "@Alice"), ("s2", "@Bob"), ("s1", "@Carol")] {
            remember(&folder, &input(session, handle));
        }
        let recalled = |session| recall(&folder, &input(session, "@X"));
        assert_eq!(recalled("s1").as_deref(), Some("@Carol"));
        assert_eq!(recalled("s2").as_deref(), Some("@Bob"));
        assert_eq!(recalled("s3"), None);
    }

    #[test]
    fn old_sessions_are_forgotten() {
        let root = tempfile::tempdir().unwrap();
        let folder = folder(&root);
        for session in 0..KEPT + 20 {
            remember(&folder, &input(&format!("s{session}"), "@Alice"));
        }
        assert_eq!(fs::read_dir(folder.hook_sessions()).unwrap().count(), KEPT);
    }
}
