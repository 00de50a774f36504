//! A journal may hold anything that reads as an event: it is applied, asked and stored again without a panic.

#![no_main]

use std::time::Duration;

use chrono::DateTime;
use libfuzzer_sys::fuzz_target;
use turnroom::journal::NewEvent;
use turnroom::room::command::{Command, Pass};
use turnroom::room::{Event, Handle, Now, Presence, Room};

fuzz_target!(|lines: &[u8]| {
    let mut room = Room::default();
    let handle = |text| Handle::parse(text).expect("a handle");
    for (number, line) in lines.split(|byte| *byte == b'\n').enumerate() {
        let Ok(event) = serde_json::from_slice::<Event>(line) else { continue };
        let stored = NewEvent::new(event.kind(), &event).expect("every event has a JSON form");
        let read: Event = serde_json::from_slice(stored.body()).expect("what was stored can be read");
        assert_eq!(read, event, "reading gives what was written");
        let mono = Duration::from_secs(number as u64);
        room.apply(&event, mono);
        let now = Now { wall: DateTime::UNIX_EPOCH, mono: mono + Duration::from_hours(1) };
        for name in ["@Alice", "@Bob", "@user", "@x"] {
            let name = handle(name);
            let _ = room.news(&name, 1, room.freed());
            for command in [
                Command::Contact(name.clone()),
                Command::RequestTurn(name.clone()),
                Command::Pass(Pass { by: name.clone(), to: Some("@Bob".to_owned()), reason: None }),
                Command::Leave(name.clone()),
                Command::Resume(name.clone()),
                Command::Start(name),
            ] {
                if let Ok(events) = room.decide(command, now) {
                    let mut next = room.clone();
                    events.iter().for_each(|event| next.apply(event, now.mono));
                }
            }
        }
        let _ = (room.queue(), room.active_turn(), room.participants());
        let _ = room.deadline(&|_| Presence::default());
        for event in room.tick(now, &|_| Presence::default()) {
            room.apply(&event, now.mono);
        }
    }
});
