//! What somebody made of a note. Whatever is not ours is theirs, wherever it stands.

use super::ReplyDecision;
use super::marks::{self, Gate, Kind, Marks, Subject};
use super::page::{self, FIELD};

/// What stands in a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    /// What we wrote.
    pub(super) marks: Marks,
    /// The words that are not ours, in their order.
    pub(super) typed: String,
    /// Choices with a tick: the question, and the place among its choices.
    pub(super) ticked: Vec<(u64, usize)>,
    /// Decisions with a tick.
    pub(super) decided: Vec<(Gate, ReplyDecision)>,
    /// Sending boxes with a tick, and the subject of each.
    pub(super) sent: Vec<Option<Subject>>,
    /// Whether our last line is there: else this may be the beginning of a file that is being written.
    pub(super) is_whole: bool,
    /// Whether all our lines are there.
    pub(super) has_all: bool,
    /// Lines of the front matter that are not ours.
    pub(super) others: Vec<String>,
}

impl Parsed {
    /// Whether nothing of a person stands in it.
    pub(super) fn is_untouched(&self) -> bool {
        self.typed.is_empty() && self.ticked.is_empty() && self.decided.is_empty() && self.sent.is_empty()
    }

    /// Whether somebody wants to send what stands there. A decision is taken with its reason, when that is sent.
    pub(super) fn is_answer(&self) -> bool {
        !(self.ticked.is_empty() && self.sent.is_empty())
    }
}

/// Reads a note. `None`: it is not one of ours. `last` is what we wrote last, for a note whose front matter has gone.
pub(super) fn parse(text: &str, last: Option<&Marks>) -> Option<Parsed> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let front = Front::find(&lines);
    let marks = front.as_ref().map(|front| front.marks.clone()).or_else(|| last.cloned())?;
    let others = front.as_ref().map(|front| front.others.clone()).unwrap_or_default();
    let (above, below) = match &front {
        Some(front) => (&lines[..front.start], &lines[front.end..]),
        None => (&lines[..0], &lines[..]),
    };
    let mut reader = Reader::new(&marks);
    above.iter().chain(below).for_each(|line| reader.read(line));
    let Reader { typed, ticked, decided, sent, has_last, finder, .. } = reader;
    let (is_whole, has_all) = (has_last || marks.last().is_none(), finder.is_empty());
    Some(Parsed { marks, typed, ticked, decided, sent, is_whole, has_all, others })
}

/// The front matter of ours. Somebody may have typed above it.
struct Front {
    marks: Marks,
    start: usize,
    end: usize,
    others: Vec<String>,
}

impl Front {
    fn find(lines: &[&str]) -> Option<Self> {
        let (at, marks) = lines.iter().enumerate().find_map(|(at, line)| {
            let value = line.trim().strip_prefix(FIELD)?.trim_start().strip_prefix(':')?;
            Some((at, value.parse::<Marks>().ok()?))
        })?;
        let is_rule = |line: &&&str| line.trim_end() == "---";
        let start = at.checked_sub(1 + lines[..at].iter().rev().take_while(|line| !is_rule(line)).count());
        let end = at + 1 + lines[at + 1..].iter().take_while(|line| !is_rule(line)).count();
        let (start, end) = match start {
            Some(start) if end < lines.len() => (start, end + 1),
            // Its frame has gone: only the field itself is ours.
            _ => (at, at + 1),
        };
        let inner = lines[start..end].iter().filter(|line| !is_rule(line) && !page::is_ours(line));
        let others = inner.filter(|line| !line.trim().is_empty()).map(|line| (*line).to_owned()).collect();
        Some(Self { marks, start, end, others })
    }
}

struct Reader<'a> {
    marks: &'a Marks,
    finder: marks::Finder,
    typed: String,
    /// Lines without words since the last typed one.
    gap: Vec<&'a str>,
    /// Whether a line of ours stood there.
    is_apart: bool,
    ticked: Vec<(u64, usize)>,
    decided: Vec<(Gate, ReplyDecision)>,
    sent: Vec<Option<Subject>>,
    has_last: bool,
}

impl<'a> Reader<'a> {
    fn new(marks: &'a Marks) -> Self {
        Self {
            marks,
            finder: marks.finder(),
            typed: String::new(),
            gap: Vec::new(),
            is_apart: false,
            ticked: Vec::new(),
            decided: Vec::new(),
            sent: Vec::new(),
            has_last: false,
        }
    }

    fn read(&mut self, line: &'a str) {
        if marks::plain(line).is_none() {
            self.gap.push(line);
        } else if let Some(at) = self.finder.take(line) {
            self.is_apart = true;
            self.take_ours(line, at);
        } else {
            self.take_theirs(line);
        }
    }

    fn take_ours(&mut self, line: &str, at: usize) {
        self.has_last |= self.marks.last() == Some(at);
        if !marks::is_ticked(line) {
            return;
        }
        match self.marks.kind(at) {
            Kind::Choice => self.ticked.extend(self.marks.choice(at)),
            Kind::Decision(decision) => {
                self.decided.extend(self.marks.gate(at).map(|gate| (gate.clone(), decision)));
            }
            Kind::Send => self.sent.push(self.marks.sent_to(at).cloned()),
            Kind::Text | Kind::Subject => {}
        }
    }

    /// Blank lines between words of theirs stay; what stood on both sides of a line of ours is not one paragraph.
    fn take_theirs(&mut self, line: &str) {
        let gap = std::mem::take(&mut self.gap);
        if !self.typed.is_empty() {
            self.typed.push('\n');
            if self.is_apart {
                self.typed.push('\n');
            } else {
                for blank in gap {
                    self.typed.extend([blank.trim_end(), "\n"]);
                }
            }
        }
        // With the spaces at its end: they may be a line break.
        self.typed.push_str(line);
        self.is_apart = false;
    }
}
