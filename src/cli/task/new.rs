//! `turnroom task new`: make a task.

use clap::Args;
use serde_json::{Map, Value};

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::{Output, USER};
use super::super::screen::Look;
use super::super::{intake, show};

/// Make a task
#[derive(Debug, Args)]
#[command(after_help = "\
Its turns are taken in a room of its own, unless --room names another: there the agents of the cast wait.

  turnroom task new --title 'New parser' --description 'Parse the old files too' \\
      --cast architect=@Alice --cast executor=@Bob --cast reviewer=@Carol")]
pub(super) struct New {
    /// What it is called, in one line
    #[arg(long, value_name = "TEXT")]
    title: String,
    /// What is to be done, and how one sees that it is; `-`: the text that is piped in
    #[arg(long, value_name = "TEXT")]
    description: String,
    /// Who wants it
    #[arg(
        long,
        value_name = "NAME",
        env = "TURNROOM_HANDLE",
        hide_env_values = true,
        default_value = USER
    )]
    creator: String,
    /// The part of who wants it
    #[arg(long, value_name = "ROLE", default_value = "human")]
    role: String,
    /// Which way it goes; direct: a design exists; solo: nobody reviews [default: full]
    #[arg(long, value_parser = ["full", "direct", "solo"])]
    flow: Option<String>,
    /// Who plays a part, such as `executor=@Bob`; may be repeated
    #[arg(long = "cast", value_name = "ROLE=@HANDLE", value_delimiter = ',', value_parser = part)]
    cast: Vec<(String, String)>,
    /// Who may decide: only people, or anybody [default: human]
    #[arg(long, value_parser = ["human", "open"])]
    gate: Option<String>,
    /// The room in which its turns are taken [default: one of its own]
    #[arg(long)]
    room: Option<String>,
    /// Your own id of this task: sent twice with it, it is made once
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Ask for New {
    fn call(&self) -> Result<Call, Failure> {
        let cast: Map<String, Value> =
            self.cast.iter().map(|(role, handle)| (role.clone(), handle.as_str().into())).collect();
        Ok(Call::tool("context_create")
            .by_person()
            .set("title", self.title.as_str())
            .set("description", intake::typed_or_piped(&self.description)?)
            .set("creator", self.creator.as_str())
            .set("role", self.role.as_str())
            .set_some("flow", self.flow.as_deref())
            .set_some("cast", (!cast.is_empty()).then_some(cast))
            .set_some("gate", self.gate.as_deref())
            .set_some("room", self.room.as_deref())
            .set_some("request_id", self.request_id.as_deref()))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::task(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}

fn part(text: &str) -> Result<(String, String), String> {
    const ROLES: [&str; 3] = ["architect", "executor", "reviewer"];
    match text.split_once('=') {
        Some((role, handle)) if ROLES.contains(&role) && !handle.is_empty() => {
            Ok((role.to_owned(), handle.to_owned()))
        }
        _ => Err("give architect, executor or reviewer, and a handle, such as `executor=@Bob`".to_owned()),
    }
}
