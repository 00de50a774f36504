//! A search through every state that short sequences of moves lead to: nobody is ever stuck in one of them.

mod key;
mod seat;
mod world;

use std::collections::HashSet;

use crate::room::floor::Floor;
use crate::room::policy::FloorRule;
use crate::room::tests::table::declared;
use crate::room::{Phase, Policy, Status};

use world::{AGENTS, HOLD, LEASE, Move, NAMES, World, who};

/// How many moves in a row are tried; more when `TURNROOM_LONG` is set, and so many as it says if it says more.
fn depth() -> usize {
    std::env::var("TURNROOM_LONG")
        .map_or(3, |depth| depth.parse().ok().filter(|depth| *depth > 3).unwrap_or(4))
}

#[test]
fn nobody_is_ever_stuck_before_a_room_opens() {
    search(gathering(&NAMES, FloorRule::Strict));
    search(gathering(&NAMES[..AGENTS], FloorRule::Open));
}

#[test]
fn nobody_is_ever_stuck_with_a_declared_person() {
    search(open(&NAMES, FloorRule::Strict));
}

#[test]
fn nobody_is_ever_stuck_with_a_declared_person_on_an_open_floor() {
    search(open(&NAMES, FloorRule::Open));
}

#[test]
fn nobody_is_ever_stuck_without_a_declared_person() {
    search(open(&NAMES[..AGENTS], FloorRule::Strict));
}

#[test]
fn nobody_is_ever_stuck_without_a_declared_person_on_an_open_floor() {
    search(open(&NAMES[..AGENTS], FloorRule::Open));
}

fn gathering(participants: &[&str], floor: FloorRule) -> World {
    let mut declared = declared(participants);
    declared.policy =
        Policy { floor, turn_lease: LEASE, human_hold: HOLD, max_agent_turns: 3, ..Policy::default() };
    World::new(declared)
}

/// All agents have joined.
fn open(participants: &[&str], floor: FloorRule) -> World {
    let gathering = gathering(participants, floor);
    (0..AGENTS).fold(gathering, |world, agent| world.after(Move::Join(agent)).unwrap())
}

/// Breadth first, each state once.
fn search(first: World) {
    let (mut known, mut newest) = (HashSet::from([first.key()]), vec![first]);
    for moves in 1..=depth() {
        let mut next = Vec::new();
        for world in &newest {
            for step in World::moves() {
                if let Some(after) = world.after(step)
                    && known.insert(after.key())
                {
                    check(&after);
                    next.push(after);
                }
            }
        }
        newest = next;
        println!("{moves} moves: {} states, {} of them new", known.len(), newest.len());
    }
}

fn check(world: &World) {
    let state = &world.room.state;
    if state.phase == Phase::Closed {
        return;
    }
    if state.phase == Phase::Open {
        assert_ne!(state.floor, Floor::Vacant);
        if let Some(holder) = state.holder() {
            assert_eq!(state.member(holder).unwrap().status, Status::Active, "{holder} has the floor");
        } else {
            assert_eq!(state.next_here(), None, "nobody has the floor");
        }
    }
    for (index, name) in NAMES.iter().enumerate() {
        let may_speak = index >= AGENTS || world.status(index) != Status::Left;
        assert!(!may_speak || comes_to_speak(world, index), "{name} {state:?}");
    }
}

/// Whether one who wants to speak does so in the end, although nobody else does anything: others only run out
/// of time. A person must have started the room, or ended its pause.
fn comes_to_speak(world: &World, index: usize) -> bool {
    let after = |world: &World, step: Move| world.after(step).unwrap();
    let mut world = match world.room.phase() {
        Phase::Gathering => after(world, Move::Start),
        Phase::Paused => after(world, Move::Resume),
        Phase::Open | Phase::Closed => world.clone(),
    };
    if index < AGENTS {
        world = world.after(Move::Request(index)).unwrap_or(world);
        for _ in 0..NAMES.len() {
            if world.room.active_turn().as_ref() != Some(who(index)) {
                world = after(&world, Move::Lapse);
            }
        }
    }
    let said = after(&world, Move::LastWord(index));
    said.room.message_count() > world.room.message_count()
}
