//! Programs that judge guards: after an answer, for a timer, few at once, and whoever gives up has done nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::Table;
use super::support::settle;
use crate::hub::{ActOnPuzzle, Acted, AddPuzzle, Caller, HubError, Judge, Ruling};
use crate::puzzle::{Demand, May};

/// Two programs: `yes` lets all pass, `no` nothing. Each waits until it may end.
#[derive(Debug)]
struct Programs {
    asked: AtomicUsize,
    running: AtomicUsize,
    most: AtomicUsize,
    ends: Semaphore,
}

impl Programs {
    fn new(ends: usize) -> Arc<Self> {
        let (asked, running, most) = Default::default();
        Arc::new(Self { asked, running, most, ends: Semaphore::new(ends) })
    }
}

/// One that runs, until it ends or nobody waits for it.
struct Running<'a>(&'a Programs);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl Judge for Programs {
    fn names(&self) -> Vec<String> {
        ["yes", "no"].map(str::to_owned).into()
    }

    async fn rule(&self, name: &str, _puzzle: &str, _demand: &Demand) -> Ruling {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        let _running = Running(self);
        self.ends.acquire().await.unwrap().forget();
        Ruling { pass: name == "yes", reason: Some("it said so".to_owned()) }
    }
}

async fn table(programs: &Arc<Programs>) -> Table {
    let mut table = Table::new().await;
    // The first hub, which knows no program, has looked what there is, and looks no more.
    settle().await;
    let judge = Arc::clone(programs);
    table.restart_with(|settings| settings.judge = judge).await;
    table
}

fn guarded(guards: &Value) -> Value {
    json!({
        "id": "release",
        "initialState": "A",
        "states": {
            "A": { "who": "@Ada", "exitGuard": guards, "actions": { "go": { "targetState": "B" } } },
            "B": {},
        },
    })
}

fn go() -> ActOnPuzzle {
    ActOnPuzzle {
        puzzle: "release".to_owned(),
        action: "go".to_owned(),
        actor: Some("@Ada".to_owned()),
        expected_version: Some(1),
        ..ActOnPuzzle::default()
    }
}

