//! What is due when it is the turn of an agent: to tell a person, to start the agent, or nothing yet.
//!
//! It looks at how things stand, never at what has just changed: asked again, after any loss, it says the same.

#[cfg(test)]
mod tests;

use std::time::Duration;

use super::{Activity, Role};

/// So often a program is started for one turn that it ends without having done anything about.
pub const TRIES: u32 = 5;
/// How long somebody who was here a moment ago has to come by itself.
pub const GRACE: Duration = Duration::from_secs(10);
/// How long a program may run on that has ended its turn, when the next turn of its role begins.
pub const TO_END: Duration = Duration::from_mins(1);
/// How long somebody counts as here that was told of its turn, or has called in it, and of which nothing more is heard.
pub const HERE: Duration = Duration::from_mins(15);
/// How long after the first such end it is started again, each time twice as long as before; and after such a start at
/// the earliest where it begins anew.
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
    /// What its agent has told of it last.
    pub heard: Option<Heard>,
    /// Whether its agent has published something in it.
    pub has_published: bool,
    /// How often the hub has started somebody in this task without a word of a person, if that is too often.
    pub went_round: Option<u32>,
}

/// What the agent has told of its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heard {
    /// What it does.
    pub activity: Activity,
    /// How long ago it told that.
    pub ago: Duration,
}

/// Where an agent is, as far as the hub has heard: the later, the nearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Presence {
    /// Nothing was heard of it.
    Absent,
    /// It called not long before: it may be between two calls.
    Lately,
    /// It was told that it is its turn, or has called in it, and counts as here for so long, unless more is heard of it.
    Heard(Duration),
    /// It waits.
    Here,
}

/// A program that was started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// It runs.
    Runs {
        /// How long already.
        since: Duration,
        /// Whether it was started for an earlier turn.
        is_of_earlier: bool,
    },
    /// It has ended, and it is still the turn it was started for.
    Ended(Ended),
}

/// How a program has ended whose turn is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How long ago.
    pub ago: Duration,
    /// How long it ran.
    pub ran: Duration,
    /// Which of its kind it was in this turn, or since it had begun anew: from 1.
    pub attempt: u32,
    /// What came of it.
    pub end: End,
    /// What it said last, or why it did not start.
    pub words: String,
}

/// What came of a program whose turn is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its role has published nothing since it was started, whatever others have.
    InVain,
    /// Its role has published something that did not end its turn.
    HalfDone,
    /// The hub stopped, and stopped it.
    Stopped,
    /// As [`HalfDone`](Self::HalfDone), and others have published something after that.
    Answered,
}

/// What is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// Whether the agent is to be started, and which start it is in its turn.
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
    /// It cannot go on, and has said so.
    Blocked,
    /// It has stopped, said so, and published nothing.
    Stopped,
    /// The agents that the hub starts have gone round without a word of a person: nobody is started any more.
    WentRound {
        /// So many were started.
        times: u32,
    },
    /// The program of an earlier turn of its role still runs: nobody is started beside it.
    RunsOn,
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
        known @ Some(
            Tell::Failed { .. } | Tell::Blocked | Tell::Stopped | Tell::WentRound { .. } | Tell::RunsOn,
        ) => known,
        _ if is_stalled => Some(Tell::Stalled),
        tell => tell,
    };
    Due { start, tell, is_stalled, again: pause.into_iter().chain(to_stall).min() }
}

/// Which start is due, what is to be told, and when to look again.
fn act(turn: &Turn) -> (Option<u32>, Option<Tell>, Option<Duration>) {
    const NOTHING: (Option<u32>, Option<Tell>, Option<Duration>) = (None, None, None);
    match (turn.last_word(), &turn.last) {
        (Some(Activity::Blocked), _) => (None, Some(Tell::Blocked), None),
        (Some(Activity::Working), _) => NOTHING,
        (_, Some(Last::Runs { is_of_earlier: true, .. })) => let_end(turn),
        // Its end tells what came of it.
        (_, Some(Last::Runs { .. })) => NOTHING,
        (_, Some(Last::Ended(ended))) if matches!(ended.end, End::InVain | End::HalfDone) => {
            after_failure(turn, ended)
        }
        (Some(Activity::Done), _) if turn.has_published => NOTHING,
        (Some(Activity::Done), _) => (None, Some(Tell::Stopped), None),
        _ => come_or_start(turn),
    }
}

/// The program of an earlier turn ends within a moment, goes on with this turn, or is told of.
fn let_end(turn: &Turn) -> (Option<u32>, Option<Tell>, Option<Duration>) {
    match turn.presence {
        Presence::Here => (None, None, None),
        _ if turn.has_published => (None, None, None),
        Presence::Heard(left) => (None, None, Some(left)),
        _ if turn.age < TO_END => (None, None, Some(TO_END.saturating_sub(turn.age))),
        _ => (None, Some(Tell::RunsOn), None),
    }
}

/// Who may come by itself has its time; for anybody else somebody is started, or told.
fn come_or_start(turn: &Turn) -> (Option<u32>, Option<Tell>, Option<Duration>) {
    match turn.presence {
        Presence::Here => (None, None, None),
        Presence::Heard(left) => (None, None, Some(left)),
        Presence::Lately if turn.age < GRACE => (None, None, Some(GRACE.saturating_sub(turn.age))),
        Presence::Lately | Presence::Absent if turn.is_started_by_us => begin(turn),
        Presence::Lately | Presence::Absent => (None, Some(Tell::Turn), None),
    }
}

impl Turn {
    /// What its agent has told of it, unless a program was started for it, or has ended, since then: whoever told it is
    /// not there any more.
    fn last_word(&self) -> Option<Activity> {
        let heard = self.heard?;
        let is_over = match &self.last {
            Some(Last::Runs { since, .. }) => *since < heard.ago,
            Some(Last::Ended(ended)) => ended.ago <= heard.ago,
            None => false,
        };
        (!is_over).then_some(heard.activity)
    }
}

/// The first start of a turn; or of one that begins anew, for which whoever ended at once is not taken at its word.
fn begin(turn: &Turn) -> (Option<u32>, Option<Tell>, Option<Duration>) {
    if let Some(times) = turn.went_round {
        return (None, Some(Tell::WentRound { times }), None);
    }
    let since = match &turn.last {
        Some(Last::Ended(ended)) if ended.end == End::Answered => ended.ran + ended.ago,
        _ => FIRST_PAUSE,
    };
    if since >= FIRST_PAUSE {
        (Some(1), None, None)
    } else {
        (None, None, Some(FIRST_PAUSE.saturating_sub(since)))
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
