//! Random rooms, and random things that happen in them.

use std::time::Duration;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::room::command::{Close, Command, Join, Pass, Post, ReplyTo, TaskMove};
use crate::room::event::Noted;
use crate::room::policy::{Barrier, FloorRule, Wake};
use crate::room::tests::table::{Table, declared, handle, post, texts};
use crate::room::{Declared, Event, Policy};

const AGENTS: [&str; 5] = ["@Alice", "@Bob", "@Carol", "@Dave", "@Erin"];
const PEOPLE: [&str; 2] = ["@user", "@Pat"];
const STRANGER: &str = "@Mallory";

/// What a room is made of.
#[derive(Clone, Debug)]
pub(super) struct Setup {
    agents: usize,
    people: usize,
    first_speaker: Option<usize>,
    policy: Policy,
}

/// What happens. Numbers say who does it, out of everyone who could.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Join(usize, u64),
    Post(Words),
    RequestTurn(usize),
    Pass(usize, Option<usize>),
    Leave(usize),
    Remove(usize, usize),
    Pause(usize),
    Resume(usize),
    Start(usize),
    Close(usize),
    Note,
    /// A task of two moves on, and waits for somebody or for nobody.
    Task(bool, Option<usize>),
    Key(usize),
    Cursor(usize, Index, bool),
    Act(usize),
    Wait(usize),
    EndWait(usize),
    Time(u64),
}

/// A message.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a message is made of independent choices")]
pub(super) struct Words {
    pub sender: usize,
    pub named: Vec<usize>,
    pub to_all: bool,
    pub is_private: bool,
    pub expects_reply: bool,
    pub is_long: bool,
    pub reply_to: Option<(Index, usize)>,
}

/// A handle out of everyone who could do something.
pub(super) fn name(who: usize) -> &'static str {
    AGENTS.iter().chain(&PEOPLE).chain([&STRANGER]).nth(who).unwrap()
}

fn who() -> impl Strategy<Value = usize> {
    0..AGENTS.len() + PEOPLE.len() + 1
}

fn policy() -> impl Strategy<Value = Policy> {
    let barrier = select(vec![Barrier::Count(2), Barrier::Count(0), Barrier::All]);
    let floor = prop_oneof![3 => Just(FloorRule::Strict), 1 => Just(FloorRule::Open)];
    let wake = select(vec![Wake::All, Wake::Batched]);
    let max_agent_turns = select(vec![0, 1, 3, 40]);
    (barrier, floor, wake, max_agent_turns, any::<bool>(), any::<bool>()).prop_map(
        |(barrier, floor, wake, max_agent_turns, human_first, invite_only)| Policy {
            barrier,
            floor,
            wake,
            max_agent_turns,
            human_first,
            invite_only,
            turn_lease: Duration::from_secs(100),
            human_hold: Duration::from_secs(10),
            ..Policy::default()
        },
    )
}

/// Rooms of 3 to 5 agents and up to 2 people, by all rules.
pub(super) fn setups() -> impl Strategy<Value = Setup> {
    let (agents, people) = (3..=AGENTS.len(), 0..=PEOPLE.len());
    (agents, people, option::of(0..3_usize), policy())
        .prop_map(|(agents, people, first_speaker, policy)| Setup { agents, people, first_speaker, policy })
}

fn words() -> impl Strategy<Value = Words> {
    let flags =
        (prop::bool::weighted(0.2), prop::bool::weighted(0.2), prop::bool::weighted(0.8), any::<bool>());
    let reply_to = option::weighted(0.2, (any::<Index>(), who()));
    (who(), vec(who(), 0..4), flags, reply_to).prop_map(|(sender, named, flags, reply_to)| {
        let (to_all, is_private, expects_reply, is_long) = flags;
        Words { sender, named, to_all, is_private, expects_reply, is_long, reply_to }
    })
}

/// What may happen in a room, often what matters most.
pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (who(), 0..5_u64).prop_map(|(who, history)| Step::Join(who, history)),
        12 => words().prop_map(Step::Post),
        2 => who().prop_map(Step::RequestTurn),
        3 => (who(), option::of(who())).prop_map(|(by, to)| Step::Pass(by, to)),
        1 => who().prop_map(Step::Leave),
        1 => (who(), who()).prop_map(|(whom, by)| Step::Remove(whom, by)),
        1 => who().prop_map(Step::Pause),
        1 => who().prop_map(Step::Resume),
        1 => who().prop_map(Step::Start),
        1 => prop_oneof![7 => Just(Step::Note), 1 => who().prop_map(Step::Close)],
        3 => (any::<bool>(), option::weighted(0.8, who())).prop_map(|(one, to)| Step::Task(one, to)),
        1 => who().prop_map(Step::Key),
        1 => (who(), any::<Index>(), any::<bool>()).prop_map(|(who, seen, settled)| Step::Cursor(who, seen, settled)),
        1 => who().prop_map(Step::Act),
        4 => who().prop_map(Step::Wait),
        1 => who().prop_map(Step::EndWait),
        4 => select(vec![1, 9, 10, 50, 100, 1_000]).prop_map(Step::Time),
    ];
    vec(step, 1..60)
}

