//! Why a room did not obey. Nothing has changed. Each text says what was wrong and what to do next.

use super::{Handle, InvalidHandle};

/// Why a room did not obey.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is no handle, or reserved.
    #[error(transparent)]
    Handle(#[from] InvalidHandle),
    /// Two handles or aliases fold to one.
    #[error("`{0}` and `{1}` fold to the same name; give each participant and alias a name of its own")]
    HandleClash(String, String),
    /// The handle has not joined.
    #[error("`{0}` has not joined this room; call join_conversation first")]
    NotJoined(Handle),
    /// Only declared participants may join.
    #[error("`{0}` is not among the declared participants, and this room is invite-only; ask @user")]
    InviteOnly(Handle),
    /// Nobody has this handle.
    #[error("`{name}` is no participant of this room")]
    UnknownParticipant {
        /// The name as it was given.
        name: String,
        /// Who could be meant.
        known: Vec<Handle>,
    },
    /// Who is meant has left.
    #[error("`{handle}` has left this room")]
    HasLeft {
        /// Who is meant.
        handle: Handle,
        /// Who could be meant.
        known: Vec<Handle>,
    },
    /// The message addresses nobody.
    #[error(
        "the message addresses nobody{}; mention a participant in the text, outside code and quotes",
        in_vain(unknown, left)
    )]
    NoValidMention {
        /// Who could be mentioned.
        known: Vec<Handle>,
        /// Names in it that nobody has.
        unknown: Vec<String>,
        /// Who is named in it and has left.
        left: Vec<Handle>,
    },
    /// A private message to everyone.
    #[error("`@all` cannot be addressed in a private message; name the recipients, or send it in public")]
    AllInPrivate,
    /// A private message to nobody.
    #[error("a private message needs a recipient; name one in `recipients`")]
    PrivateToNobody,
    /// Nothing but white space.
    #[error("the message has no text; say something, or call pass_turn")]
    MessageEmpty,
    /// Too many bytes.
    #[error(
        "the message has {bytes} bytes, and {limit} are allowed; put long text into a file and name its path"
    )]
    MessageTooLong {
        /// How many it has.
        bytes: usize,
        /// How many it may have.
        limit: usize,
    },
    /// The request id stands for another message.
    #[error("request_id `{0}` was used for another message; use a new one for new words")]
    RequestIdReused(String),
    /// More agents are awaited than were declared.
    #[error("barrier {asked} can never be reached: {declared} agents are declared")]
    BarrierImpossible {
        /// What was asked for.
        asked: u32,
        /// How many agents are declared.
        declared: usize,
    },
    /// The message that is answered does not exist, or is not for the sender.
    #[error(
        "message {0} does not exist here, or is not for you; reply_to takes the seq_id of a message you were given"
    )]
    NoSuchMessage(u64),
    /// The room is over.
    #[error("the room is closed; start a new one with init_conversation")]
    RoomClosed,
    /// Only some may close a room.
    #[error("`{0}` may not close this room; @user, the session that started it, or the last agent here may")]
    MayNotClose(Handle),
    /// Only people may do this.
    #[error("`{0}` is no person of this room; only a person may do this")]
    OnlyPeople(Handle),
    /// The room takes a person's words and acts only from where nobody else can speak.
    #[error(
        "this room takes words and acts of `{0}` only from the page or from a terminal (humans_verified_only); nothing was done"
    )]
    NotVerified(Handle),
    /// The question has been answered by now, or never waited for this person.
    #[error("message {0} does not wait for an answer of `{1}` any more; nothing was posted")]
    QuestionAnswered(u64, Handle),
    /// Only a room that runs can be paused.
    #[error("the room has not opened yet, so there is nothing to pause")]
    NotOpen,
}

impl Refusal {
    /// The stable code, listed in `docs/errors.md`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Handle(InvalidHandle::Reserved(_)) => "handle_reserved",
            Self::Handle(InvalidHandle::Malformed(_)) | Self::HandleClash(..) => "invalid_handle",
            Self::NotJoined(_) => "not_joined",
            Self::UnknownParticipant { .. } | Self::HasLeft { .. } => "unknown_participant",
            Self::NoValidMention { .. } => "no_valid_mention",
            Self::AllInPrivate => "all_in_private",
            Self::PrivateToNobody | Self::NoSuchMessage(_) => "invalid_argument",
            Self::MessageEmpty => "message_empty",
            Self::MessageTooLong { .. } => "message_too_long",
            Self::RequestIdReused(_) => "request_id_reused",
            Self::BarrierImpossible { .. } => "barrier_impossible",
            Self::RoomClosed => "room_closed",
            Self::InviteOnly(_) | Self::MayNotClose(_) | Self::OnlyPeople(_) => "not_allowed",
            Self::NotVerified(_) => "not_verified",
            Self::QuestionAnswered(..) => "question_answered",
            Self::NotOpen => "not_open",
        }
    }

    /// What would be allowed.
    #[must_use]
    pub fn allowed(&self) -> Vec<String> {
        match self {
            Self::UnknownParticipant { known, .. } | Self::HasLeft { known, .. } => {
                known.iter().map(ToString::to_string).collect()
            }
            Self::NoValidMention { known, .. } => {
                known.iter().map(ToString::to_string).chain(["@all".to_owned()]).collect()
            }
            Self::BarrierImpossible { declared, .. } => vec![format!("0 to {declared}"), "all".to_owned()],
            _ => Vec::new(),
        }
    }

    /// What the caller should do next.
    #[must_use]
    pub fn next(&self) -> &'static str {
        match self {
            Self::Handle(_) | Self::HandleClash(..) => "call again with another handle",
            Self::NotJoined(_) => "call join_conversation, then call again",
            Self::InviteOnly(_) | Self::OnlyPeople(_) => "ask @user",
            Self::UnknownParticipant { .. } | Self::HasLeft { .. } => {
                "call again with one of the allowed handles"
            }
            Self::NoValidMention { .. } => "mention who must answer, or set expects_reply=false",
            Self::AllInPrivate | Self::PrivateToNobody => "call again with recipients",
            Self::MessageEmpty => "call again with text, or call pass_turn",
            Self::MessageTooLong { .. } => "shorten it and call again",
            Self::RequestIdReused(_) => "call again with a new request_id",
            Self::BarrierImpossible { .. } => "call again with a barrier that is allowed",
            Self::NoSuchMessage(_) => "call again with another reply_to, or without it",
            Self::RoomClosed => "wait_for_turn gives what you have not read of it; then stop",
            Self::MayNotClose(_) => "call leave_conversation instead",
            Self::NotVerified(_) => {
                "let the person answer on the page, or with `turnroom answer` in a terminal"
            }
            Self::QuestionAnswered(..) => "read the answer; to say more, send a message without it",
            Self::NotOpen => "`turnroom start` opens it, `turnroom close` ends it",
        }
    }
}

/// Whom a message named in vain, and why.
fn in_vain(unknown: &[String], left: &[Handle]) -> String {
    const NAMED: usize = 3;
    let left = left.iter().take(NAMED).map(|handle| format!("`{handle}` has left"));
    let unknown = unknown.iter().take(NAMED).map(|name| format!("nobody here is `{name}`"));
    let reasons: Vec<_> = left.chain(unknown).collect();
    if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) }
}
