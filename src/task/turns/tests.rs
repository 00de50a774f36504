//! What is due in a turn, case by case.

use super::*;

const LONG: Duration = Duration::from_mins(30);

fn turn() -> Turn {
    Turn {
        role: Role::Executor,
        quiet: Duration::from_secs(1),
        age: Duration::from_secs(1),
        presence: Presence::Absent,
        is_started_by_us: true,
        last: None,
        heard: None,
        has_published: false,
        went_round: None,
    }
}

fn ended(end: End, attempt: u32, seconds: u64) -> Last {
    let ago = Duration::from_secs(seconds);
    let ran = Duration::from_secs(1);
    Last::Ended(Ended { ago, ran, attempt, end, words: "no such file".to_owned() })
}

const RUNS: Last = Last::Runs { since: Duration::from_secs(1), is_of_earlier: false };

/// An agent told this so many seconds ago.
fn heard(activity: Activity, seconds: u64) -> Heard {
    Heard { activity, ago: Duration::from_secs(seconds) }
}

fn start(turn: &Turn) -> Option<u32> {
    due(turn, LONG).start
}

fn tell(turn: &Turn) -> Option<Tell> {
    due(turn, LONG).tell
}

#[test]
fn an_agent_that_is_allowed_is_started_and_of_another_one_a_person_is_told() {
    assert_eq!((start(&turn()), tell(&turn())), (Some(1), None));
    let others = Turn { is_started_by_us: false, ..turn() };
    assert_eq!((start(&others), tell(&others)), (None, Some(Tell::Turn)));
}

#[test]
fn nobody_is_started_or_told_of_who_is_here() {
    for is_started_by_us in [true, false] {
        let here = Turn { presence: Presence::Here, is_started_by_us, ..turn() };
        assert_eq!((start(&here), tell(&here)), (None, None));
    }
}

#[test]
fn who_was_told_or_has_called_counts_as_here_for_its_time_and_is_looked_after_then() {
    let left = Duration::from_secs(7);
    for is_started_by_us in [true, false] {
        let heard = Turn { presence: Presence::Heard(left), is_started_by_us, ..turn() };
        assert_eq!((start(&heard), tell(&heard), due(&heard, LONG).again), (None, None, Some(left)));
    }
}

#[test]
fn who_called_a_moment_ago_has_a_moment_to_come() {
    let lately = Turn { presence: Presence::Lately, ..turn() };
    assert_eq!(start(&lately), None);
    assert_eq!(due(&lately, LONG).again, Some(Duration::from_secs(9)));
    assert_eq!(start(&Turn { age: GRACE, ..lately }), Some(1));
}

#[test]
fn a_program_that_runs_is_not_started_again_whatever_else_is_so() {
    for presence in [Presence::Here, Presence::Lately, Presence::Absent] {
        let runs = Turn { last: Some(RUNS), presence, age: LONG, ..turn() };
        assert_eq!((start(&runs), tell(&runs)), (None, None));
    }
}

#[test]
fn a_program_of_an_earlier_turn_may_end_within_a_minute_or_go_on_and_is_told_of_then() {
    let earlier = Some(Last::Runs { since: Duration::from_mins(9), is_of_earlier: true });
    let young = Turn { last: earlier, age: Duration::from_secs(55), ..turn() };
    assert_eq!((start(&young), tell(&young)), (None, None));
    assert_eq!(due(&young, LONG).again, Some(Duration::from_secs(5)));
    let late = Turn { age: TO_END, ..young };
    assert_eq!((start(&late), tell(&late)), (None, Some(Tell::RunsOn)));
    for goes_on in [
        Turn { presence: Presence::Here, ..late.clone() },
        Turn { heard: Some(heard(Activity::Working, 3)), ..late.clone() },
        Turn { has_published: true, ..late.clone() },
    ] {
        assert_eq!((start(&goes_on), tell(&goes_on)), (None, None));
    }
    let silent = Turn { quiet: LONG, ..late };
    assert_eq!(tell(&silent), Some(Tell::RunsOn), "silence does not hide why");
}

