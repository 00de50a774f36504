//! What is asked of a room.

use super::event::{Noted, PuzzleQuestion, PuzzleStep};
use super::names::Names;
use super::{Handle, Via};

/// What is asked of a room.
#[derive(Clone, Debug)]
pub enum Command {
    /// A participant joins, for the first time or again.
    Join(Join),
    /// A call of a participant came in: it is here.
    Contact(Handle),
    /// A participant speaks.
    Post(Box<Post>),
    /// A participant asks for the floor.
    RequestTurn(Handle),
    /// A turn is passed on without a word.
    Pass(Pass),
    /// A participant leaves.
    Leave(Handle),
    /// A person frees a handle.
    Remove {
        /// Whose.
        handle: Handle,
        /// The person.
        by: Handle,
    },
    /// A person stops the room.
    Pause(Handle),
    /// A person ends a pause.
    Resume(Handle),
    /// A person opens the room without those missing.
    Start(Handle),
    /// The room is closed.
    Close(Close),
    /// A task that lives in the room has moved on. Nothing happens if the room knows that already.
    MoveTask(TaskMove),
    /// Something happened to a puzzle that lives in the room.
    TellPuzzle(PuzzleNews),
    /// The hub has something to tell.
    Note(Noted),
    /// A participant gets another key.
    ChangeKey {
        /// Whose.
        handle: Handle,
        /// The key, hashed.
        hash: String,
        /// Whether it is an invite.
        is_invite: bool,
    },
}

/// A participant joins.
#[derive(Clone, Debug)]
pub struct Join {
    /// Who.
    pub handle: Handle,
    /// A name for people.
    pub name: Option<String>,
    /// How many of the last messages an undeclared joiner gets.
    pub history: u64,
}

/// A participant speaks.
#[derive(Clone, Debug)]
pub struct Post {
    /// Who.
    pub sender: Handle,
    /// The words.
    pub content: String,
    /// How many bytes they may have.
    pub max_bytes: usize,
    /// Whether only sender and recipients may read it.
    pub is_private: bool,
    /// Recipients instead of those named in the text.
    pub recipients: Vec<String>,
    /// The message it answers.
    pub reply_to: Option<ReplyTo>,
    /// Answers to choose from.
    pub choices: Vec<String>,
    /// Whether those addressed are to speak next.
    pub expects_reply: bool,
    /// The caller's own id of the post.
    pub request_id: Option<String>,
    /// The way it came.
    pub via: Via,
    /// Whether a person's token vouches for it.
    pub is_verified: bool,
    /// The session it came from, as a short mark.
    pub origin: String,
}

/// The message that a post answers.
#[derive(Clone, Debug)]
pub struct ReplyTo {
    /// Its number.
    pub seq: u64,
    /// Who said it; nobody when it is a notice.
    pub sender: Option<Handle>,
    /// Whether it must be a question that still waits for who posts.
    pub is_question: bool,
}

/// A turn is passed on.
#[derive(Clone, Debug)]
pub struct Pass {
    /// Who passes it on.
    pub by: Handle,
    /// Who is to come next, as it was given.
    pub to: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// A task that lives in the room has moved on.
#[derive(Clone, Debug)]
pub struct TaskMove {
    /// Which task.
    pub task: String,
    /// Its newest record; 0 when it was made.
    pub version: u64,
    /// What that record is: one word.
    pub content: String,
    /// What it says in a line.
    pub summary: String,
    /// Whether it is a decision that nobody vouches for.
    pub is_proposed: bool,
    /// Where the task stands now: one word.
    pub status: String,
    /// Who has to act.
    pub to: Option<Handle>,
}

/// Something happened to a puzzle that lives in the room.
#[derive(Clone, Debug)]
pub struct PuzzleNews {
    /// Which puzzle.
    pub puzzle: String,
    /// What happened, in this order, each with how much had happened to it by then.
    pub steps: Vec<(u64, PuzzleStep)>,
    /// Who has to act after all of it, in this order: whose state it is, who is asked, and who has to go on.
    pub to: Vec<Handle>,
    /// What waits for answers after all of it.
    pub questions: Vec<PuzzleQuestion>,
    /// Whether only time moves it then: a timer runs, and there is nothing to do.
    pub is_timed: bool,
}

/// The room is closed.
#[derive(Clone, Debug)]
pub struct Close {
    /// By whom; nobody when another room takes its place.
    pub by: Option<Handle>,
    /// What came of it.
    pub summary: Option<String>,
    /// Whether the call comes from the session that made the room.
    pub is_creator: bool,
}

impl Command {
    /// The same command with the handles that the room knows: in their one spelling, and no aliases.
    pub(super) fn with_known_handles(mut self, names: &Names) -> Self {
        for handle in self.handles() {
            if let Some(known) = names.resolve(handle.key()) {
                *handle = known.clone();
            }
        }
        self
    }

    fn handles(&mut self) -> Vec<&mut Handle> {
        match self {
            Self::Join(join) => vec![&mut join.handle],
            Self::Post(post) => vec![&mut post.sender],
            Self::Pass(pass) => vec![&mut pass.by],
            Self::Remove { handle, by } => vec![handle, by],
            Self::Close(close) => close.by.iter_mut().collect(),
            Self::MoveTask(moved) => moved.to.iter_mut().collect(),
            Self::TellPuzzle(news) => {
                let asked = news.questions.iter_mut().flat_map(PuzzleQuestion::handles);
                news.to.iter_mut().chain(asked).collect()
            }
            Self::Contact(handle)
            | Self::RequestTurn(handle)
            | Self::Leave(handle)
            | Self::Pause(handle)
            | Self::Resume(handle)
            | Self::Start(handle)
            | Self::ChangeKey { handle, .. } => vec![handle],
            Self::Note(_) => Vec::new(),
        }
    }
}
