//! Programs of the user, started for real.

use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::support::{House, Mood, Noted, all, news, quick, silent};
use crate::config::NoticeCommand;
use crate::notify::channel::{Channel, Failure};
use crate::notify::command::CommandChannel;
use crate::notify::notice::Notice;
use crate::platform;

fn command(house: &House, program: &str, args: &[&str], seconds: u32) -> Box<dyn Channel> {
    let settings = NoticeCommand {
        program: program.to_owned(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        timeout_seconds: NonZeroU32::new(seconds).expect("some time"),
    };
    let made = CommandChannel::new(&settings, house.folder().path());
    Box::new(made.expect("a program").expect("it is wanted"))
}

/// Busy machines are slow; what comes at all comes within this.
const LONG: Duration = Duration::from_mins(1);

async fn content(path: &Path) -> String {
    let read = async {
        loop {
            match fs::read_to_string(path) {
                Ok(text) if text.ends_with('\n') => return text,
                _ => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    };
    let read = tokio::time::timeout(LONG, read).await;
    read.unwrap_or_else(|_| panic!("nothing is written to {}", path.display()))
}

#[tokio::test]
async fn a_program_gets_json_on_its_standard_input_and_no_shell_reads_its_arguments() {
    let house = House::new();
    let words = "$(touch evil); echo `id` \"quoted\"";
    let mut item = news("a/1");
    item.body = words.to_owned();
    let script = "cat > seen; echo >> seen; printf '%s\\n' \"$1\" > argument";
    let program = command(&house, "/bin/sh", &["-c", script, "sh", "$HOME;*"], 10);
    program.tell(&Notice::one(item.into())).await.unwrap();

    let folder = house.folder();
    let seen: Value = serde_json::from_str(&content(&folder.path().join("seen")).await).unwrap();
    assert_eq!((&seen["id"], &seen["text"]), (&"a/1".into(), &words.into()));
    assert_eq!(content(&folder.path().join("argument")).await, "$HOME;*\n");
    assert!(!folder.path().join("evil").exists());
}

#[tokio::test]
async fn a_program_is_killed_with_its_children_at_its_time_limit() {
    let house = House::new();
    let script = "sleep 600 & echo $! > child; wait";
    let program = command(&house, "/bin/sh", &["-c", script], 3);
    let outcome = program.tell(&Notice::one(news("a/1").into())).await;
    assert!(matches!(&outcome, Err(Failure::Refused(text)) if text.contains("more than 3 s")), "{outcome:?}");
    let child: u32 = content(&house.folder().path().join("child")).await.trim().parse().unwrap();
    assert_dies(child).await;
}

#[tokio::test]
async fn a_program_that_is_given_up_is_killed_with_its_children() {
    let house = House::new();
    let script = "sleep 600 & echo $! > child; wait";
    let program = command(&house, "/bin/sh", &["-c", script], 60);
    let path = house.folder().path().join("child");
    let notice = Notice::one(news("a/1").into());
    let child: u32 = tokio::select! {
        outcome = program.tell(&notice) => panic!("{outcome:?}"),
        child = content(&path) => child.trim().parse().unwrap(),
    };
    assert_dies(child).await;
}

#[tokio::test]
async fn a_program_that_fails_or_is_missing_says_so_and_one_that_does_not_read_is_fine() {
    let house = House::new();
    let notice = Notice::one(news("a/1").into());
    let outcome = command(&house, "/bin/sh", &["-c", "exit 3"], 10).tell(&notice).await;
    assert!(
        matches!(&outcome, Err(Failure::Refused(text)) if text.contains("exit status: 3")),
        "{outcome:?}"
    );
    let outcome = command(&house, "/nowhere/at/all", &[], 10).tell(&notice).await;
    assert!(
        matches!(&outcome, Err(Failure::Refused(text)) if text.contains("cannot be started")),
        "{outcome:?}"
    );
    command(&house, "true", &[], 10).tell(&notice).await.unwrap();
}

#[tokio::test]
async fn a_webhook_that_does_not_answer_delays_no_program() {
    let house = House::new();
    let (hanging, _unheard) = Noted::named("webhook", vec![Mood::Hangs]);
    let program = command(&house, "/bin/sh", &["-c", "cat > seen; echo >> seen"], 10);
    let pace = crate::notify::pace::Pace { grace: Duration::ZERO, ..quick() };
    let notifier = house.open(vec![hanging, program], &silent(), pace).await;
    notifier.waiting(all(&["a/1"]));
    assert!(content(&house.folder().path().join("seen")).await.contains("title of a/1"));
    notifier.close().await;
}

async fn assert_dies(pid: u32) {
    // Nobody may wait for a child whose parent was killed: what is left of it counts as dead.
    let is_left = || fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|text| text.contains(") Z "));
    let dies = async {
        while platform::is_alive(pid) && !is_left() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LONG, dies).await.expect("it dies");
}
