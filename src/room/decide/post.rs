//! Speaking.

use crate::room::command::Post;
use crate::room::draft::Draft;
use crate::room::event::{Event, Posted, QueueEnd};
use crate::room::participant::Participant;
use crate::room::policy::FloorRule;
use crate::room::recent::fingerprint;
use crate::room::state::{Phase, Question};
use crate::room::{Handle, Refusal};

use super::recipients::Recipients;

impl Draft {
    /// Posts a message. When it is not the sender's turn there is no [`Event::Posted`], and no refusal either:
    /// the sender only learns how the room stands.
    pub(super) fn post(&mut self, post: Post) -> Result<(), Refusal> {
        if post.content.trim().is_empty() {
            return Err(Refusal::MessageEmpty);
        }
        let bytes = post.content.len() + post.choices.iter().map(String::len).sum::<usize>();
        if bytes > post.max_bytes {
            return Err(Refusal::MessageTooLong { bytes, limit: post.max_bytes });
        }
        self.check_answer(&post)?;
        self.joined(&post.sender)?;
        let is_person = self.is_person(&post.sender);
        if is_person {
            self.person_acts(&post.sender);
        }
        let recipients = self.recipients(&post)?;
        if !is_person && !self.may_speak(&post.sender) {
            return Ok(());
        }
        self.say(post, &recipients, is_person);
        Ok(())
    }

    /// Of two answers to one question the first counts.
    fn check_answer(&self, post: &Post) -> Result<(), Refusal> {
        let Some(reply) = post.reply_to.as_ref().filter(|reply| reply.is_question) else { return Ok(()) };
        let waits = |question: &Question| question.seq == reply.seq && question.human == post.sender;
        if self.state.questions.iter().any(waits) {
            Ok(())
        } else {
            Err(Refusal::QuestionAnswered(reply.seq, post.sender.clone()))
        }
    }

    /// **Invariant (only the holder speaks):** or a person, or everyone where the floor is open or free, or who
    /// lost its turn while it worked on it.
    fn may_speak(&mut self, sender: &Handle) -> bool {
        self.settle();
        let state = &self.state;
        let is_late = state.member(sender).is_some_and(|member| member.is_late);
        let has_turn = state.holder().is_none_or(|holder| holder == sender);
        state.phase == Phase::Open && (has_turn || is_late || state.policy().floor == FloorRule::Open)
    }

    fn say(&mut self, post: Post, recipients: &Recipients, is_person: bool) {
        let is_human = |handle: &&Handle| self.state.member(handle).is_some_and(Participant::is_human);
        let mut asked: Vec<_> = recipients.named.iter().filter(is_human).cloned().collect();
        let mut queued = recipients.named.clone();
        queued.extend(recipients.others.iter().filter(|handle| !is_human(handle)).cloned());
        if !post.expects_reply {
            asked.clear();
        }
        let sender = post.sender.clone();
        self.emit(Event::Posted(Box::new(Posted {
            seq: self.seq(),
            recipients: recipients.all(),
            fingerprint: fingerprint(&post),
            unknown: recipients.in_vain(),
            asked,
            sender: post.sender,
            content: post.content,
            is_private: post.is_private,
            reply_to: post.reply_to.map(|reply| reply.seq),
            choices: post.choices,
            request_id: post.request_id,
            via: post.via,
            is_verified: post.is_verified,
            origin: post.origin,
            at: self.now.wall,
        })));
        if post.expects_reply && !queued.is_empty() {
            let first = is_person && self.state.policy().human_first;
            let end = if first { QueueEnd::Head } else { QueueEnd::Tail };
            self.emit(Event::Queued { handles: queued, end });
        }
        if is_person {
            self.start_by(sender);
        }
        self.guard();
    }

    /// Pauses a room in which agents only talk to each other.
    pub(super) fn guard(&mut self) {
        if let Some(reason) = self.state.loop_guard.verdict(self.state.policy()) {
            let (seq, at) = (self.seq(), self.now.wall);
            self.emit(Event::Paused { seq, reason, at });
        }
    }
}
