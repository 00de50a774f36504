//! Checks of the code base itself: who may use whom, what stays pure, and that files stay small and say what
//! they are for.

mod paths;
mod source;

use paths::Use;
use source::Source;
pub(crate) use source::rust_files;

/// What each module may use. The list is the architecture: read it top-down.
const MAY_USE: &[(&str, &[&str])] = &[
    // At the bottom: they know nothing of rooms.
    ("secret", &[]),
    ("platform", &["secret"]),
    ("paths", &["platform"]),
    // Its values are checked where they are read: handles, too.
    ("config", &["paths", "platform", "room"]),
    // The core.
    ("room", &[]),
    ("clock", &["room"]),
    ("task", &["room"]),
    ("puzzle", &["room"]),
    // What keeps and shows it.
    ("journal", &["room", "paths", "platform"]),
    ("transcript", &["room", "clock", "paths", "platform"]),
    // What tells people of it. It is told what waits, and does not know the hub.
    ("notify", &["room", "config", "clock", "paths", "platform"]),
    // The one place where calls meet it.
    ("hub", &["room", "task", "journal", "transcript", "clock", "secret", "paths", "platform"]),
    // The ways in.
    ("tools", &["hub", "room", "task"]),
    ("mcp", &["tools", "hub", "room"]),
    ("web", &["mcp", "tools", "hub", "transcript", "room", "task", "clock", "secret", "paths", "platform"]),
    ("bridge", &["mcp", "hub", "clock", "secret", "paths", "platform"]),
    (
        "serve",
        &[
            "web", "bridge", "mcp", "hub", "notify", "journal", "task", "room", "config", "clock", "secret",
            "paths", "platform",
        ],
    ),
    // `cli/doctor` looks at the files itself: no hub may run, and one that runs may be what is ill.
    ("cli", &["serve", "bridge", "hub", "notify", "journal", "config", "clock", "paths", "platform"]),
    ("main", &["cli"]),
];

/// Crates that stay at their edge: nobody else names them.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("anyhow", &["cli"]),
    ("askama", &["web"]),
    ("axum", &["web", "serve", "platform", "mcp"]),
    ("clap", &["cli"]),
    ("getrandom", &["secret"]),
    ("hyper_rustls", &["notify"]),
    ("hyper_util", &["serve", "notify"]),
    ("notify_rust", &["notify"]),
    ("notify", &["transcript"]),
    ("open", &["cli"]),
    ("pulldown_cmark", &["room", "transcript"]),
    ("reqwest", &["cli"]),
    ("rmcp", &["mcp", "web", "bridge"]),
    ("rusqlite", &["journal"]),
    ("rustix", &["platform"]),
    ("rustls", &["notify"]),
    ("schemars", &["tools"]),
    ("toml", &["config", "cli"]),
    ("toml_edit", &["config"]),
    ("tracing_subscriber", &["cli"]),
];

/// Pure parts: no clock, disk, net, chance, or waiting. `now` comes in, events go out.
const PURE: &[&str] = &[
    "src/room",
    "src/task",
    "src/puzzle",
    "src/transcript/render",
    "src/transcript/reply/answers",
    "src/transcript/reply/gate",
    "src/transcript/reply/marks",
    "src/transcript/reply/page",
    "src/transcript/reply/parse",
    "src/transcript/reply/render",
    "src/transcript/body",
    "src/transcript/labels",
    "src/transcript/clean",
    "src/transcript/escape",
    "src/transcript/html",
    "src/transcript/view",
    "src/web/page/started",
    "src/web/page/view",
];

/// What pure parts never name.
const IMPURE: &[&str] = &[
    "axum",
    "getrandom",
    "reqwest",
    "rmcp",
    "rusqlite",
    "rustix",
    "tempfile",
    "tokio",
    "tokio_stream",
    "tokio_util",
    "tower",
    "tracing",
    "uuid",
    "chrono::Local",
    "chrono::Utc::now",
    "Local::now",
    "Utc::now",
    "Instant",
    "SystemTime",
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::os",
    "std::process",
    "std::thread",
    "std::time::Instant",
    "std::time::SystemTime",
];

/// Methods of `Path` that read the disk.
const IMPURE_METHODS: &[&str] = &[
    "canonicalize",
    "exists",
    "is_dir",
    "is_file",
    "is_symlink",
    "metadata",
    "read_dir",
    "read_link",
    "try_exists",
];

const MAX_FILE_LINES: usize = 400;
const MAX_FUNCTION_LINES: usize = 50;
const MAX_TEST_LINES: usize = 80;

#[test]
fn every_module_stands_in_the_table() {
    let unknown = check(&["src"], |source| {
        let module = source.module();
        let is_known = source.is_lib() || MAY_USE.iter().any(|(known, _)| *known == module);
        (!is_known).then(|| format!("module `{module}` is not in MAY_USE")).into_iter().collect()
    });
    assert_eq!(unknown, "");
}

