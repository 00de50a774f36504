//! What agents tell of their turns: what people hear of it, when that is over, and that nobody is started beside them.

use std::time::Duration;

use tokio::time::sleep;

use super::turns::Office;
use crate::hub::{HubError, IfStarted, ReportTurn, ReportedTurn};
use crate::task::{Activity, Role};

const MINUTE: Duration = Duration::from_mins(1);

/// `@Architect` tells this, of whichever turn it has.
fn told(activity: Activity) -> ReportTurn {
    let handle = Some("@Architect".to_owned());
    ReportTurn { task: None, role: None, handle, activity, reason: None }
}

impl Office {
    async fn tell(&self, activity: Activity) -> ReportedTurn {
        self.table.hub.report_turn(told(activity)).await.unwrap()
    }

    async fn refused(&self, report: ReportTurn) -> HubError {
        self.table.hub.report_turn(report).await.unwrap_err()
    }
}

#[tokio::test(start_paused = true)]
async fn who_is_blocked_is_in_the_inbox_at_once_with_its_reason_and_what_to_do() {
    let office = Office::manual().await;
    office.task().await;
    let reason = Some("Which port?".to_owned());
    office.table.hub.report_turn(ReportTurn { reason, ..told(Activity::Blocked) }).await.unwrap();
    let inbox = office.table.hub.inbox().await;
    let [item] = inbox.as_slice() else { panic!("{inbox:?}") };
    assert_eq!(item.title(), "@Architect (architect) is blocked in task parser");
    assert!(item.body().starts_with("Which port?\nAnswer it"), "{}", item.body());
    assert!(item.body().contains("turnroom task start-next parser --force"), "{}", item.body());
    assert_eq!(item.command(), "turnroom say parser '@Architect …'");
}

#[tokio::test(start_paused = true)]
async fn what_was_told_is_over_when_the_agent_works_or_something_is_published() {
    for activity in [Activity::Blocked, Activity::Done] {
        let kind = if activity == Activity::Blocked { "blocked" } else { "stopped" };
        let office = Office::manual().await;
        office.task().await;
        office.tell(activity).await;
        let first = office.table.hub.inbox().await[0].id.clone();
        assert!(!office.tell(activity).await.is_new);
        assert_eq!(office.table.hub.inbox().await[0].id, first, "it is told once");
        office.tell(Activity::Working).await;
        assert_eq!(office.kinds().await, Vec::<&str>::new());
        office.tell(activity).await;
        assert_eq!(office.kinds().await, [kind]);
        assert_ne!(office.table.hub.inbox().await[0].id, first, "it is told anew");
        office.publish("human", "note").await;
        assert_eq!(office.kinds().await, Vec::<&str>::new(), "it has an answer");
        office.tell(activity).await;
        office.publish("architect", "design").await;
        assert_eq!(office.kinds().await, Vec::<&str>::new(), "its turn is over");
    }
}

#[tokio::test(start_paused = true)]
async fn who_stops_is_told_of_only_if_it_has_published_nothing_in_its_turn() {
    let office = Office::manual().await;
    office.task().await;
    office.tell(Activity::Done).await;
    let inbox = office.table.hub.inbox().await;
    assert_eq!(inbox[0].title(), "@Architect (architect) stopped without publishing in task parser");
    assert_eq!(inbox[0].command(), "turnroom task start-next parser");
    office.publish("architect", "note").await;
    office.tell(Activity::Done).await;
    sleep(MINUTE * 20).await;
    assert_eq!(office.kinds().await, Vec::<&str>::new());
    office.publish("architect", "design").await;
    assert_eq!(office.refused(told(Activity::Done)).await.code(), "not_your_turn");
}

#[tokio::test(start_paused = true)]
async fn nobody_is_started_beside_who_says_that_it_works_also_after_a_crash() {
    for activity in Activity::ALL {
        let mut office = Office::auto().await;
        office.task().await;
        office.tell(activity).await;
        assert!(office.next_within(MINUTE * 20).await.is_none(), "{activity:?}");
        let before = office.kinds().await;
        office.crash().await;
        assert!(office.next_within(MINUTE * 5).await.is_none(), "{activity:?}");
        assert_eq!(office.kinds().await, before);
    }
}

#[tokio::test(start_paused = true)]
async fn a_program_that_says_it_is_done_is_told_of_as_one_that_ended() {
    let mut office = Office::auto().await;
    office.task().await;
    for minutes in [0, 1, 2, 4, 8] {
        let run = office.next_within(MINUTE * (minutes + 1)).await.expect("it is started again");
        office.tell(Activity::Working).await;
        office.tell(Activity::Done).await;
        assert_eq!(office.kinds().await, Vec::<&str>::new(), "it is tried again");
        Office::end(run, "no words");
    }
    sleep(MINUTE).await;
    assert_eq!(office.kinds().await, ["start_failed"], "one thing is told once");
}

