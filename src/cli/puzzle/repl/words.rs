//! What is typed at the prompt: what it means, and how it may go on.

/// What can be typed beside actions, and what for.
const COMMANDS: [(&str, &str); 9] = [
    ("use", "PUZZLE: look at another puzzle"),
    ("show", "how the puzzle stands, and its machine"),
    ("act", "ACTION: do an action, also one that has the name of a command"),
    ("pass", "GUARD [REASON]: let an action go on"),
    ("refuse", "GUARD [REASON]: refuse it"),
    ("history", "what has happened"),
    ("list", "which puzzles there are"),
    ("help", "what can be typed"),
    ("quit", "end, as Ctrl-D does"),
];

/// What a line means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Nothing,
    Use(String),
    Show,
    Act(String),
    Answer {
        guard: String,
        verdict: &'static str,
        reason: Option<String>,
    },
    History,
    List,
    Help,
    Quit,
    /// It lacks a word.
    Lacks(&'static str),
}

/// Reads a line.
pub(super) fn read(line: &str) -> Typed {
    let line = line.trim();
    let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    match command {
        "" => Typed::Nothing,
        "use" if rest.is_empty() => Typed::Lacks("use PUZZLE"),
        "use" => Typed::Use(rest.to_owned()),
        "act" if rest.is_empty() => Typed::Lacks("act ACTION"),
        "act" => Typed::Act(rest.to_owned()),
        "pass" | "refuse" if rest.is_empty() => Typed::Lacks("pass GUARD [REASON], or refuse GUARD [REASON]"),
        "pass" => answer(rest, "pass"),
        "refuse" => answer(rest, "refuse"),
        "show" if rest.is_empty() => Typed::Show,
        "history" if rest.is_empty() => Typed::History,
        "list" if rest.is_empty() => Typed::List,
        "help" if rest.is_empty() => Typed::Help,
        "quit" | "exit" if rest.is_empty() => Typed::Quit,
        _ => Typed::Act(line.to_owned()),
    }
}

fn answer(rest: &str, verdict: &'static str) -> Typed {
    let (guard, reason) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let reason = Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty());
    Typed::Answer { guard: guard.to_owned(), verdict, reason }
}

/// What can be typed, for people.
pub(super) fn help() -> String {
    let line = |(command, what): &(&str, &str)| format!("  {command:8} {what}\n");
    let commands: String = COMMANDS.iter().map(line).collect();
    format!("  ACTION   do it: Tab shows those there are\n{commands}")
}

/// What is there to be named.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) puzzles: Vec<String>,
    pub(super) actions: Vec<String>,
    pub(super) guards: Vec<String>,
}

impl Known {
    /// Where the word begins that is typed, and all it may become.
    pub(super) fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let begin = typed.len() - typed.trim_start().len();
        let (command, _) = typed[begin..].split_once(' ').unwrap_or_default();
        let rest = begin + command.len() + 1;
        let lists: [(&str, &Vec<String>); 4] = [
            ("use", &self.puzzles),
            ("act", &self.actions),
            ("pass", &self.guards),
            ("refuse", &self.guards),
        ];
        // A reason may follow a guard.
        let space = if ["pass", "refuse"].contains(&command) { " " } else { "" };
        if let Some((_, list)) = lists.iter().find(|(name, _)| *name == command) {
            let words = beginning_with(&typed[rest..], list.iter().map(String::as_str));
            return (rest, words.into_iter().map(|word| word + space).collect());
        }
        let commands = COMMANDS.iter().map(|(command, _)| *command);
        let all = self.actions.iter().map(String::as_str).chain(commands);
        (begin, beginning_with(&typed[begin..], all))
    }
}

fn beginning_with<'a>(typed: &str, all: impl Iterator<Item = &'a str>) -> Vec<String> {
    all.filter(|word| word.starts_with(typed)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_or_else_an_action() {
        let act = |action: &str| Typed::Act(action.to_owned());
        for (line, typed) in [
            ("  ", Typed::Nothing),
            ("submit", act("submit")),
            (" send back ", act("send back")),
            ("act show", act("show")),
            ("show", Typed::Show),
            ("show all", act("show all")),
            ("use release", Typed::Use("release".to_owned())),
            ("use", Typed::Lacks("use PUZZLE")),
            ("exit", Typed::Quit),
        ] {
            assert_eq!(read(line), typed, "{line:?}");
        }
        let refused =
            Typed::Answer { guard: "g4".into(), verdict: "refuse", reason: Some("a test  fails".into()) };
        assert_eq!(read("refuse g4  a test  fails"), refused);
        assert_eq!(read("pass g4"), Typed::Answer { guard: "g4".into(), verdict: "pass", reason: None });
    }

    #[test]
    fn tab_knows_actions_commands_puzzles_and_guards() {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let known = Known {
            puzzles: owned(&["release", "review"]),
            actions: owned(&["send back", "send on", "submit"]),
            guards: owned(&["g4"]),
        };
        for (typed, start, words) in [
            ("se", 0, &["send back", "send on"][..]),
            ("send b", 0, &["send back"]),
            ("  sub", 2, &["submit"]),
            ("h", 0, &["history", "help"]),
            ("use re", 4, &["release", "review"]),
            ("act su", 4, &["submit"]),
            ("pass ", 5, &["g4 "]),
            ("refuse x", 7, &[]),
        ] {
            assert_eq!(known.complete(typed), (start, owned(words)), "{typed:?}");
        }
        assert_eq!(known.complete("").1.len(), 3 + COMMANDS.len());
    }
}
