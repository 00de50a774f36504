//! What goes on at the prompt: lines are obeyed one after the other, and between them it tells what others do.

use std::time::Duration;

use anyhow::Context;
use serde_json::Value;
use tokio::time;

use super::prompt::{Line, Prompt};
use super::words::{self, Typed};
use crate::cli::ask::json_line;
use crate::cli::call::Call;
use crate::cli::ending::Ending;
use crate::cli::failure::Failure;
use crate::cli::hub::Hub;
use crate::cli::options::{Output, USER};
use crate::cli::puzzle::act::act_on;
use crate::cli::puzzle::answer::answer;
use crate::cli::puzzle::history::since;
use crate::cli::puzzle::show::snapshot_of;
use crate::cli::puzzle::wait::news_of;
use crate::cli::screen::Look;
use crate::cli::signed::signed;
use crate::cli::{clean, show};
use crate::paths::DataFolder;

/// One look-out for news lasts so long.
const ROUND: Duration = Duration::from_mins(1);
/// Before the next one, if the hub is away, or has answered without news.
const PAUSE: Duration = Duration::from_millis(250);
/// Puzzles that Tab knows.
const PUZZLES: u64 = 200;

/// What goes on at the prompt.
pub(super) struct Session<'a> {
    folder: &'a DataFolder,
    actor: Option<&'a str>,
    output: Output,
    look: Look,
    prompt: Prompt,
    /// The puzzle that is looked at.
    puzzle: Option<String>,
    /// How much of what has happened was told.
    told: u64,
    is_away: bool,
}

impl<'a> Session<'a> {
    pub(super) fn begin(
        folder: &'a DataFolder,
        actor: Option<&'a str>,
        output: Output,
    ) -> Result<Self, Failure> {
        let prompt = Prompt::begin().context("the terminal cannot be read")?;
        let look = Look::of_stdout();
        Ok(Self { folder, actor, output, look, prompt, puzzle: None, told: 0, is_away: false })
    }

    /// Obeys until the end.
    pub(super) async fn run(mut self) -> Result<Ending, Failure> {
        loop {
            let words = self.words();
            let mut line = self.prompt.ask(&words);
            let line = loop {
                tokio::select! {
                    biased;
                    line = &mut line => break line.context("the terminal cannot be read")?,
                    news = self.news() => self.take_news(news).await?,
                }
            };
            let line = match line.context("the terminal cannot be read")? {
                Line::Words(line) => line,
                Line::Interrupted => return Ok(Ending::Interrupted),
                Line::End => return Ok(Ending::Done),
            };
            let obeyed = match words::read(&line) {
                Typed::Quit => return Ok(Ending::Done),
                typed => self.obey(typed).await,
            };
            if let Err(failure) = obeyed {
                self.complain(failure)?;
            }
        }
    }

    /// The prompt. The state is not in it: others may move the puzzle while a line is typed.
    fn words(&self) -> String {
        format!("{} > ", clean::line(self.puzzle.as_deref().unwrap_or("puzzle")))
    }

    async fn obey(&mut self, typed: Typed) -> Result<(), Failure> {
        match typed {
            Typed::Nothing | Typed::Quit => Ok(()),
            Typed::Help => self.tell(&words::help()),
            Typed::Lacks(what) => self.tell(&format!("type {what}\n")),
            Typed::List => {
                let puzzles = self.look_at_list().await?;
                self.tell_answer(&puzzles, show::puzzles)
            }
            Typed::Use(puzzle) => self.go_to(&puzzle).await,
            Typed::Show => {
                let puzzle = self.here()?;
                let machine = Call::command("machine").set("puzzle_id", puzzle.as_str());
                let mut seen = self.call(&snapshot_of(&puzzle)).await?;
                seen["states"] = self.call(&machine).await?["states"].take();
                self.tell_answer(&seen, show::puzzle_and_machine)?;
                self.learn(&seen);
                Ok(())
            }
            Typed::History => {
                let history = self.call(&since(&self.here()?, None)).await?;
                self.tell_answer(&history, show::puzzle_history)
            }
            Typed::Act(action) => self.do_it(act_on(&self.here()?, &action, self.actor)).await,
            Typed::Answer { guard, verdict, reason } => {
                let answer = answer(&self.here()?, &guard, verdict, reason.as_deref());
                self.do_it(signed(answer, "by", self.actor, Some(USER))).await
            }
        }
    }

    /// Acts on the puzzle, tells what has happened by it, and how it stands then.
    async fn do_it(&mut self, call: Call) -> Result<(), Failure> {
        let done = self.call(&call).await?;
        self.tell_news().await?;
        if done["pending"].is_array() {
            return self.tell_answer(&done, show::puzzle);
        }
        Ok(())
    }

    /// Looks at another puzzle.
    pub(super) async fn go_to(&mut self, puzzle: &str) -> Result<(), Failure> {
        let state = self.call(&snapshot_of(puzzle)).await?;
        self.puzzle = Some(puzzle.to_owned());
        self.told = state["version"].as_u64().unwrap_or_default();
        self.tell_answer(&state, show::puzzle_line)?;
        self.learn(&state);
        Ok(())
    }

