//! What the hubs of a folder have learned of how long clients let a call block.

use super::finding::Finding;
use crate::paths::DataFolder;
use crate::serve;

const ABOUT: &str = "waits";

/// One finding for each client whose waits are shorter than the settings say.
pub(super) fn check(folder: &DataFolder) -> impl Iterator<Item = Finding> {
    serve::learned_waits(folder).into_iter().map(|(client, wait)| {
        let what = format!("`{client}` gave calls up, so its waits end after {} s", wait.as_secs());
        let next =
            "raise the time limit of that client, if it has one: a longer wait costs its agent fewer turns";
        Finding::warning(ABOUT, what, next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::Environment;

    #[test]
    fn a_client_that_gave_calls_up_is_named() {
        let root = tempfile::tempdir().unwrap();
        let folder = DataFolder::open(Some(root.path()), &Environment::read()).unwrap();
        assert_eq!(check(&folder).count(), 0);
        let learned = r#"[{ "client": "somebody", "version": "1.0", "seconds": 27, "needed": 5 }]"#;
        std::fs::write(folder.learned_waits(), learned).unwrap();
        let found: Vec<_> = check(&folder).map(|finding| finding.what).collect();
        assert_eq!(found, ["`somebody 1.0` gave calls up, so its waits end after 27 s"]);
    }
}
