//! A scripted person: answers questions, sometimes late, sometimes out of turn; ends pauses; ends the debate.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::sleep;

use super::chance::Chance;
use super::door::Fate;
use super::table::{ROOM, TURNS, Table};

const SESSION: &str = "person";
const AGENTS: [&str; 3] = ["@Alice", "@Bob", "@Carol"];

/// A scripted person.
pub(super) struct Person {
    table: Arc<Table>,
    chance: Chance,
    said: u64,
}

impl Person {
    pub(super) fn new(table: Arc<Table>, chance: Chance) -> Self {
        Self { table, chance, said: 0 }
    }

    /// Takes part until the debate has come to its end, and closes the room.
    pub(super) async fn live(mut self) {
        loop {
            let patience = self.table.pace.wait(self.chance.below(60) + 1);
            let wait = json!({ "handle": "@user", "room": ROOM, "timeout_seconds": patience });
            let heard = self.call("wait_for_turn", &wait).await;
            if self.is_over().await {
                break;
            }
            if self.is_wanted(&heard) {
                if self.chance.percent(30) {
                    sleep(self.chance.seconds(5, 200)).await;
                }
                self.speak().await;
            } else if self.chance.percent(3) {
                self.speak().await;
            }
        }
        let close = json!({ "handle": "@user", "room": ROOM, "summary": "all was said" });
        self.call("close_conversation", &close).await;
    }

    /// Whether something waits for a word of the person: a question, its turn, a pause.
    fn is_wanted(&mut self, heard: &Value) -> bool {
        let is_asked = |message: &Value| {
            message["recipients"].as_array().is_some_and(|names| names.contains(&json!("@user")))
        };
        let is_mine = heard["active_turn"] == "@user";
        let mut new = heard["new_messages"].as_array().into_iter().flatten();
        // Now and then it overlooks that it is wanted, until it looks again.
        (is_mine || new.any(is_asked)) && !self.chance.percent(15)
    }

    async fn speak(&mut self) {
        self.said += 1;
        let mut text = format!("A word {} of the person.", self.said);
        if self.chance.percent(80) {
            text.push(' ');
            text.push_str(self.chance.pick::<&str>(&AGENTS));
        }
        let block = self.chance.percent(50);
        let patience = self.table.pace.wait(20);
        let say = json!({ "sender": "@user", "content": text, "room": ROOM, "block": block, "timeout_seconds": patience });
        let heard = self.call("send_message", &say).await;
        if heard["posted"].is_null() {
            self.table.record.fault("@user", format!("a person's word was not posted: {heard}"));
        } else {
            self.table.record.believes("@user", &text);
        }
    }

    async fn is_over(&mut self) -> bool {
        let state = self.call("list_participants", &json!({ "room": ROOM })).await;
        state["message_count"].as_u64().is_some_and(|count| count >= TURNS + self.said)
    }

    async fn call(&self, tool: &str, arguments: &Value) -> Value {
        let reply = self.table.call("@user", SESSION, tool, arguments, Fate::Arrives).await;
        let reply = reply.expect("a person's calls arrive");
        if reply.is_error {
            self.table.record.fault("@user", format!("{tool}: {}", reply.json));
        }
        reply.json
    }
}
