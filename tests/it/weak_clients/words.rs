//! What a weak agent says: each message is one of its kind, so that the judge knows it again.

use serde_json::{Value, json};

use super::chance::Chance;
use super::habits::Kind;
use super::table::alias;

/// What a weak agent says.
pub(super) struct Words {
    kind: Kind,
    handle: &'static str,
    chance: Chance,
    said: u32,
}

impl Words {
    pub(super) fn new(kind: Kind, handle: &'static str, chance: Chance) -> Self {
        Self { kind, handle, chance, said: 0 }
    }

    /// Arguments for a new message.
    pub(super) fn new_message(&mut self) -> Value {
        self.said += 1;
        let name = self.handle.trim_start_matches('@');
        let mut text = format!("{name} makes point {}.", self.said);
        if self.chance.percent(50) {
            text += " It is long enough to be no small talk, so that nobody takes the two of us for a loop.";
        }
        if self.chance.percent(2) {
            text += &" word".repeat(6_000);
        }
        let is_forgotten = self.kind == Kind::Forgetful && self.chance.percent(20);
        let mut message = json!({ "sender": self.spelled(self.handle) });
        if !is_forgotten {
            let names = self.addressed();
            message["is_private"] = json!(names != ["@all"] && self.chance.percent(10));
            text += &names.iter().fold(String::new(), |all, name| all + " " + name);
        }
        message["content"] = json!(text);
        message
    }

    /// The same message with a mention.
    pub(super) fn with_mention(mut message: Value, name: &str) -> Value {
        let text = message["content"].as_str().unwrap_or_default();
        message["content"] = json!(format!("{text} {name}"));
        message
    }

    fn addressed(&mut self) -> Vec<String> {
        let others: Vec<_> =
            ["@Alice", "@Bob", "@Carol"].into_iter().filter(|name| *name != self.handle).collect();
        let names: Vec<&str> = match self.chance.below(100) {
            0..10 => others,
            10..15 => vec!["@all"],
            15..30 => vec!["@user"],
            _ => vec![*self.chance.pick(&others)],
        };
        names.into_iter().map(|name| self.spelled(name)).collect()
    }

    /// The name as this agent spells it: some forget how.
    fn spelled(&mut self, name: &str) -> String {
        let is_agent = name != "@user" && name != "@all";
        match self.chance.below(3) {
            0 if self.kind == Kind::Forgetful && is_agent => alias(name).to_owned(),
            1 if self.kind == Kind::Forgetful => name.to_uppercase(),
            _ => name.to_owned(),
        }
    }
}
