//! What was said, each message once and in its order, whoever learns of it first.

use std::cell::Cell;

use serde_json::Value;

/// What the terminal has told.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The number of the newest message.
    newest: Cell<u64>,
}

/// A message: who says what.
pub(super) type Said<'a> = (&'a str, &'a str);

impl Told {
    /// What is new in an answer: messages of others, and the caller's own words, if the answer says that they were
    /// posted. Whoever is answered knows all that was said before; whoever has said that may be answered later.
    pub(super) fn news<'a>(&self, answer: &'a Value, own: Option<Said<'a>>) -> Vec<Said<'a>> {
        let heard = answer["new_messages"].as_array().into_iter().flatten().filter_map(|message| {
            let said = (message["sender"].as_str()?, message["content"].as_str()?);
            Some((message["seq_id"].as_u64()?, said))
        });
        let own = own.and_then(|said| Some((answer["posted"]["seq_id"].as_u64()?, said)));
        let mut said: Vec<(u64, Said<'_>)> =
            heard.chain(own).filter(|(number, _)| *number > self.newest.get()).collect();
        said.sort_unstable_by_key(|(number, _)| *number);
        if let Some((number, _)) = said.last() {
            self.newest.set(*number);
        }
        said.into_iter().map(|(_, said)| said).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_an_agent_hears_before_its_sender_is_answered_is_told_once_and_in_its_place() {
        let told = Told::default();
        let heard = json!([{"seq_id": 4, "sender": "@Bob", "content": "No."}]);
        let turn = json!({"status": "your_turn", "new_messages": heard});
        assert_eq!(told.news(&turn, None), [("@Bob", "No.")]);
        let late = json!({"posted": {"seq_id": 4}});
        assert_eq!(told.news(&late, Some(("@Bob", "No."))), []);
        let answer = json!({
            "posted": {"seq_id": 6},
            "new_messages": [{"seq_id": 7, "sender": "@user", "content": "b"}, {"seq_id": 5, "sender": "@user", "content": "a"}],
        });
        assert_eq!(
            told.news(&answer, Some(("@Alice", "Well?"))),
            [("@user", "a"), ("@Alice", "Well?"), ("@user", "b")]
        );
        assert_eq!(told.news(&json!({"status": "not_your_turn"}), Some(("@Alice", "Hm."))), []);
    }
}
