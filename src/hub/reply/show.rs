//! What the reply note of a room shows: the open questions, in their words, and the tasks and
//! puzzles that wait for a decision.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex as PlainMutex};
use std::time::Duration;

use tokio::sync::Mutex;

use super::{gate, guard, locked, name, place};
use crate::hub::error::HubError;
use crate::hub::live::{LiveRoom, Locked};
use crate::hub::shared::Shared;
use crate::hub::tasks::AtGate;
use crate::journal::StreamId;
use crate::room::event::Noted;
use crate::room::{Command, Handle, Phase, Question, Room};
use crate::transcript::{ReplyGuard, ReplyHead, ReplyQuestion, Taking, reply_path};

/// A note that cannot be written holds no start of a room for longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the note of a room was told to show last.
#[derive(Debug, Default)]
pub(in crate::hub) struct Shown {
    signs: PlainMutex<Option<Signs>>,
    /// Tasks are read before the room is locked: one after the other, so that nothing older is shown later.
    one_by_one: Mutex<()>,
}

/// By what it is seen that a note must show something else.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Signs {
    questions: Vec<u64>,
    taking: Taking,
    /// How many records of its tasks the room had been told.
    records: u64,
    guards: Vec<ReplyGuard>,
}

impl Shown {
    /// Whether the note does not show how the room stands now.
    pub(in crate::hub) fn is_old(&self, room: &Room, shared: &Shared) -> bool {
        let guards = guard::of(room, shared);
        let shown = locked(&self.signs);
        shown.as_ref().is_none_or(|shown| {
            let asked = asked(room).into_iter().map(|question| question.seq);
            shown.taking != taking(room)
                || shown.records != room.records_told()
                || shown.guards != guards
                || !asked.eq(shown.questions.iter().copied())
        })
    }

    fn set(&self, head: &ReplyHead, records: u64) {
        let questions = head.questions.iter().map(|question| question.seq).collect();
        *locked(&self.signs) =
            Some(Signs { questions, taking: head.taking, records, guards: head.guards.clone() });
    }
}

/// Lets the note of a room that is in memory show how it stands.
pub(in crate::hub) async fn show(shared: &Arc<Shared>, stream: &StreamId) {
    let Some(entry) = shared.entry_of(stream.as_str()).await else { return };
    let live = shared.room(&entry);
    if !shared.has_place(&live).await {
        return;
    }
    let _turn = live.reply.one_by_one.lock().await;
    if let Err(error) = bring_up_to_date(shared, &live).await {
        tracing::warn!(room = %live.id, %error, "the reply note is not brought up to date");
    }
}

async fn bring_up_to_date(shared: &Arc<Shared>, live: &LiveRoom) -> Result<(), HubError> {
    let (tasks, records) = {
        let room = live.lock_as_it_is(shared).await;
        // A room that is only read for a list is not brought to its note.
        if !room.is_loaded()
            || !live.is_awake.load(Ordering::SeqCst)
            || !live.reply.is_old(room.room(), shared)
        {
            return Ok(());
        }
        let tasks: Vec<_> = room.room().tasks().map(str::to_owned).collect();
        (tasks, room.room().records_told())
    };
    // A task that moves on tells its room while it is locked, so the room may not be locked here.
    let gates = if tasks.is_empty() { Vec::new() } else { shared.gates(&tasks).await? };
    let room = live.lock_as_it_is(shared).await;
    if room.is_loaded() {
        let head = head(&room, &gates).await?;
        live.reply.set(&head, records);
        shared.replies.show(&live.stream, &live.path, head);
    }
    Ok(())
}

/// Makes the note of a new room, before its transcript, which links it. Where it cannot be, the room has none.
pub(in crate::hub) async fn open(shared: &Arc<Shared>, live: &Arc<LiveRoom>) -> Result<(), HubError> {
    let head = {
        let room = live.lock(shared).await?;
        let head = head(&room, &[]).await?;
        live.reply.set(&head, room.room().records_told());
        head
    };
    let shown = shared.replies.desk.shown(place(&live.stream, &live.path), head);
    let is_there = tokio::time::timeout(PATIENCE, shown).await.unwrap_or(false);
    let path = reply_path(&live.path);
    if !is_there && tokio::fs::symlink_metadata(&path).await.is_ok() {
        let mut room = live.lock(shared).await?;
        room.execute(Command::Note(Noted::ReplyInTheWay(name(&path)))).await?;
    }
    Ok(())
}

/// What the note asks: of one message that asks several people, what it asks of `@user`, or of the first.
pub(super) fn asked(room: &Room) -> Vec<&Question> {
    let questions = room.questions();
    let is_first = |question: &&Question| {
        let mut same = questions.iter().filter(|other| other.seq == question.seq);
        let of_user = same.clone().find(|other| other.human == Handle::user());
        of_user.or(same.next()).is_some_and(|first| first.human == question.human)
    };
    questions.iter().filter(is_first).collect()
}

async fn head(room: &Locked<'_>, gates: &[AtGate]) -> Result<ReplyHead, HubError> {
    let (live, hub) = (room.live, room.hub);
    let asked = asked(room.room());
    let seqs: Vec<u64> = asked.iter().map(|question| question.seq).collect();
    let messages = room.inside.ledger.fetch(&seqs, &*hub.journal, &live.stream).await;
    let messages = messages.map_err(|error| HubError::unread(&live.id, error))?;
    let question = |question: &&Question| {
        let message = messages.iter().find(|message| message.seq_id == question.seq)?;
        Some(ReplyQuestion {
            seq: question.seq,
            asker: question.asker.clone(),
            human: question.human.clone(),
            at: question.at,
            content: message.content.clone(),
            choices: message.choices.clone(),
        })
    };
    let taking = taking(room.room());
    Ok(ReplyHead {
        room: live.id.clone(),
        topic: room.room().topic().to_owned(),
        language: room.room().policy().language,
        questions: asked.iter().filter_map(question).collect(),
        gates: gates.iter().map(|at| gate::shown(at, taking)).collect(),
        guards: guard::of(room.room(), hub),
        taking,
        last_seq: room.room().last_seq(),
    })
}

fn taking(room: &Room) -> Taking {
    match room.phase() {
        Phase::Closed => Taking::Over,
        _ if room.policy().humans_verified_only => Taking::Nothing,
        _ => Taking::Words,
    }
}
