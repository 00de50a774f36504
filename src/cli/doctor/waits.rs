//! How long calls of clients may block, where that was learned from calls that were given up.

use super::finding::Finding;
use crate::paths::DataFolder;
use crate::serve::learned_waits;

const ABOUT: &str = "waits";

pub(super) fn check(folder: &DataFolder) -> Vec<Finding> {
    let learned = learned_waits(folder);
    if learned.is_empty() {
        return vec![Finding::ok(ABOUT, "no client has given up a call before its time")];
    }
    let told = learned.into_iter().map(|(client, wait)| {
        let what =
            format!("calls of `{client}` end after {} s, since it gave longer ones up", wait.as_secs());
        Finding::warning(ABOUT, what, "raise its time limit (README); waits grow again by themselves")
    });
    told.collect()
}
