//! `turnroom demo`: two scripted agents and you in a room, so that you see in ten seconds what turnroom does.
//!
//! The agents are clients like any others: each has a session of its own, joins, waits for its turn, and speaks.

mod agent;
mod person;
mod script;
mod told;

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde_json::Value;
use tokio::sync::watch;

use super::call::Call;
use super::clean;
use super::ending::Ending;
use super::failure::Failure;
use super::hub::Hub;
use super::screen;
use crate::paths::DataFolder;
use agent::{Agent, Pace};
use script::{ALICE, BOB, CHOICES, TOPIC};
use told::{Said, Told};

/// Names that are tried for the room.
const MOST_NAMES: u32 = 1_000;

/// Watch two scripted agents talk, and answer their question
#[derive(Debug, Args)]
#[command(after_help = "\
Needs a running hub. You answer here, on the page, in the note or in another terminal. The room is closed at the
end, also by Ctrl-C; `turnroom delete` removes it.")]
pub(super) struct Demo {
    /// Without pauses
    #[arg(long)]
    fast: bool,
}

/// The room of a demo.
struct Stage {
    hub: Hub,
    room: String,
    note: String,
    pace: Pace,
    /// The number of the question to the person, once it was asked.
    asked: watch::Sender<Option<u64>>,
    told: Told,
    /// Whether the last line on the terminal waits for what the person types.
    is_prompting: Cell<bool>,
}

impl Demo {
    /// Plays it to its end, or until Ctrl-C.
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let hub = Hub::find(folder)?;
        let (room, note) = start(&hub).await?;
        let pace = if self.fast { Pace::Fast } else { Pace::Natural };
        let (asked, told) = (watch::Sender::new(None), Told::default());
        let stage = Stage { hub, room, note, pace, asked, told, is_prompting: Cell::new(false) };
        let played = tokio::select! {
            played = stage.play() => played.map(|()| Ending::Done),
            _ = tokio::signal::ctrl_c() => {
                screen::end_line();
                Ok(Ending::Interrupted)
            }
        };
        if !matches!(played, Ok(Ending::Done)) {
            stage.stop().await;
        }
        played
    }
}

/// Starts a room with a name that is free; gives it, and its transcript.
async fn start(hub: &Hub) -> Result<(String, String), Failure> {
    for number in 1..MOST_NAMES {
        let name = if number == 1 { "demo".to_owned() } else { format!("demo-{number}") };
        let call = Call::tool("init_conversation")
            .set("filepath", format!("{name}.md"))
            .set("room", name)
            .set("participants", vec![ALICE, BOB])
            .set("topic", TOPIC)
            .set("first_speaker", ALICE)
            .in_session(&agent::session(ALICE));
        match hub.call(&call).await {
            Err(Failure::Refused(error)) if is_taken(&error) => {}
            Err(failure) => return Err(failure),
            Ok(made) => {
                let field = |name: &str| made[name].as_str().map(str::to_owned);
                let place = field("room").zip(field("filepath"));
                return Ok(place.context("the hub named no room; is it of another version?")?);
            }
        }
    }
    Err(anyhow::anyhow!("all names for a demo are taken; `turnroom delete` frees them").into())
}

fn is_taken(error: &Value) -> bool {
    matches!(error["code"].as_str(), Some("room_exists" | "file_exists"))
}

impl Stage {
    async fn play(&self) -> Result<(), Failure> {
        screen::tell(&self.opening().await)?;
        let agent = |handle| Agent::new(&self.hub, handle, &self.room, self.pace);
        let (alice, bob) = (agent(ALICE), agent(BOB));
        let agents = async { tokio::try_join!(alice.play(self), bob.play(self)) };
        tokio::select! {
            done = agents => { done?; }
            Err(failure) = self.person() => return Err(failure),
        }
        self.close("@user has decided.").await?;
        let room = clean::line(&self.room);
        let ending = format!(
            "\nThat was it; the room is closed. `turnroom delete {room}` removes it, and `turnroom new --help` says how \
             to start your own.\n"
        );
        Ok(screen::tell(&ending)?)
    }

    /// Where to look.
    async fn opening(&self) -> String {
        let room = clean::line(&self.room);
        let status = self.hub.call(&Call::command("status")).await;
        let url = status.ok().and_then(|status| status["url"].as_str().map(str::to_owned));
        let page = url.map(|_| format!("page        turnroom open {room}\n")).unwrap_or_default();
        let note = clean::line(&Path::new(&self.note).display().to_string());
        let what = "Two scripted agents talk in a room, and then ask you something. Look on where you like:";
        let places = format!("transcript  {note}\n{page}terminal    turnroom watch {room}\n");
        format!("{what}\n\nroom        {room}\n{places}\n")
    }

    /// Says how to answer a question, and waits for it here too.
    fn ask(&self, number: u64) -> Result<(), Failure> {
        let room = clean::line(&self.room);
        let choices: Vec<String> =
            (1..).zip(CHOICES).map(|(number, choice)| format!("  {number}  {choice}\n")).collect();
        let how = if person::is_here() {
            "Now they wait for you. Type 1, 2, or your own words; or answer on the page, or in another terminal:"
        } else {
            "Now they wait for you. Answer on the page, or in another terminal:"
        };
        let command = format!("turnroom answer {room}#{number} 1");
        screen::tell(&format!("\n{how}\n{}  {command}\n\n", choices.concat()))?;
        self.asked.send_replace(Some(number));
        Ok(())
    }

    /// Tells what an agent has heard with an answer, and what it has said, if the answer confirms that.
    fn tell(&self, answer: &Value, own: Option<Said<'_>>) -> Result<(), Failure> {
        for (who, words) in self.told.news(answer, own) {
            let end = if self.is_prompting.take() { "\n" } else { "" };
            screen::tell(&format!("{end}{}: {}\n", clean::line(who), clean::text(words)))?;
        }
        Ok(())
    }

    /// Alice closes it: it is her session that has started it.
    async fn close(&self, summary: &str) -> Result<(), Failure> {
        let call = Call::tool("close_conversation")
            .set("handle", ALICE)
            .set("room", self.room.as_str())
            .set("summary", summary)
            .in_session(&agent::session(ALICE));
        self.hub.call(&call).await.map(|_| ())
    }

    /// Closes the room in the middle. If that fails too, there is nobody to tell.
    async fn stop(&self) {
        let patience = Duration::from_secs(5);
        let _ = tokio::time::timeout(patience, self.close("The demo was stopped.")).await;
    }
}
