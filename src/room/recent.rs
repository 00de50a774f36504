//! Remembers the newest posts of each sender, so that a repeat of one is recognised.

use std::collections::{BTreeMap, VecDeque};

use sha2::{Digest, Sha256};

use super::command::Post;
use super::event::{CursorMove, Event, Posted};
use super::{Handle, Refusal};

/// Request ids are kept per sender, the newest so many.
const KEPT: usize = 1_000;

/// A post that had been made before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Its number.
    pub seq: u64,
    /// Whom it addresses.
    pub recipients: Vec<Handle>,
    /// Names in its text that nobody has.
    pub unknown: Vec<String>,
}

/// The newest posts of each sender.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent(BTreeMap<Handle, Sender>);

#[derive(Clone, Debug, Default)]
struct Sender {
    requests: VecDeque<Request>,
    last: Option<Last>,
}

#[derive(Clone, Debug)]
struct Request {
    id: String,
    fingerprint: u64,
    repeat: Repeat,
}

#[derive(Clone, Debug)]
struct Last {
    fingerprint: u64,
    repeat: Repeat,
    /// Whether an answer arrived since: the same words would be a new message.
    is_settled: bool,
}

impl Recent {
    /// Whether `post` had been made before: by its request id, or the same words before an answer arrived.
    pub(super) fn find(&self, post: &Post) -> Result<Option<Repeat>, Refusal> {
        let Some(sender) = self.0.get(&post.sender) else { return Ok(None) };
        let fingerprint = fingerprint(post);
        if let Some(id) = &post.request_id {
            return match sender.requests.iter().rev().find(|request| request.id == *id) {
                Some(request) if request.fingerprint == fingerprint => Ok(Some(request.repeat.clone())),
                Some(_) => Err(Refusal::RequestIdReused(id.clone())),
                None => Ok(None),
            };
        }
        let last = sender.last.as_ref().filter(|last| !last.is_settled && last.fingerprint == fingerprint);
        Ok(last.map(|last| last.repeat.clone()))
    }

    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::Posted(posted) => self.posted(posted),
            Event::CursorsMoved { cursors } => cursors.iter().for_each(|moved| self.settle(moved)),
            _ => {}
        }
    }

    fn posted(&mut self, posted: &Posted) {
        let repeat = Repeat {
            seq: posted.seq,
            recipients: posted.recipients.clone(),
            unknown: posted.unknown.clone(),
        };
        let sender = self.0.entry(posted.sender.clone()).or_default();
        if let Some(id) = posted.request_id.clone() {
            if sender.requests.len() == KEPT {
                sender.requests.pop_front();
            }
            let (fingerprint, repeat) = (posted.fingerprint, repeat.clone());
            sender.requests.push_back(Request { id, fingerprint, repeat });
        }
        sender.last = Some(Last { fingerprint: posted.fingerprint, repeat, is_settled: false });
    }

    fn settle(&mut self, moved: &CursorMove) {
        if moved.is_settled
            && let Some(last) = self.0.get_mut(&moved.handle).and_then(|sender| sender.last.as_mut())
        {
            last.is_settled = true;
        }
    }
}

/// What a repeat of a post has in common with it. It is stored with the event, so the recipe may not change.
pub(super) fn fingerprint(post: &Post) -> u64 {
    let reply_to = post.reply_to.as_ref().map(|reply| reply.seq);
    let digest = Sha256::new()
        .chain_update(format!("{} {:?} {reply_to:?} ", post.is_private, post.recipients))
        .chain_update(&post.content)
        .finalize();
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
