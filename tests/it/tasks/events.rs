//! `turnroom event`, typed and as a hook of a client: what is in the inbox then, and that it harms no agent.

use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::house::House;
use crate::support::{FakeHub, Reply, comes, err, out, run, turnroom};

/// What a client of an agent that waits for its person pipes into its hook.
const MAY_I: &str = r#"{"session_id":"s","hook_event_name":"Notification","message":"Claude needs your permission to use Bash"}"#;

/// Runs `turnroom event` as a hook of a client, which gives it this.
fn hook(data: &Path, words: &str, variables: &[(&str, &str)], input: &str) -> Output {
    let words: Vec<_> = words.split_whitespace().collect();
    let mut command = turnroom(data, &words);
    let mut child = command.envs(variables.iter().copied()).stdin(Stdio::piped()).spawn().expect("it starts");
    // One that does not need it may have ended.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn assert_silent(output: &Output) {
    assert_eq!((output.status.code(), out(output), err(output)), (Some(0), String::new(), String::new()));
}

impl House {
    /// A task in which it is the turn of `@Bob`, the executor.
    fn bobs_task(&self) -> String {
        let task = self.task("human");
        self.publish(&task, "architect", "design");
        task
    }

    /// Kinds and bodies of what waits for the person.
    fn waiting(&self) -> Vec<(String, String)> {
        let inbox = self.json("inbox --json");
        let text = |item: &Value, field: &str| item[field].as_str().expect("text").to_owned();
        let items = inbox["items"].as_array().expect("items").iter();
        items.map(|item| (text(item, "kind"), text(item, "body"))).collect()
    }

    /// Waits until the only thing that waits is of this kind; gives its words.
    fn waiting_only(&self, kind: &str) -> String {
        comes(kind, || match self.waiting().as_slice() {
            [(of, body)] if of == kind => Some(body.clone()),
            _ => None,
        })
    }

    fn does_wait(&self, kind: &str) -> bool {
        self.waiting().iter().any(|(of, _)| of == kind)
    }
}

