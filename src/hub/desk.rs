//! What the hub knows of one participant beyond the log: when it was heard of, and which answers it was given.
//!
//! An answer is acknowledged by the next call of the same session. Until then, and when it is taken back, its
//! messages count as unseen and are given again.

use std::collections::VecDeque;
use std::time::Duration;

use super::caller::{Client, Session};

/// Answers that can still be taken back.
const KEPT: usize = 8;
/// How long a holder waits that waits again without speaking, by the number of times it was told of its turn:
/// once more at once, in case it only wanted to be sure, and then longer each time.
const TOLD_AGAIN: [Duration; 5] =
    [Duration::ZERO, Duration::ZERO, Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(15)];

/// What the hub knows of one participant; of a person, per session.
#[derive(Debug, Default)]
pub(super) struct Desk {
    /// Its last call that was no wait.
    pub acted: Duration,
    /// Its last call.
    pub heard: Duration,
    /// What a person has seen in this session; agents have a cursor in the log.
    pub cursor: Option<u64>,
    /// The highest message that was given here.
    pub handed: u64,
    /// The newest message and the newest turn of which a hook has reminded it.
    pub reminded: (u64, u64),
    /// How many answers without news it got in a row.
    pub empty_in_a_row: u32,
    /// How often it was told that the floor had become free, and in which session.
    told_free: Option<(u64, Session)>,
    answers: VecDeque<Given>,
    told: Option<Told>,
}

/// One answer.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub receipt: u64,
    pub session: Session,
    /// What had been acknowledged before it.
    pub before: u64,
    /// What it acknowledges when it arrives.
    pub upto: u64,
    /// The newest post that its arrival settles: the same words would then be a new message.
    pub settles: u64,
    /// Whether it told that the room is over, to its last word.
    pub is_last: bool,
    /// The client whose call ended by itself at the end of its usual time, and that time.
    pub by_itself: Option<(Client, Duration)>,
}

/// A turn of which the holder was told.
#[derive(Debug)]
struct Told {
    turn: u64,
    session: Session,
    times: usize,
}

impl Desk {
    /// Notes an answer that is about to be given.
    pub(super) fn give(&mut self, given: Given) {
        if self.answers.len() == KEPT {
            self.answers.pop_front();
        }
        self.answers.push_back(given);
    }

    /// The last answer, if it was given to this session.
    pub(super) fn last_given(&self, session: &Session) -> Option<&Given> {
        self.answers.back().filter(|given| given.session == *session)
    }

    /// The highest message of the last answer.
    pub(super) fn last_upto(&self) -> Option<u64> {
        self.answers.back().map(|given| given.upto)
    }

    /// The last answer to this session has arrived: the wait that it ended by itself, told once.
    pub(super) fn take_arrived(&mut self, session: &Session) -> Option<(Client, Duration)> {
        self.answers.back_mut().filter(|given| given.session == *session)?.by_itself.take()
    }

    /// The first answer of which `is_lost` says so.
    pub(super) fn first(&self, is_lost: impl Fn(u64) -> bool) -> Option<u64> {
        self.answers.iter().map(|given| given.receipt).find(|receipt| is_lost(*receipt))
    }

    /// Forgets the answers that were given to a session.
    pub(super) fn forget(&mut self, session: &Session) {
        self.answers.retain(|given| given.session != *session);
    }

    /// Takes an answer out, and gives it. Later answers acknowledge nothing any
    /// more either: they began where this one ended. Of its turn, or of a free floor, it is told anew.
    pub(super) fn take_back(&mut self, receipt: u64) -> Option<Given> {
        let at = self.answers.iter().position(|given| given.receipt == receipt)?;
        (self.told, self.told_free) = (None, None);
        self.answers.drain(at..).next()
    }

    /// Notes that the holder is told of its turn.
    pub(super) fn tell(&mut self, turn: u64, session: &Session) {
        match &mut self.told {
            Some(told) if told.turn == turn && told.session == *session => told.times += 1,
            told => *told = Some(Told { turn, session: session.clone(), times: 1 }),
        }
    }

    /// Notes that it is told how often the floor has become free.
    pub(super) fn tell_free(&mut self, freed: u64, session: &Session) {
        self.told_free = Some((freed, session.clone()));
    }

    /// How often this session was told that the floor had become free.
    pub(super) fn told_free(&self, session: &Session) -> u64 {
        self.told_free.as_ref().filter(|(_, told)| told == session).map_or(0, |(freed, _)| *freed)
    }

    /// How often it was told that the floor had become free, last time. An event that frees it again is news.
    pub(super) fn last_told_free(&self) -> u64 {
        self.told_free.as_ref().map_or(0, |(freed, _)| *freed)
    }

    /// How long a new wait of the holder goes on before it is told of its turn again: no hot loop. Nothing: it was not
    /// told.
    pub(super) fn patience(&self, turn: u64, session: &Session) -> Option<Duration> {
        let told = self.told.as_ref().filter(|told| told.turn == turn && told.session == *session)?;
        Some(TOLD_AGAIN[told.times.min(TOLD_AGAIN.len() - 1)])
    }
}
