//! Puzzles: how one stands, its machine in text, and what has happened to it.

use serde_json::Value;

use super::Look;
use super::fields::{is_set, items, moment, plain, word, words};
use super::message::indented;
use super::shell::in_shell;
use super::table::{pairs, table};

/// How a puzzle stands.
pub(in super::super) fn puzzle(answer: &Value, look: Look) -> String {
    let known = [
        ("puzzle", word(answer, "puzzleId")),
        ("name", word(answer, "name")),
        (
            "state",
            word(answer, "currentState")
                .map(|state| state + if is_set(answer, "isFinal") { ", the end" } else { "" })
                .map(|state| state + if is_set(answer, "removed") { ", removed" } else { "" }),
        ),
        (
            "fault",
            word(answer, "fault")
                .or_else(|| is_set(answer, "damaged").then(|| "its log was damaged".to_owned())),
        ),
        ("about", word(answer, "description")),
        ("since", moment(answer, "since")),
        ("actions", words(answer, "availableActions")),
        ("turn of", words(answer, "who")),
        ("version", word(answer, "version")),
        ("room", word(answer, "room")),
        ("document", word(answer, "resource")),
        ("timeout", is_set(answer, "timeout").then(|| "it has not come".to_owned())),
    ];
    let known = known.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let asked = items(answer, "pending").iter().map(|one| ("asked", asked(one)));
    let warnings = items(answer, "warnings").iter().map(|one| ("warning", warning(one)));
    let next = word(answer, "next").map(|next| ("next", in_shell(&next)));
    pairs(known.chain(asked).chain(warnings).chain(next), look)
}

/// How a puzzle stands, its machine, and the document of its state.
pub(in super::super) fn puzzle_and_machine(answer: &Value, look: Look) -> String {
    let document = answer["document"].as_str();
    let document = document.map(|text| format!("\n{}\n{}", look.strong("document"), indented(text)));
    let machine = machine(items(answer, "states"), look);
    format!("{}\n{machine}{}", puzzle(answer, look), document.unwrap_or_default())
}

/// How a puzzle stands, in one line: `review, version 4; actions: approve, reject; asked: @user`.
pub(in super::super) fn puzzle_line(answer: &Value, look: Look) -> String {
    let state = look.strong(&word(answer, "currentState").unwrap_or_default());
    let version = word(answer, "version").unwrap_or_default();
    let actions = words(answer, "availableActions").unwrap_or_else(|| "none".to_owned());
    let asks: Vec<_> = items(answer, "pending").iter().filter_map(|one| words(one, "asks")).collect();
    let asks = if asks.is_empty() { String::new() } else { format!("; asked: {}", asks.join(", ")) };
    format!("{state}, version {version}; actions: {actions}{asks}\n")
}

/// All puzzles.
pub(in super::super) fn puzzles(answer: &Value, look: Look) -> String {
    let (puzzles, damaged) = (items(answer, "puzzles"), items(answer, "damaged"));
    if puzzles.is_empty() && damaged.is_empty() {
        return "no puzzles; `turnroom puzzle add --help` says how to add one\n".to_owned();
    }
    let row = |puzzle: &Value| {
        let text = |name| word(puzzle, name).unwrap_or_default();
        let end = if is_set(puzzle, "isFinal") { ", the end" } else { "" };
        let since = moment(puzzle, "since").unwrap_or_default();
        [text("puzzleId"), text("currentState") + end, text("version"), text("pending"), since, text("name")]
    };
    let ill = |puzzle: &Value| {
        let [nothing, id] = [String::new(), word(puzzle, "puzzleId").unwrap_or_default()];
        [
            id,
            "damaged: see turnroom doctor".to_owned(),
            nothing.clone(),
            nothing.clone(),
            nothing.clone(),
            nothing,
        ]
    };
    let rows: Vec<_> = puzzles.iter().map(row).chain(damaged.iter().map(ill)).collect();
    let table = table(["PUZZLE", "STATE", "VERSION", "ASKED", "SINCE", "NAME"], &rows, look);
    let more = word(answer, "next_after")
        .map(|last| format!("there are more; --after {last} goes on\n"))
        .unwrap_or_default();
    table + &more
}

/// What has happened to a puzzle, one event a line.
pub(in super::super) fn puzzle_history(answer: &Value, look: Look) -> String {
    let events = items(answer, "events").iter().map(|event| puzzle_event(event, look));
    let more = word(answer, "next_since_version")
        .map(|next| format!("there are more; --since {next} goes on\n"))
        .unwrap_or_default();
    events.collect::<String>() + &more
}

