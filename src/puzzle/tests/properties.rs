//! Random machines and random acts: what must hold always.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::support::{act, answer, at, handle, verdict};
use crate::puzzle::machine::Kind;
use crate::puzzle::{Act, Add, Cause, Doer, Event, Machine, Puzzle, Refusal, Step, add};

const STATES: [&str; 4] = ["A", "B", "C", "D"];
const ACTIONS: [&str; 3] = ["go", "turn", "end"];
const NAMES: [&str; 4] = ["@Ada", "@Bob", "@user", ""];

fn any_rule() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!({ "actor": ["@Ada", "@user"] }),
        json!({ "context": "n", "is": 1 }),
        json!({ "not": { "context": "n", "is": 2 } }),
        json!({ "visited": "B", "atMost": 2 }),
        json!({ "done": "go", "by": "@Bob" }),
        json!({ "secondsInState": { "atMost": 30 } }),
        json!({ "time": { "before": "1970-01-01T00:03:00Z" } }),
    ])
    .prop_map(|rule| json!({ "rule": rule }))
}

fn any_guard() -> impl Strategy<Value = Value> {
    let asked = prop::sample::select(vec![
        Value::Null,
        json!("Is it so?"),
        json!({ "form": "Is it so?" }),
        json!({ "command": "lint" }),
        json!({ "participant": ["@Bob", "@user"], "question": "ok?" }),
        json!({ "participant": ["@Bob", "@Alice", "@user"], "question": "ok?", "quorum": 2, "expiresMinutes": 1 }),
    ]);
    prop_oneof![2 => Just(Value::Null), 1 => any_rule(), 2 => asked]
}

fn any_way() -> impl Strategy<Value = Value> {
    let set = prop::sample::select(vec![json!({}), json!({ "n": 1 }), json!({ "n": 2 })]);
    (prop::sample::select(STATES.to_vec()), any_guard(), set)
        .prop_map(|(target, guard, set)| json!({ "targetState": target, "guard": guard, "set": set }))
}

fn any_state() -> impl Strategy<Value = Value> {
    let actions = prop::collection::btree_map(prop::sample::select(ACTIONS.to_vec()), any_way(), 1..4);
    let always = prop::option::weighted(0.2, (prop::sample::select(STATES.to_vec()), any_rule()));
    let after = prop::option::weighted(0.4, any_way());
    (actions, always, after, any_guard(), any_guard()).prop_map(|(actions, always, after, exit, enter)| {
        let actions: Map<_, _> = actions.into_iter().map(|(name, way)| (name.to_owned(), way)).collect();
        let mut state = json!({ "actions": actions, "exitGuard": exit, "enterGuard": enter });
        if let Some((target, guard)) = always {
            // Circles are proved elsewhere; here they only cost time.
            let bound = json!({ "rule": { "visited": target, "atMost": 5 } });
            state["always"] = json!({ "targetState": target, "guard": [guard, bound] });
        }
        if let Some(way) = after {
            state["after"] = json!({ "20000": way });
        }
        state
    })
}

fn any_machine() -> impl Strategy<Value = Value> {
    let policy = prop::sample::select(vec![
        json!({}),
        json!({ "unavailableGuard": "allow" }),
        json!({ "reviewer": "@Alice", "questionBy": ["participant", "form"] }),
    ]);
    (prop::collection::vec(any_state(), 4), policy).prop_map(|(states, policy)| {
        let states: Map<_, _> = STATES.iter().map(|name| (*name).to_owned()).zip(states).collect();
        json!({ "initialState": "A", "context": { "n": 0 }, "policy": policy, "states": states })
    })
}

