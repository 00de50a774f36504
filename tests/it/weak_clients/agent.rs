//! A weak agent: one life from joining to the end of the conversation.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::chance::Chance;
use super::door::{Fate, Reply};
use super::habits::{Act, Kind, Way, follow, read};
use super::table::{ROOM, Table};
use super::words::Words;

/// A weak agent.
pub(super) struct Agent {
    table: Arc<Table>,
    kind: Kind,
    handle: &'static str,
    chance: Chance,
    words: Words,
    /// The words that are not known to be posted.
    pending: Option<Value>,
    lives: u32,
    /// The room, when an error made it name one; it is forgotten again at once.
    room: Option<String>,
    open: FuturesUnordered<JoinHandle<(Act, Option<Reply>)>>,
    sending: bool,
    /// What it meant to do while another call was open.
    later: Option<Act>,
}

impl Agent {
    pub(super) fn new(table: Arc<Table>, kind: Kind, handle: &'static str, mut chance: Chance) -> Self {
        let words = Words::new(kind, handle, chance.split());
        let open = FuturesUnordered::new();
        Self {
            table,
            kind,
            handle,
            chance,
            words,
            pending: None,
            lives: 1,
            room: None,
            open,
            sending: false,
            later: None,
        }
    }

    /// Lives until there is nothing to do any more.
    pub(super) async fn live(mut self) {
        sleep(self.chance.seconds(0, 40)).await;
        self.start(Act::Join);
        while let Some(ended) = self.open.next().await {
            let (act, reply) = ended.expect("no call panics");
            self.sending &= act != Act::Send;
            let next = match reply {
                Some(reply) => self.hear(act, &reply),
                None => self.unanswered(act).await,
            };
            self.go_on(next).await;
        }
    }

    async fn go_on(&mut self, next: Act) {
        // Who waits twice lets the other call go on, and comes back to what it meant when that one ends.
        let next = match (next, self.later.take()) {
            (Act::Stop, Some(later)) if self.open.is_empty() => later,
            (Act::Stop, _) => return,
            (Act::Send, _) if self.sending => return,
            (Act::Join | Act::Wait | Act::Ask, _) if !self.open.is_empty() => {
                self.later = Some(next);
                return;
            }
            (next, _) => next,
        };
        sleep(self.thinks(next)).await;
        let dies = self.kind == Kind::Phoenix && self.chance.percent(6);
        let next = if dies { self.unanswered(next).await } else { next };
        self.start(next);
        if self.kind == Kind::Double && next != Act::Join && self.chance.percent(60) {
            self.start(Act::Wait);
        }
    }

    /// Most answers come soon; some take longer than a lease.
    fn thinks(&mut self, next: Act) -> Duration {
        match next {
            Act::Send if self.chance.percent(5) => self.chance.seconds(20, 400),
            Act::Send => self.chance.seconds(0, 12),
            _ if self.chance.percent(3) => self.chance.seconds(5, 100),
            _ => self.chance.seconds(0, 2),
        }
    }

    fn start(&mut self, act: Act) {
        let (tool, mut arguments) = self.call(act);
        self.sending |= act == Act::Send;
        if self.kind != Kind::Forgetful {
            arguments["room"] = json!(ROOM);
        } else if let Some(room) = self.room.take() {
            arguments["room"] = json!(room);
        }
        let pace = self.table.pace;
        if act != Act::Pass && self.chance.percent(pace.timed) {
            arguments["timeout_seconds"] = pace.wait(self.chance.below(60));
        }
        let (table, handle, session, fate) =
            (Arc::clone(&self.table), self.handle, self.session(), self.fate());
        self.open.push(tokio::spawn(async move {
            (act, table.call(handle, &session, tool, &arguments, fate).await)
        }));
    }

    fn call(&mut self, act: Act) -> (&'static str, Value) {
        match act {
            Act::Join => ("join_conversation", json!({ "handle": self.handle, "name": self.kind.name() })),
            Act::Wait | Act::Stop => ("wait_for_turn", json!({ "handle": self.handle })),
            Act::Ask => ("wait_for_turn", json!({ "handle": self.handle, "request_turn": true })),
            Act::Pass => ("pass_turn", json!({ "handle": self.handle })),
            Act::Send => {
                ("send_message", self.pending.get_or_insert_with(|| self.words.new_message()).clone())
            }
        }
    }