#[tokio::test(start_paused = true)]
async fn after_an_answer_the_hub_goes_on_by_itself_and_its_steps_are_no_conflict() {
    for (program, state) in [("yes", "B"), ("no", "A")] {
        let programs = Programs::new(9);
        let table = table(&programs).await;
        let guards = json!([{ "participant": "@Bob", "question": "Whole?" }, { "command": program }]);
        table.client("a").add(guarded(&guards)).await;
        let acting = table.client("@Ada").acting("go", "@Ada");
        settle().await;
        let guard = table.hub.puzzle("release").await.unwrap().snapshot.pending[0].guard_id.clone();
        table.client("@Bob").answer_guard(&guard, "@Bob", true).await.unwrap();
        match acting.await.unwrap() {
            Ok(Acted::Done(done)) => assert_eq!(done.snapshot.current_state, "B"),
            Err(error) => assert_eq!((error.code(), program), ("guard_refused", "no")),
            other => panic!("{other:?}"),
        }
        assert_eq!(
            (table.stands("release").await.as_str(), programs.asked.load(Ordering::SeqCst)),
            (state, 1)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_hub_that_ended_had_to_ask_the_next_one_asks() {
    let mut table = table(&Programs::new(0)).await;
    let guards = json!([{ "participant": "@Bob", "question": "Whole?" }, { "command": "yes" }]);
    table.client("a").add(guarded(&guards)).await;
    table.client("a").act("release", "go", "@Ada").await.unwrap();
    let guard = table.hub.puzzle("release").await.unwrap().snapshot.pending[0].guard_id.clone();
    table.client("@Bob").answer_guard(&guard, "@Bob", true).await.unwrap();
    settle().await;
    assert_eq!(table.stands("release").await, "A", "the program has not ended");
    let Acted::Pending(state, asked) = table.client("a").act("release", "go", "@Ada").await.unwrap() else {
        panic!("it waits")
    };
    assert_eq!(
        (state.waiting(&asked).asks, state.waiting(&asked).needed),
        (vec![], 0),
        "nobody is asked any more"
    );
    table.restart_with(|settings| settings.judge = Programs::new(9)).await;
    settle().await;
    assert_eq!(table.stands("release").await, "B");
}

#[tokio::test(start_paused = true)]
async fn a_program_judges_a_timer_as_any_other_way() {
    for (program, state) in [("yes", "late"), ("no", "waiting"), ("unknown", "waiting")] {
        let programs = Programs::new(9);
        let table = table(&programs).await;
        let config = json!({
            "id": "release",
            "initialState": "waiting",
            "states": {
                "waiting": {
                    "exitGuard": { "command": program },
                    "after": { "60000": { "targetState": "late" } },
                },
                "late": {},
            },
        });
        table.client("a").add(config).await;
        super::puzzles::pass(2).await;
        assert_eq!(table.stands("release").await, state, "{program}");
        let asked = usize::from(program != "unknown");
        assert_eq!(programs.asked.load(Ordering::SeqCst), asked, "{program}: once");
        let due = table.hub.look_at_puzzle("release", crate::puzzle::Puzzle::due).await.unwrap();
        assert_eq!(due, None);
    }
}

#[tokio::test(start_paused = true)]
async fn programs_run_few_at_once_and_all_have_their_turn() {
    let programs = Programs::new(0);
    let table = table(&programs).await;
    let client = table.client("a");
    let mut config = guarded(&json!({ "command": "yes" }));
    config["states"]["B"] = json!({ "actions": { "go": { "targetState": "B" } } });
    client.add(config).await;
    let all = (0..40).map(|_| {
        let client = client.clone();
        tokio::spawn(async move { client.act("release", "go", "@Ada").await })
    });
    let all: Vec<_> = all.collect();
    settle().await;
    assert_eq!(programs.running.load(Ordering::SeqCst), 8);
    programs.ends.add_permits(100);
    let outcomes: Vec<_> = join_all(all).await.into_iter().map(Result::unwrap).collect();
    assert!(outcomes.iter().any(Result::is_ok));
    assert_eq!((programs.most.load(Ordering::SeqCst), programs.running.load(Ordering::SeqCst)), (8, 0));
}

#[tokio::test(start_paused = true)]
async fn whoever_gives_up_or_waits_in_vain_has_done_nothing_and_no_program_is_left() {
    let programs = Programs::new(0);
    let table = table(&programs).await;
    let client = table.client("a");
    client.add(guarded(&json!({ "command": "yes" }))).await;
    let gone = Caller { cancelled: tokio_util::sync::CancellationToken::new(), ..client.caller.clone() };
    let acting = {
        let (hub, gone) = (Arc::clone(&client.hub), gone.clone());
        tokio::spawn(async move { hub.act_on_puzzle_and_wait(&gone, go(), Duration::from_mins(9)).await })
    };
    settle().await;
    assert_eq!(programs.running.load(Ordering::SeqCst), 1);
    gone.cancelled.cancel();
    assert!(matches!(acting.await.unwrap(), Err(HubError::Cancelled)));
    let in_vain = client.hub.act_on_puzzle(&client.caller, go()).await.unwrap_err();
    assert_eq!(in_vain.code(), "guard_unavailable");
    programs.ends.add_permits(9);
    settle().await;
    let state = table.hub.puzzle("release").await.unwrap().snapshot;
    assert_eq!((state.current_state.as_str(), state.version), ("A", 1));
    assert_eq!(programs.running.load(Ordering::SeqCst), 0);
}

#[tokio::test(start_paused = true)]
async fn who_has_to_act_once_more_is_told_apart_from_what_goes_on_by_itself() {
    for (behind, awaited) in
        [(json!({ "command": "yes" }), vec![]), (json!({ "form": "Sure?" }), vec!["@Ada"])]
    {
        let table = table(&Programs::new(0)).await;
        let guards = json!([{ "participant": "@Bob", "question": "Whole?" }, behind]);
        table.client("a").add(guarded(&guards)).await;
        let may = May { form: true, ..May::default() };
        let client = table.client("@Ada");
        client.hub.act_on_puzzle(&client.caller, ActOnPuzzle { may, ..go() }).await.unwrap();
        let guard = table.asked("release").await;
        let answered = table.client("@Bob").answer_guard(&guard, "@Bob", true).await.unwrap();
        settle().await;
        for state in [answered, table.hub.puzzle("release").await.unwrap()] {
            assert!(state.snapshot.pending[0].asks.is_empty());
            assert_eq!(state.awaited.iter().map(crate::room::Handle::as_str).collect::<Vec<_>>(), awaited);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_program_that_is_not_there_is_told_at_the_beginning_and_nobody_is_asked_in_vain() {
    let table = table(&Programs::new(0)).await;
    let guards = json!([{ "participant": "@Bob", "question": "Whole?" }, { "command": "gone" }]);
    let client = table.client("a");
    let add = AddPuzzle { config: guarded(&guards), ..AddPuzzle::default() };
    let added = client.hub.add_puzzle(&client.caller, add).await.unwrap();
    assert!(added.warnings.iter().any(|odd| odd.problem.contains("names no program `gone`")), "{added:?}");
    let refused = client.hub.act_on_puzzle(&client.caller, go()).await.unwrap_err();
    assert_eq!(refused.code(), "guard_unavailable");
    assert!(refused.to_string().contains("the command `gone`"), "{refused}");
    assert_eq!(table.hub.puzzle("release").await.unwrap().snapshot.version, 1);
}
