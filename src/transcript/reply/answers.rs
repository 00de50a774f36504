//! What a person says with a note: the answers in it, or why it cannot be sent as it stands.

use sha2::{Digest, Sha256};

use super::ReplyAnswer;
use super::marks;
use super::parse::Parsed;

/// Why nothing is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unsent {
    /// Two answers to one question are ticked.
    TwoChoices,
    /// There is nothing to send.
    Empty,
    /// The room did not take it, for this reason.
    Refused(String),
}

/// The answers in a note with a tick, in the order of the questions.
///
/// A tick beside a choice sends it at once, with what is typed; a tick beside `send` sends what is typed, with the
/// choice for that question.
pub(super) fn answers(parsed: &Parsed, key: &str) -> Result<Vec<ReplyAnswer>, Unsent> {
    let mut found: Vec<(Option<u64>, Option<usize>, &str)> = Vec::new();
    for (question, choice) in &parsed.ticked {
        if found.iter().any(|(known, ..)| *known == Some(*question)) {
            return Err(Unsent::TwoChoices);
        }
        found.push((Some(*question), Some(*choice), ""));
    }
    for question in &parsed.sent {
        match found.iter_mut().find(|(known, ..)| known == question) {
            Some((.., text)) => *text = &parsed.typed,
            None => found.push((*question, None, &parsed.typed)),
        }
    }
    if parsed.sent.is_empty()
        && let [(.., text), ..] = found.as_mut_slice()
    {
        *text = &parsed.typed;
    }
    if found.iter().any(|(_, choice, text)| choice.is_none() && text.is_empty()) {
        return Err(Unsent::Empty);
    }
    let answer = |(question, choice, text): (Option<u64>, Option<usize>, &str)| ReplyAnswer {
        key: key.to_owned(),
        question,
        choice,
        text: text.to_owned(),
        request_id: request_id(parsed, question, choice, text),
    };
    Ok(found.into_iter().map(answer).collect())
}

/// The same for the same answer in the same note: a save that comes again, after a crash or from another device, is
/// known. The number of the newest message makes the same words later something new.
fn request_id(parsed: &Parsed, question: Option<u64>, choice: Option<usize>, text: &str) -> String {
    let mut hash = Sha256::new();
    let (owner, base) = (&parsed.marks.owner, parsed.marks.base);
    hash.update(format!("{owner}\n{base}\n{question:?}\n{choice:?}\n{text}"));
    format!("note-{}", marks::letters_of(&hash.finalize()))
}
