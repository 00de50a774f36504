//! Who waits for whom, one line each, the circles, and the command that frees them.

use serde_json::Value;

use super::Look;
use super::fields::{is_set, items, plain, word};
use super::table::pairs;

/// The whole answer.
pub(in super::super) fn why(answer: &Value, look: Look) -> String {
    let head = [
        ("room", word(answer, "room")),
        ("phase", word(answer, "phase")),
        ("turn", word(answer, "active_turn")),
    ];
    let head = head.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let waits =
        items(answer, "waits").iter().map(|wait| (word(wait, "who").unwrap_or_default(), waits_for(wait)));
    let cycles = items(answer, "cycles").iter().map(|cycle| ("circle".to_owned(), circle(cycle)));
    let mut lines: Vec<_> = head.chain(waits).chain(cycles).collect();
    if items(answer, "waits").is_empty() {
        lines.push(("waits".to_owned(), "nobody".to_owned()));
    }
    let lodgers = [items(answer, "tasks"), items(answer, "puzzles")];
    lines.extend(lodgers.into_iter().flatten().map(|wish| ("wants".to_owned(), plain(wish))));
    if let Some(act) = word(answer, "act") {
        let name = if is_set(answer, "is_stuck") { "type" } else { "to move on" };
        lines.push((name.to_owned(), act));
    }
    pairs(lines, look)
}

/// `waits 12 min for @Bob: @Bob has the floor`
fn waits_for(wait: &Value) -> String {
    let age = age(wait.get("seconds").and_then(Value::as_u64).unwrap_or(0));
    let (on, why) = (word(wait, "on").unwrap_or_default(), word(wait, "why").unwrap_or_default());
    format!("waits {age} for {on}: {why}")
}

/// `@Alice waits for @Bob waits for @Alice`
fn circle(cycle: &Value) -> String {
    let handles: Vec<String> = cycle.as_array().into_iter().flatten().map(plain).collect();
    handles.iter().chain(handles.first()).cloned().collect::<Vec<_>>().join(" waits for ")
}

fn age(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60),
    }
}
