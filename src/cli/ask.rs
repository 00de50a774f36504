//! Thin commands: ask the hub one thing, show the answer.

use serde_json::Value;

use super::call::Call;
use super::clean;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::options::Output;
use super::screen::{self, Look};

/// A command that asks the hub one thing and shows the answer.
pub(super) trait Ask {
    /// What it asks.
    fn call(&self) -> Result<Call, Failure>;

    /// The answer, for people.
    fn show(&self, answer: &Value, look: Look) -> String;

    /// How it ended.
    fn ending(&self, _answer: &Value) -> Ending {
        Ending::Done
    }

    /// What the output is to be like.
    fn output(&self) -> Output;
}

/// Asks, shows, and tells how it ended.
pub(super) async fn ask(hub: &Hub, question: &dyn Ask, call: Call) -> Result<Ending, Failure> {
    let answer = hub.call(&call).await?;
    print(&answer, question.output(), |answer, look| question.show(answer, look))?;
    Ok(question.ending(&answer))
}

/// Prints an answer: as JSON, or for people with `show`.
pub(super) fn print(
    answer: &Value,
    output: Output,
    show: impl Fn(&Value, Look) -> String,
) -> Result<(), Failure> {
    if output.json {
        return Ok(screen::print(&json_line(answer))?);
    }
    Ok(screen::tell(&show(answer, Look::of_stdout()))?)
}

/// A value as one line of JSON that harms no terminal.
pub(super) fn json_line(value: &Value) -> String {
    format!("{}\n", clean::json(&value.to_string()))
}
