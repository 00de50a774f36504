//! Hooks in settings that hold other things too.

use insta::assert_snapshot;
use serde_json::Value;

use super::client::Client;
use super::merge::{Wanted, merge};
use super::*;

fn wanted(client: Client) -> Wanted {
    client.hooks(Path::new("/opt/turnroom"), None, None)
}

/// Settings as people have them: with an order, other hooks, and large numbers.
const SETTINGS: &str = r#"{
    "zebra": 1,
    "permissions": { "allow": ["Bash(ls:*)"], "deny": [] },
    "hooks": {
        "Stop": [{ "hooks": [{ "type": "command", "command": "say done", "timeout": 3 }] }],
        "PreToolUse": []
    },
    "apple": 12345678901234567890
}
"#;

#[test]
fn what_is_not_ours_stays_as_it_is_in_its_order() {
    let after = merge(SETTINGS, Some(&wanted(Client::ClaudeCode))).unwrap().unwrap();
    assert_snapshot!(after);
    let undone: Value = serde_json::from_str(&merge(&after, None).unwrap().unwrap()).unwrap();
    assert_eq!(undone, serde_json::from_str::<Value>(SETTINGS).unwrap());
}

#[test]
fn installing_again_changes_nothing() {
    for client in [Client::ClaudeCode, Client::Codex] {
        for before in ["", "{}", SETTINGS] {
            let once = merge(before, Some(&wanted(client))).unwrap().unwrap();
            assert_eq!(merge(&once, Some(&wanted(client))).unwrap(), None);
            let moved = once.replace("\"Stop\": [", "\"Stop\": [\n{ \"hooks\": [] },");
            assert_eq!(merge(&moved, Some(&wanted(client))).unwrap(), None, "wherever they stand");
        }
    }
}

#[test]
fn hooks_of_another_place_of_the_program_are_replaced() {
    let old =
        Client::ClaudeCode.hooks(Path::new("/old place/turnroom"), Some(Path::new("/data")), Some("@Alice"));
    let once = merge("{}", Some(&old)).unwrap().unwrap();
    assert!(once.contains("'/old place/turnroom' --data-dir /data hook stop --as @Alice"), "{once}");
    let again = merge(&once, Some(&wanted(Client::ClaudeCode))).unwrap().unwrap();
    assert_eq!(again, merge("{}", Some(&wanted(Client::ClaudeCode))).unwrap().unwrap());
}

#[test]
fn codex_has_its_own_hooks_and_limits() {
    assert_snapshot!(merge("", Some(&wanted(Client::Codex))).unwrap().unwrap());
}

#[test]
fn nothing_is_taken_out_where_nothing_was_put_in() {
    for before in ["", "{}", SETTINGS, r#"{"hooks":{}}"#, r#"{"hooks":{"Stop":[]}}"#] {
        assert_eq!(merge(before, None).unwrap(), None, "{before}");
    }
}

#[test]
fn settings_that_are_not_understood_are_left_alone() {
    for before in ["{", "// words\n{}", "[]", r#"{"hooks": []}"#, r#"{"hooks": {"Stop": {}}}"#] {
        let error = merge(before, Some(&wanted(Client::ClaudeCode))).unwrap_err();
        assert!(!error.to_string().is_empty(), "{before}");
    }
}

#[test]
fn a_hook_of_somebody_else_is_not_ours() {
    for command in ["turnroom-extra hook stop", "mine hook stop", "/x/turnroom stop", "turnroom hook fly"] {
        let settings =
            format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command","command":"{command}"}}]}}]}}}}"#);
        assert_eq!(merge(&settings, None).unwrap(), None, "{command}");
    }
}

#[test]
fn settings_behind_a_link_are_changed_where_they_lie_and_keep_their_mode() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.json"), folder.path().join("settings.json"));
    fs::write(&real, "{}").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&real, &link).unwrap();
        change(link.clone(), Some(&wanted(Client::Codex))).unwrap().unwrap().write().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
    assert!(fs::read_to_string(&real).unwrap().contains("hook stop"));
}

#[test]
fn a_file_that_changed_since_it_was_shown_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.json");
    let change = change(path.clone(), Some(&wanted(Client::Codex))).unwrap().unwrap();
    fs::write(&path, "{\"mine\": 1}").unwrap();
    assert!(change.write().is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"mine\": 1}");
}
