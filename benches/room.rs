//! What a post costs the core: decide and apply, in rooms of 2, 100 and 1,000 participants.

use std::time::Duration;

use chrono::DateTime;
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use turnroom::room::command::{Command, Join, Post};
use turnroom::room::event::{CursorMove, Event};
use turnroom::room::{Declared, Handle, Now, Policy, Room, Via, open};

const NOW: Now = Now { wall: DateTime::UNIX_EPOCH, mono: Duration::ZERO };

fn agent(number: usize) -> Handle {
    Handle::parse(&format!("@Agent{number}")).expect("it is a handle")
}

fn obey(room: &mut Room, command: Command) {
    for event in room.decide(command, NOW).expect("it is allowed") {
        room.apply(&event, NOW.mono);
    }
}

/// A room that so many have joined, without a loop guard.
fn room(participants: usize) -> Room {
    let names = (0..participants).map(|number| agent(number).to_string()).collect();
    let policy = Policy { max_agent_turns: 0, ..Policy::default() };
    let mut room = Room::default();
    for event in
        open(Declared { participants: names, policy, ..Declared::default() }, NOW).expect("it is allowed")
    {
        room.apply(&event, NOW.mono);
    }
    for number in 0..participants {
        obey(&mut room, Command::Join(Join { handle: agent(number), name: None, history: 0 }));
    }
    room
}

/// The holder of the floor speaks, and has heard that it was posted.
fn say(room: &mut Room, content: &str) {
    let sender = room.active_turn().expect("somebody has the floor");
    let handle = sender.clone();
    let post = Post {
        sender,
        content: content.to_owned(),
        max_bytes: 1 << 20,
        is_private: false,
        recipients: Vec::new(),
        reply_to: None,
        choices: Vec::new(),
        expects_reply: true,
        request_id: None,
        via: Via::Mcp,
        is_verified: false,
        origin: String::new(),
    };
    obey(room, Command::Post(Box::new(post)));
    let seen = room.last_seq();
    let cursors = vec![CursorMove { handle, seen, handed: seen, is_settled: true }];
    room.apply(&Event::CursorsMoved { cursors }, NOW.mono);
}

fn posts(criterion: &mut Criterion) {
    for (group, content) in
        [("post to two", "@Agent0 and @Agent1, your turn"), ("post to all", "@all, your turn")]
    {
        let mut group = criterion.benchmark_group(group);
        for participants in [2, 100, 1_000] {
            let mut room = room(participants);
            group.bench_function(BenchmarkId::from_parameter(participants), |bencher| {
                bencher.iter(|| say(&mut room, content));
            });
        }
    }
}

criterion_group!(benches, posts);
criterion_main!(benches);