#[tokio::test(start_paused = true)]
async fn a_program_that_is_blocked_is_told_of_and_is_started_again_when_its_hub_stops() {
    let mut office = Office::auto().await;
    office.task().await;
    let run = office.next().await;
    office.tell(Activity::Blocked).await;
    assert_eq!(office.kinds().await, ["blocked"]);
    office.table.hub.stop();
    sleep(MINUTE).await;
    assert!(run.end.is_closed(), "it was ended");
    office.restart().await;
    assert_eq!(office.next().await.start.attempt, 1);
    assert_eq!(office.kinds().await, Vec::<&str>::new(), "the new one is not blocked");
}

#[tokio::test(start_paused = true)]
async fn a_start_by_hand_takes_the_place_of_who_was_blocked() {
    let mut office = Office::manual().await;
    let task = office.task().await;
    office.tell(Activity::Blocked).await;
    sleep(MINUTE).await;
    office.start_next(&task, IfStarted::Refuse).await.unwrap();
    let _run = office.next().await;
    sleep(MINUTE).await;
    assert_eq!(office.kinds().await, Vec::<&str>::new());
}

#[tokio::test(start_paused = true)]
async fn a_report_of_somebody_else_changes_nothing_and_says_whose_turn_it_is() {
    let office = Office::manual().await;
    let task = office.task().await;
    let refused = [
        ReportTurn { handle: Some("@Bob".to_owned()), ..told(Activity::Blocked) },
        ReportTurn { role: Some("executor".to_owned()), ..told(Activity::Blocked) },
        ReportTurn { task: Some(task.clone()), handle: Some("@Bob".to_owned()), ..told(Activity::Blocked) },
    ];
    for report in refused {
        let error = office.refused(report.clone()).await;
        assert_eq!(error.code(), "not_your_turn", "{report:?}");
        assert!(report.task.is_none() || error.to_string().contains("@Architect (architect)"), "{error}");
    }
    let nobody = ReportTurn { handle: None, ..told(Activity::Done) };
    assert_eq!(office.refused(nobody).await.code(), "validation_error");
    let role = ReportTurn { role: Some("boss".to_owned()), ..told(Activity::Done) };
    assert_eq!(office.refused(role).await.code(), "validation_error");
    let nowhere = ReportTurn { task: Some("nowhere".to_owned()), ..told(Activity::Done) };
    assert_eq!(office.refused(nowhere).await.code(), "task_not_found");
    assert_eq!(office.table.hub.task_state(&task).await.unwrap().reported, None);
}

#[tokio::test(start_paused = true)]
async fn of_several_tasks_the_one_is_meant_whose_turn_began_last() {
    let office = Office::manual().await;
    let first = office.task().await;
    let second = office.task().await;
    assert_eq!(office.tell(Activity::Working).await.state.task, second);
    // A note in the first one does not begin its turn anew.
    office.publish("human", "note").await;
    assert_eq!(office.tell(Activity::Done).await.state.task, second);
    let named = ReportTurn {
        task: Some(first.clone()),
        handle: None,
        role: Some("architect".to_owned()),
        ..told(Activity::Done)
    };
    assert_eq!(office.table.hub.report_turn(named).await.unwrap().state.task, first);
}

#[tokio::test(start_paused = true)]
async fn records_are_read_by_their_numbers_whatever_was_told_between_them() {
    let mut office = Office::manual().await;
    let task = office.task().await;
    for number in 1..=6_u64 {
        for activity in [Activity::Working, Activity::Blocked].into_iter().cycle().take((number % 3) as usize)
        {
            office.tell(activity).await;
        }
        office.publish("human", "note").await;
    }
    for is_restarted in [false, true] {
        if is_restarted {
            office.restart().await;
        }
        for (since, limit) in [(1, 10), (1, 2), (3, 2), (6, 5), (7, 5), (u64::MAX, 1)] {
            let (state, records) = office.table.hub.read_task(&task, since, limit).await.unwrap();
            let read: Vec<u64> = records.iter().map(|record| record.version).collect();
            let expected: Vec<u64> = (since.min(7)..=6).take(limit).collect();
            assert_eq!((state.version, read), (6, expected), "{limit} from {since}");
        }
    }
    let role = office.tell(Activity::Done).await.role;
    assert_eq!((role, office.table.hub.task_state(&task).await.unwrap().version), (Role::Architect, 6));
}