/// Makes a room, lets the agents of it join, and gives the table.
pub(super) fn table(setup: &Setup) -> Table {
    let participants: Vec<_> =
        AGENTS.iter().take(setup.agents).chain(PEOPLE.iter().take(setup.people)).copied().collect();
    Table::open(Declared {
        humans: texts(&PEOPLE[..setup.people]),
        first_speaker: setup.first_speaker.map(|who| name(who).to_owned()),
        policy: setup.policy.clone(),
        ..declared(&participants)
    })
    .unwrap()
}

/// Lets one step happen, and gives what came of it. What is refused comes to nothing.
pub(super) fn happen(table: &mut Table, step: &Step) -> Vec<Event> {
    let before = table.log.len();
    match step {
        Step::Time(seconds) => table.after(*seconds),
        Step::Act(who) => table.acts(name(*who)),
        Step::Wait(who) => {
            if table.command(Command::Contact(handle(name(*who)))).is_ok() {
                table.is_waiting(name(*who));
            }
        }
        Step::EndWait(who) => table.ends_its_wait(name(*who)),
        Step::Cursor(who, seen, is_settled) => {
            let seen = seen.index(usize::try_from(table.room.last_seq()).unwrap() + 1) as u64;
            table.acknowledges(name(*who), seen, *is_settled);
        }
        step => {
            let command = command(table, step).unwrap();
            let _ = table.command(command);
        }
    }
    table.log[before..].to_vec()
}

/// The command of a step that is one.
pub(super) fn command(table: &Table, step: &Step) -> Option<Command> {
    let who = |who: &usize| handle(name(*who));
    Some(match step {
        Step::Join(joiner, history) => {
            Command::Join(Join { handle: who(joiner), name: None, history: *history })
        }
        Step::Post(words) => Command::Post(Box::new(message(table, words))),
        Step::RequestTurn(by) => Command::RequestTurn(who(by)),
        Step::Pass(by, to) => {
            Command::Pass(Pass { by: who(by), to: to.map(|to| name(to).to_owned()), reason: None })
        }
        Step::Leave(by) => Command::Leave(who(by)),
        Step::Remove(whom, by) => Command::Remove { handle: who(whom), by: who(by) },
        Step::Pause(by) => Command::Pause(who(by)),
        Step::Resume(by) => Command::Resume(who(by)),
        Step::Start(by) => Command::Start(who(by)),
        Step::Close(by) => Command::Close(Close { by: Some(who(by)), summary: None, is_creator: false }),
        Step::Note => Command::Note(Noted::NoteKept("a.md".to_owned())),
        Step::Task(one, to) => Command::MoveTask(task_move(table, if *one { "one" } else { "two" }, *to)),
        Step::Key(of) => Command::ChangeKey { handle: who(of), hash: "hash".to_owned(), is_invite: false },
        _ => return None,
    })
}

fn task_move(table: &Table, task: &str, to: Option<usize>) -> TaskMove {
    let is_its = |event: &&Event| matches!(event, Event::TaskMoved(moved) if moved.task == task);
    TaskMove {
        task: task.to_owned(),
        version: table.log.iter().filter(is_its).count() as u64,
        content: "note".to_owned(),
        summary: "so it is".to_owned(),
        is_proposed: false,
        status: "reviewing".to_owned(),
        to: to.map(|who| handle(name(who))),
    }
}

fn message(table: &Table, words: &Words) -> Post {
    let mut content = words.named.iter().map(|who| name(*who)).collect::<Vec<_>>().join(" ");
    if words.to_all {
        content.push_str(" @all");
    }
    content.push_str(if words.is_long {
        " — a word of some length that says more than just a thank you and goodbye"
    } else {
        " ok"
    });
    let reply_to = words.reply_to.map(|(seq, sender)| ReplyTo {
        is_question: false,
        seq: seq.index(usize::try_from(table.room.last_seq()).unwrap() + 1) as u64,
        sender: Some(handle(name(sender))),
    });
    Post {
        is_private: words.is_private,
        expects_reply: words.expects_reply,
        reply_to,
        ..post(name(words.sender), &content)
    }
}