#[test]
fn modules_only_use_what_they_may() {
    let wrong = check(&["src"], |source| {
        let module = source.module();
        let allowed =
            MAY_USE.iter().find(|(known, _)| *known == module).map_or(&[][..], |(_, allowed)| allowed);
        let is_wrong = |other: &String| *other != module && !allowed.contains(&other.as_str());
        let used = source.uses.iter().filter_map(|one| Some((one, one.module_of_ours()?)));
        used.filter(|(_, other)| is_wrong(other))
            .map(|(one, other)| format!("{} uses `{other}`", one.line))
            .collect()
    });
    assert_eq!(wrong, "");
}

#[test]
fn crates_stay_at_their_edge() {
    let wrong = check(&["src"], |source| {
        let module = source.module();
        let strangers = ONLY_IN.iter().filter(|(_, homes)| !homes.contains(&module.as_str()));
        let named = strangers.flat_map(|(name, _)| source.uses.iter().filter(|one| one.is_below(name)));
        named
            .filter(|one| one.names.len() > 1)
            .map(|one| format!("{} names `{}`", one.line, one.text()))
            .collect()
    });
    assert_eq!(wrong, "");
}

#[test]
fn pure_modules_do_no_io() {
    let impure = check(&["src"], |source| {
        // Their tests may ask the environment how long to go on.
        if source.is_test_file() || !PURE.iter().any(|pure| source.is_below(pure)) {
            return Vec::new();
        }
        let is_impure = |one: &&Use| IMPURE.iter().any(|path| one.is_below(path));
        let named =
            source.uses.iter().filter(is_impure).map(|one| format!("{} names `{}`", one.line, one.text()));
        let methods = source.methods.iter().filter(|(_, name)| IMPURE_METHODS.contains(&name.as_str()));
        let methods = methods.map(|(line, name)| format!("{line} calls `{name}`"));
        named.chain(methods).chain(source.waits.iter().map(|line| format!("{line} is async"))).collect()
    });
    assert_eq!(impure, "");
}

#[test]
fn every_file_says_what_it_is_for() {
    let silent = check(&["src", "tests", "benches"], |source| {
        (!source.text.starts_with("//! "))
            .then(|| "1 does not open with `//!`".to_owned())
            .into_iter()
            .collect()
    });
    assert_eq!(silent, "");
}

#[test]
fn files_and_functions_stay_small() {
    let long = check(&["src", "tests", "benches"], |source| {
        let lines = source.text.lines().count();
        let file =
            (lines > MAX_FILE_LINES).then(|| format!("1 has {lines} lines, more than {MAX_FILE_LINES}"));
        let functions = source.functions.iter().filter_map(|function| {
            let most = if function.is_test { MAX_TEST_LINES } else { MAX_FUNCTION_LINES };
            let name = &function.name;
            (function.lines > most)
                .then(|| format!("{} `{name}` has {} lines, more than {most}", function.line, function.lines))
        });
        file.into_iter().chain(functions).collect()
    });
    assert_eq!(long, "");
}

#[test]
fn nothing_is_left_half_done() {
    let words = ["TO", "FIX"].map(|half| format!("{half}{}", if half == "TO" { "DO" } else { "ME" }));
    let left = check(&["src", "tests", "benches"], |source| {
        let comments = source.text.lines().enumerate().filter(|(_, line)| {
            line.split_once("//").is_some_and(|(_, comment)| words.iter().any(|word| comment.contains(word)))
        });
        let comments = comments.map(|(number, _)| format!("{} has a note of work to do", number + 1));
        let is_unfinished = |name: &str| ["todo", "unimplemented", "dbg"].contains(&name);
        let macros = source.macros.iter().filter(|(_, name)| is_unfinished(name));
        comments.chain(macros.map(|(line, name)| format!("{line} has `{name}!`"))).collect()
    });
    assert_eq!(left, "");
}

#[test]
fn a_module_with_parts_lies_beside_its_folder() {
    let old = check(&["src", "tests"], |source| {
        source.path.ends_with("mod.rs").then(|| "1 is named `mod.rs`".to_owned()).into_iter().collect()
    });
    assert_eq!(old, "");
}

/// Runs a check over all files below `roots`; gives what is wrong, one place a line.
fn check(roots: &[&str], wrong: impl Fn(&Source) -> Vec<String>) -> String {
    let files = roots.iter().flat_map(|root| rust_files(root));
    let found = files.flat_map(|source| {
        let found = wrong(source);
        found.into_iter().map(move |text| format!("{}:{text}\n", source.path))
    });
    found.collect::<Vec<_>>().concat()
}
