//! What is due when it is the turn of an agent: to tell a person, to start the agent, or nothing yet.
//!
//! It looks at how things stand, never at what has just changed: asked again, after any loss, it says the same.

use std::time::Duration;

use super::Role;

/// So often a program is started for one turn that it ends without having done anything about.
pub const TRIES: u32 = 5;
/// How long somebody who was here a moment ago has to come by itself.
pub const GRACE: Duration = Duration::from_secs(10);
/// How long after the first such end it is started again; each time twice as long as before.
const FIRST_PAUSE: Duration = Duration::from_mins(1);

/// The turn of an agent in a task.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Which part has to be played.
    pub role: Role,
    /// How long nothing was published in the task.
    pub quiet: Duration,
    /// How long it has been this turn.
    pub age: Duration,
    /// Where its agent is.
    pub presence: Presence,
    /// Whether the hub may start its agent by itself, and knows how.
    pub is_started_by_us: bool,
    /// What became of the program that was started for it last.
    pub last: Option<Last>,
}

/// Where an agent is, as far as the hub has heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It waits, or it has called since its turn began.
    Here,
    /// It called not long before: it may be between two calls.
    Lately,
    /// Nothing was heard of it.
    Absent,
}

/// A program that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// It runs; maybe it was started for an earlier turn.
    Runs,
    /// It has ended, and it is still the turn it was started for.
    Ended(Ended),
}

/// How a program has ended whose turn is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How long ago.
    pub ago: Duration,
    /// Which of its kind it was since the last record: from 1.
    pub attempt: u32,
    /// What came of it.
    pub end: End,
    /// What it said last, or why it did not start.
    pub words: String,
}

/// What came of a program whose turn is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It has published nothing.
    InVain,
    /// It has published something that did not end its turn.
    HalfDone,
    /// The hub stopped, and stopped it.
    Stopped,
    /// Something was published after its end.
    Answered,
}

/// What is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Whether the agent is to be started, and which start it is since the last record.
    pub start: Option<u32>,
    /// What a person is to be told.
    pub tell: Option<Tell>,
    /// Whether nothing was published for so long that the room is told.
    pub is_stalled: bool,
    /// After how long to look again, though nothing may happen.
    pub again: Option<Duration>,
}

/// What a person is told of the turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tell {
    /// It is its turn, and it is not here.
    Turn,
    /// It was started, so often, and has not done it.
    Failed {
        /// How often.
        attempts: u32,
        /// Whether it has published something.
        is_half_done: bool,
        /// What it said last.
        words: String,
    },
    /// Nothing was published for long.
    Stalled,
}

/// What is due in a turn that is stalled after so long.
#[must_use]
pub fn due(turn: &Turn, stalled_after: Duration) -> Due {
    let (start, tell, pause) = act(turn);
    let is_stalled = turn.quiet >= stalled_after;
    let to_stall = (!is_stalled).then(|| stalled_after.saturating_sub(turn.quiet));
    let tell = match tell {
        failed @ Some(Tell::Failed { .. }) => failed,
        _ if is_stalled => Some(Tell::Stalled),
        tell => tell,
    };
    Due { start, tell, is_stalled, again: pause.into_iter().chain(to_stall).min() }
}

/// Which start is due, what is to be told, and when to look again.
fn act(turn: &Turn) -> (Option<u32>, Option<Tell>, Option<Duration>) {
    const NOTHING: (Option<u32>, Option<Tell>, Option<Duration>) = (None, None, None);
    match &turn.last {
        Some(Last::Runs) => NOTHING,
        Some(Last::Ended(ended)) if matches!(ended.end, End::InVain | End::HalfDone) => {
            after_failure(turn, ended)
        }
        _ if turn.presence == Presence::Here => NOTHING,
        _ if turn.presence == Presence::Lately && turn.age < GRACE => {
            (None, None, Some(GRACE.saturating_sub(turn.age)))
        }
        _ if turn.is_started_by_us => (Some(1), None, None),
        _ => (None, Some(Tell::Turn), None),
    }
}

fn after_failure(turn: &Turn, ended: &Ended) -> (Option<u32>, Option<Tell>, Option<Duration>) {
    let is_half_done = ended.end == End::HalfDone;
    if !turn.is_started_by_us || is_half_done || ended.attempt >= TRIES {
        let told = Tell::Failed { attempts: ended.attempt, is_half_done, words: ended.words.clone() };
        return (None, Some(told), None);
    }
    let pause = pause_after(ended.attempt);
    if ended.ago >= pause {
        (Some(ended.attempt + 1), None, None)
    } else {
        (None, None, Some(pause.saturating_sub(ended.ago)))
    }
}

/// How long to wait after so many starts in vain.
fn pause_after(attempts: u32) -> Duration {
    FIRST_PAUSE * 2_u32.saturating_pow(attempts.saturating_sub(1).min(TRIES))
}

#[cfg(test)]
mod tests {
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
        }
    }

    fn ended(end: End, attempt: u32, seconds: u64) -> Last {
        let ago = Duration::from_secs(seconds);
        Last::Ended(Ended { ago, attempt, end, words: "no such file".to_owned() })
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
    fn who_called_a_moment_ago_has_a_moment_to_come() {
        let lately = Turn { presence: Presence::Lately, ..turn() };
        assert_eq!(start(&lately), None);
        assert_eq!(due(&lately, LONG).again, Some(Duration::from_secs(9)));
        assert_eq!(start(&Turn { age: GRACE, ..lately }), Some(1));
    }

    #[test]
    fn a_program_that_runs_is_not_started_again_whatever_else_is_so() {
        for presence in [Presence::Here, Presence::Lately, Presence::Absent] {
            let runs = Turn { last: Some(Last::Runs), presence, age: LONG, ..turn() };
            assert_eq!((start(&runs), tell(&runs)), (None, None));
        }
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
    fn a_record_after_the_end_or_a_stop_of_the_hub_begins_anew() {
        for end in [End::Answered, End::Stopped] {
            assert_eq!(start(&Turn { last: Some(ended(end, TRIES, 0)), ..turn() }), Some(1));
        }
    }

    #[test]
    fn silence_is_told_once_it_has_lasted_whoever_is_here() {
        for (presence, last) in
            [(Presence::Here, None), (Presence::Absent, Some(Last::Runs)), (Presence::Absent, None)]
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
}
