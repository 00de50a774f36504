//! Every page of a hostile room is the page that was meant, for every engine.
//!
//! `TURNROOM_DOCUMENTS` says how many rooms are tried, `TURNROOM_FIRST` the number of the first one, and
//! `TURNROOM_DRIVERS` which further engines read them; `tests/hostile/run` sets them.

use super::drivers::Drivers;
use super::github::{self, Dialect};
use super::outline::Block;
use super::rooms::Room;
use super::{expected, pulldown};
use crate::transcript::clean;

/// So many bad rooms are shown.
const SHOWN: usize = 5;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// The front matter, and what stands below it.
fn split(page: &str) -> (&str, &str) {
    let below = page.strip_prefix("---\n").unwrap();
    below.split_once("\n---\n").unwrap()
}

/// What is wrong with the front matter: it holds our fields, and the topic as one string.
fn problems_in_front(front: &str, room: &Room) -> Vec<String> {
    let names = [
        "room: ",
        "topic: ",
        "started: ",
        "part: ",
        "stamp: ",
        "tags:",
        "  - turnroom",
        "cssclasses:",
        "  - turnroom",
    ];
    let lines: Vec<&str> = front.split('\n').collect();
    let is_ours =
        lines.len() == names.len() && lines.iter().zip(names).all(|(line, name)| line.starts_with(name));
    // JSON's strings are strings of YAML.
    let topic =
        lines.get(1).and_then(|line| line.strip_prefix("topic: ")).map(serde_json::from_str::<String>);
    let is_whole = matches!(topic, Some(Ok(topic)) if topic == clean::line(&room.head.topic));
    if is_ours && is_whole { Vec::new() } else { vec![format!("front matter: {front}")] }
}

fn problems(room: &Room, front: &str, below: &str, want: &[Block]) -> Vec<String> {
    let mut problems = problems_in_front(front, room);
    let readers = [
        ("pulldown-cmark", pulldown::read(below, room.links)),
        ("comrak as GitHub", github::read(below, room.links, Dialect::GitHub)),
        ("comrak as Obsidian", github::read(below, room.links, Dialect::Obsidian)),
    ];
    for (name, seen) in readers {
        problems.extend(seen.problems(want).into_iter().map(|problem| format!("{name}: {problem}")));
    }
    problems
}

/// Each message is a heading and a quote, whatever it holds, and nothing in it acts; topic, names and paths are
/// shown letter by letter.
#[test]
fn no_text_changes_the_page() {
    let (count, first) = (number("TURNROOM_DOCUMENTS", 400), number("TURNROOM_FIRST", 1));
    let mut drivers = Drivers::start();
    let mut bad = 0;
    for number in first..first + count {
        let room = Room::of(number);
        let page = room.page();
        let want = expected::page(&room);
        let (front, below) = split(&page);
        drivers.tell(number, below, &want, room.links);
        let problems = problems(&room, front, below, &want);
        if !problems.is_empty() {
            bad += 1;
            if bad <= SHOWN {
                println!("room {number}\n{}\n{below}\n", problems.join("\n"));
            }
        }
    }
    let complaints = drivers.finish();
    assert_eq!((bad, complaints), (0, 0), "rooms that are read wrongly, and drivers that complain");
}
