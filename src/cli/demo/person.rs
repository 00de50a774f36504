//! The person at the terminal of the demo, who may answer right there.

use std::convert::Infallible;
use std::future;
use std::io::{self, IsTerminal};

use super::script::meant;
use super::{Failure, Stage};
use crate::cli::call::Call;
use crate::cli::options::USER;
use crate::cli::{screen, typed};

/// Whether somebody can type here.
pub(super) fn is_here() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

impl Stage {
    /// Takes an answer from the terminal, if it comes before one from elsewhere. Ends by a failure only.
    pub(super) async fn person(&self) -> Result<Infallible, Failure> {
        let mut asked = self.asked.subscribe();
        let number = asked.wait_for(Option::is_some).await.ok().and_then(|number| *number);
        if let (Some(number), true) = (number, is_here()) {
            while let Some(words) = self.prompt().await? {
                if !words.is_empty() {
                    self.answer(number, meant(&words)).await?;
                    break;
                }
            }
        }
        future::pending().await
    }

    /// The next line, without spaces around it; `None`: nothing more comes from this terminal.
    async fn prompt(&self) -> Result<Option<String>, Failure> {
        screen::print("> ")?;
        self.is_prompting.set(true);
        let line = typed::line().await?;
        self.is_prompting.set(line.is_none());
        Ok(line.map(|line| line.trim().to_owned()))
    }

    async fn answer(&self, number: u64, words: &str) -> Result<(), Failure> {
        let call = Call::command("answer")
            .by_person()
            .set("room", self.room.as_str())
            .set("seq_id", number)
            .set("handle", USER)
            .set("content", words);
        match self.hub.call(&call).await {
            // Another answer was first, and is told as it comes.
            Err(Failure::Refused(error)) if error["code"] == "question_answered" => Ok(()),
            answer => answer.map(|_| ()),
        }
    }
}