#[derive(Clone, Debug)]
enum Move {
    Act { action: &'static str, actor: &'static str, is_verified: bool, can_ask: bool, passes: bool },
    Answer { number: usize, by: &'static str, is_verified: bool, passes: bool },
    Wait(i64),
}

fn any_move() -> impl Strategy<Value = Move> {
    let names = || prop::sample::select(NAMES.to_vec());
    let act = (prop::sample::select(ACTIONS.to_vec()), names(), any::<bool>(), any::<bool>(), any::<bool>());
    let by = prop::sample::select(vec!["@Ada", "@Bob", "@Alice", "@user"]);
    let answer = (0_usize..3, by, any::<bool>(), any::<bool>());
    prop_oneof![
        5 => act.prop_map(|(action, actor, is_verified, can_ask, passes)| {
            Move::Act { action, actor, is_verified, can_ask, passes }
        }),
        4 => answer.prop_map(|(number, by, is_verified, passes)| Move::Answer { number, by, is_verified, passes }),
        2 => (1_i64..40).prop_map(Move::Wait),
    ]
}

/// Acts with all that the edge is asked for.
fn acted(puzzle: &Puzzle, mut wanted: Act, passes: bool, now: i64) -> Result<Vec<Event>, Refusal> {
    loop {
        match puzzle.act(&wanted, at(now))? {
            Step::Done(events) | Step::Pending { events, .. } | Step::Refused { events, .. } => {
                return Ok(events);
            }
            Step::Same(_) => return Ok(Vec::new()),
            Step::Ask(demand) => wanted.verdicts.push(verdict(&demand, passes)),
        }
    }
}

fn played(puzzle: &Puzzle, one: &Move, now: &mut i64) -> Result<Vec<Event>, Refusal> {
    match one {
        Move::Act { action, actor, is_verified, can_ask, passes } => {
            let mut wanted = Act { is_person_verified: *is_verified, ..act(action, actor) };
            if !can_ask {
                wanted.may = crate::puzzle::May::default();
            }
            acted(puzzle, wanted, *passes, *now)
        }
        Move::Answer { number, by, is_verified, passes } => {
            let Some(pending) = puzzle.pendings().get(*number) else { return Ok(Vec::new()) };
            let mut given = answer(pending, by, *passes);
            given.is_person_verified = *is_verified;
            puzzle.answer(&given, at(*now))
        }
        Move::Wait(seconds) => {
            *now += seconds;
            Ok(puzzle.tick(at(*now)))
        }
    }
}

/// All that can be seen of a puzzle.
fn seen(
    puzzle: &Puzzle,
) -> (crate::puzzle::Snapshot, Vec<crate::puzzle::Pending>, u64, Option<chrono::DateTime<chrono::Utc>>) {
    (puzzle.snapshot(), puzzle.pendings().to_vec(), puzzle.entered_version(), puzzle.due())
}

fn made(config: Value) -> Option<(Puzzle, Puzzle)> {
    let (event, _) = add(Add { puzzle: "p1".to_owned(), config, ..Add::default() }, at(0)).ok()?;
    let mut puzzle = Puzzle::default();
    puzzle.apply(&event);
    Some((puzzle.clone(), puzzle))
}

/// Whether the guards of a move stand in their order: those that are left before those that are entered, in each step.
fn exit_comes_before_enter(moved: &crate::puzzle::event::Moved) -> bool {
    const KINDS: [&str; 3] = ["guard", "exitGuard", "enterGuard"];
    let places = moved.verdicts.iter().map(|finding| {
        let mut parts = finding.check.split('/');
        let step: usize = parts.next().and_then(|step| step.parse().ok()).unwrap_or(usize::MAX);
        let kind = parts.next().and_then(|kind| KINDS.iter().position(|known| *known == kind));
        (step, kind)
    });
    let places: Vec<_> = places.collect();
    places.is_sorted()
}

proptest! {
    #[test]
    fn a_puzzle_is_the_fold_of_its_events_and_stands_in_a_state_of_its_machine(
        config in any_machine(),
        moves in prop::collection::vec(any_move(), 0..60),
    ) {
        let Some((mut live, mut replayed)) = made(config) else { return Ok(()) };
        let mut now = 1;
        let mut version = 1;
        for one in moves {
            let before = seen(&live);
            let result = played(&live, &one, &mut now);
            prop_assert_eq!(&seen(&live), &before, "deciding changes nothing");
            for event in result.into_iter().flatten() {
                let stored: Event = serde_json::from_value(serde_json::to_value(&event).unwrap()).unwrap();
                prop_assert_eq!(&stored, &event);
                if let Event::PuzzleMoved(moved) = &event {
                    prop_assert!(exit_comes_before_enter(moved), "{:?}", moved.verdicts);
                    prop_assert!(moved.verdicts.iter().all(|finding| finding.at >= before.0.since), "none is older");
                    prop_assert_eq!(&moved.from, live.current());
                }
                live.apply(&event);
                replayed.apply(&stored);
                version += 1;
                if let Event::PuzzleMoved(moved) = &event {
                    prop_assert_eq!(&moved.to, live.current());
                    prop_assert!(live.pendings().is_empty(), "a move drops all questions");
                }
            }
            prop_assert_eq!(live.version(), version);
            let rests = |id| matches!(live.machine().state(id).kind, Kind::Atomic | Kind::Final);
            prop_assert!(live.machine().find(live.current()).is_some_and(rests));
            prop_assert_eq!(seen(&live), seen(&replayed));
            prop_assert!(live.pendings().len() <= 16);
            let bound = |pending: &crate::puzzle::Pending| pending.entered_version == live.entered_version();
            prop_assert!(live.pendings().iter().all(bound));
            prop_assert!(live.due().is_none_or(|due| due > at(now) || live.tick(at(now)).len() < 10));
        }
    }

    #[test]
    fn a_short_look_and_an_act_agree(
        config in any_machine(),
        moves in prop::collection::vec(any_move(), 0..20),
        actor in prop::sample::select(NAMES.to_vec()),
        is_person_verified in any::<bool>(),
    ) {
        let Some((mut puzzle, _)) = made(config) else { return Ok(()) };
        let mut now = 1;
        for one in moves {
            puzzle.take(&played(&puzzle, &one, &mut now).unwrap_or_default());
        }
        let who = (!actor.is_empty()).then(|| handle(actor));
        let doer = Doer { handle: who.as_ref(), is_person_verified };
        for (action, can) in puzzle.actions_for(doer, at(now)) {
            let wanted = Act { is_person_verified, ..act(&action, actor) };
            let is_waiting = puzzle.pendings().iter().any(|pending| pending.is_of(&Cause::Action(action.clone()), doer));
            let full = puzzle.pendings().len() == 16;
            if !is_waiting && !full {
                prop_assert_eq!(can.err(), puzzle.act(&wanted, at(now)).err());
            }
        }
    }

    #[test]
    fn nobody_judges_his_own_act(
        config in any_machine(),
        moves in prop::collection::vec(any_move(), 0..60),
    ) {
        let Some((mut puzzle, _)) = made(config) else { return Ok(()) };
        let mut now = 1;
        for one in moves {
            for event in played(&puzzle, &one, &mut now).into_iter().flatten() {
                if let Event::PuzzleMoved(moved) = &event {
                    let by_himself = moved.verdicts.iter().filter(|finding| {
                        finding.asked == crate::puzzle::Asked::Participant && finding.by == moved.actor
                    });
                    for finding in by_himself {
                        prop_assert!(finding.verified && finding.by == Some(handle("@user")), "{finding:?}");
                    }
                    let person = |finding: &&crate::puzzle::Finding| {
                        finding.asked == crate::puzzle::Asked::Participant && finding.by == Some(handle("@user"))
                    };
                    prop_assert!(moved.verdicts.iter().filter(person).all(|finding| finding.verified));
                    let is_timer = matches!(moved.cause, Cause::Timer { .. });
                    prop_assert!(!is_timer || moved.actor.is_none());
                }
                puzzle.apply(&event);
            }
        }
    }

    #[test]
    fn a_verdict_counts_once(
        config in any_machine(),
        moves in prop::collection::vec(any_move(), 0..60),
    ) {
        let Some((mut puzzle, _)) = made(config) else { return Ok(()) };
        let mut now = 1;
        // Questions and demands that were put before the last move.
        let (mut asked, mut demanded) = (Vec::new(), Vec::new());
        for one in moves {
            if let Move::Act { action, actor, .. } = &one
                && let Ok(Step::Ask(demand)) = puzzle.act(&act(action, actor), at(now))
            {
                demanded.push(*demand);
            }
            asked.extend(puzzle.pendings().to_vec());
            let before = puzzle.entered_version();
            puzzle.take(&played(&puzzle, &one, &mut now).unwrap_or_default());
            if puzzle.entered_version() == before {
                continue;
            }
            for late in asked.drain(..) {
                let refusal = puzzle.answer(&answer(&late, late.asks[0].as_str(), true), at(now)).unwrap_err();
                prop_assert_eq!(refusal.code(), "already_settled");
            }
            for late in demanded.drain(..) {
                let actor = late.actor.as_ref().map_or("", |actor| actor.as_str());
                let wanted = Act { verdicts: vec![verdict(&late, true)], ..act(&late.action, actor) };
                let refusal = puzzle.act(&wanted, at(now)).unwrap_err();
                prop_assert_eq!(refusal.code(), "version_conflict");
            }
        }
    }

    #[test]
    fn whatever_json_comes_is_read_or_refused_in_words(value in any_json()) {
        match Machine::parse(&value) {
            Ok((machine, _)) => prop_assert!(machine.states().next().is_some()),
            Err(faults) => prop_assert!(!faults.is_empty()),
        }
    }
}

/// JSON that is like a machine here and there.
fn any_json() -> impl Strategy<Value = Value> {
    let words = vec![
        "initial",
        "initialState",
        "states",
        "on",
        "actions",
        "targetState",
        "target",
        "guard",
        "always",
        "after",
        "A",
        "B",
        "1000",
        "type",
        "final",
        "history",
        "meta",
        "turnroom",
        "who",
        "exitGuard",
        "enterGuard",
        "rule",
        "all",
        "not",
        "actor",
        "visited",
        "participant",
        "question",
        "guards",
        "roles",
        "policy",
        "ref",
        "params",
        "@Bob",
        "*",
        ".A",
        "#x",
        "id",
        "deep",
        "parallel",
        "context",
        "is",
        "set",
        "allowed",
    ];
    let word = prop::sample::select(words);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 120, 6, move |inner| {
        let key = prop_oneof![4 => word.clone().prop_map(str::to_owned), 1 => "\\PC{0,4}"];
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            4 => prop::collection::btree_map(key, inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}
