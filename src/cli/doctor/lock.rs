//! The lock of the data folder, and the note how to reach the hub that holds it.

use super::finding::Finding;
use crate::paths::{AddressError, DataFolder, HubAddress, LockError, LockState};
use crate::platform;

const ABOUT: &str = "lock";

pub(super) fn check(folder: &DataFolder, state: Result<LockState, LockError>) -> Vec<Finding> {
    let state = match state {
        Ok(state) => state,
        Err(error) => {
            let next = "see that this user may read it, and that its file system knows locks";
            return vec![Finding::fault(ABOUT, error.to_string(), next)];
        }
    };
    let mut findings = vec![holder(state, &platform::is_alive)];
    findings.extend(note(state, &folder.read_address()));
    findings
}

fn holder(state: LockState, is_alive: &dyn Fn(u32) -> bool) -> Finding {
    match state {
        LockState::Free => Finding::ok(ABOUT, "no hub holds the data folder"),
        LockState::Held { pid: Some(pid) } if !is_alive(pid) => {
            let what = format!("the data folder is held by process {pid}, which is not on this machine");
            let next =
                "stop the hub on the machine that shares this folder, or choose another with --data-dir";
            Finding::fault(ABOUT, what, next)
        }
        LockState::Held { pid: Some(pid) } => {
            Finding::ok(ABOUT, format!("a hub holds the data folder, process {pid}"))
        }
        LockState::Held { pid: None } => {
            Finding::ok(ABOUT, "a hub holds the data folder; it has not said its process")
        }
    }
}

/// The note how to reach the hub, where it says something else than the lock.
fn note(state: LockState, address: &Result<Option<HubAddress>, AddressError>) -> Option<Finding> {
    match (state, address) {
        (_, Err(error)) => {
            Some(Finding::fault(ABOUT, error.to_string(), "delete that file, and start the hub again"))
        }
        (LockState::Free, Ok(Some(address))) => {
            let what = format!("`hub.json` names process {}, which holds nothing", address.pid);
            Some(Finding::warning(ABOUT, what, "nothing: the next hub replaces it (the last one was killed)"))
        }
        (LockState::Held { .. }, Ok(None)) => {
            let what = "the hub could not write `hub.json`; terminal commands reach it all the same";
            Some(Finding::warning(ABOUT, what, "make space on its disk: the hub writes it then"))
        }
        (LockState::Held { pid: Some(pid) }, Ok(Some(address))) if address.pid != pid => {
            let what = format!("`hub.json` names process {}, the lock process {pid}", address.pid);
            Some(Finding::warning(ABOUT, what, "run this again; if it stays, restart the hub"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::Grade;
    use super::*;

    fn address(pid: u32) -> HubAddress {
        let started = "2026-08-18T10:20:00Z".parse().unwrap();
        HubAddress { pid, url: None, socket: "/x".into(), started }
    }

    #[test]
    fn a_holder_that_is_not_here_is_on_another_machine() {
        let held = LockState::Held { pid: Some(7) };
        assert_eq!(holder(held, &|_| false).grade, Grade::Fault);
        assert_eq!(holder(held, &|_| true).grade, Grade::Ok);
        assert_eq!(holder(LockState::Free, &|_| false).grade, Grade::Ok);
    }

    #[test]
    fn a_note_that_says_something_else_than_the_lock_is_told() {
        let held = LockState::Held { pid: Some(7) };
        assert_eq!(note(held, &Ok(Some(address(7)))), None);
        assert_eq!(note(LockState::Free, &Ok(None)), None);
        for (state, address) in [(held, Some(address(8))), (LockState::Free, Some(address(7))), (held, None)]
        {
            assert_eq!(note(state, &Ok(address)).unwrap().grade, Grade::Warning);
        }
    }
}
