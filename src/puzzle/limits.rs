//! How large a machine may be, how much one decision may look at, and how much is remembered. What users may meet stands in
//! `docs/machines.md` by its number; the test below holds both together.

/// How many bytes the JSON of a machine may have.
pub(super) const MAX_BYTES: usize = 256 * 1024;
/// How many states a machine may have.
pub(super) const MAX_STATES: usize = 200;
/// How deep states may lie in states.
pub(super) const MAX_STATE_DEPTH: usize = 8;
/// How many actions a state may have.
pub(super) const MAX_ACTIONS: usize = 50;
/// How many transitions a machine may have.
pub(super) const MAX_TRANSITIONS: usize = 2_000;
/// How many roles there may be.
pub(super) const MAX_ROLES: usize = 50;
/// How many handles may be named at one place, those of roles counted one by one.
pub(super) const MAX_HANDLES: usize = 50;
/// How many characters a name may have.
pub(super) const MAX_NAME: usize = 100;
/// How many bytes a guard's or any other short text may have.
pub(super) const MAX_TEXT: usize = 4_000;
/// How many bytes a document of a state may have.
pub(super) const MAX_RESOURCE: usize = 64 * 1024;
/// How many guards may stand in one list.
pub(super) const MAX_GUARDS: usize = 20;
/// How many parts one rule may have, and one list of rules or values.
pub(super) const MAX_RULE_PARTS: usize = 100;
/// How deep rules may lie in rules.
pub(super) const MAX_RULE_DEPTH: usize = 8;
/// How many bytes of JSON a rule may compare a value with.
pub(super) const MAX_COMPARED: usize = 4_000;
/// How many guards and parts of rules a machine may have in all, each use of a named guard counted.
pub(super) const MAX_CHECKS: usize = 5_000;
/// How long a timer may run: ten years, in milliseconds.
pub(super) const MAX_AFTER: u64 = 315_576_000_000;
/// How long a timer must run, in milliseconds, if it may run again without anybody acting.
pub(super) const MIN_AFTER_IN_CIRCLE: u64 = 1_000;
/// After how many minutes a question may expire at the latest: a year.
pub(super) const MAX_EXPIRES_MINUTES: u32 = 525_600;

/// So many steps one action may take.
pub(super) const MAX_STEPS: usize = 1_000;
/// So much may be looked at for one action: rules, guards, candidates, and what steps cost.
pub(super) const MAX_EFFORT: usize = 100_000;
/// So much is looked at to tell whether one action can be done.
pub(super) const MAX_LOOK: usize = 1_000;
/// So much is looked at to tell that of all actions.
pub(super) const MAX_LOOKS: usize = 20_000;
/// So many of the deadlines that are due happen in one go; the others follow.
pub(super) const MAX_AT_ONCE: usize = 16;

/// So many questions may wait at a time.
pub(super) const MAX_PENDINGS: usize = 16;
/// How many characters an id of a request may have.
pub(super) const MAX_REQUEST_ID: usize = 200;
/// How many bytes a reason may have.
pub(super) const MAX_REASON: usize = 4_000;
/// So many guards that were settled are remembered.
pub(super) const SETTLED: usize = 100;
/// Of so many more requests that wait for one question is remembered what became of them.
pub(super) const JOINED: usize = 100;

/// So many faults are found.
pub(super) const MAX_FAULTS: usize = 200;
/// So many faults are told in one text; the rest are counted.
pub(super) const TOLD_FAULTS: usize = 30;
/// So many names are listed in a fault.
pub(super) const LISTED_NAMES: usize = 20;
/// So many states can be seen in one drawing.
pub(super) const MAX_DRAWN_STATES: usize = 60;
/// So many arrows are drawn; the rest are counted.
pub(super) const MAX_ARROWS: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

    /// `5000` as people write it: `5,000`.
    fn grouped(number: u64) -> String {
        let digits = number.to_string();
        let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
        groups.join(",")
    }

    #[test]
    fn the_guide_names_each_limit() {
        let guide = include_str!("../../docs/machines.md");
        let (_, limits) = guide.split_once("## Limits").unwrap();
        let kib = |bytes: usize| bytes / 1_024;
        for (number, what) in [
            (kib(MAX_BYTES), "KiB of JSON"),
            (MAX_STATES, "states"),
            (MAX_STATE_DEPTH, "deep in one another; "),
            (MAX_ACTIONS, "actions in a state"),
            (MAX_TRANSITIONS, "transitions"),
            (MAX_ROLES, "roles"),
            (MAX_HANDLES, "handles in one place"),
            (MAX_NAME, "characters in a name"),
            (MAX_TEXT, "bytes in a guard or description"),
            (kib(MAX_RESOURCE), "KiB in a document"),
            (MAX_GUARDS, "guards in a list"),
            (MAX_RULE_PARTS, "parts in a rule"),
            (MAX_RULE_DEPTH, "deep in one another, and"),
            (MAX_COMPARED, "bytes in what a rule compares with"),
            (MAX_CHECKS, "guards and parts of rules"),
            (usize::try_from(MIN_AFTER_IN_CIRCLE).unwrap(), "milliseconds of a timer in a circle"),
            (usize::try_from(MAX_EXPIRES_MINUTES).unwrap(), "minutes of `expiresMinutes`"),
            (MAX_PENDINGS, "questions that wait"),
            (MAX_REQUEST_ID, "characters in a `request_id`"),
            (MAX_REASON, "bytes in a reason"),
            (MAX_STEPS, "steps through `always`"),
            (MAX_EFFORT, "looks at rules, guards and candidates"),
            (MAX_DRAWN_STATES, "states in a drawing"),
        ] {
            let said = format!("{} {what}", grouped(number as u64));
            assert!(limits.contains(&said), "`{said}` is not in the limits of docs/machines.md");
        }
        let years = MAX_AFTER / 1_000 / 3_600 / 24 / 365;
        assert!(limits.contains(&format!("{years} years")));
    }
}