#[test]
fn who_is_blocked_is_in_the_inbox_at_once_over_a_crash_and_until_it_works() {
    let mut house = House::open();
    let task = house.bobs_task();
    let bob = [("TURNROOM_TASK", task.as_str()), ("TURNROOM_ROLE", "executor"), ("TURNROOM_HANDLE", "@Bob")];
    let is_blocked = |house: &House| {
        assert_silent(&hook(&house.data(), "event blocked", &bob, MAY_I));
    };
    is_blocked(&house);
    let inbox = house.type_in("inbox");
    assert!(inbox.contains("@Bob (executor) is blocked in task parser"), "{inbox}");
    assert!(inbox.contains("    Claude needs your permission to use Bash\n"), "{inbox}");
    let status = house.type_in("task status parser");
    assert!(status.contains("told       blocked: Claude needs your permission to use Bash, 2"), "{status}");
    let item = house.json("inbox --json")["items"][0].clone();
    assert_eq!(
        (&item["kind"], &item["role"], &item["handle"]),
        (&"blocked".into(), &"executor".into(), &"@Bob".into())
    );

    house.kill();
    house.start();
    house.waiting_only("blocked");
    is_blocked(&house);
    assert_eq!(house.json("inbox --json")["items"][0]["id"], item["id"], "the same again is nothing new");
    assert_silent(&hook(&house.data(), "event working", &bob, r#"{"hook_event_name":"PostToolUse"}"#));
    assert_eq!(house.waiting(), []);

    is_blocked(&house);
    house.publish(&task, "executor", "code_changes");
    assert!(!house.does_wait("blocked") && house.does_wait("decision"), "{:?}", house.waiting());
    assert_eq!(house.json("task status parser --json")["version"], 2, "reports are no records");
}

#[test]
fn who_is_done_is_told_of_unless_a_record_came_with_its_turn() {
    let mut house = House::open();
    let task = house.bobs_task();
    let told = house.type_in("event done --as @Bob");
    assert!(told.contains("a person is told that nothing was published"), "{told}");
    assert!(house.type_in("inbox").contains("@Bob (executor) stopped without publishing in task parser"));
    house.kill();
    house.start();
    house.waiting_only("stopped");
    house.publish(&task, "executor", "note");
    assert!(!house.does_wait("stopped"));
    let told = house.json("event done --as @Bob --json");
    assert_eq!((&told["is_new"], &told["task_id"]), (&true.into(), &task.as_str().into()));
    assert!(!house.does_wait("stopped"), "{:?}", house.waiting());
    house.publish(&task, "executor", "code_changes");
    assert_silent(&hook(&house.data(), "event done --as @Bob", &[], r#"{"hook_event_name":"Stop"}"#));
    assert!(!house.does_wait("stopped"));
}

#[test]
fn a_report_that_does_not_count_changes_nothing_and_says_why() {
    let house = House::open();
    house.bobs_task();
    for (words, why) in [
        ("event blocked --task parser --role reviewer", "waits for @Bob (executor)"),
        ("event blocked --task parser --as @Carol", "@Carol does not have the turn"),
        ("event blocked --as @Carol", "no open task waits for @Carol"),
        ("event blocked", "say who you are"),
        ("event blocked --task nowhere --as @Bob", "task_not_found"),
    ] {
        let refused = run(&house.data(), &words.split_whitespace().collect::<Vec<_>>());
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(1), ""), "{words}");
        assert!(err(&refused).contains(why), "{words}: {}", err(&refused));
        assert_silent(&hook(&house.data(), words, &[], MAY_I));
    }
    assert!(!house.does_wait("blocked"));
    assert!(!house.type_in("task status parser").contains("told"), "nothing was noted");
}

#[test]
fn a_hook_that_cannot_tell_anybody_ends_with_0_and_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    assert_silent(&hook(folder.path(), "event done --as @Bob", &[], "{}"));
    let none = run(folder.path(), &["event", "done", "--as", "@Bob"]);
    assert_eq!(none.status.code(), Some(3));
    let deaf = FakeHub::new(|_, _| Reply::Never);
    assert_silent(&hook(deaf.data(), "event done --as @Bob", &[], "{}"));
    let strange = FakeHub::answering(200, json!([]));
    assert_silent(&hook(strange.data(), "event done --as @Bob", &[], "{}"));
    for words in [&["event", "gone"][..], &["event"], &["event", "done", "--how"]] {
        assert_eq!(run(folder.path(), words).status.code(), Some(1), "2 would hold an agent: {words:?}");
    }
}

#[test]
fn who_and_where_come_from_options_variables_or_the_session() {
    let hub = FakeHub::answering(200, json!({}));
    let asked = |words: &str, variables: &[(&str, &str)], input: &str| {
        assert_silent(&hook(hub.data(), words, variables, input));
        let (path, arguments) = hub.calls.recv_timeout(Duration::from_mins(1)).expect("a call");
        assert_eq!(path, "/api/commands/event");
        arguments
    };
    let set = [("TURNROOM_TASK", "parser"), ("TURNROOM_ROLE", ""), ("TURNROOM_HANDLE", "@Bob")];
    let from_variables = json!({ "event": "working", "task_id": "parser", "handle": "@Bob" });
    assert_eq!(asked("event working", &set, "{}"), from_variables);
    let words = "event blocked --task other --role reviewer --as @Carol --reason Why";
    let given = json!({
        "event": "blocked", "task_id": "other", "role": "reviewer", "handle": "@Carol", "reason": "Why",
    });
    assert_eq!(asked(words, &set, MAY_I), given);
    let call =
        json!({ "session_id": "s", "tool_name": "mcp__turnroom__x", "tool_input": { "handle": "@Alice" } });
    assert_silent(&hook(hub.data(), "hook note", &[], &call.to_string()));
    let from_session = json!({ "event": "blocked", "handle": "@Alice", "reason": "Claude needs your permission to use Bash" });
    assert_eq!(asked("event blocked", &[], MAY_I), from_session);
}
