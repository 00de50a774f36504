//! How a line of ours is known again. The front matter of a note lists the lines that we wrote, as short hashes: so
//! the note has no signs in its text, and every line that is not in the list is somebody's words, wherever it stands.

use std::collections::HashMap;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::ReplyDecision;

/// Letters of a mark: of a million typed lines, fewer than one in a thousand notes meets a line of ours by chance.
const LETTERS: usize = 6;
const ALPHABET: &[u8; 52] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Stands where nothing is asked.
const NO_SUBJECTS: &str = "none";
/// Begins the value, so that YAML reads it as text, and names its form.
pub(super) const FORM: &str = "r1";

/// What a line of ours is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Only to read.
    Text,
    /// Begins a subject.
    Subject,
    /// A box beside a choice of the question above.
    Choice,
    /// A box beside what can be decided at the gate above.
    Decision(ReplyDecision),
    /// The box that sends: the first one for the first subject, and so on.
    Send,
}

/// What a note asks about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// The message that asks.
    Question(u64),
    /// A task that waits for a decision.
    Gate(Gate),
}

/// A task that waits for a decision, as it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gate {
    pub(super) task: String,
    /// Its newest record.
    pub(super) version: u64,
}

/// The lines that we wrote into a note, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    /// Whose note it is.
    pub(super) owner: String,
    /// The newest message when it was written.
    pub(super) base: u64,
    /// What is asked in it.
    pub(super) subjects: Vec<Subject>,
    lines: Vec<(Kind, String)>,
}

/// The text is no list of marks.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoMarks;

impl Kind {
    const ALL: [Self; 7] = [
        Self::Text,
        Self::Subject,
        Self::Choice,
        Self::Decision(ReplyDecision::Approve),
        Self::Decision(ReplyDecision::Reject),
        Self::Decision(ReplyDecision::Close),
        Self::Send,
    ];

    fn letter(self) -> char {
        match self {
            Self::Text => 't',
            Self::Subject => 'q',
            Self::Choice => 'c',
            Self::Decision(ReplyDecision::Approve) => 'a',
            Self::Decision(ReplyDecision::Reject) => 'r',
            Self::Decision(ReplyDecision::Close) => 'x',
            Self::Send => 's',
        }
    }

    fn of(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| letter.chars().eq([kind.letter()]))
    }
}

impl Marks {
    pub(super) fn new(key: &str, base: u64, subjects: Vec<Subject>) -> Self {
        Self { owner: owner(key), base, subjects, lines: Vec::new() }
    }

    pub(super) fn push(&mut self, kind: Kind, line: &str) {
        if let Some(words) = plain(line) {
            self.lines.push((kind, letters(&words, LETTERS)));
        }
    }

    /// Whether a note with these marks reads the same.
    pub(super) fn has_lines_of(&self, other: &Self) -> bool {
        (&self.owner, &self.subjects, &self.lines) == (&other.owner, &other.subjects, &other.lines)
    }

    /// Finds the lines of ours in a text.
    pub(super) fn finder(&self) -> Finder {
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, (_, mark)) in self.lines.iter().enumerate().rev() {
            places.entry(mark.clone()).or_default().push(at);
        }
        Finder { places }
    }

    pub(super) fn kind(&self, at: usize) -> Kind {
        self.lines.get(at).map_or(Kind::Text, |(kind, _)| *kind)
    }

    /// The place of the last line of ours.
    pub(super) fn last(&self) -> Option<usize> {
        self.lines.len().checked_sub(1)
    }

    /// The question, and the place among its choices, of the choice at a place.
    pub(super) fn choice(&self, at: usize) -> Option<(u64, usize)> {
        let Subject::Question(question) = self.subject(at)? else { return None };
        let since = self.lines.get(..at)?.iter().rev().take_while(|(kind, _)| *kind != Kind::Subject);
        Some((*question, since.filter(|(kind, _)| *kind == Kind::Choice).count()))
    }

    /// The gate of what can be decided at a place.
    pub(super) fn gate(&self, at: usize) -> Option<&Gate> {
        match self.subject(at)? {
            Subject::Gate(gate) => Some(gate),
            Subject::Question(_) => None,
        }
    }

    /// The subject that the sending box at a place is for.
    pub(super) fn sent_to(&self, at: usize) -> Option<&Subject> {
        self.subjects.get(self.count_before(at, Kind::Send))
    }

    /// The subject below whose head a place is.
    fn subject(&self, at: usize) -> Option<&Subject> {
        self.subjects.get(self.count_before(at, Kind::Subject).checked_sub(1)?)
    }

    fn count_before(&self, at: usize, wanted: Kind) -> usize {
        self.lines.iter().take(at).filter(|(kind, _)| *kind == wanted).count()
    }
}

