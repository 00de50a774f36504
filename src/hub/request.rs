//! What a caller asks of the hub. Fields that are `None` or empty were not given.

use std::collections::BTreeMap;
use std::time::Duration;

/// Start a room.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// Where the transcript lies.
    pub filepath: String,
    /// Handles of the declared participants.
    pub participants: Vec<String>,
    /// What the room is about.
    pub topic: Option<String>,
    /// Id of the room; else a slug of the file's name.
    pub room: Option<String>,
    /// Handles that are people, beside `@user`.
    pub humans: Vec<String>,
    /// The rules of the room.
    pub policy: PolicyRequest,
    /// Close a room that has this path, or keep a foreign file aside, and start anew.
    pub force: bool,
    /// Refuse where a room, open or over, has this path or this id.
    pub takes_nothing_over: bool,
}

/// The rules of a room as they were asked for; `None` is the default.
#[derive(Clone, Debug, Default)]
pub struct PolicyRequest {
    /// `"all"` or a number of agents.
    pub barrier: Option<BarrierRequest>,
    /// Seconds until people are asked whether to start without those missing.
    pub barrier_timeout_seconds: Option<i64>,
    /// `strict` or `open`.
    pub floor: Option<String>,
    /// `all` or `batched`.
    pub wake: Option<String>,
    /// Seconds a holder may be silent.
    pub turn_lease_seconds: Option<i64>,
    /// Seconds a person may hold the floor while others are queued.
    pub human_hold_seconds: Option<i64>,
    /// Whether a person's mentions go to the head of the queue.
    pub human_first: Option<bool>,
    /// Turns of agents without a human word until the room pauses; 0 switches the loop guard off.
    pub max_agent_turns: Option<i64>,
    /// Who speaks first.
    pub first_speaker: Option<String>,
    /// Other names by handle.
    pub aliases: BTreeMap<String, Vec<String>>,
    /// Language of the transcript's labels: `en`, `fr`, `es`, `zh`.
    pub language: Option<String>,
    /// Whether only declared participants may join.
    pub invite_only: Option<bool>,
    /// `open`, `session` or `keyed`.
    pub identity: Option<String>,
    /// Whether people's words and acts count only with the human token.
    pub humans_verified_only: Option<bool>,
}

/// How many agents must have joined before the room opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierRequest {
    /// Every declared agent.
    All,
    /// So many.
    Count(i64),
}

/// Join a room, and wait until it has opened.
#[derive(Clone, Debug, Default)]
pub struct Join {
    /// Who joins.
    pub handle: String,
    /// A name for people.
    pub name: Option<String>,
    /// Which room.
    pub room: Option<String>,
    /// The key, where the room asks for one.
    pub key: Option<String>,
    /// How many of the last messages an undeclared joiner gets.
    pub history: Option<i64>,
    /// How long to wait at most.
    pub timeout: Option<Duration>,
}

/// Say something, and wait for what comes next.
#[derive(Clone, Debug, Default)]
pub struct Send {
    /// Who speaks.
    pub sender: String,
    /// The words, kept byte for byte.
    pub content: String,
    /// Whether only sender and recipients may read it.
    pub is_private: bool,
    /// Recipients, instead of those named in the text.
    pub recipients: Vec<String>,
    /// The message it answers.
    pub reply_to: Option<i64>,
    /// Whether that must be a question that still waits for the sender: of two answers the first counts.
    pub is_answer: bool,
    /// Answers to choose from, for a person.
    pub choices: Vec<String>,
    /// Whether those addressed are to speak next; `None` is yes.
    pub expects_reply: Option<bool>,
    /// Which room.
    pub room: Option<String>,
    /// The key, where the room asks for one.
    pub key: Option<String>,
    /// The caller's own id of this post; a repeat gets the first result.
    pub request_id: Option<String>,
    /// Acknowledges everything up to this message.
    pub after_seq_id: Option<i64>,
    /// How long to wait at most.
    pub timeout: Option<Duration>,
    /// Whether to wait at all; `None` is yes.
    pub block: Option<bool>,
}

/// Answer a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The person who answers.
    pub handle: String,
    /// Which room.
    pub room: String,
    /// The message that asks.
    pub seq: u64,
    /// The words.
    pub content: String,
    /// The caller's own id of this answer; a repeat gets the first result.
    pub request_id: Option<String>,
}

/// Wait for one's turn or a message.
#[derive(Clone, Debug, Default)]
pub struct Wait {
    /// Who waits.
    pub handle: String,
    /// Which room; `*` is all rooms of this handle.
    pub room: Option<String>,
    /// The key, where the room asks for one.
    pub key: Option<String>,
    /// How long at most.
    pub timeout: Option<Duration>,
    /// Acknowledges everything up to this message.
    pub after_seq_id: Option<i64>,
    /// Ask for the floor.
    pub request_turn: bool,
}

/// Give the turn on without speaking.
#[derive(Clone, Debug, Default)]
pub struct Pass {
    /// Who passes.
    pub handle: String,
    /// Who is to come next.
    pub to: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// Which room.
    pub room: Option<String>,
    /// The key, where the room asks for one.
    pub key: Option<String>,
}

/// Read what was said. Moves no cursor.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// Who reads.
    pub handle: String,
    /// Only messages after this one.
    pub after_seq_id: Option<i64>,
    /// Only messages before this one; without `after_seq_id`, the newest of them.
    pub before_seq_id: Option<i64>,
    /// How many at most; 50 without it.
    pub limit: Option<i64>,
    /// Which room.
    pub room: Option<String>,
    /// The key, where the room asks for one.
    pub key: Option<String>,
}

/// Search what was said.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Who searches.
    pub handle: String,
    /// Words that the message holds.
    pub query: String,
    /// How many hits at most; 20 without it.
    pub limit: Option<i64>,
    /// Which room.
    pub room: Option<String>,
    /// The key, where the room asks for one.
    pub key: Option<String>,
}

/// Leave a room.
#[derive(Clone, Debug, Default)]
pub struct Leave {
    /// Who leaves.
    pub handle: String,
    /// Which room.
    pub room: Option<String>,
    /// The key, where the room asks for one.
    pub key: Option<String>,
}

/// Close a room.
#[derive(Clone, Debug, Default)]
pub struct Close {
    /// Who closes.
    pub handle: String,
    /// Which room.
    pub room: Option<String>,
    /// What came of it; ends the transcript.
    pub summary: Option<String>,
    /// The key, where the room asks for one.
    pub key: Option<String>,
}

/// Make one file of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Export {
    /// Which room.
    pub room: Option<String>,
    /// What kind of file.
    pub form: Form,
    /// Whether private messages are in it.
    pub with_private: bool,
}

/// The form of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As the transcript.
    #[default]
    Markdown,
    /// A page that stands alone.
    Html,
}

/// Delete a room for good.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delete {
    /// Which room.
    pub room: String,
    /// Close it first, if it is open.
    pub force: bool,
    /// Delete its transcript too.
    pub with_transcript: bool,
}
