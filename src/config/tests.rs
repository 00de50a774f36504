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
        "`config.toml`, line 2, has an unknown setting `limits.open_room`; did you mean `limits.open_rooms`?; \
         `turnroom config show` lists all"
    );
    assert_eq!(
        refusal("banana = 3\n"),
        "`config.toml`, line 1, has an unknown setting `banana`; `turnroom config show` lists all"
    );
    assert_eq!(refusal("clients = 3\n"), "`config.toml`, line 1, sets `clients` to 3, which must be a table");
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

#[test]
fn a_fault_is_told_with_its_line_and_without_any_value() {
    for (text, line, words) in [
        ("\n[tasks]\n# Now.\nmode = \"secret\"\n", Some(4), "`tasks.mode` must be \"manual\" or \"auto\""),
        (
            "[tasks]\nmode = \"auto\"\n\n[tasks.cast]\nexecutor = \"secret!\"\n",
            Some(5),
            "`tasks.cast.executor`",
        ),
        ("tasks.stall_minutes = \"secret\"\n", Some(1), "`tasks.stall_minutes` must be a whole number"),
        ("[clients]\n\n\"my agent\" = \"secret\"\n", Some(3), "`clients.\"my agent\"` must be"),
        ("[tasks.start]\nexecutor = { command = [\n  \"./secret\",\n] }\n", Some(2), "an absolute path"),
        ("# One.\n[taks]\nmode = \"secret\"\n", Some(3), "there is no setting `taks.mode`"),
        ("[tasks]\nmode = secret\n", Some(2), "no valid TOML"),
        ("[notices.webhook]\nurl = 7\n", Some(2), "`notices.webhook.url` must be a text in quotes"),
    ] {
        let folder = Folder::new();
        let file = folder.file("config.toml", text);
        let fault =
            Config::read(&Places { user: Some(file.clone()), project: None }).unwrap_err().fault().unwrap();
        assert_eq!((fault.file, fault.line), (file, line), "{text}");
        assert!(fault.words.contains(words) && !fault.words.contains("secret"), "{}", fault.words);
    }
}

const WITH_NOTICES: &str = r#"
[notices]
quiet_hours = "22:00-07:00"
[notices.webhook]
url = "https://hooks.example/services/T1/B2/secret"
format = "slack"
[notices.webhook.headers]
Authorization = "Bearer 123"
[notices.command]
args = ["--title", "x"]
"#;

#[test]
fn settings_of_notices_lie_in_tables_of_their_own() {
    let folder = Folder::new();
    let places = Places { user: Some(folder.file("config.toml", WITH_NOTICES)), project: None };
    let notices = Config::read(&places).unwrap().notices;
    assert!(notices.desktop && notices.quiet_hours.is_some());
    assert_eq!(notices.webhook.format, Format::Slack);
    assert_eq!(notices.webhook.headers["Authorization"].reveal(), "Bearer 123");
    assert_eq!(notices.command.args, ["--title", "x"]);
    assert_eq!(notices.command.timeout_seconds.get(), 10);
}

#[test]
fn secrets_of_notices_are_not_shown() {
    let folder = Folder::new();
    let places = Places { user: Some(folder.file("config.toml", WITH_NOTICES)), project: None };
    let settings = Config::explain(&places).unwrap();
    let value = |key: &str| settings.iter().find(|setting| setting.key == key).unwrap().value.clone();
    assert_eq!(value("notices.webhook.headers.Authorization"), "\"…\"");
    assert_eq!(value("notices.webhook.url"), "\"https://hooks.example/…\"");
    assert!(!settings.iter().any(|setting| setting.key == "notices.webhook.headers"));
    assert_eq!(value("notices.quiet_hours"), "\"22:00-07:00\"");
    let config = format!("{:?}", Config::read(&places).unwrap());
    assert!(!config.contains("123") && !config.contains("hooks.example"), "{config}");
}

#[test]
fn a_project_says_nothing_about_notices() {
    for text in [
        "[notices.command]\nprogram = \"/bin/true\"\n",
        "[notices.webhook]\nurl = \"https://a.example/\"\n",
        "[notices.webhook.headers]\nAuthorization = \"x\"\n",
        "[notices]\nshow_private = true\n",
        "notices.command = { program = \"/bin/true\" }\n",
        "\"notices.command\" = { program = \"/bin/true\" }\n",
        "notices = 1\n",
        "[notices]\nnew = 1\n",
    ] {
        let folder = Folder::new();
        let project = Some(folder.file("config.toml", text));
        let places = Places { user: Some(PathBuf::from("/home/me/config.toml")), project };
        let error = Config::read(&places).unwrap_err();
        assert!(matches!(error, ConfigError::NotInProject { .. }), "{text}: {error}");
        assert!(error.to_string().ends_with("put it into your own, `/home/me/config.toml`"), "{error}");
    }
}