/// One thing that has happened: `3 approve: review → published by @Ada, 2026-08-18 10:20:30 UTC`, and below it what was
/// said.
pub(in super::super) fn puzzle_event(event: &Value, look: Look) -> String {
    let text = |name| word(event, name).unwrap_or_default();
    let way = || format!("{}: {} → {}", text("action"), text("from"), text("to"));
    let what = match event["what"].as_str() {
        Some("added") => format!("added, in {}", text("to")),
        Some("asked") => {
            format!(
                "{} waits for {}; guard {}",
                way(),
                words(event, "asks").unwrap_or_default(),
                text("guardId")
            )
        }
        Some("acted_again") => format!("the same again; guard {}", text("guardId")),
        Some("answered") => format!("guard {} {}", text("guardId"), verdict(event)),
        Some("refused") => refused(event),
        Some("moved") => way(),
        _ => text("what"),
    };
    let actor = if event["what"] == "refused" { String::new() } else { doer(event, " by ") };
    let at = moment(event, "at").map(|at| format!(", {at}")).unwrap_or_default();
    let head = look.strong(&format!("{} {what}", text("version")));
    let through = words(event, "through").map(|states| format!("through {states}"));
    let said = [through, word(event, "question"), word(event, "reason")].into_iter().flatten();
    let verdicts = items(event, "verdicts").iter().map(|one| {
        let by = word(one, "by").or_else(|| word(one, "asked")).unwrap_or_default();
        let reason = word(one, "reason").map(|reason| format!(": {reason}")).unwrap_or_default();
        format!("{by} {}{reason}", verdict(one))
    });
    let unguarded = words(event, "unguarded").map(|guards| format!("nobody was asked: {guards}"));
    let below = said.chain(verdicts).chain(unguarded).map(|line| format!("    {line}\n"));
    format!("{head}{actor}{at}\n{}", below.collect::<String>())
}

/// Who has done something, and whether a person vouches for it.
fn doer(event: &Value, before: &str) -> String {
    let verified = if is_set(event, "verified") { ", verified" } else { "" };
    word(event, "actor").map(|actor| format!("{before}{actor}{verified}")).unwrap_or_default()
}

/// `approve of @Ada refused by @Carol`; whoever says no to an action of his own is named once.
fn refused(event: &Value) -> String {
    let (action, by) = (word(event, "action").unwrap_or_default(), word(event, "by"));
    let whose = if by == word(event, "actor") { String::new() } else { doer(event, " of ") };
    let comma = if whose.ends_with("verified") { "," } else { "" };
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    format!("{action}{whose}{comma} refused{by}")
}

/// The machine: each state with what leads out of it, an arrow beside the present one.
fn machine(states: &[Value], look: Look) -> String {
    let widest = |of: &dyn Fn(&Value) -> Vec<usize>| states.iter().flat_map(of).max().unwrap_or(0);
    let name = |state: &Value| word(state, "state").unwrap_or_else(|| "(every state)".to_owned());
    let state_width = widest(&|state| vec![name(state).chars().count()]);
    let way_width =
        widest(&|state| items(state, "ways").iter().map(|way| action(way).chars().count()).collect());
    let mut lines = Vec::new();
    for state in states {
        let is_current = is_set(state, "isCurrent");
        let mark = if is_current { "▶" } else { " " };
        let padded = format!("{mark} {:state_width$}", name(state));
        let head = if is_current { look.strong(&padded) } else { padded };
        let ways = items(state, "ways");
        for (number, way) in ways.iter().enumerate() {
            let before = if number == 0 { head.clone() } else { " ".repeat(state_width + 2) };
            let to = word(way, "to").unwrap_or_else(|| "(stays)".to_owned());
            let only = words(way, "allowed").map(|who| format!("  only {who}")).unwrap_or_default();
            lines.push(format!("{before}  {:way_width$} → {to}{only}\n", action(way)));
            lines.extend(below(state_width, "", items(way, "guards")));
        }
        if ways.is_empty() {
            let end = if is_set(state, "isFinal") { "  (the end)" } else { "" };
            lines.push(format!("{head}{end}").trim_end().to_owned() + "\n");
        }
        lines.extend(below(state_width, "before it is left: ", items(state, "exitGuards")));
        lines.extend(below(state_width, "before it is entered: ", items(state, "enterGuards")));
    }
    lines.concat()
}

/// What must hold, below what it is about.
fn below(state_width: usize, when: &str, guards: &[Value]) -> Vec<String> {
    let indent = " ".repeat(state_width + 6);
    guards.iter().map(|guard| format!("{indent}{when}{}\n", plain(guard))).collect()
}

/// What takes a way, with a mark if somebody or something is asked first.
fn action(way: &Value) -> String {
    let guard = if items(way, "guards").is_empty() { "" } else { " [guard]" };
    word(way, "action").unwrap_or_default() + guard
}

/// `g4 approve of @Ada: @user: May it go out?`
fn asked(pending: &Value) -> String {
    let text = |name| word(pending, name).unwrap_or_default();
    let action = word(pending, "action").map(|action| format!(" {action}")).unwrap_or_default();
    let actor = word(pending, "actor").map(|actor| format!(" of {actor}")).unwrap_or_default();
    let asks = words(pending, "asks")
        .or_else(|| word(pending, "next"))
        .unwrap_or_else(|| "all have agreed".to_owned());
    let until = moment(pending, "expires").map(|until| format!(", until {until}")).unwrap_or_default();
    format!("{}{action}{actor}: {asks}{until}: {}", text("guardId"), text("question"))
}

fn verdict(of: &Value) -> &'static str {
    if of["verdict"] == "pass" { "lets it pass" } else { "refuses" }
}

/// `config.states.B: nothing leads to it`
fn warning(warning: &Value) -> String {
    let text = |name| word(warning, name).unwrap_or_default();
    format!("{}: {}", text("path"), text("problem"))
}