    /// The puzzles there are; Tab knows them from then on.
    pub(super) async fn look_at_list(&mut self) -> Result<Value, Failure> {
        let list = self.call(&Call::tool("list_puzzles").set("limit", PUZZLES)).await?;
        let puzzles = names(&list, "puzzles", Some("puzzleId"));
        self.prompt.learn(|known| known.puzzles = puzzles);
        Ok(list)
    }

    /// Waits until more has happened to the puzzle than was told; for ever, if none is looked at.
    async fn news(&self) -> Result<Value, Failure> {
        match &self.puzzle {
            Some(puzzle) => {
                let news = self.call(&news_of(puzzle, Some(self.told), ROUND)).await;
                if news.as_ref().is_ok_and(|news| news["ended"] == true) {
                    // Nothing comes any more, unless it is removed.
                    time::sleep(ROUND).await;
                }
                news
            }
            None => std::future::pending().await,
        }
    }

    async fn take_news(&mut self, news: Result<Value, Failure>) -> Result<(), Failure> {
        match news {
            Ok(news) if news["timeout"] == true || news["ended"] == true => {}
            Ok(_) => {
                self.meet()?;
                match self.tell_news().await {
                    Ok(()) => return Ok(()),
                    Err(failure) => self.lose(failure)?,
                }
            }
            Err(failure) => self.lose(failure)?,
        }
        time::sleep(PAUSE).await;
        Ok(())
    }

    /// The puzzle cannot be looked at. A hub that is away comes back.
    fn lose(&mut self, failure: Failure) -> Result<(), Failure> {
        match failure {
            Failure::NoHub(_) | Failure::Unreachable { .. } => self.miss(),
            Failure::Refused(error) if error["code"] == "stopping" => Ok(()),
            failure => {
                // It was removed, or is damaged.
                self.puzzle = None;
                self.complain(failure)
            }
        }
    }

    /// Tells what has happened since it was told last, and how the puzzle stands.
    async fn tell_news(&mut self) -> Result<(), Failure> {
        let puzzle = self.here()?;
        loop {
            let history = self.call(&since(&puzzle, Some(self.told))).await?;
            for event in history["events"].as_array().into_iter().flatten() {
                self.tell_answer(event, show::puzzle_event)?;
                self.told = event["version"].as_u64().unwrap_or(self.told);
                if event["what"] == "removed" {
                    self.puzzle = None;
                    return Ok(());
                }
            }
            if history["next_since_version"].is_null() {
                break;
            }
        }
        let state = self.call(&snapshot_of(&puzzle)).await?;
        self.tell_answer(&state, show::puzzle_line)?;
        self.learn(&state);
        Ok(())
    }

    /// Tab knows what can be done in this state.
    fn learn(&self, state: &Value) {
        let (actions, guards) =
            (names(state, "availableActions", None), names(state, "pending", Some("guardId")));
        self.prompt.learn(|known| (known.actions, known.guards) = (actions, guards));
    }

    /// The puzzle that is looked at.
    fn here(&self) -> Result<String, Failure> {
        let none =
            || Failure::Usage("say which puzzle: `use PUZZLE`; `list` shows those there are".to_owned());
        self.puzzle.clone().ok_or_else(none)
    }

    async fn call(&self, call: &Call) -> Result<Value, Failure> {
        Hub::find(self.folder)?.call(call).await
    }

    fn tell(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.prompt.tell(text)?)
    }

    fn tell_answer(&mut self, answer: &Value, show: impl Fn(&Value, Look) -> String) -> Result<(), Failure> {
        let text = if self.output.json { json_line(answer) } else { show(answer, self.look) };
        self.tell(&text)
    }

    /// A refusal ends nothing here.
    fn complain(&mut self, failure: Failure) -> Result<(), Failure> {
        let text = if self.output.json {
            failure.as_json().map(|error| json_line(&error))
        } else {
            failure.explain()
        };
        match text {
            Some(text) => self.tell(&text),
            None => Err(failure),
        }
    }

    fn miss(&mut self) -> Result<(), Failure> {
        let was_away = std::mem::replace(&mut self.is_away, true);
        if was_away { Ok(()) } else { self.tell("the hub is away; waiting for it\n") }
    }

    fn meet(&mut self) -> Result<(), Failure> {
        let was_away = std::mem::take(&mut self.is_away);
        if was_away { self.tell("the hub is back\n") } else { Ok(()) }
    }
}

/// The names of a list. Those that would do something to a terminal cannot be typed.
fn names(of: &Value, list: &str, field: Option<&str>) -> Vec<String> {
    let entries = of[list].as_array().into_iter().flatten();
    let names = entries.filter_map(|entry| field.map_or(entry, |field| &entry[field]).as_str());
    names.filter(|name| clean::line(name) == **name).map(str::to_owned).collect()
}