#[test]
fn a_start_in_vain_is_tried_again_after_one_two_four_and_eight_minutes_and_then_told() {
    for (attempt, minutes) in [(1, 1), (2, 2), (3, 4), (4, 8)] {
        let early = Turn { last: Some(ended(End::InVain, attempt, minutes * 60 - 1)), ..turn() };
        assert_eq!((start(&early), due(&early, LONG).again), (None, Some(Duration::from_secs(1))));
        let late = Turn { last: Some(ended(End::InVain, attempt, minutes * 60)), ..turn() };
        assert_eq!((start(&late), tell(&late)), (Some(attempt + 1), None));
    }
    let often = Turn { last: Some(ended(End::InVain, TRIES, 1_000_000)), ..turn() };
    assert_eq!(start(&often), None);
    let words = "no such file".to_owned();
    assert_eq!(tell(&often), Some(Tell::Failed { attempts: 5, is_half_done: false, words }));
}

#[test]
fn a_start_by_hand_that_came_to_nothing_is_told_at_once() {
    let by_hand = Turn { last: Some(ended(End::InVain, 1, 0)), is_started_by_us: false, ..turn() };
    assert!(matches!(tell(&by_hand), Some(Tell::Failed { attempts: 1, .. })));
}

#[test]
fn who_published_and_left_its_turn_open_is_not_started_again() {
    let half = Turn { last: Some(ended(End::HalfDone, 1, 1_000_000)), ..turn() };
    assert_eq!(start(&half), None);
    assert!(matches!(tell(&half), Some(Tell::Failed { is_half_done: true, .. })));
}

#[test]
fn a_stop_of_the_hub_begins_anew_at_once_and_an_answer_a_minute_after_the_start() {
    assert_eq!(start(&Turn { last: Some(ended(End::Stopped, TRIES, 0)), ..turn() }), Some(1));
    let answered = |seconds| Turn { last: Some(ended(End::Answered, TRIES, seconds)), ..turn() };
    assert_eq!((start(&answered(58)), tell(&answered(58))), (None, None));
    assert_eq!(due(&answered(58), LONG).again, Some(Duration::from_secs(1)));
    assert_eq!(start(&answered(59)), Some(1));
    let others = Turn { is_started_by_us: false, ..answered(0) };
    assert_eq!(tell(&others), Some(Tell::Turn));
}

#[test]
fn where_agents_have_gone_round_nobody_is_started_and_a_person_is_told() {
    for last in [None, Some(ended(End::Stopped, 1, 9)), Some(ended(End::Answered, 1, 99))] {
        let round = Turn { went_round: Some(20), last, quiet: LONG, ..turn() };
        assert_eq!((start(&round), tell(&round)), (None, Some(Tell::WentRound { times: 20 })));
    }
    let here = Turn { went_round: Some(20), presence: Presence::Here, ..turn() };
    assert_eq!((start(&here), tell(&here)), (None, None), "who comes by itself is not held up");
    let failed = Turn { went_round: Some(20), last: Some(ended(End::InVain, 1, 60)), ..turn() };
    assert_eq!(start(&failed), Some(2), "the turn had begun");
}

#[test]
fn silence_is_told_once_it_has_lasted_whoever_is_here() {
    for (presence, last) in [(Presence::Here, None), (Presence::Absent, Some(RUNS)), (Presence::Absent, None)]
    {
        let silent = Turn { presence, last, is_started_by_us: false, quiet: LONG, ..turn() };
        let due = due(&silent, LONG);
        assert_eq!((due.is_stalled, due.tell, due.again), (true, Some(Tell::Stalled), None));
    }
    let young = due(&Turn { presence: Presence::Here, quiet: Duration::from_mins(29), ..turn() }, LONG);
    assert_eq!((young.is_stalled, young.again), (false, Some(Duration::from_mins(1))));
}

