//! What the addresses of resources stand for.

use crate::tools::{escaped, puzzle_uri, unescaped};

pub(super) const ROOMS: &str = "turnroom://rooms";
const ROOM: &str = "turnroom://room/";
const TASK: &str = "turnroom://task/";
/// How the addresses of puzzles begin: as Puzzlebox serves them, as its page writes them, and as ours do.
const PUZZLE: [&str; 3] = ["puzzlebox://puzzle/", "puzzlebox:/puzzle/", "turnroom://puzzle/"];

/// What a URI stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) enum Subject {
    /// The list of rooms.
    Rooms,
    /// The room with this id.
    Room(String),
    /// The task with this id.
    Task(String),
    /// The puzzle with this id.
    Puzzle(String),
    /// The document of a state of a puzzle. It never changes.
    Document {
        /// Which puzzle.
        puzzle: String,
        /// The dotted path of the state.
        state: String,
    },
}

impl Subject {
    /// Reads a URI; nothing if it is none of ours.
    pub(in crate::mcp) fn parse(uri: &str) -> Option<Self> {
        if uri == ROOMS {
            return Some(Self::Rooms);
        }
        let name_after = |start| uri.strip_prefix(start).and_then(name);
        let room = name_after(ROOM).map(Self::Room);
        let task = || name_after(TASK).map(Self::Task);
        let puzzle = || PUZZLE.iter().find_map(|start| of_puzzle(uri.strip_prefix(start)?));
        room.or_else(task).or_else(puzzle)
    }

    pub(super) fn uri(&self) -> String {
        match self {
            Self::Rooms => ROOMS.to_owned(),
            Self::Room(id) => format!("{ROOM}{}", escaped(id)),
            Self::Task(id) => format!("{TASK}{}", escaped(id)),
            Self::Puzzle(id) => puzzle_uri(id),
            Self::Document { puzzle, state } => format!("{}/state/{}", puzzle_uri(puzzle), escaped(state)),
        }
    }
}

/// What stands behind the beginning: an id, or an id and a state. A slash that belongs to a name is escaped.
fn of_puzzle(rest: &str) -> Option<Subject> {
    let parts: Vec<&str> = rest.split('/').collect();
    match parts.as_slice() {
        [id] => name(id).map(Subject::Puzzle),
        [id, "state", state] => Some(Subject::Document { puzzle: name(id)?, state: name(state)? }),
        _ => None,
    }
}

fn name(escaped: &str) -> Option<String> {
    unescaped(escaped).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(id: &str) -> Option<Subject> {
        Some(Subject::Puzzle(id.to_owned()))
    }

    fn document(puzzle: &str, state: &str) -> Option<Subject> {
        Some(Subject::Document { puzzle: puzzle.to_owned(), state: state.to_owned() })
    }

    #[test]
    fn a_uri_stands_for_the_rooms_or_for_one_room() {
        for (uri, expected) in [
            ("turnroom://rooms", Some(Subject::Rooms)),
            ("turnroom://room/design-review", Some(Subject::Room("design-review".into()))),
            ("turnroom://room/%E6%B5%8B", Some(Subject::Room("测".into()))),
            ("turnroom://room/测", Some(Subject::Room("测".into()))),
            ("turnroom://task/parser", Some(Subject::Task("parser".into()))),
            ("turnroom://room/", None),
            ("turnroom://room/%", None),
            ("turnroom://room/%+1", None),
            ("turnroom://room/%FF", None),
            ("turnroom://rooms/", None),
            ("turnroom:/rooms", None),
            ("test://static-text", None),
            ("", None),
        ] {
            assert_eq!(Subject::parse(uri), expected, "{uri}");
        }
    }

    #[test]
    fn a_puzzle_has_three_spellings_and_its_states_have_documents() {
        for (uri, expected) in [
            ("puzzlebox://puzzle/p1", puzzle("p1")),
            ("puzzlebox:/puzzle/p1", puzzle("p1")),
            ("turnroom://puzzle/p1", puzzle("p1")),
            ("puzzlebox://puzzle/p1/state/DRAFT", document("p1", "DRAFT")),
            ("turnroom://puzzle/p1/state/a.b%2Fc", document("p1", "a.b/c")),
            ("puzzlebox://puzzle/", None),
            ("puzzlebox://puzzle/p1/", None),
            ("puzzlebox://puzzle/p1/state", None),
            ("puzzlebox://puzzle/p1/state/", None),
            ("puzzlebox://puzzle/p1/states/DRAFT", None),
            ("puzzlebox://puzzle/p1puzzlebox://puzzle/x", None),
            ("puzzlebox:///puzzle/p1", None),
            ("puzzlebox://p1", None),
        ] {
            assert_eq!(Subject::parse(uri), expected, "{uri}");
        }
    }

    #[test]
    fn every_subject_has_a_uri_that_reads_back() {
        for id in ["design-review", "测试", "a b/c%2F", "é\u{301}"] {
            let id = id.to_owned();
            let document = Subject::Document { puzzle: id.clone(), state: id.clone() };
            for subject in
                [Subject::Room(id.clone()), Subject::Task(id.clone()), Subject::Puzzle(id), document]
            {
                assert!(subject.uri().is_ascii());
                assert_eq!(Subject::parse(&subject.uri()), Some(subject));
            }
        }
    }
}
