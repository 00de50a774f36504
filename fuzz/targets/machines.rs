//! A machine is read or refused in words; one that is read is made, acted on, drawn and stored without a panic.

#![no_main]

use chrono::{DateTime, TimeDelta};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use turnroom::puzzle::{Act, Add, Doer, Event, May, Puzzle, Step, Verdict, Whom, add};
use turnroom::room::Handle;

fuzz_target!(|input: &[u8]| {
    let Ok(config) = serde_json::from_slice::<Value>(input) else { return };
    let at = |seconds: i64| DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
    let made = add(Add { puzzle: "p".to_owned(), config, ..Add::default() }, at(0));
    let Ok((event, _)) = made.inspect_err(|refusal| assert!(!refusal.to_string().is_empty())) else { return };
    let mut puzzle = Puzzle::default();
    let take = |puzzle: &mut Puzzle, event: &Event| {
        let stored = serde_json::to_vec(event).expect("every event has a JSON form");
        let read: Event = serde_json::from_slice(&stored).expect("what was stored can be read");
        assert_eq!(read, *event, "reading gives what was written");
        puzzle.apply(event);
    };
    take(&mut puzzle, &event);
    let actor = Some(Handle::user());
    for second in 1..20 {
        let Some(action) = puzzle.snapshot().available_actions.into_iter().next() else { break };
        let commands = puzzle.machine().programs().into_iter().map(str::to_owned).collect();
        let may = May { form: true, sampling: true, commands };
        let mut act = Act { action, actor: actor.clone(), is_person_verified: true, may, ..Act::default() };
        let events = loop {
            match puzzle.act(&act, at(second)) {
                Ok(Step::Done(events) | Step::Pending { events, .. } | Step::Refused { events, .. }) => break events,
                Ok(Step::Same(_)) | Err(_) => break Vec::new(),
                Ok(Step::Ask(demand)) => act.verdicts.push(Verdict {
                    demand: demand.id,
                    entered_version: demand.entered_version,
                    pass: true,
                    reason: None,
                    is_of_program: matches!(demand.whom, Whom::Command(_)),
                }),
            }
        };
        events.iter().for_each(|event| take(&mut puzzle, event));
        puzzle.tick(at(second * 1_000)).iter().for_each(|event| take(&mut puzzle, event));
        assert!(puzzle.machine().find(puzzle.current()).is_some());
        assert!(puzzle.mermaid().starts_with("stateDiagram-v2\n"));
        assert_eq!(puzzle.machine().in_order().count(), puzzle.machine().states().count());
        let _ = puzzle.actions_for(Doer { handle: actor.as_ref(), is_person_verified: false }, at(second));
    }
});
