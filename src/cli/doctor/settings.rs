//! What a hub reads at its start: the settings that count here, and the token.

use super::super::options::config_places;
use super::finding::Finding;
use crate::config::Config;
use crate::paths::DataFolder;
use crate::serve::load_token;

const SETTINGS: &str = "settings";
const TOKEN: &str = "token";
const HUMAN_TOKEN: &str = "human token";

/// The settings of the user and of the current folder.
pub(super) fn check() -> Finding {
    let places = config_places();
    match Config::read(&places) {
        Ok(_) => {
            let there: Vec<_> =
                [&places.user, &places.project].into_iter().flatten().filter(|path| path.exists()).collect();
            let files: Vec<_> = there.iter().map(|path| format!("`{}`", path.display())).collect();
            Finding::ok(SETTINGS, if files.is_empty() { "the defaults".to_owned() } else { files.join(", ") })
        }
        Err(error) => {
            let next = "mend that file: until then `turnroom serve` does not start, and a hub that a bridge starts goes by the \
                        defaults";
            Finding::fault(SETTINGS, super::super::show::with_causes(&error), next)
        }
    }
}

/// The token that other machines and programs must show, and the one that people do.
pub(super) fn check_tokens(folder: &DataFolder) -> [Finding; 2] {
    [(TOKEN, folder.token_file()), (HUMAN_TOKEN, folder.human_token_file())].map(|(name, path)| {
        match load_token(&path) {
            Ok(Some(_)) => Finding::ok(name, format!("`{}`", path.display())),
            Ok(None) => Finding::ok(name, "none yet; the next hub makes one".to_owned()),
            Err(error) => {
                let what = format!("`{}` cannot be used: {error}", path.display());
                let next = "see who owns it, or remove it: without it the next hub makes one";
                Finding::fault(name, what, next)
            }
        }
    })
}
