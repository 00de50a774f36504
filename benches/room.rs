//! What a post costs the core: finding its mentions, and decide and apply in rooms of 2, 100 and 1,000
//! participants.

use std::time::Duration;

use chrono::DateTime;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use turnroom::room::command::{Command, Join, Post};
use turnroom::room::event::{CursorMove, Event};
use turnroom::room::{Declared, Handle, Names, Now, Policy, Room, Via, mentions, open};

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

/// Text of so many bytes with a mention, code and a link in each paragraph.
fn markdown(bytes: usize) -> String {
    let paragraph = "**@Agent1**, see `@Agent2` in [the plan](https://example.org/@Agent3) and ask @Agent4.\n\n\
                     ```rust\nlet who = \"@Agent5\";\n```\n\n";
    paragraph.chars().cycle().take(bytes).collect()
}

fn finding_mentions(criterion: &mut Criterion) {
    let mut names = Names::default();
    (0..100).map(agent).for_each(|handle| names.add(handle));
    let mut group = criterion.benchmark_group("mentions");
    for bytes in [200, 4_096, 65_536] {
        let text = markdown(bytes);
        group.throughput(Throughput::Bytes(bytes as u64));
        group.bench_function(BenchmarkId::from_parameter(bytes), |bencher| {
            bencher.iter(|| mentions(&text, &names));
        });
    }
}

/// Short, because it is run often: a change of a tenth shows.
fn short() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
}

criterion_group! {
    name = benches;
    config = short();
    targets = posts, finding_mentions
}
criterion_main!(benches);
