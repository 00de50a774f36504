//! Tests of the settings.

use std::error::Error as _;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn refusal(text: &str) -> String {
    let folder = Folder::new();
    let places = Places { user: Some(folder.file("config.toml", text)), project: None };
    let error = Config::read(&places).unwrap_err();
    let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
    let folder = format!("{}/", folder.0.path().display());
    format!("{error}{cause}").replace(&folder, "")
}

#[test]
fn without_files_the_defaults_count() {
    let nowhere = Places { user: Some(PathBuf::from("/nowhere/config.toml")), project: None };
    let config = Config::read(&nowhere).unwrap();
    assert_eq!(config.limits.open_rooms.get(), 10_000);
    assert_eq!(config.clients["claude-code"].get(), 110);
}

#[test]
fn the_project_comes_before_the_user() {
    let folder = Folder::new();
    let places = Places {
        user: Some(folder.file("user.toml", "[limits]\nopen_rooms = 7\nparticipants = 8\n")),
        project: Some(folder.file("project.toml", "[limits]\nopen_rooms = 9\n")),
    };
    let config = Config::read(&places).unwrap();
    assert_eq!((config.limits.open_rooms.get(), config.limits.participants.get()), (9, 8));

    let settings = Config::explain(&places).unwrap();
    let origin = |key: &str| settings.iter().find(|setting| setting.key == key).unwrap().origin.clone();
    assert_eq!(origin("limits.open_rooms"), Origin::File(places.project.unwrap()));
    assert_eq!(origin("limits.participants"), Origin::File(places.user.unwrap()));
    assert_eq!(origin("limits.message_bytes"), Origin::Default);
}

#[test]
fn a_client_that_nobody_knew_may_be_named() {
    let folder = Folder::new();
    let places =
        Places { user: Some(folder.file("config.toml", "[clients]\n\"my agent\" = 20\n")), project: None };
    assert_eq!(Config::read(&places).unwrap().clients["my agent"].get(), 20);
    let settings = Config::explain(&places).unwrap();
    assert!(settings.iter().any(|setting| setting.key == "clients.\"my agent\"" && setting.value == "20"));
}

#[test]
fn an_unknown_setting_is_refused_with_the_nearest_one() {
    assert_eq!(
        refusal("[limits]\nopen_room = 3\n"),
        "`config.toml` has an unknown setting `limits.open_room`; did you mean `limits.open_rooms`?; \
         `turnroom config show` lists all"
    );
    assert_eq!(
        refusal("banana = 3\n"),
        "`config.toml` has an unknown setting `banana`; `turnroom config show` lists all"
    );
    assert_eq!(refusal("clients = 3\n"), "`config.toml` sets `clients` to 3, which must be a table");
}

#[test]
fn a_table_without_settings_must_be_one_that_exists() {
    assert!(refusal("[limitz]\n").contains("unknown setting `limitz`"));
    let folder = Folder::new();
    let places = Places { user: Some(folder.file("config.toml", "[limits]\n[clients]\n")), project: None };
    assert!(Config::read(&places).is_ok());
}

#[test]
fn a_value_that_makes_no_sense_is_refused() {
    for value in ["0", "-1", "\"many\"", "4294967296", "1.5", "{ a = 1 }"] {
        let text = refusal(&format!("[limits]\nopen_rooms = {value}\n"));
        assert!(text.contains("sets `limits.open_rooms` to "), "{text}");
        assert!(text.ends_with("which must be a whole number from 1 to 4294967295"), "{text}");
    }
}

#[test]
fn broken_toml_is_named_with_its_place() {
    let text = refusal("[limits]\nopen_rooms = \n");
    assert!(text.starts_with("`config.toml` is no valid TOML: "), "{text}");
    assert!(text.contains("line 2"), "{text}");
}
