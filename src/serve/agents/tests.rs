//! Programs that are started for real: whether they still work is known whatever they do with their streams.

use super::*;

const PLACE: &str = "task-1-executor";

/// A hub that starts this script of a shell, in a folder of its own.
fn agents(folder: &Path, script: &str) -> Agents {
    let file = folder.join("config.toml");
    let words = json!({ "command": ["sh", "-c", script], "folder": folder });
    let (command, place) = (&words["command"], &words["folder"]);
    std::fs::write(&file, format!("[tasks.start.executor]\ncommand = {command}\nfolder = {place}\n"))
        .unwrap();
    let places = Places { user: Some(file), project: None };
    let tasks = Config::read(&places).unwrap().tasks;
    Agents::new(places, &tasks, (folder, folder.join("agents")), "")
}

fn start() -> Start {
    Start {
        place: PLACE.to_owned(),
        task: "parser".to_owned(),
        title: "Parser".to_owned(),
        description: "Write it".to_owned(),
        role: Role::Executor,
        handle: Handle::parse("@Bob").unwrap(),
        room: None,
        version: 0,
        attempt: 1,
    }
}

/// Waits until a script that runs has made this file.
async fn appears(file: &Path, run: &tokio::task::JoinHandle<String>) {
    while !file.exists() {
        assert!(!run.is_finished(), "it has ended before");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_program_counts_as_running_until_it_and_what_it_has_left_have_ended_whatever_streams_they_close() {
    let waits = "touch begun; while [ ! -e go ]; do sleep 0.02; done";
    for script in [
        format!("exec 0<&- 1>&- 2>&-; {waits}"),
        format!("exec 2>/dev/null; exec sh -c '{waits}'"),
        format!("({waits}) </dev/null >/dev/null 2>&1 & exit 0"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (hub, next) = (agents(folder.path(), &script), agents(folder.path(), &script));
        let run = tokio::spawn(async move { hub.run(&start()).await });
        appears(&folder.path().join("begun"), &run).await;
        assert!(next.is_running(PLACE) && !run.is_finished(), "{script}");
        std::fs::write(folder.path().join("go"), "").unwrap();
        let words = run.await.unwrap();
        assert!(words.contains("exit status: 0"), "{words}");
        assert!(!next.is_running(PLACE), "{script}");
    }
}

#[tokio::test]
async fn of_a_program_that_says_too_much_the_end_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "i=0; while [ ! -e go ]; do i=$((i+1)); echo \"$i \"; done | head -c 100000000 >&2; echo last >&2";
    let hub = agents(folder.path(), script);
    let said = hub.file(PLACE);
    let run = tokio::spawn(async move { hub.run(&start()).await });
    let mut most = 0;
    loop {
        assert!(!run.is_finished(), "it has ended before");
        let long = std::fs::metadata(&said).map_or(0, |found| found.len());
        if long < most {
            break;
        }
        most = long;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    std::fs::write(folder.path().join("go"), "").unwrap();
    assert!(run.await.unwrap().ends_with("last"));
}

fn length(said: &Path) -> u64 {
    std::fs::metadata(said).unwrap().len()
}

#[tokio::test]
async fn what_a_program_says_at_once_and_ends_is_kept_short_too() {
    let folder = tempfile::tempdir().unwrap();
    let hub = agents(folder.path(), "head -c 5000000 /dev/zero | tr '\\0' e >&2; echo last >&2");
    let words = hub.run(&start()).await;
    assert!(words.ends_with("elast"), "{words}");
    assert!(length(&hub.file(PLACE)) <= 2 * MAX_SAID);
}

#[test]
fn what_was_said_while_no_hub_looked_is_cut_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join(format!("agents/{PLACE}.log"));
    std::fs::create_dir(folder.path().join("agents")).unwrap();
    let long = || std::fs::write(&said, "e".repeat(5_000_000) + "last").unwrap();
    long();
    let next = agents(folder.path(), "true");
    assert_eq!(length(&said), MAX_SAID);
    assert!(last_words(&said).unwrap().ends_with("last"));
    // What an earlier hub has left running says more.
    long();
    assert!(!next.is_running(PLACE));
    assert_eq!(length(&said), MAX_SAID);
}
