//! What leaves the hub with a question, and comes back with its answer: signed, for one use, one call and one client.
//!
//! **Invariant (an answer counts once):** a note is taken once, whatever came of it. The key is made anew with each start
//! of the hub, so that no note of an earlier one is taken.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;
use std::time::Duration;

use rmcp::model::{InputRequiredResult, RequestStateCodec, RequestStateError, SealOptions};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{PATIENCE, requests};
use crate::hub::{Caller, Session};
use crate::mcp::receipts::lock;
use crate::tools::{Question, Refused, StateFault};

/// Notes above the oldest that still counts, at most; when there are more, the oldest count as used.
const REMEMBERED: usize = 10_000;

/// Signs notes, and knows which of them were used.
pub struct Seals {
    codec: RequestStateCodec,
    life: Duration,
    notes: Mutex<Notes>,
}

/// Which notes were used.
#[derive(Debug, Default)]
struct Notes {
    /// The number of the next one.
    next: u64,
    /// All below have been used, or count as used.
    floor: u64,
    used: BTreeSet<u64>,
}

/// What is signed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sealed {
    number: u64,
    client: String,
    pub(super) question: Question,
}

impl Seals {
    /// Signs with a secret of at least 32 bytes that nobody else has, and that no other hub has had; `run` names it.
    #[must_use]
    pub fn new(run: &str, secret: &str) -> Self {
        Self::living(PATIENCE, run, secret)
    }

    fn living(life: Duration, run: &str, secret: &str) -> Self {
        let codec = RequestStateCodec::new_with_keyring(run, [(run, secret.as_bytes())]);
        Self { codec: codec.expect("the secret is long enough"), life, notes: Mutex::default() }
    }

    /// What a client is answered that has to answer a question before its call goes on.
    pub(super) fn ask(&self, question: &Question, caller: &Caller) -> InputRequiredResult {
        let number = lock(&self.notes).issue();
        let sealed = Sealed { number, client: client(caller), question: question.clone() };
        let options = SealOptions::new().ttl(self.life);
        let state = self.codec.seal_json_with(&sealed, &options).expect("it can be written as JSON");
        InputRequiredResult::new(Some(requests(question)), Some(state))
    }

    /// Reads what came back; it is this caller's, and about this call, and was not used.
    pub(super) fn open(
        &self,
        state: Option<&str>,
        caller: &Caller,
        given: &Map<String, Value>,
    ) -> Result<Sealed, Refused> {
        let state = state.ok_or(Refused::State(StateFault::Missing))?;
        let sealed: Sealed = self.codec.open_json(state).map_err(|error| {
            Refused::State(match error {
                RequestStateError::Expired => StateFault::Expired,
                RequestStateError::UnknownKeyId => StateFault::OfOtherHub,
                _ => StateFault::Changed,
            })
        })?;
        if sealed.client != client(caller) || !sealed.question.is_of(given) {
            return Err(Refused::State(StateFault::Foreign));
        }
        if lock(&self.notes).is_used(sealed.number) {
            return Err(Refused::State(StateFault::Used));
        }
        Ok(sealed)
    }

    /// Gives out the question, once.
    pub(super) fn take(&self, sealed: Sealed) -> Result<Question, Refused> {
        let is_first = lock(&self.notes).take(sealed.number);
        if is_first { Ok(sealed.question) } else { Err(Refused::State(StateFault::Used)) }
    }
}

impl Notes {
    fn issue(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn is_used(&self, number: u64) -> bool {
        number < self.floor || self.used.contains(&number)
    }

    /// Whether it was not used before. It is now.
    fn take(&mut self, number: u64) -> bool {
        if self.is_used(number) {
            return false;
        }
        self.used.insert(number);
        if self.used.len() > REMEMBERED {
            self.floor = self.used.pop_first().map_or(self.floor, |oldest| oldest + 1);
        }
        true
    }
}

impl fmt::Debug for Seals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seals").field("life", &self.life).finish_non_exhaustive()
    }
}

/// Who calls, as far as the protocol tells it: over HTTP, the newer revisions have no sessions.
fn client(caller: &Caller) -> String {
    let session = match &caller.session {
        Session::Named(name) => Some(name.as_ref()),
        Session::Alone => None,
    };
    let told = caller.client.as_ref().map(|client| (&client.name, &client.version));
    json!([session, told]).to_string()
}

#[cfg(test)]
mod tests;
