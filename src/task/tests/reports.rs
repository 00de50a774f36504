//! What agents tell of their turns: what counts, what answers it, and that it moves nothing.

use super::*;

fn bob() -> Handle {
    Handle::parse("@bob").unwrap()
}

fn report(activity: Activity, reason: Option<&str>) -> Report {
    Report { activity, role: Some(Role::Executor), handle: Some(bob()), reason: reason.map(str::to_owned) }
}

impl Task {
    /// Takes a report in; gives whether it was new.
    fn hear(&mut self, activity: Activity, reason: Option<&str>) -> bool {
        let events = self.report(&report(activity, reason), at(5)).unwrap();
        for event in &events {
            self.apply(event);
        }
        !events.is_empty()
    }

    fn told(&self) -> Option<(Activity, Option<&str>)> {
        self.reported().map(|reported| (reported.activity, reported.reason.as_deref()))
    }
}

/// It is the turn of `@Bob`, the executor.
fn bobs_turn() -> Task {
    task(Direct, Gate::Human)
}

#[test]
fn only_the_newest_report_counts_and_the_same_one_again_is_nothing_new() {
    let mut task = bobs_turn();
    assert!(task.hear(Activity::Working, None));
    assert!(!task.hear(Activity::Working, None));
    assert!(task.hear(Activity::Blocked, Some("  Which\nport? ")));
    assert_eq!(task.told(), Some((Activity::Blocked, Some("Which port?"))));
    assert!(!task.hear(Activity::Blocked, Some("Which port?")));
    assert!(task.hear(Activity::Blocked, Some("Which host?")));
    assert!(task.hear(Activity::Done, Some(" ")));
    assert_eq!(task.told(), Some((Activity::Done, None)));
}

#[test]
fn a_reason_is_one_line_and_cut() {
    let mut task = bobs_turn();
    task.hear(Activity::Blocked, Some(&format!("\u{1b}[31m{}", "x".repeat(10_000))));
    let reason = task.reported().unwrap().reason.clone().unwrap();
    assert!(reason.chars().count() == 200 && !reason.contains(char::is_control), "{reason}");
}

#[test]
fn a_report_counts_only_for_who_has_the_turn() {
    let mut task = bobs_turn();
    let refused = |task: &Task, role: Option<Role>, handle: Option<&str>| {
        let handle = handle.map(|handle| Handle::parse(handle).unwrap());
        task.report(&Report { role, handle, ..report(Activity::Blocked, None) }, at(1)).unwrap_err()
    };
    for (role, handle, who) in [
        (Some(Role::Reviewer), Some("@Bob"), "@Bob (reviewer)"),
        (Some(Role::Executor), Some("@Ada"), "@Ada (executor)"),
        (Some(Role::Architect), None, "the architect"),
        (None, Some("@Ada"), "@Ada"),
    ] {
        let (who, whose) = (who.to_owned(), "@Bob (executor)".to_owned());
        let expected = Refusal::NotYourTurn { task: "parser".to_owned(), who, whose };
        assert_eq!(refused(&task, role, handle), expected);
    }
    assert_eq!(refused(&task, None, None).code(), "validation_error");
    for report in [
        Report { role: None, ..report(Activity::Working, None) },
        Report { handle: None, ..report(Activity::Working, None) },
    ] {
        assert_eq!(task.report(&report, at(1)).unwrap().len(), 1, "the role or the handle is enough");
    }
    task.take(record("executor", "code_changes", json!({})));
    assert_eq!(refused(&task, Some(Role::Executor), None).code(), "not_your_turn", "it has passed on");
    task.take(decision("close", Some("@user")));
    let over = refused(&task, Some(Role::Executor), Some("@Bob"));
    assert!(matches!(&over, Refusal::NotYourTurn { whose, .. } if whose == "nobody"), "{over}");
}

#[test]
fn a_record_answers_who_is_blocked_or_has_stopped_and_who_works_works_on() {
    for (activity, stays) in [(Activity::Working, true), (Activity::Blocked, false), (Activity::Done, false)]
    {
        let mut task = bobs_turn();
        task.hear(activity, None);
        task.take(record("human", "note", json!({})));
        assert_eq!(task.reported().is_some(), stays, "{activity:?}");
        assert_eq!(task.published(), None, "a person has");
        task.take(record("executor", "note", json!({})));
        assert_eq!(task.published(), Some(task.version()));
        assert!(task.hear(Activity::Done, None), "it may tell the same again");
    }
}

#[test]
fn with_the_turn_all_that_was_told_of_it_is_over() {
    let mut task = bobs_turn();
    task.take(record("executor", "note", json!({})));
    task.hear(Activity::Working, None);
    let late = task.report(&report(Activity::Blocked, None), at(6)).unwrap();
    task.take(record("executor", "code_changes", json!({})));
    assert_eq!((task.reported(), task.published(), task.turn_since()), (None, None, at(1)));
    // Of a log into which two have written at once.
    task.apply(&late[0]);
    assert_eq!(task.reported(), None);
}

proptest! {
    #[test]
    fn a_report_takes_no_version_moves_nothing_and_clears_no_warning(
        records in prop::collection::vec((any_publish(), any::<bool>()), 0..20),
    ) {
        let (mut silent, mut telling) = (bobs_turn(), bobs_turn());
        for (publish, is_told) in records {
            silent.take(publish.clone());
            telling.take(publish);
            let told = telling.report(&report(Activity::Blocked, None), at(3)).unwrap_or_default();
            for event in told.iter().filter(|_| is_told) {
                let stored: Event = serde_json::from_value(serde_json::to_value(event).unwrap()).unwrap();
                prop_assert_eq!(&stored, event);
                telling.apply(&stored);
            }
        }
        let how = |task: &Task| (task.status(), task.version(), task.waiting_for(), task.turn(), task.last_activity());
        prop_assert_eq!(how(&silent), how(&telling));
        prop_assert_eq!(silent.warnings(), telling.warnings());
        prop_assert_eq!(silent.proposals(), telling.proposals());
    }
}
