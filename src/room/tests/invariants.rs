//! The named invariants of a room, over random things that happen in random rooms.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::Index;

use crate::room::command::Command;
use crate::room::event::{FloorReason, Posted, TaskMoved};
use crate::room::policy::FloorRule;
use crate::room::tests::random::{Setup, Step, Words, command, happen, name, setups, steps, table};
use crate::room::tests::table::{Table, handle};
use crate::room::{Event, Handle, Phase, Presence, Room, Status};

/// More rooms are tried when `TURNROOM_LONG` is set.
fn cases() -> u32 {
    if std::env::var_os("TURNROOM_LONG").is_some() { 1_000 } else { 40 }
}

/// All that a room is, as text: two rooms with the same picture are the same.
fn picture(room: &Room) -> String {
    format!("{:?}\n{:?}", room.state, room.recent)
}

/// Who has the floor, told by the events alone.
#[derive(Default)]
struct Told {
    holder: Option<Handle>,
    /// Those who lost their turn and have not spoken since.
    late: BTreeSet<Handle>,
    is_running: bool,
    /// Who has to act in each task.
    work: BTreeMap<String, Option<Handle>>,
}

impl Told {
    fn hear(&mut self, event: &Event) {
        let ended = match event {
            Event::Posted(posted) => Some(&posted.sender),
            Event::Passed { holder, by, .. } => holder.as_ref().or(Some(by)),
            Event::Left { handle, .. } | Event::Lapsed { handle, .. } => Some(handle),
            _ => None,
        };
        if self.holder.as_ref() == ended {
            self.holder = None;
        }
        if let Some(ended) = ended {
            self.late.remove(ended);
        }
        match event {
            Event::FloorGiven { handle, .. } => {
                self.holder = Some(handle.clone());
                self.late.remove(handle);
            }
            Event::Lapsed { handle, .. } => drop(self.late.insert(handle.clone())),
            Event::Started { .. } | Event::StartedBy { .. } | Event::Resumed { .. } => self.is_running = true,
            Event::Paused { .. } | Event::Closed { .. } => self.is_running = false,
            Event::TaskMoved(moved) => self.task_moved(moved),
            _ => {}
        }
    }

    /// The holder keeps its turn as long as it has to act in any task.
    fn task_moved(&mut self, moved: &TaskMoved) {
        self.work.insert(moved.task.clone(), moved.to.clone());
        let has_work = |holder: &mut Handle| self.work.values().flatten().any(|to| to == holder);
        if moved.to.is_some() {
            self.holder.take_if(|holder| !has_work(holder));
        }
    }
}

/// What messages have asked for and nobody has given yet.
#[derive(Default)]
struct Owed {
    /// Agents that are to speak.
    turns: BTreeSet<Handle>,
    /// Questions: number, who is asked, who asks.
    answers: BTreeSet<(u64, Handle, Handle)>,
    told: Told,
}

impl Owed {
    fn hear(&mut self, table: &Table, step: &Step, event: &Event) {
        self.hear_message(table, step, event);
        let holder = self.told.holder.clone();
        let work = event_task(event).and_then(|task| self.told.work.get(task).cloned()).flatten();
        self.told.hear(event);
        // Whoever has the floor for a task answers all that it was asked by doing its work.
        if let Some(worker) = work.filter(|worker| holder.as_ref() == Some(worker))
            && self.told.holder.is_none()
            && !table.room.queue().contains(&worker)
        {
            self.turns.remove(&worker);
        }
    }

    fn hear_message(&mut self, table: &Table, step: &Step, event: &Event) {
        match (event, step) {
            (Event::Posted(posted), Step::Post(words)) => {
                self.answered(posted);
                if words.expects_reply {
                    self.asked(table, posted, words);
                }
            }
            (Event::Passed { holder, by, .. }, _) => drop(self.turns.remove(holder.as_ref().unwrap_or(by))),
            (Event::Left { handle, .. }, _) => drop(self.turns.remove(handle)),
            (Event::Closed { .. }, _) => (self.turns, self.answers) = Default::default(),
            _ => {}
        }
    }

