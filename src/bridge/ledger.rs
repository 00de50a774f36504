//! What the bridge remembers of a conversation, so that it can go on with a new hub. Pure: no socket, no clock.
//!
//! **Invariant (every request is answered once):** a request of the client stays here until its answer went to the
//! client or the client cancelled it; what the bridge repeats in its own name is never seen by the client.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::mcp::REPEATED;

/// One line, with its line feed.
pub(super) type Line = Vec<u8>;

/// The text of a JSON-RPC id.
type Id = String;

/// What was said and is not done.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    introduction: Option<Introduction>,
    /// The last level of logging that the client asked for.
    level: Option<Line>,
    /// What the client subscribed to, by resource.
    subscriptions: BTreeMap<String, Line>,
    /// Requests without an answer, oldest first.
    unanswered: Vec<(Id, Line)>,
    /// What the hub has asked the client, and has no answer to.
    asked: BTreeSet<Id>,
    /// Requests that the bridge has repeated in its own name.
    own: BTreeSet<Id>,
    next_own: u64,
}

#[derive(Debug)]
struct Introduction {
    id: Id,
    request: Line,
    initialized: Option<Line>,
}

/// What a new hub has to be told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replay {
    /// The handshake of older clients: to be answered before the rest is sent.
    pub(super) opening: Option<Line>,
    /// The rest, in order.
    pub(super) rest: Vec<Line>,
}

/// Whether a line of the hub is for the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    /// Pass it on.
    Client,
    /// The bridge asked for it.
    Bridge,
}

#[derive(Deserialize)]
struct Peek {
    id: Option<Value>,
    method: Option<String>,
    error: Option<IgnoredAny>,
}

impl Ledger {
    /// Notes a line of the client.
    pub(super) fn client_said(&mut self, line: &Line) {
        // What is no JSON-RPC message is none of our business; the hub will say so.
        let Ok(Peek { id, method, .. }) = serde_json::from_slice(line) else { return };
        match (id.filter(|id| !id.is_null()), method) {
            (Some(id), Some(method)) => self.request(&method, id.to_string(), line),
            (None, Some(method)) => self.notification(&method, line),
            (Some(id), None) => drop(self.asked.remove(&id.to_string())),
            (None, None) => {}
        }
    }

    /// Notes a line of the hub.
    pub(super) fn hub_said(&mut self, line: &Line) -> For {
        let Ok(Peek { id, method, error }) = serde_json::from_slice(line) else { return For::Client };
        match (id.map(|id| id.to_string()), method.as_deref()) {
            (Some(id), None) if self.own.remove(&id) => return For::Bridge,
            (Some(id), None) => self.answered(&id, error.is_some()),
            (Some(id), Some(_)) => drop(self.asked.insert(id)),
            (None, Some("notifications/cancelled")) => {
                if let Some(id) = param(line, "requestId") {
                    self.asked.remove(&id.to_string());
                }
            }
            (None, _) => {}
        }
        For::Client
    }

    /// A request of the client has its answer. A subscription that was refused is none.
    fn answered(&mut self, id: &Id, is_refused: bool) {
        let Some(place) = self.unanswered.iter().position(|(unanswered, _)| unanswered == id) else { return };
        let (_, line) = self.unanswered.remove(place);
        if is_refused {
            self.subscriptions.retain(|_, subscription| *subscription != line);
        }
    }

    /// What the client is told when a hub has ended: what that has asked is not asked any more. The next hub asks anew.
    pub(super) fn unasked(&mut self) -> Vec<Line> {
        let cancel = |id: Id| {
            let id: Value = serde_json::from_str(&id).unwrap_or_default();
            let params = serde_json::json!({"requestId": id, "reason": "the hub has ended"});
            line_of(
                &serde_json::json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}),
            )
        };
        std::mem::take(&mut self.asked).into_iter().map(cancel).collect()
    }

    /// Whether the client waits for something.
    pub(super) fn has_unanswered(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// How many answers are to come.
    pub(super) fn outstanding(&self) -> usize {
        self.unanswered.len() + self.own.len()
    }

    /// Answers to everything that has none, when there will be no hub.
    pub(super) fn give_up(&mut self, why: &str) -> Vec<Line> {
        let error = |(id, _): (Id, Line)| {
            let id: Value = serde_json::from_str(&id).unwrap_or_default();
            line_of(
                &serde_json::json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": why}}),
            )
        };
        self.unanswered.drain(..).map(error).collect()
    }

    /// What a new hub has to be told.
    pub(super) fn replay(&mut self) -> Replay {
        self.own.clear();
        let mut rest = Vec::new();
        let mut opening = None;
        if let Some(introduction) = self.introduction.take() {
            let is_answered = !self.unanswered.iter().any(|(id, _)| *id == introduction.id);
            opening = if is_answered {
                self.in_own_name(&introduction.request)
            } else {
                Some(introduction.request.clone())
            };
            rest.extend(introduction.initialized.clone());
            self.introduction = Some(introduction);
        }
        let settings: Vec<Line> = self.level.iter().chain(self.subscriptions.values()).cloned().collect();
        rest.extend(settings.iter().filter_map(|line| self.in_own_name(line)));
        let first = self.introduction.as_ref().map(|introduction| &introduction.id);
        rest.extend(self.unanswered.iter().filter(|(id, _)| Some(id) != first).map(|(_, line)| line.clone()));
        Replay { opening, rest }
    }

    fn request(&mut self, method: &str, id: Id, line: &Line) {
        match method {
            "initialize" => {
                *self = Self { next_own: self.next_own, ..Self::default() };
                self.introduction =
                    Some(Introduction { id: id.clone(), request: line.clone(), initialized: None });
            }
            "logging/setLevel" => self.level = Some(line.clone()),
            "resources/subscribe" => {
                if let Some(uri) = param(line, "uri").and_then(|uri| uri.as_str().map(str::to_owned)) {
                    self.subscriptions.insert(uri, line.clone());
                }
            }
            "resources/unsubscribe" => {
                if let Some(Value::String(uri)) = param(line, "uri") {
                    self.subscriptions.remove(&uri);
                }
            }
            _ => {}
        }
        self.unanswered.push((id, line.clone()));
    }

    fn notification(&mut self, method: &str, line: &Line) {
        match (method, &mut self.introduction) {
            ("notifications/initialized", Some(introduction)) => {
                introduction.initialized = Some(line.clone());
            }
            ("notifications/cancelled", _) => {
                if let Some(id) = param(line, "requestId") {
                    let id = id.to_string();
                    self.unanswered.retain(|(unanswered, _)| *unanswered != id);
                }
            }
            _ => {}
        }
    }

    /// The same request under an id that the client does not use.
    fn in_own_name(&mut self, line: &Line) -> Option<Line> {
        let mut request: Value = serde_json::from_slice(line).ok()?;
        let id = Value::String(format!("{REPEATED}{}", self.next_own));
        self.next_own += 1;
        self.own.insert(id.to_string());
        request["id"] = id;
        Some(line_of(&request))
    }
}

fn line_of(message: &Value) -> Line {
    let mut line = message.to_string().into_bytes();
    line.push(b'\n');
    line
}

fn param(line: &Line, name: &str) -> Option<Value> {
    let mut message: Value = serde_json::from_slice(line).ok()?;
    message.get_mut("params")?.get_mut(name).map(Value::take)
}

#[cfg(test)]
mod tests;
