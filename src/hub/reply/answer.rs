//! What a person has answered in a reply note becomes a message like any other, or a decision about a task.

use std::sync::Arc;

use super::{gate, show};
use crate::hub::caller::{Caller, Mouth, Session};
use crate::hub::error::HubError;
use crate::hub::live::LiveRoom;
use crate::hub::request::{Answer, Send};
use crate::hub::shared::Shared;
use crate::hub::{Decide, Hub, answer};
use crate::room::{Handle, Message, Participant, Refusal};
use crate::transcript::{AnswerTo, ReplyAnswer};

/// All reply notes are one place from which people speak.
const SESSION: &str = "reply note";

/// Posts an answer, and lets the note know.
pub(super) async fn answer(shared: &Arc<Shared>, answered: &ReplyAnswer) {
    let taken = take(shared, answered).await;
    if matches!(taken, Err(HubError::Stopping | HubError::Cancelled)) {
        // It stays as it is; the next hub finds it.
        return;
    }
    if let Some(entry) = shared.entry_of(&answered.key).await {
        show::show(shared, &entry.stream).await;
    }
    match taken {
        Ok(seq) => shared.replies.desk.posted(answered, seq),
        Err(error) => shared.replies.desk.refused(answered, reason(&error)),
    }
}

/// Why it was not taken, for whoever looks at the note.
fn reason(error: &HubError) -> String {
    match error {
        HubError::TaskMovedOn { .. } => format!("{error}; look at it, then decide again"),
        error => error.to_string(),
    }
}

/// Gives the newest message that the answer has made.
async fn take(shared: &Arc<Shared>, answered: &ReplyAnswer) -> Result<u64, HubError> {
    let entry = shared.entry_of(&answered.key).await.ok_or(Refusal::RoomClosed)?;
    let live = shared.live(&entry).await?;
    let hub = Hub { shared: Arc::clone(shared) };
    let request_id = Some(answered.request_id.clone());
    let given = match &answered.to {
        AnswerTo::Room => {
            let send = Send {
                sender: Handle::user().to_string(),
                content: answered.text.clone(),
                room: Some(live.id.clone()),
                request_id,
                block: Some(false),
                ..Send::default()
            };
            hub.send(&caller(), send).await?
        }
        AnswerTo::Question { seq, choice } => {
            let question = question(shared, &live, *seq).await?;
            let content = content(&question, *choice, &answered.text)?;
            let handle = human(shared, &live, &question).await?.to_string();
            let (room, seq) = (live.id.clone(), *seq);
            hub.answer(&caller(), Answer { handle, room, seq, content, request_id }).await?
        }
        AnswerTo::Gate { task, version, decision } => {
            let decide = Decide {
                task: task.clone(),
                decision: gate::decision(*decision),
                by: Handle::user().to_string(),
                reason: Some(answered.text.clone()),
                expected_version: Some(*version),
                request_id,
            };
            return self::decide(&hub, &live, decide).await;
        }
    };
    posted(&given).ok_or_else(|| Refusal::RoomClosed.into())
}

/// Decides about a task of the room, where the room takes such words.
async fn decide(hub: &Hub, live: &LiveRoom, decide: Decide) -> Result<u64, HubError> {
    {
        let room = live.lock(&hub.shared).await?;
        room.check_verified(&caller(), &Handle::user())?;
        if !room.room().tasks().any(|task| task == decide.task) {
            return Err(HubError::NoSuchTask(decide.task));
        }
    }
    hub.decide_task(&caller(), decide).await?;
    Ok(live.lock(&hub.shared).await?.room().last_seq())
}

fn posted(given: &answer::Answer) -> Option<u64> {
    given.turn.posted.as_ref().map(|posted| posted.seq_id)
}

async fn question(shared: &Shared, live: &LiveRoom, seq: u64) -> Result<Arc<Message>, HubError> {
    let room = live.lock(shared).await?;
    let found = room.inside.ledger.fetch(&[seq], &*shared.journal, &live.stream).await;
    let found = found.map_err(|error| HubError::unread(&live.id, error))?;
    found.into_iter().next().ok_or_else(|| Refusal::NoSuchMessage(seq).into())
}

/// Who is asked; of a question that is over, who was.
async fn human(shared: &Shared, live: &LiveRoom, question: &Message) -> Result<Handle, HubError> {
    let room = live.lock(shared).await?;
    let open = show::asked(room.room()).into_iter().find(|open| open.seq == question.seq_id);
    let is_human = |handle: &&Handle| room.room().participant(handle).is_some_and(Participant::is_human);
    let human = open.map(|open| &open.human).or_else(|| question.recipients.iter().find(is_human));
    Ok(human.cloned().unwrap_or_else(Handle::user))
}

/// The words of an answer: the choice, as it was offered, and what was typed.
fn content(question: &Message, choice: Option<usize>, text: &str) -> Result<String, HubError> {
    let Some(place) = choice else { return Ok(text.to_owned()) };
    let choice = question.choices.get(place).ok_or(Refusal::NoSuchMessage(question.seq_id))?;
    Ok(if text.is_empty() { choice.clone() } else { format!("{choice}\n\n{text}") })
}

fn caller() -> Caller {
    Caller::new(Session::Named(SESSION.into()), Mouth::Note)
}