    fn answered(&mut self, posted: &Posted) {
        self.turns.remove(&posted.sender);
        let is_reply = |(seq, human, _): &(u64, Handle, Handle)| {
            *human == posted.sender && posted.reply_to == Some(*seq)
        };
        let is_one = self.answers.iter().any(is_reply);
        self.answers.retain(|question| {
            let (_, human, asker) = question;
            let is_word = *human == posted.sender && posted.recipients.contains(asker);
            if is_one { !is_reply(question) } else { !is_word }
        });
    }

    /// `@all` asks agents only.
    fn asked(&mut self, table: &Table, posted: &Posted, words: &Words) {
        let reply_to = words.reply_to.map(|(_, sender)| sender);
        let named: Vec<_> =
            words.named.iter().copied().chain(reply_to).map(|who| handle(name(who))).collect();
        for recipient in &posted.recipients {
            if !table.room.participant(recipient).unwrap().is_human() {
                self.turns.insert(recipient.clone());
            } else if !words.to_all || named.contains(recipient) {
                self.answers.insert((posted.seq, recipient.clone(), posted.sender.clone()));
            }
        }
    }
}

/// The task of which an event tells.
fn event_task(event: &Event) -> Option<&str> {
    match event {
        Event::TaskMoved(moved) => Some(&moved.task),
        _ => None,
    }
}

/// Lets everything happen; `look` sees what came of each step.
fn play(setup: &Setup, steps: &[Step], mut look: impl FnMut(&Table, &Step, &[Event])) -> Table {
    let mut table = table(setup);
    for step in steps {
        let happened = happen(&mut table, step);
        look(&table, step, &happened);
    }
    table
}

