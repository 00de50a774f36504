//! Guards as data: what is looked at, or who is asked, before a transition.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::machine::StateId;
use crate::room::Handle;

/// So many characters of a rule are told.
const MAX_WORDS: usize = 500;

/// Guards that all must hold, in their order. Uses of one named guard share them.
pub type Guards = Arc<[Guard]>;

/// One check before a transition.
#[derive(Clone, Debug, PartialEq)]
pub enum Guard {
    /// The hub looks by itself.
    Rule(Rule),
    /// Participants are asked.
    Participant(Panel),
    /// The acting client shows a form.
    Form(String),
    /// The model of the acting client is asked.
    Sampling(String),
    /// A program that the hub's configuration names.
    Command {
        /// Its name there.
        name: String,
        /// What it is asked.
        question: Option<String>,
    },
    /// A question; the policy of the machine says who is asked.
    Question(String),
}

impl Guard {
    /// Whether the hub looks by itself, and nobody is asked.
    #[must_use]
    pub fn is_rule(&self) -> bool {
        matches!(self, Self::Rule(_))
    }

    /// Whether only the acting client can answer it.
    #[must_use]
    pub fn needs_client(&self) -> bool {
        matches!(self, Self::Form(_) | Self::Sampling(_))
    }
}

/// Participants who are asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Who may answer. `@user` counts only if he is verified.
    pub who: Vec<Handle>,
    /// What they are asked.
    pub question: String,
    /// How many must agree; without it the first answer counts.
    pub quorum: Option<usize>,
    /// After so many minutes without an answer it is refused.
    pub expires_minutes: Option<u32>,
}

/// What the hub can look at by itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// All of them hold.
    All(Vec<Rule>),
    /// At least one of them holds.
    Any(Vec<Rule>),
    /// It does not hold.
    Not(Box<Rule>),
    /// One of these acts; `@user` only if he is verified.
    Actor(Vec<Handle>),
    /// A value of the context, named by its keys with dots between them.
    Context {
        /// The keys.
        path: String,
        /// What is asked of it.
        test: Test,
    },
    /// How often a state was entered.
    Visited {
        /// Which one.
        state: StateId,
        /// Its dotted path.
        name: String,
        /// How often.
        times: Range,
    },
    /// How often an action was done.
    Done {
        /// Which one.
        action: String,
        /// By whom; by anybody if it is not said.
        by: Option<Vec<Handle>>,
        /// How often.
        times: Range,
    },
    /// For how long the present state has lasted, in seconds.
    SecondsInState(Range),
    /// What time it is.
    Time {
        /// It is this time or later.
        after: Option<DateTime<Utc>>,
        /// It is earlier.
        before: Option<DateTime<Utc>>,
    },
}

/// What is asked of a value of the context.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// It is this.
    Is(Value),
    /// It is one of these.
    OneOf(Vec<Value>),
    /// It is a number, and within these bounds.
    Between {
        /// The least.
        at_least: Option<f64>,
        /// The most.
        at_most: Option<f64>,
    },
}

/// Bounds of a count, both within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub at_least: Option<u64>,
    /// The most.
    pub at_most: Option<u64>,
}

impl Range {
    /// Whether `count` lies within.
    #[must_use]
    pub fn holds(self, count: u64) -> bool {
        self.at_least.is_none_or(|least| count >= least) && self.at_most.is_none_or(|most| count <= most)
    }
}

impl Rule {
    /// What one look at it costs, but for the rules in it.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Actor(who) | Self::Done { by: Some(who), .. } => 1 + who.len(),
            Self::Context { test: Test::OneOf(values), .. } => 1 + values.len(),
            _ => 1,
        }
    }

    /// What it wants, for people and models; the beginning of it, if it is long.
    pub(super) fn wish(&self) -> String {
        let mut words = Words { text: "it wants that ".to_owned(), left: MAX_WORDS };
        if write!(words, "{self}").is_err() {
            words.text.push('…');
        }
        words.text
    }
}

/// Takes a text up to a limit, and no more.
struct Words {
    text: String,
    left: usize,
}

impl fmt::Write for Words {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(letter);
        }
        Ok(())
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => write!(out, "only if {rule}"),
            Self::Participant(Panel { who, question, quorum: Some(quorum), .. }) => {
                write!(out, "{quorum} of {} must agree: {question}", listed(who))
            }
            Self::Participant(Panel { who, question, .. }) => {
                write!(out, "{} is asked: {question}", listed(who))
            }
            Self::Form(question) => write!(out, "whoever acts is asked: {question}"),
            Self::Sampling(question) => write!(out, "the model of whoever acts is asked: {question}"),
            Self::Command { name, .. } => write!(out, "the program `{name}` is asked"),
            Self::Question(question) => write!(out, "it is asked: {question}"),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        bounds(out, self.at_least, self.at_most)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All(rules) => joined(out, rules, " and "),
            Self::Any(rules) => joined(out, rules, " or "),
            Self::Not(rule) => write!(out, "not ({rule})"),
            Self::Actor(who) => write!(out, "the actor is {}", listed(who)),
            Self::Context { path, test } => write!(out, "`{path}` of the context is {test}"),
            Self::Visited { name, times, .. } => write!(out, "`{name}` was entered {times} times"),
            Self::Done { action, by, times } => {
                write!(out, "`{action}` was done {times} times")?;
                by.as_ref().map_or(Ok(()), |by| write!(out, " by {}", listed(by)))
            }
            Self::SecondsInState(range) => write!(out, "the state has lasted {range} seconds"),
            Self::Time { after, before } => {
                let times = [("it is not before", after), ("it is before", before)];
                let said: Vec<_> = times
                    .iter()
                    .filter_map(|(words, time)| {
                        time.map(|time| format!("{words} {}", time.format("%FT%T%.fZ")))
                    })
                    .collect();
                out.write_str(&said.join(" and "))
            }
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(value) => write!(out, "{value}"),
            Self::OneOf(values) => {
                for (number, value) in values.iter().enumerate() {
                    write!(out, "{}{value}", if number == 0 { "one of " } else { ", " })?;
                }
                Ok(())
            }
            Self::Between { at_least, at_most } => bounds(out, *at_least, *at_most),
        }
    }
}

/// Handles for people: `@Bob or @Alice`.
pub(super) fn listed(who: &[Handle]) -> String {
    who.iter().map(Handle::as_str).collect::<Vec<_>>().join(" or ")
}

fn joined(out: &mut fmt::Formatter<'_>, rules: &[Rule], word: &str) -> fmt::Result {
    for (number, rule) in rules.iter().enumerate() {
        write!(out, "{}({rule})", if number == 0 { "" } else { word })?;
    }
    Ok(())
}

fn bounds<T: fmt::Display>(out: &mut fmt::Formatter<'_>, least: Option<T>, most: Option<T>) -> fmt::Result {
    match (least, most) {
        (Some(least), Some(most)) => write!(out, "{least} to {most}"),
        (Some(least), None) => write!(out, "at least {least}"),
        (None, Some(most)) => write!(out, "at most {most}"),
        (None, None) => out.write_str("any number of"),
    }
}
