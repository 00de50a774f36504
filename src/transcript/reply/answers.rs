//! What a person says with a note: the answers in it, or why it cannot be sent as it stands.

use sha2::{Digest, Sha256};

use super::marks::{self, Gate, Subject};
use super::parse::Parsed;
use super::{AnswerTo, ReplyAnswer, ReplyDecision};

/// Why nothing is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unsent {
    /// Two answers to one question are ticked.
    TwoChoices,
    /// There is nothing to send.
    Empty,
    /// A rejection without words does not say what has to be mended.
    NoReason,
    /// The room did not take it, for this reason.
    Refused(String),
}

impl AnswerTo {
    /// The gate at which it decides.
    pub(super) fn gate(&self) -> Option<Gate> {
        match self {
            Self::Gate { task, version, .. } => Some(Gate { task: task.clone(), version: *version }),
            Self::Room | Self::Question { .. } => None,
        }
    }
}

/// The answers in a note with a tick, in the order of the subjects.
///
/// A tick beside a choice sends it at once, with what is typed; a tick beside `send` sends what is typed, with the
/// choice for that question. A decision goes with a tick beside `send` only, so that it has its reason with it.
pub(super) fn answers(parsed: &Parsed, key: &str) -> Result<Vec<ReplyAnswer>, Unsent> {
    let mut found: Vec<(AnswerTo, &str)> = Vec::new();
    for (seq, choice) in &parsed.ticked {
        if found.iter().any(|(to, _)| is_to(to, *seq)) {
            return Err(Unsent::TwoChoices);
        }
        found.push((AnswerTo::Question { seq: *seq, choice: Some(*choice) }, ""));
    }
    for subject in &parsed.sent {
        let text = parsed.typed.as_str();
        match subject {
            Some(Subject::Question(seq)) => match found.iter_mut().find(|(to, _)| is_to(to, *seq)) {
                Some((_, words)) => *words = text,
                None => found.push((AnswerTo::Question { seq: *seq, choice: None }, text)),
            },
            Some(Subject::Gate(gate)) => {
                let mut decided = parsed.decided.iter().filter(|(of, _)| of == gate);
                let decision = decided.next().map(|(_, decision)| *decision);
                if decided.next().is_some() {
                    return Err(Unsent::TwoChoices);
                }
                let (task, version) = (gate.task.clone(), gate.version);
                let to =
                    decision.map_or(AnswerTo::Room, |decision| AnswerTo::Gate { task, version, decision });
                found.push((to, text));
            }
            None => found.push((AnswerTo::Room, text)),
        }
    }
    if parsed.sent.is_empty()
        && let [(_, text), ..] = found.as_mut_slice()
    {
        *text = &parsed.typed;
    }
    if let Some(why) = found.iter().find_map(|(to, text)| lacks(to, text)) {
        return Err(why);
    }
    let answer = |(to, text): (AnswerTo, &str)| {
        let request_id = request_id(parsed, &to, text);
        ReplyAnswer { key: key.to_owned(), to, text: text.to_owned(), request_id }
    };
    Ok(found.into_iter().map(answer).collect())
}

fn is_to(to: &AnswerTo, question: u64) -> bool {
    matches!(to, AnswerTo::Question { seq, .. } if *seq == question)
}

/// What an answer without words lacks.
fn lacks(to: &AnswerTo, text: &str) -> Option<Unsent> {
    let lack = match to {
        AnswerTo::Room | AnswerTo::Question { choice: None, .. } => Unsent::Empty,
        AnswerTo::Gate { decision: ReplyDecision::Reject, .. } => Unsent::NoReason,
        AnswerTo::Question { .. } | AnswerTo::Gate { .. } => return None,
    };
    text.is_empty().then_some(lack)
}

/// The same for the same answer in the same note: a save that comes again, after a crash or from another device, is
/// known. The number of the newest message makes the same words later something new.
fn request_id(parsed: &Parsed, to: &AnswerTo, text: &str) -> String {
    let mut hash = Sha256::new();
    let (owner, base) = (&parsed.marks.owner, parsed.marks.base);
    // Ids are in the journal: the recipe may not change.
    let to = match to {
        AnswerTo::Room => "None\nNone".to_owned(),
        AnswerTo::Question { seq, choice } => format!("{:?}\n{choice:?}", Some(seq)),
        AnswerTo::Gate { task, version, decision } => format!("{task}\n{version}\n{decision:?}"),
    };
    hash.update(format!("{owner}\n{base}\n{to}\n{text}"));
    format!("note-{}", marks::letters_of(&hash.finalize()))
}
