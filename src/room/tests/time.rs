//! The wall clock is for people: whatever it shows, the same happens.

use chrono::{DateTime, TimeDelta};
use proptest::prelude::*;
use serde_json::Value;

use crate::room::tests::random::{happen, setups, steps, table};
use crate::room::tests::table::Table;

/// All that has happened, without when.
fn story(table: &Table) -> Vec<Value> {
    let mut events: Vec<Value> = table.log.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    for event in &mut events {
        event.as_object_mut().unwrap().remove("at");
    }
    events
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("TURNROOM_LONG").is_some() { 1_000 } else { 60 }))]

    /// Years back and forward before each step: the same floor, order and deadlines.
    #[test]
    fn nothing_is_decided_by_the_wall_clock(
        setup in setups(),
        steps in steps(),
        jumps in prop::collection::vec(-40 * 365 * 24..40 * 365 * 24_i64, 60),
    ) {
        let (mut steady, mut jumping) = (table(&setup), table(&setup));
        for (step, jump) in steps.iter().zip(jumps) {
            jumping.now.wall = DateTime::UNIX_EPOCH + TimeDelta::hours(jump);
            happen(&mut steady, step);
            happen(&mut jumping, step);
            prop_assert_eq!(steady.turns(), jumping.turns());
            prop_assert_eq!(steady.deadline(), jumping.deadline());
            prop_assert_eq!(steady.questions(), jumping.questions());
        }
        prop_assert_eq!(story(&steady), story(&jumping));
    }
}
