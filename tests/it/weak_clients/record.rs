//! What happened at one table, as an observer with all eyes sees it: what each player did, got, and believes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::door::{Fate, Outcome};

/// Lines that a failing seed shows.
const TRACED: usize = 60;

/// What one player did, got, and believes.
#[derive(Clone, Debug, Default)]
pub(super) struct Player {
    /// Bytes of its arguments and of the answers that arrived.
    pub bytes: u64,
    pub calls: u64,
    /// Texts that it tried to post.
    pub tried: BTreeSet<String>,
    /// Texts that it believes are posted.
    pub believed: BTreeSet<String>,
    /// Texts that were refused.
    pub refused: BTreeSet<String>,
    /// Messages that arrived, by number.
    pub arrived: BTreeMap<u64, String>,
    /// How often each message was given as new, whether the answer arrived or not.
    pub given_as_new: BTreeMap<(String, u64), u32>,
    /// How often a message arrived again.
    pub again: u64,
    /// What it was told that nobody can be told.
    pub faults: Vec<String>,
}

/// What happened at one table.
#[derive(Debug)]
pub(super) struct Record {
    begun: Instant,
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    players: BTreeMap<String, Player>,
    trace: Vec<String>,
}

/// One call, as it is told to the record.
pub(super) struct Call<'a> {
    pub player: &'a str,
    pub session: &'a str,
    pub tool: &'a str,
    pub arguments: &'a Value,
    pub fate: Fate,
}

impl Record {
    pub(super) fn new() -> Self {
        Self { begun: Instant::now(), inside: Mutex::default() }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(super) fn begins(&self, call: &Call) {
        let args = call.arguments.to_string();
        self.line(&format!(
            "{} {} {} → {} {:?}",
            call.player,
            call.session,
            call.tool,
            short(&args),
            call.fate
        ));
        let mut inside = self.lock();
        let player = inside.players.entry(call.player.to_owned()).or_default();
        player.calls += 1;
        player.bytes += args.len() as u64;
        if call.tool == "send_message"
            && let Some(text) = call.arguments["content"].as_str()
        {
            player.tried.insert(text.to_owned());
        }
    }

    pub(super) fn ends(&self, call: &Call, outcome: &Outcome) {
        let how = if outcome.has_arrived { "←" } else { "✗" };
        let what = outcome.made.as_ref().map_or_else(|| "nothing".to_owned(), |made| told(&made.json));
        self.line(&format!("{} {} {} {how} {what}", call.player, call.session, call.tool));
        let Some(made) = &outcome.made else { return };
        let mut inside = self.lock();
        let player = inside.players.entry(call.player.to_owned()).or_default();
        // A person has a cursor in each session, an agent one for all.
        let reader = if call.player == "@user" { call.session } else { "" };
        for message in made.json["new_messages"].as_array().into_iter().flatten() {
            let seq = message["seq_id"].as_u64().unwrap_or_default();
            if message["redelivered"].is_null() {
                *player.given_as_new.entry((reader.to_owned(), seq)).or_default() += 1;
            }
            if outcome.has_arrived {
                let content = message["content"].as_str().unwrap_or_default().to_owned();
                player.again += u64::from(player.arrived.insert(seq, content).is_some());
            }
        }
        if outcome.has_arrived {
            player.bytes += made.json.to_string().len() as u64;
        }
    }

    pub(super) fn believes(&self, player: &str, text: &str) {
        self.lock().players.entry(player.to_owned()).or_default().believed.insert(text.to_owned());
    }

    pub(super) fn refused(&self, player: &str, text: &str) {
        self.lock().players.entry(player.to_owned()).or_default().refused.insert(text.to_owned());
    }

    /// Notes that a player was told what it cannot go on from.
    pub(super) fn fault(&self, player: &str, what: String) {
        self.line(&format!("{player} FAULT {what}"));
        self.lock().players.entry(player.to_owned()).or_default().faults.push(what);
    }

    pub(super) fn line(&self, text: &str) {
        let line = format!("{:9.3} {text}", self.elapsed().as_secs_f64());
        self.lock().trace.push(line);
    }

    /// The last lines; of a seed that is played alone, all.
    pub(super) fn trace(&self) -> String {
        let inside = self.lock();
        let shown = if std::env::var_os("TURNROOM_SEED").is_some() { usize::MAX } else { TRACED };
        let skipped = inside.trace.len().saturating_sub(shown);
        inside.trace.iter().skip(skipped).fold(String::new(), |all, line| all + line + "\n")
    }

    pub(super) fn players(&self) -> BTreeMap<String, Player> {
        self.lock().players.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().expect("no test panicked")
    }
}

/// An answer in one line.
fn told(json: &Value) -> String {
    if !json["error"].is_null() {
        return format!("error {} · {}", json["error"]["code"], json["error"]["next"]);
    }
    let mut line = format!("{} turn={}", json["status"], json["active_turn"]);
    if !json["posted"].is_null() {
        write!(line, " posted={} repeated={}", json["posted"]["seq_id"], json["posted"]["repeated"])
            .expect("a string can be written");
    }
    for message in json["new_messages"].as_array().into_iter().flatten() {
        let again = if message["redelivered"].is_null() { "" } else { "r" };
        write!(line, " #{}{again}", message["seq_id"]).expect("a string can be written");
    }
    line + " · " + json["next"].as_str().unwrap_or_default()
}

fn short(text: &str) -> String {
    let cut: String = text.chars().take(160).collect();
    if cut.len() < text.len() { cut + "…" } else { cut }
}
