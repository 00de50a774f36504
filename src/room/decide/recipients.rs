//! Whom a message addresses.

use std::collections::BTreeSet;

use crate::room::command::Post;
use crate::room::draft::Draft;
use crate::room::mention::mentions;
use crate::room::{Handle, Refusal};

/// Whom a message addresses.
#[derive(Debug, Default)]
pub(super) struct Recipients {
    /// Those who are named, in the order of naming.
    pub named: Vec<Handle>,
    /// Those whom only `@all` addresses.
    pub others: Vec<Handle>,
    /// Names in the text that nobody has.
    unknown: Vec<String>,
    /// Those who are named in the text, and have left.
    left: Vec<Handle>,
}

impl Recipients {
    pub(super) fn all(&self) -> Vec<Handle> {
        self.named.iter().chain(&self.others).cloned().collect()
    }

    /// What the text names in vain.
    pub(super) fn in_vain(&self) -> Vec<String> {
        self.unknown.iter().cloned().chain(self.left.iter().map(ToString::to_string)).collect()
    }

    /// Oneself does not count, and who is named is no other.
    fn leave_out(&mut self, sender: &Handle) {
        self.named.retain(|handle| handle != sender);
        let named: BTreeSet<_> = self.named.iter().collect();
        self.others.retain(|handle| handle != sender && !named.contains(handle));
    }

    fn is_empty(&self) -> bool {
        self.named.is_empty() && self.others.is_empty()
    }
}

impl Draft {
    /// Finds the recipients of a post.
    pub(super) fn recipients(&self, post: &Post) -> Result<Recipients, Refusal> {
        let mut found =
            if post.recipients.is_empty() { self.named_in_text(post)? } else { self.named_in_list(post)? };
        if let Some(reply) = post.reply_to.as_ref().and_then(|reply| reply.sender.clone())
            && (!post.is_private || post.recipients.is_empty())
            && self.may_be_addressed(&reply)
        {
            push(&mut found.named, reply);
        }
        found.leave_out(&post.sender);
        let is_human = self.is_person(&post.sender);
        if is_human && found.is_empty() {
            found.named = self.askers(&post.sender);
        }
        if post.is_private && found.is_empty() && (is_human || !post.expects_reply) {
            return Err(Refusal::PrivateToNobody);
        }
        if found.is_empty() && post.expects_reply && !is_human {
            let mut known = self.addressable();
            known.retain(|handle| *handle != post.sender);
            return Err(Refusal::NoValidMention { known, unknown: found.unknown, left: found.left });
        }
        Ok(found)
    }

    fn named_in_list(&self, post: &Post) -> Result<Recipients, Refusal> {
        let mut found = Recipients::default();
        for name in &post.recipients {
            if is_all(name) {
                self.add_all(post, &mut found)?;
            } else {
                push(&mut found.named, self.find(name)?);
            }
        }
        Ok(found)
    }

    fn named_in_text(&self, post: &Post) -> Result<Recipients, Refusal> {
        let mentioned = mentions(&post.content, &self.state.names);
        let (named, left) = mentioned.handles.into_iter().partition(|handle| self.may_be_addressed(handle));
        let mut found = Recipients { named, others: Vec::new(), unknown: mentioned.unknown, left };
        if mentioned.has_all {
            self.add_all(post, &mut found)?;
        }
        Ok(found)
    }

    /// `@all` addresses everyone else who stands in lists and has not left.
    fn add_all(&self, post: &Post, found: &mut Recipients) -> Result<(), Refusal> {
        if post.is_private {
            return Err(Refusal::AllInPrivate);
        }
        found.others = self.addressable();
        Ok(())
    }

    /// Those who wait for an answer of this person.
    fn askers(&self, human: &Handle) -> Vec<Handle> {
        let mut askers = Vec::new();
        for question in self.state.questions.iter().filter(|question| question.human == *human) {
            if self.may_be_addressed(&question.asker) {
                push(&mut askers, question.asker.clone());
            }
        }
        askers
    }
}

fn is_all(name: &str) -> bool {
    name.strip_prefix('@').unwrap_or(name).eq_ignore_ascii_case("all")
}

fn push(handles: &mut Vec<Handle>, handle: Handle) {
    if !handles.contains(&handle) {
        handles.push(handle);
    }
}