    fn session(&self) -> String {
        format!("{}{}", self.handle, self.lives)
    }

    fn fate(&mut self) -> Fate {
        let chance = &mut self.chance;
        match self.kind {
            Kind::Repeater if chance.percent(12) => Fate::Late,
            Kind::Repeater if chance.percent(40) => Fate::Cancelled(chance.seconds(1, 40)),
            Kind::Repeater if chance.percent(40) => Fate::Dropped(chance.seconds(1, 40)),
            Kind::Phoenix if chance.percent(6) => Fate::Unread,
            Kind::Phoenix if chance.percent(6) => Fate::Cancelled(chance.seconds(0, 20)),
            Kind::Phoenix if chance.percent(6) => Fate::Dropped(chance.seconds(0, 20)),
            _ => Fate::Arrives,
        }
    }

    /// No answer came: the words are said again, or the program is dead and another takes its place.
    async fn unanswered(&mut self, act: Act) -> Act {
        if self.kind != Kind::Phoenix {
            return act;
        }
        self.die().await;
        match self.chance.below(3) {
            // It remembers what it was about to do, and does it at once.
            0 => act,
            1 => Act::Wait,
            _ => Act::Join,
        }
    }

    /// The program is killed. The hub learns of it some time, and another one takes its place.
    async fn die(&mut self) {
        let (table, session) = (Arc::clone(&self.table), self.session());
        let noticed = self.chance.seconds(0, 60);
        tokio::spawn(async move {
            sleep(noticed).await;
            table.door.end_session(&session);
        });
        sleep(self.chance.seconds(0, 200)).await;
        self.lives += 1;
        if self.chance.percent(30) {
            self.pending = None;
        }
    }

    fn hear(&mut self, act: Act, reply: &Reply) -> Act {
        if reply.json["status"] == "closed" || reply.json["error"]["code"] == "room_closed" {
            self.later = None;
        }
        if reply.is_error {
            return self.hear_error(act, &reply.json["error"]);
        }
        self.hear_of_own_words(act, &reply.json);
        let way = if self.kind == Kind::Follower {
            follow(reply.json["next"].as_str().unwrap_or_default())
        } else {
            read(&reply.json, self.handle)
        };
        self.choose(act, way)
    }

    fn choose(&mut self, act: Act, way: Way) -> Act {
        let dice = self.chance.below(100);
        match way {
            Way::Only(act) => act,
            Way::Again => act,
            Way::Turn if dice < 5 => Act::Pass,
            Way::Turn if dice < 10 => Act::Wait,
            Way::Turn => Act::Send,
            Way::Free if dice < 60 => Act::Send,
            Way::Free => Act::Wait,
        }
    }

    /// Learns whether the pending words stand: by the answer to them, or because they come back from the room.
    fn hear_of_own_words(&mut self, act: Act, json: &Value) {
        let Some(pending) = self.pending.as_ref().and_then(|args| args["content"].as_str()) else { return };
        let is_posted = match self.kind {
            Kind::Follower => {
                !json["next"].as_str().is_some_and(|next| next.starts_with("nothing was posted"))
            }
            _ => !json["posted"].is_null(),
        };
        let given = json["new_messages"].as_array();
        let comes_back = given.into_iter().flatten().any(|message| message["content"] == pending);
        if (act == Act::Send && is_posted) || comes_back {
            self.table.record.believes(self.handle, pending);
            self.pending = None;
        }
    }

    fn hear_error(&mut self, act: Act, error: &Value) -> Act {
        let allowed = error["allowed"].as_array().and_then(|allowed| allowed.first()).and_then(Value::as_str);
        match (error["code"].as_str().unwrap_or_default(), allowed) {
            ("no_valid_mention", Some(allowed)) => {
                if let Some(words) = self.pending.take() {
                    self.table.record.refused(self.handle, words["content"].as_str().unwrap_or_default());
                    self.pending = Some(Words::with_mention(words, allowed));
                }
                Act::Send
            }
            ("room_ambiguous", _) => {
                self.room = Some(ROOM.to_owned());
                act
            }
            ("handle_taken" | "cancelled", _) => act,
            _ => match follow(error["next"].as_str().unwrap_or_default()) {
                Way::Only(Act::Stop) if error["code"] != "room_closed" => {
                    self.table.record.fault(self.handle, format!("{error}"));
                    Act::Stop
                }
                way => self.choose(act, way),
            },
        }
    }
}
