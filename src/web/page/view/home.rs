//! The first page: what waits for a person, and all rooms.

use askama::Template;

use super::{Frame, Inbox, Moment, PuzzlesLink, Stage, TasksLink, Unverified};

/// The first page.
#[derive(Clone, Debug, Template)]
#[template(path = "home.html")]
pub(in crate::web) struct HomePage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What waits.
    pub(in crate::web) inbox: Inbox,
    /// What is said where words are not verified.
    pub(in crate::web) unverified: Unverified,
    /// The rooms.
    pub(in crate::web) rooms: Rooms,
    /// The link to the board.
    pub(in crate::web) tasks: TasksLink,
    /// The link to the list of puzzles.
    pub(in crate::web) puzzles: PuzzlesLink,
}

/// The list of rooms. Its element is `#rooms`; a later part of the list has another one, which no news replaces.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "rooms.html")]
pub(in crate::web) struct Rooms {
    /// Those that are not closed, what happened last first; then the closed ones.
    pub(in crate::web) rows: Vec<RoomRow>,
    /// How many more there are after those listed.
    pub(in crate::web) more: usize,
    /// Whether the list begins here.
    pub(in crate::web) is_first: bool,
}

/// One room of the list.
#[derive(Clone, Debug)]
pub(in crate::web) struct RoomRow {
    /// Its id.
    pub(in crate::web) room: String,
    /// What it is about.
    pub(in crate::web) topic: String,
    /// Where it stands.
    pub(in crate::web) stage: Stage,
    /// Who has the floor, and for how long already: [`Moment::lasting`].
    pub(in crate::web) floor: Option<(String, Moment)>,
    /// The newest entry: the script knows which one this browser has shown last.
    pub(in crate::web) last_seq: u64,
    /// How many things wait for a person.
    pub(in crate::web) waiting: usize,
    /// How many messages there are.
    pub(in crate::web) messages: u64,
    /// When something last happened: [`Moment::ago`].
    pub(in crate::web) last: Moment,
}