#[test]
fn settings_of_notices_that_make_no_sense_are_refused() {
    for (text, expected) in [
        ("[notices]\nquiet_hours = \"late\"\n", "which must be empty, or two times such as \"22:00-07:00\""),
        ("[notices]\nwebhook = 3\n", "sets `notices.webhook` to 3, which must be a table"),
        ("[notices.webhook]\nurl = \"ftp://a.example/\"\n", "begins with https:// or http://"),
        ("[notices.webhook]\nformat = \"xml\"\n", "which must be \"json\", \"ntfy\" or \"slack\""),
        ("[notices.webhook.headers]\n\"a b\" = \"c\"\n", "under a name that a header may have"),
        ("[notices.webhook.headers]\na = 3\n", "which must be a text in quotes"),
        ("[notices.command]\nprogram = \"./tell\"\n", "an absolute path"),
        ("[notices.command]\nargs = [1]\n", "a list of texts in quotes"),
        ("[notices.command]\ntimeout_seconds = 0\n", "a whole number from 1"),
        ("[notices.comand]\nargs = []\n", "unknown setting `notices.comand`; did you mean `notices.command."),
        ("[notices.webhook.header]\n", "unknown setting `notices.webhook.header`"),
    ] {
        let error = refusal(text);
        assert!(error.contains(expected), "{error}");
    }
}

const WITH_STARTERS: &str = r#"
[tasks]
mode = "auto"
auto_roles = ["executor", "reviewer"]
[tasks.cast]
executor = "@Bob"
[tasks.start.executor]
command = ["my-agent", "--go"]
timeout_minutes = 5
"#;

#[test]
fn settings_of_tasks_name_only_what_differs() {
    let folder = Folder::new();
    let places = Places { user: Some(folder.file("config.toml", WITH_STARTERS)), project: None };
    let tasks = Config::read(&places).unwrap().tasks;
    assert_eq!((tasks.mode, tasks.stall_minutes.get()), (Mode::Auto, 30));
    assert_eq!((tasks.cast.executor.as_str(), tasks.cast.reviewer.as_str()), ("@Bob", "@Reviewer"));
    assert_eq!(tasks.start.executor.command, ["my-agent", "--go"]);
    assert_eq!(tasks.start.executor.timeout_minutes.get(), 5);
    assert!(tasks.start.reviewer.command.is_empty());
}

#[test]
fn a_project_starts_no_agents() {
    for text in ["[tasks]\nmode = \"auto\"\n", "[tasks.start.executor]\ncommand = [\"x\"]\n", "tasks = 1\n"] {
        let folder = Folder::new();
        let places = Places { user: None, project: Some(folder.file("config.toml", text)) };
        let error = Config::read(&places).unwrap_err();
        assert!(matches!(error, ConfigError::NotInProject { .. }), "{text}: {error}");
    }
}

#[test]
fn settings_of_tasks_that_make_no_sense_are_refused() {
    for (text, expected) in [
        ("[tasks]\nmode = \"fast\"\n", "which must be \"manual\" or \"auto\""),
        ("[tasks]\nauto_roles = [\"boss\"]\n", "a list of \"architect\", \"executor\", \"reviewer\""),
        ("[tasks]\nstall_minutes = 0\n", "a whole number from 1"),
        ("[tasks.cast]\nexecutor = \"a b\"\n", "a handle such as \"@Bob\""),
        ("[tasks.cast]\nboss = \"@Bob\"\n", "unknown setting `tasks.cast.boss`"),
        ("[tasks.start.executor]\ncommand = [\"./go\"]\n", "an absolute path"),
        ("[tasks.start.executor]\ncommand = [\"\"]\n", "an absolute path"),
        ("[tasks.start.executor]\ncommand = \"go\"\n", "a list of texts in quotes"),
        ("[tasks.start.executor]\nfolder = \"here\"\n", "empty, or an absolute path"),
        ("[tasks.start.boss]\ncommand = []\n", "unknown setting `tasks.start.boss"),
    ] {
        let error = refusal(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}