#[test]
fn a_failure_is_not_hidden_by_the_silence_that_it_makes() {
    let failed = Turn { last: Some(ended(End::InVain, TRIES, 0)), quiet: LONG, ..turn() };
    let due = due(&failed, LONG);
    assert!(due.is_stalled && matches!(due.tell, Some(Tell::Failed { .. })));
}

#[test]
fn who_works_is_left_alone_though_nothing_else_is_heard_of_it() {
    for is_started_by_us in [true, false] {
        let works = Turn { heard: Some(heard(Activity::Working, 600)), is_started_by_us, ..turn() };
        assert_eq!((start(&works), tell(&works)), (None, None));
    }
}

#[test]
fn who_is_blocked_is_told_at_once_wherever_it_is_and_nobody_is_started_beside_it() {
    for last in [None, Some(RUNS), Some(ended(End::InVain, 1, 9)), Some(ended(End::Stopped, 1, 9))] {
        for presence in [Presence::Here, Presence::Absent] {
            let blocked =
                Turn { heard: Some(heard(Activity::Blocked, 1)), last: last.clone(), presence, ..turn() };
            assert_eq!((start(&blocked), tell(&blocked)), (None, Some(Tell::Blocked)), "{last:?}");
        }
    }
}

#[test]
fn who_stops_is_told_unless_it_has_published_something() {
    for presence in [Presence::Here, Presence::Absent] {
        let stopped = Turn { heard: Some(heard(Activity::Done, 0)), presence, ..turn() };
        assert_eq!((start(&stopped), tell(&stopped)), (None, Some(Tell::Stopped)));
        let published = Turn { has_published: true, ..stopped };
        assert_eq!((start(&published), tell(&published)), (None, None));
    }
}

#[test]
fn of_a_program_that_says_it_is_done_only_its_end_tells() {
    let runs = Turn { heard: Some(heard(Activity::Done, 0)), last: Some(RUNS), ..turn() };
    assert_eq!((start(&runs), tell(&runs)), (None, None));
    // Its report may arrive before its end is known, or after.
    for ago in [0, 1, 2] {
        let tried = |attempt, seconds| {
            let last = Some(ended(End::InVain, attempt, seconds));
            Turn { heard: Some(heard(Activity::Done, ago)), last, ..turn() }
        };
        assert_eq!((start(&tried(1, 1)), tell(&tried(1, 1))), (None, None), "it is tried again");
        assert_eq!(start(&tried(1, 60)), Some(2));
        assert!(matches!(tell(&tried(TRIES, 1)), Some(Tell::Failed { attempts: TRIES, .. })));
    }
}

#[test]
fn what_a_program_has_told_is_over_with_it_and_another_one_takes_its_place() {
    for activity in Activity::ALL {
        let stopped = Some(ended(End::Stopped, 1, 5));
        let over = Turn { heard: Some(heard(activity, 5)), last: stopped, ..turn() };
        assert_eq!((start(&over), tell(&over)), (Some(1), None), "{activity:?}");
        let replaced = Turn { heard: Some(heard(activity, 2)), last: Some(RUNS), ..turn() };
        assert_eq!((start(&replaced), tell(&replaced)), (None, None), "{activity:?}");
    }
    let taken_over = Some(ended(End::InVain, 1, 1_000));
    let works = Turn { heard: Some(heard(Activity::Working, 1)), last: taken_over, ..turn() };
    assert_eq!((start(&works), tell(&works)), (None, None), "somebody else works on it");
}

#[test]
fn silence_hides_nothing_that_the_agent_has_told() {
    for (activity, told) in [
        (Activity::Blocked, Tell::Blocked),
        (Activity::Done, Tell::Stopped),
        (Activity::Working, Tell::Stalled),
    ] {
        let silent = due(&Turn { heard: Some(heard(activity, 9)), quiet: LONG, ..turn() }, LONG);
        assert_eq!((silent.is_stalled, silent.tell), (true, Some(told)));
    }
}
