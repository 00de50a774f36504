//! Remembers the newest posts of each sender, so that a repeat of one is recognised.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::command::Post;
use super::event::{CursorMove, Event, Posted};
use super::{Handle, Refusal};

/// Posts are kept per sender, the newest so many.
const KEPT: usize = 1_000;

/// A post that had been made before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// Its number.
    pub seq: u64,
    /// Whom it addresses. Posts to the same ones share the list: it may hold a thousand.
    pub recipients: Arc<[Handle]>,
    /// Names in its text that nobody has.
    pub unknown: Vec<String>,
}

/// The newest posts of each sender.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent(BTreeMap<Handle, Sender>);

#[derive(Clone, Debug, Default)]
struct Sender {
    /// Posts with a request id.
    requests: VecDeque<Past>,
    /// Posts since the last answer that arrived: the same words once more are a retry.
    unanswered: VecDeque<Past>,
}

#[derive(Clone, Debug)]
struct Past {
    request_id: Option<String>,
    fingerprint: u64,
    repeat: Repeat,
}

impl Recent {
    /// Whether `post` had been made before: by its request id, or the same words before an answer arrived.
    pub(super) fn find(&self, post: &Post) -> Result<Option<Repeat>, Refusal> {
        let Some(sender) = self.0.get(&post.sender) else { return Ok(None) };
        let fingerprint = fingerprint(post);
        if let Some(id) = &post.request_id {
            let is_same = |past: &&Past| past.request_id.as_ref() == Some(id);
            return match sender.requests.iter().rev().find(is_same) {
                Some(known) if known.fingerprint == fingerprint => Ok(Some(known.repeat.clone())),
                Some(_) => Err(Refusal::RequestIdReused(id.clone())),
                None => Ok(None),
            };
        }
        let same = sender.unanswered.iter().rev().find(|past| past.fingerprint == fingerprint);
        Ok(same.map(|past| past.repeat.clone()))
    }

    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::Posted(posted) => self.posted(posted),
            Event::CursorsMoved { cursors } => cursors.iter().for_each(|moved| self.settle(moved)),
            _ => {}
        }
    }

    fn posted(&mut self, posted: &Posted) {
        let sender = self.0.entry(posted.sender.clone()).or_default();
        let recipients = sender.recipients_like(&posted.recipients);
        let repeat = Repeat { seq: posted.seq, recipients, unknown: posted.unknown.clone() };
        let (request_id, fingerprint) = (posted.request_id.clone(), posted.fingerprint);
        let past = Past { request_id, fingerprint, repeat };
        if past.request_id.is_some() {
            keep(&mut sender.requests, past.clone());
        }
        keep(&mut sender.unanswered, past);
    }

    fn settle(&mut self, moved: &CursorMove) {
        if moved.is_settled
            && let Some(sender) = self.0.get_mut(&moved.handle)
        {
            sender.unanswered.clear();
        }
    }
}

impl Sender {
    /// The list of the newest post, if it is the same one.
    fn recipients_like(&self, recipients: &[Handle]) -> Arc<[Handle]> {
        let newest = self.unanswered.back().or(self.requests.back());
        let same = newest.map(|past| &past.repeat.recipients).filter(|newest| ***newest == *recipients);
        same.map_or_else(|| recipients.into(), Arc::clone)
    }
}

fn keep(posts: &mut VecDeque<Past>, past: Past) {
    if posts.len() == KEPT {
        posts.pop_front();
    }
    posts.push_back(past);
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