/// Gives each line of ours once, as often as we wrote it.
pub(super) struct Finder {
    places: HashMap<String, Vec<usize>>,
}

impl Finder {
    /// Whether every line of ours was taken.
    pub(super) fn is_empty(&self) -> bool {
        self.places.values().all(Vec::is_empty)
    }

    /// The place of this line among ours, if it is one.
    pub(super) fn take(&mut self, line: &str) -> Option<usize> {
        self.places.get_mut(&letters(&plain(line)?, LETTERS))?.pop()
    }
}

/// The owner's sign in a note.
pub(super) fn owner(key: &str) -> String {
    letters(key, LETTERS * 2)
}

/// The words of a line as they are compared: white space, bullets and the state of a box make no difference. None
/// for a line without words, which is nobody's.
pub(super) fn plain(line: &str) -> Option<String> {
    let mut rest = line.trim();
    let mut quotes = String::new();
    while let Some(inner) = rest.strip_prefix('>') {
        quotes.push('>');
        rest = inner.trim_start();
    }
    let words = match boxed(rest) {
        Some((_, label)) => format!("[] {}", undated(label)),
        None => rest.to_owned(),
    };
    if words.is_empty() { None } else { Some(quotes + &words) }
}

/// Whether the box of a line has a tick.
pub(super) fn is_ticked(line: &str) -> bool {
    boxed(line.trim()).is_some_and(|(state, _)| state.eq_ignore_ascii_case("x"))
}

/// The state and the label of a line that is a box.
fn boxed(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix(['-', '*', '+'])?.trim_start().strip_prefix('[')?;
    let (state, label) = inner.split_once(']')?;
    (state.trim().chars().count() <= 1).then_some((state.trim(), label.trim()))
}

/// A label without the date of completion that a plugin for tasks appends.
fn undated(label: &str) -> &str {
    label.rsplit_once('✅').map_or(label, |(before, date)| {
        let is_date = date.trim().chars().all(|c| c.is_ascii_digit() || c == '-');
        if is_date { before.trim_end() } else { label }
    })
}

fn letters(words: &str, count: usize) -> String {
    letters_of(&Sha256::digest(words.as_bytes())[..count])
}

/// Bytes as letters, which need no quotes anywhere.
pub(super) fn letters_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).collect()
}

/// An id of a task holds letters, digits and `-` only.
impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Question(seq) => write!(f, "{seq}"),
            Self::Gate(Gate { task, version }) => write!(f, "{task}-{version}"),
        }
    }
}

impl FromStr for Subject {
    type Err = NoMarks;

    fn from_str(text: &str) -> Result<Self, NoMarks> {
        let number = |text: &str| text.parse().map_err(|_| NoMarks);
        match text.rsplit_once('-') {
            None => Ok(Self::Question(number(text)?)),
            Some((task, version)) => {
                Ok(Self::Gate(Gate { task: task.to_owned(), version: number(version)? }))
            }
        }
    }
}

impl std::fmt::Display for Marks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let subjects: Vec<String> = self.subjects.iter().map(Subject::to_string).collect();
        let subjects = if subjects.is_empty() { NO_SUBJECTS.to_owned() } else { subjects.join("_") };
        write!(f, "{FORM}.{}.{}.{subjects}.", self.owner, self.base)?;
        self.lines.iter().try_for_each(|(kind, mark)| write!(f, "{}{mark}", kind.letter()))
    }
}

impl FromStr for Marks {
    type Err = NoMarks;

    fn from_str(text: &str) -> Result<Self, NoMarks> {
        let mut fields = text.trim().trim_matches(['"', '\'']).split('.');
        let mut field = || fields.next().ok_or(NoMarks);
        if field()? != FORM {
            return Err(NoMarks);
        }
        let owner = field()?.to_owned();
        let base = field()?.parse().map_err(|_| NoMarks)?;
        let subjects = match field()? {
            NO_SUBJECTS => Vec::new(),
            several => several.split('_').map(str::parse).collect::<Result<_, _>>()?,
        };
        let marks = field()?;
        if !marks.is_ascii() || !marks.len().is_multiple_of(LETTERS + 1) || fields.next().is_some() {
            return Err(NoMarks);
        }
        let line = |at: usize| {
            let (kind, mark) = marks[at..].split_at(1);
            Some((Kind::of(kind)?, mark[..LETTERS].to_owned()))
        };
        let lines: Option<Vec<_>> = (0..marks.len()).step_by(LETTERS + 1).map(line).collect();
        Ok(Self { owner, base, subjects, lines: lines.ok_or(NoMarks)? })
    }
}
