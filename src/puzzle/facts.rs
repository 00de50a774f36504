//! Whether a rule holds.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::effort::Effort;
use super::guard::{Guard, Rule, Test};
use super::machine::Transition;
use super::place::Place;
use crate::room::Handle;

/// What a rule is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts<'a> {
    pub place: &'a Place,
    pub doer: Doer<'a>,
    pub now: DateTime<Utc>,
    /// What may still be looked at. Once it is spent, nothing that is said here counts.
    pub effort: &'a Effort,
}

/// Who acts; nobody if a timer does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Doer<'a> {
    /// Its handle, if it is known.
    pub handle: Option<&'a Handle>,
    /// Whether a person vouches for it.
    pub is_person_verified: bool,
}

impl Doer<'_> {
    /// Under what a request of this id is kept: everybody has ids of their own, also whoever only says that he is
    /// somebody.
    #[must_use]
    pub fn request_key(self, id: &str) -> String {
        let verified = if self.is_person_verified { "verified" } else { "said" };
        // No handle has a space in it.
        format!("{verified} {} {id}", self.handle.map_or("", Handle::key))
    }

    /// Whether it is one of these: `@user` only if he is verified.
    pub(super) fn is_one_of(self, who: &[Handle]) -> bool {
        self.handle
            .is_some_and(|actor| who.contains(actor) && (self.is_person_verified || *actor != Handle::user()))
    }

    /// Whether it would be one of these if a person vouched for it.
    pub(super) fn lacks_a_person(self, who: &[Handle]) -> bool {
        self.handle.is_some_and(|actor| *actor == Handle::user() && who.contains(actor))
            && !self.is_person_verified
    }
}

impl Facts<'_> {
    /// The first rule of a transition that does not hold.
    pub(super) fn first_broken<'t>(&self, transition: &'t Transition) -> Option<&'t Rule> {
        self.effort.spend(1);
        transition.guard.iter().find_map(|guard| match guard {
            Guard::Rule(rule) if !self.holds(rule) => Some(rule),
            _ => None,
        })
    }

    /// Whether a rule holds.
    pub(super) fn holds(&self, rule: &Rule) -> bool {
        self.effort.spend(rule.cost());
        if self.effort.is_spent() {
            return false;
        }
        match rule {
            Rule::All(rules) => rules.iter().all(|rule| self.holds(rule)),
            Rule::Any(rules) => rules.iter().any(|rule| self.holds(rule)),
            Rule::Not(rule) => !self.holds(rule),
            Rule::Actor(who) => self.doer.is_one_of(who),
            Rule::Context { path, test } => passes(test, looked_up(&self.place.context, path)),
            Rule::Visited { state, times, .. } => times.holds(self.place.visits(*state)),
            Rule::Done { action, by, times } => times.holds(self.place.done(action, by.as_deref())),
            Rule::SecondsInState(range) => range.holds(self.seconds_in_state()),
            Rule::Time { after, before } => {
                after.is_none_or(|after| self.now >= after) && before.is_none_or(|before| self.now < before)
            }
        }
    }

    fn seconds_in_state(&self) -> u64 {
        let since = self.place.since().unwrap_or(self.now);
        u64::try_from((self.now - since).num_seconds()).unwrap_or(0)
    }
}

/// The value of a key, or of keys in keys with dots between them.
fn looked_up<'a>(context: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    context.get(path).or_else(|| {
        let mut keys = path.split('.');
        let first = context.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get(key))
    })
}

fn passes(test: &Test, value: Option<&Value>) -> bool {
    let is = |wanted: &Value| match value {
        Some(value) => is_same(value, wanted),
        None => wanted.is_null(),
    };
    match test {
        Test::Is(wanted) => is(wanted),
        Test::OneOf(wanted) => wanted.iter().any(is),
        Test::Between { at_least, at_most } => value.and_then(Value::as_f64).is_some_and(|number| {
            at_least.is_none_or(|least| number >= least) && at_most.is_none_or(|most| number <= most)
        }),
    }
}

/// Numbers are the same if they are worth the same: 1 and 1.0.
fn is_same(one: &Value, other: &Value) -> bool {
    let numbers = one.as_f64().zip(other.as_f64());
    one == other || numbers.is_some_and(|(one, other)| one.total_cmp(&other).is_eq())
}