/// Whether `name` comes to speak when nobody but it does anything from now on, and time goes by.
fn comes_to_speak(mut table: Table, name: &Handle) -> bool {
    let name = name.as_str();
    if table.room.phase() == Phase::Gathering {
        table.start("@user");
    }
    if table.room.phase() == Phase::Paused {
        table.resume("@user");
    }
    table.request_turn(name);
    for _ in 0..20 {
        table.acts(name);
        table.waits(name);
        if table.room.active_turn() == Some(handle(name)) {
            return table.takes(name, "@user my turn");
        }
        table.after(100);
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    /// Nobody gets the floor while an agent has it, and only somebody who is here has it.
    #[test]
    fn one_floor(setup in setups(), steps in steps()) {
        let (mut told, mut number) = (Told::default(), 0);
        let table = play(&setup, &steps, |table, _, _| {
            let holder = table.room.turn().filter(|_| table.room.phase() == Phase::Open);
            if let Some(turn) = holder {
                let member = table.room.participant(&turn.handle).unwrap();
                assert_eq!(member.status, Status::Active, "{turn:?}");
            }
        });
        for event in &table.log {
            if let Event::FloorGiven { turn, .. } = event {
                let is_human = |handle: &Handle| table.room.participant(handle).unwrap().is_human();
                prop_assert!(told.holder.as_ref().is_none_or(is_human), "{:?} {event:?}", told.holder);
                number += 1;
                prop_assert_eq!(*turn, number);
            }
            told.hear(event);
        }
    }

    /// Or a person, or everyone where the floor is open or free, or who lost its turn while it worked on it.
    #[test]
    fn only_the_holder_speaks(setup in setups(), steps in steps()) {
        let mut told = Told::default();
        let table = play(&setup, &steps, |_, _, _| {});
        for event in &table.log {
            if let Event::Posted(posted) = event {
                let sender = &posted.sender;
                let has_turn = told.holder.as_ref().is_none_or(|holder| holder == sender);
                let is_open = table.room.policy().floor == FloorRule::Open;
                let may = told.is_running && (has_turn || is_open || told.late.contains(sender));
                prop_assert!(may || table.room.participant(sender).unwrap().is_human(), "{posted:?}");
            }
            told.hear(event);
        }
    }

    /// A room that runs has somebody who may speak, and whoever asks gets its turn when time goes by.
    #[test]
    fn no_one_waits_forever(setup in setups(), steps in steps()) {
        let table = play(&setup, &steps, |table, _, _| {
            let state = &table.room.state;
            if state.phase == Phase::Open {
                let queued = state.next_here();
                assert!(queued.is_none() || state.holder().is_some(), "{queued:?} could speak");
                let called = state.next_called();
                let is_held = state.turn().is_some_and(|turn| turn.reason != FloorReason::Fallback);
                assert!(called.is_none() || is_held, "{called:?} has to act");
            }
        });
        if table.room.phase() != Phase::Closed {
            for member in table.room.participants() {
                let may = member.status != Status::Left && !member.is_human();
                assert!(!may || comes_to_speak(table.clone(), &member.handle), "{}", member.handle);
            }
        }
    }

    /// Messages and notices are numbered 1, 2, 3 and so on.
    #[test]
    fn numbers_have_no_gaps(setup in setups(), steps in steps()) {
        let table = play(&setup, &steps, |_, _, _| {});
        let numbers: Vec<_> = table.log.iter().filter_map(Event::seq).collect();
        prop_assert_eq!(&numbers, &(1..=table.room.last_seq()).collect::<Vec<_>>());
    }

    /// A room is the fold of its stored events, and nothing else.
    #[test]
    fn replay_is_identity(setup in setups(), steps in steps()) {
        let table = play(&setup, &steps, |_, _, _| {});
        let mut loaded = Room::default();
        for event in &table.log {
            let stored = serde_json::to_string(event).unwrap();
            let read: Event = serde_json::from_str(&stored).unwrap();
            prop_assert_eq!(&read, event);
            loaded.apply(&read, table.now.mono);
        }
        prop_assert_eq!(picture(&loaded), picture(&table.room));
    }

    /// Deciding reads only, whether it is refused or not; and what it gives is what happens.
    #[test]
    fn decide_changes_nothing(setup in setups(), steps in steps()) {
        let mut table = table(&setup);
        for step in &steps {
            if let Some(command) = command(&table, step) {
                let before = picture(&table.room);
                let first = table.room.decide(command.clone(), table.now);
                table.due();
                prop_assert_eq!(&before, &picture(&table.room));
                prop_assert_eq!(first, table.room.decide(command, table.now));
            }
            happen(&mut table, step);
        }
    }

    /// Events are facts: in any order, more than once, and from other rooms.
    #[test]
    fn apply_never_fails(
        rooms in prop::collection::vec((setups(), steps()), 2),
        order in prop::collection::vec(any::<Index>(), 0..200),
    ) {
        let logs = rooms.iter().map(|(setup, steps)| play(setup, steps, |_, _, _| {}));
        let events: Vec<_> = logs.flat_map(|table| table.log).collect();
        let mut room = Room::default();
        for index in order {
            room.apply(index.get(&events), std::time::Duration::ZERO);
            for name in ["@Alice", "@user", "@Mallory"] {
                let _ = room.news(&handle(name), 1, 0);
                let _ = room.decide(Command::Contact(handle(name)), crate::room::Now {
                    wall: chrono::DateTime::UNIX_EPOCH,
                    mono: std::time::Duration::from_secs(1_000),
                });
            }
            let _ = room.deadline(&|_| Presence::default());
        }
    }

    /// Whom a message asks to speak stands in the queue or has the floor until it has spoken, passed or left;
    /// a person keeps its question.
    #[test]
    fn every_mention_is_answered_or_queued(setup in setups(), steps in steps()) {
        let mut owed = Owed::default();
        play(&setup, &steps, |table, step, happened| {
            for event in happened {
                owed.hear(table, step, event);
            }
            let has_place = |handle: &Handle| {
                table.room.queue().contains(handle) || table.room.state.holder() == Some(handle)
            };
            assert!(owed.turns.iter().all(has_place), "{:?} {}", owed.turns, table.turns());
            let open = table.room.questions().iter();
            let open: BTreeSet<_> = open.map(|q| (q.seq, q.human.clone(), q.asker.clone())).collect();
            assert_eq!(open, owed.answers);
        });
    }
}
