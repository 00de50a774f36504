//! `turnroom read`: what was said, or a search in it. Moves no cursor.

use clap::Args;
use serde_json::Value;

use super::ask::Ask;
use super::call::Call;
use super::failure::Failure;
use super::options::{Actor, Output, Place, number};
use super::screen::Look;
use super::show;

/// Read what was said, or search in it; nothing counts as seen by it
#[derive(Debug, Args)]
pub(super) struct Read {
    #[command(flatten)]
    actor: Actor,
    #[command(flatten)]
    place: Place,
    /// Only messages after this one
    #[arg(long, visible_alias = "after", value_name = "N", value_parser = number::<u64>)]
    after_seq_id: Option<u64>,
    /// Only messages before this one
    #[arg(long, visible_alias = "before", value_name = "N", value_parser = number::<u64>)]
    before_seq_id: Option<u64>,
    /// Search for messages that hold these words
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["after_seq_id", "before_seq_id"])]
    search: Option<String>,
    /// At most so many [default: 50, of a search 20]
    #[arg(long, value_name = "N", value_parser = number::<u32>)]
    limit: Option<u32>,
    #[command(flatten)]
    output: Output,
}

impl Ask for Read {
    fn call(&self) -> Result<Call, Failure> {
        let call = match &self.search {
            Some(words) => Call::tool("search_messages").set("query", words.as_str()),
            None => Call::tool("read_messages"),
        };
        Ok(call
            .set("handle", self.actor.handle.as_str())
            .set_some("key", self.actor.key.as_deref())
            .set_some("room", self.place.room.as_deref())
            .set_some("after_seq_id", self.after_seq_id)
            .set_some("before_seq_id", self.before_seq_id)
            .set_some("limit", self.limit))
    }

    fn show(&self, answer: &Value, look: Look) -> String {
        if self.search.is_some() { show::hits(answer, look) } else { show::page(answer, look) }
    }

    fn output(&self) -> Output {
        self.output
    }
}
