//! A scripted agent: a client of the hub like any other.

use std::time::Duration;

use serde_json::Value;

use super::script::{self, CHOICES, Line};
use super::{Failure, Stage};
use crate::cli::call::Call;
use crate::cli::hub::Hub;
use crate::cli::options::USER;

/// One call waits at most so long; then it calls again.
const ROUND_SECONDS: f64 = 60.0;
/// How long one thinks before it speaks, in milliseconds; one after the other.
const THOUGHTS: [u64; 4] = [1_200, 900, 1_500, 700];

/// How fast they talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// As if they had to think.
    Natural,
    /// At once.
    Fast,
}

/// A scripted agent.
pub(super) struct Agent<'a> {
    hub: &'a Hub,
    handle: &'static str,
    room: &'a str,
    session: String,
    pace: Pace,
}

/// The session of an agent; one process plays one demo.
pub(super) fn session(handle: &str) -> String {
    format!("demo:{}:{}", std::process::id(), handle.trim_start_matches('@'))
}

impl<'a> Agent<'a> {
    pub(super) fn new(hub: &'a Hub, handle: &'static str, room: &'a str, pace: Pace) -> Self {
        Self { hub, handle, room, session: session(handle), pace }
    }

    /// Says all its lines, each when it is its turn.
    pub(super) async fn play(&self, stage: &Stage) -> Result<(), Failure> {
        let mut answer = self.hub.call(&self.call("join_conversation", "handle")).await?;
        stage.tell(&answer, None)?;
        let mut said = 0;
        for (line, thought) in script::lines(self.handle).iter().zip(THOUGHTS.iter().cycle()) {
            loop {
                let heard = self.wait_for_turn(stage, answer, *line, said).await?;
                if self.pace == Pace::Natural {
                    tokio::time::sleep(Duration::from_millis(*thought)).await;
                }
                answer = self.say(stage, *line, &heard).await?;
                if let Some(number) = answer["posted"]["seq_id"].as_u64() {
                    said = number;
                    break;
                }
            }
        }
        Ok(())
    }

    /// Waits until it may say a line; for the reaction, until the person has answered, too. Gives that answer.
    async fn wait_for_turn(
        &self,
        stage: &Stage,
        mut answer: Value,
        line: Line,
        asked: u64,
    ) -> Result<String, Failure> {
        let mut heard = String::new();
        loop {
            if let (Line::React, Some(word)) = (line, word_of_a_person(&answer, asked)) {
                word.clone_into(&mut heard);
            }
            let must_hear = line == Line::React && heard.is_empty();
            match answer["status"].as_str() {
                Some("closed") => return Err(anyhow::anyhow!("somebody has closed the room").into()),
                Some("your_turn") if !must_hear => return Ok(heard),
                _ => {}
            }
            let call = self.call("wait_for_turn", "handle").set("timeout_seconds", ROUND_SECONDS);
            // Where a person answers and calls somebody else, it asks for the floor itself.
            let wants_turn = line == Line::React && !must_hear;
            answer = self.hub.call(&call.set_switch("request_turn", wants_turn)).await?;
            stage.tell(&answer, None)?;
        }
    }

    async fn say(&self, stage: &Stage, line: Line, heard: &str) -> Result<Value, Failure> {
        let words = match line {
            Line::Say(words) | Line::Ask(words) | Line::End(words) => words,
            Line::React => script::reaction(heard),
        };
        let call = self.call("send_message", "sender").set("content", words).set("block", false);
        let call = match line {
            Line::Ask(_) => call.set("choices", CHOICES.to_vec()),
            Line::End(_) => call.set("expects_reply", false),
            Line::Say(_) | Line::React => call,
        };
        let answer = self.hub.call(&call).await?;
        stage.tell(&answer, Some((self.handle, words)))?;
        if let (Line::Ask(_), Some(number)) = (line, answer["posted"]["seq_id"].as_u64()) {
            stage.ask(number)?;
        }
        Ok(answer)
    }

    fn call(&self, tool: &str, who: &str) -> Call {
        Call::tool(tool).set(who, self.handle).set("room", self.room).in_session(&self.session)
    }
}

/// What a person said after message `after`, if that is among what came.
fn word_of_a_person(answer: &Value, after: u64) -> Option<&str> {
    let is_word = |message: &&Value| {
        message["sender"] == USER && message["seq_id"].as_u64().is_some_and(|number| number > after)
    };
    answer["new_messages"].as_array()?.iter().rev().find(is_word)?["content"].as_str()
}
