//! Reply notes: their text, and what people, editors and sync tools do to the files.

mod gates;
mod house;
mod saves;
mod text;
mod trouble;

use super::{AnswerTo, ReplyHead, ReplyQuestion, Taking};
use crate::room::Language;
use crate::transcript::sample::{at, handle};

fn question(seq: u64, content: &str, choices: &[&str]) -> ReplyQuestion {
    ReplyQuestion {
        seq,
        asker: handle("@Bob"),
        human: handle("@user"),
        at: at("10:20:10"),
        content: content.into(),
        choices: choices.iter().map(ToString::to_string).collect(),
    }
}

/// An answer to a question.
fn to(seq: u64, choice: Option<usize>) -> AnswerTo {
    AnswerTo::Question { seq, choice }
}

fn head(questions: Vec<ReplyQuestion>) -> ReplyHead {
    ReplyHead {
        room: "design".into(),
        topic: "Storage".into(),
        language: Language::En,
        last_seq: questions.iter().map(|question| question.seq).max().unwrap_or(3),
        questions,
        gates: Vec::new(),
        guards: Vec::new(),
        taking: Taking::Words,
    }
}
