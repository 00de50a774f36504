//! `turnroom puzzle add`: add a puzzle.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::super::ask::Ask;
use super::super::call::Call;
use super::super::failure::Failure;
use super::super::options::Output;
use super::super::screen::Look;
use super::super::signed::signed;
use super::super::{intake, show};

/// Add a puzzle from a machine in JSON
#[derive(Debug, Args)]
#[command(after_help = "\
The machine is JSON with `initialState` and `states`, or named JSON of XState 5; all its faults are told with their
places. What is only odd about it is a warning.

  turnroom puzzle add release.json --room release
  turnroom puzzle add - --id release < release.json")]
pub(super) struct Add {
    /// The file of the machine; `-`: what is piped in
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What it is called [default: as its machine says]
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// The room in which its turns are taken [default: as its machine says, or one of its own if it needs one]
    #[arg(long)]
    room: Option<String>,
    /// Its id [default: as its machine says, or made of its name]
    #[arg(long)]
    id: Option<String>,
    /// Who adds it [default, at a terminal: @user]
    #[arg(long, value_name = "@HANDLE")]
    by: Option<String>,
    /// Your own id of this puzzle: sent twice with it, it is added once
    #[arg(long, value_name = "ID")]
    request_id: Option<String>,
    #[command(flatten)]
    output: Output,
}

impl Add {
    fn machine(&self) -> Result<Value, Failure> {
        let mut machine = intake::json(&self.file)?;
        let Value::Object(fields) = &mut machine else {
            let name = self.file.display();
            return Err(Failure::Usage(format!("`{name}` is no machine: it must be a JSON object")));
        };
        if let Some(id) = &self.id {
            fields.insert("id".to_owned(), id.as_str().into());
        }
        Ok(machine)
    }
}

impl Ask for Add {
    fn call(&self) -> Result<Call, Failure> {
        let call = Call::tool("add_puzzle")
            .set("config", self.machine()?)
            .set_some("name", self.name.as_deref())
            .set_some("room", self.room.as_deref())
            .set_some("request_id", self.request_id.as_deref());
        Ok(signed(call, "by", self.by.as_deref(), None))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        show::puzzle(answer, look)
    }

    fn output(&self) -> Output {
        self.output
    }
}
