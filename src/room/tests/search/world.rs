//! One state of a room together with those who sit around it, and everything that can happen next. Time is no
//! part of it: everything happens at one moment, and only the moves that mean "too long" look ahead.

use std::sync::LazyLock;
use std::time::Duration;

use chrono::DateTime;

use crate::room::command::{Close, Command, Join, Pass, Post};
use crate::room::recent::Recent;
use crate::room::tests::search::seat::Seat;
use crate::room::tests::table::{handle, post};
use crate::room::{Declared, Event, Handle, Now, Presence, Room, Status, open};

/// Three agents and a person.
pub(super) const NAMES: [&str; 4] = ["@Alice", "@Bob", "@Carol", "@user"];
pub(super) const AGENTS: usize = 3;
const USER: usize = 3;

const NOW: Duration = Duration::from_secs(10_000);
pub(super) const LEASE: Duration = Duration::from_mins(15);
/// Longer than the lease, so that one can run out without the other.
pub(super) const HOLD: Duration = Duration::from_secs(2_000);

/// What can happen. Numbers stand for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Join(usize),
    Say(usize, usize),
    SayToAll(usize),
    LastWord(usize),
    Pass(usize),
    Give(usize, usize),
    Request(usize),
    Leave(usize),
    Wait(usize),
    Cancel(usize),
    /// The holder's lease or hold is over.
    Lapse,
    /// Somebody has been silent for too long.
    Away(usize),
    Start,
    Resume,
    Close,
}

/// A room, and those who sit around it.
#[derive(Clone)]
pub(super) struct World {
    pub room: Room,
    pub seats: [Seat; 4],
}

fn at(mono: Duration) -> Now {
    Now { wall: DateTime::UNIX_EPOCH, mono }
}

static SAID: LazyLock<Post> = LazyLock::new(|| post("@Alice", ""));
static HANDLES: LazyLock<[Handle; 4]> = LazyLock::new(|| NAMES.map(handle));

pub(super) fn who(index: usize) -> &'static Handle {
    &HANDLES[index]
}

impl World {
    pub(super) fn new(declared: Declared) -> Self {
        let mut world = Self { room: Room::default(), seats: [Seat::default(); 4] };
        world.apply(&open(declared, at(NOW)).unwrap());
        world
    }

    /// Everything that can be tried. What is refused, or comes to nothing, leads back to the same state.
    pub(super) fn moves() -> Vec<Move> {
        let mut moves = vec![Move::Lapse, Move::Start, Move::Resume, Move::Close, Move::Give(USER, 1)];
        for by in 0..NAMES.len() {
            moves.extend([Move::SayToAll(by), Move::LastWord(by), Move::Pass(by), Move::Leave(by)]);
            moves.extend([Move::Wait(by), Move::Cancel(by), Move::Join(by)]);
            moves.extend((0..NAMES.len()).filter(|to| *to != by).map(|to| Move::Say(by, to)));
        }
        for agent in 0..AGENTS {
            moves.extend([Move::Request(agent), Move::Away(agent), Move::Give(agent, (agent + 1) % AGENTS)]);
        }
        moves
    }

    /// The state that a move leads to, unless it is refused or comes to nothing.
    pub(super) fn after(&self, step: Move) -> Option<Self> {
        let mut next = self.clone();
        match step {
            Move::Cancel(of) => next.seats[of].is_waiting = false,
            Move::Lapse => next.too_late(HOLD, None),
            Move::Away(silent) => next.too_late(LEASE, Some(silent)),
            Move::Wait(by) => {
                let events = next.room.decide(command(step), at(NOW)).ok()?;
                next.apply(&events);
                let here = next.status(by) == Status::Active;
                next.seats[by].is_waiting = here;
                next.answer();
            }
            _ => next.obey(step)?,
        }
        Some(next)
    }

    fn obey(&mut self, step: Move) -> Option<()> {
        let events = self.room.decide(command(step), at(NOW)).ok()?;
        self.apply(&events);
        (!events.is_empty()).then_some(())
    }

    /// So much time goes by. Without `silent` nobody but the holder is silent; else nobody but that one.
    fn too_late(&mut self, time: Duration, silent: Option<usize>) {
        let now = NOW + time;
        let presence = |handle: &Handle| {
            let index = HANDLES.iter().position(|known| known == handle).unwrap();
            let is_silent = silent == Some(index);
            Presence {
                heard: if is_silent { Duration::ZERO } else { now },
                acted: if is_silent || silent.is_none() { Duration::ZERO } else { now },
                is_waiting: self.seats[index].is_waiting,
            }
        };
        let events = self.room.tick(at(now), &presence);
        self.apply(&events);
    }

    fn apply(&mut self, events: &[Event]) {
        for event in events {
            self.room.apply(event, NOW);
            for index in 0..NAMES.len() {
                self.seats[index].hear(who(index), event);
            }
        }
        self.room.recent = Recent::default();
        self.answer();
    }

    /// Ends the waits that have news, and checks that these are those which the rules call for.
    fn answer(&mut self) {
        for index in 0..NAMES.len() {
            let (handle, seat) = (who(index), self.seats[index]);
            if seat.is_waiting {
                let news = self.room.news(handle, seat.cursor, seat.told);
                let expected = seat.should_wake(&self.room, handle);
                assert_eq!(news.is_some(), expected, "{handle} {seat:?} {news:?} {:?}", self.room.state);
                if expected {
                    self.seats[index] = Seat::answered(&self.room);
                }
            }
        }
    }

    pub(super) fn status(&self, index: usize) -> Status {
        self.room.participant(who(index)).unwrap().status
    }
}

fn command(step: Move) -> Command {
    match step {
        Move::Join(by) => Command::Join(Join { handle: who(by).clone(), name: None, history: 0 }),
        Move::Say(by, to) => Command::Post(Box::new(say(by, NAMES[to]))),
        Move::SayToAll(by) => Command::Post(Box::new(say(by, "@all"))),
        Move::LastWord(by) => Command::Post(Box::new(Post { expects_reply: false, ..say(by, "done") })),
        Move::Pass(by) => Command::Pass(Pass { by: who(by).clone(), to: None, reason: None }),
        Move::Give(by, to) => {
            Command::Pass(Pass { by: who(by).clone(), to: Some(NAMES[to].to_owned()), reason: None })
        }
        Move::Request(by) => Command::RequestTurn(who(by).clone()),
        Move::Leave(by) => Command::Leave(who(by).clone()),
        Move::Start => Command::Start(who(USER).clone()),
        Move::Resume => Command::Resume(who(USER).clone()),
        Move::Close => {
            Command::Close(Close { by: Some(who(USER).clone()), summary: None, is_creator: false })
        }
        Move::Wait(by) | Move::Cancel(by) | Move::Away(by) => Command::Contact(who(by).clone()),
        Move::Lapse => Command::Contact(who(USER).clone()),
    }
}

fn say(by: usize, content: &str) -> Post {
    Post { sender: who(by).clone(), content: content.to_owned(), ..SAID.clone() }
}
