//! `turnroom delete`: a room goes for good.

use std::io::{self, IsTerminal};

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use super::ask::{self, Ask};
use super::call::Call;
use super::clean;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::options::Output;
use super::screen::{self, Look};
use super::{show, typed};

/// Delete a room for good: what was said in it is erased, and its name is free
#[derive(Debug, Args)]
#[command(after_help = "\
The transcript stays, unless you say --transcript; copies that were kept beside it stay always. A backup that you
made before has the room still.

  turnroom delete review
  turnroom delete review --yes --transcript")]
pub(super) struct Delete {
    /// Which room
    room: String,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Also if it is open, or something lives in it: it is closed first
    #[arg(long)]
    force: bool,
    /// Delete its transcript too
    #[arg(long)]
    transcript: bool,
    #[command(flatten)]
    output: Output,
}

impl Delete {
    pub(super) async fn run(&self, hub: &Hub) -> Result<Ending, Failure> {
        let wish = if self.yes { Some(self.force) } else { self.wish(hub).await? };
        let Some(force) = wish else {
            screen::complain("nothing was deleted\n");
            return Ok(Ending::Refused);
        };
        ask::ask(hub, self, self.call()?.set_switch("force", force)).await
    }

    /// What the person at the terminal wants, who is shown what would go: `None`, it stays; whether it is closed first.
    async fn wish(&self, hub: &Hub) -> Result<Option<bool>, Failure> {
        if !io::stdin().is_terminal() {
            let text = "nobody is here to be asked; say --yes to delete the room without a question";
            return Err(Failure::Usage(text.to_owned()));
        }
        let look = Call::tool("list_participants").set("room", self.room.as_str());
        let found = hub.call(&look).await?;
        let is_open = found["phase"] != "closed";
        let is_wanted = typed::says_yes(&self.question(&found, is_open)).await;
        let is_wanted = is_wanted.context("the terminal cannot be read")?;
        Ok(is_wanted.then_some(is_open || found.get("lives_here").is_some()))
    }

    fn question(&self, found: &Value, is_open: bool) -> String {
        let messages = match found["message_count"].as_u64() {
            Some(1) => "1 message".to_owned(),
            count => format!("{} messages", count.unwrap_or_default()),
        };
        let transcript = if self.transcript { "Its transcript goes too." } else { "Its transcript stays." };
        let room = clean::line(&self.room);
        let open = if is_open { " and is open; it would be closed first" } else { "" };
        let lodgers = found["lives_here"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let lodgers: Vec<_> = lodgers.map(clean::line).collect();
        let lodgers = match lodgers.as_slice() {
            [] => String::new(),
            some => format!(" The turns of {} are taken there, and would have no room.", some.join(", ")),
        };
        format!("The room `{room}` has {messages}{open}.{lodgers} {transcript} Delete it for good? [y/N] ")
    }
}

impl Ask for Delete {
    fn call(&self) -> Result<Call, Failure> {
        Ok(Call::command("delete")
            .by_person()
            .set("room", self.room.as_str())
            .set_switch("with_transcript", self.transcript))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::deleted(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
