//! The text of a note: what people are asked, a place to write, and boxes.

use super::answers::Unsent;
use super::marks::{Kind, Marks};
use super::page::Page;
use super::{ReplyHead, ReplyQuestion, SHOWN_QUESTIONS, Taking};
use crate::transcript::body::{self, VaultLinks};
use crate::transcript::escape;
use crate::transcript::labels::Labels;

/// Of a long question, so much is shown: the transcript has the rest.
const SHOWN_BYTES: usize = 6 * 1024;
const SHOWN_LINES: usize = 40;

/// What stands in a note beside what the room is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept<'a> {
    /// Words of a person that have not gone anywhere.
    pub(super) typed: &'a str,
    /// Why not.
    pub(super) unsent: Option<&'a Unsent>,
    /// Lines of the front matter that are not ours.
    pub(super) others: &'a [String],
}

/// The whole file. `transcript` is the name of the transcript's file.
pub(super) fn render(head: &ReplyHead, key: &str, transcript: &str, kept: Kept<'_>) -> String {
    let questions: &[ReplyQuestion] = if head.taking == Taking::Over { &[] } else { &head.questions };
    let shown = &questions[..questions.len().min(SHOWN_QUESTIONS)];
    let numbers = shown.iter().map(|question| question.seq).collect();
    let mut page = Page::new(Marks::new(key, head.last_seq, numbers));
    let labels = Labels::of(head.language);
    page.block(Kind::Text, &title(head, transcript, labels));
    for question in shown {
        push_question(&mut page, head, question, shown.len() > 1, transcript);
    }
    if questions.len() > shown.len() {
        page.block(Kind::Text, &format!("… {} {}", questions.len() - shown.len(), labels.more));
    }
    push_place(&mut page, head, shown, kept);
    page.finish(&head.room, kept.others)
}

fn title(head: &ReplyHead, transcript: &str, labels: &Labels) -> String {
    let topic = escape::inline(if head.topic.trim().is_empty() { &head.room } else { &head.topic });
    format!("# {}{} {topic}\n\n{}", labels.reply_title, labels.colon, link(transcript, labels.conversation))
}

fn link(file: &str, words: &str) -> String {
    format!("[{words}]({})", escape::link_target(file))
}

fn push_question(
    page: &mut Page,
    head: &ReplyHead,
    question: &ReplyQuestion,
    is_numbered: bool,
    transcript: &str,
) {
    let labels = Labels::of(head.language);
    let (asker, human) = (escape::handle(&question.asker), escape::handle(&question.human));
    let at = question.at.format("%Y-%m-%d %H:%M:%S");
    page.line(Kind::Question, &format!("## {asker} ➔ {human} ({at} UTC) · {}", question.seq));
    page.gap();
    let shown = beginning(&question.content);
    page.block(Kind::Text, &body::render(shown, VaultLinks::default()).1);
    if shown.len() < question.content.len() {
        page.block(Kind::Text, &format!("… {}", link(transcript, labels.conversation)));
    }
    if head.taking != Taking::Words || question.choices.is_empty() {
        return;
    }
    let is_numbered =
        is_numbered || question.choices.iter().any(|choice| escape::inline(choice) == labels.reply_send);
    for choice in &question.choices {
        let number = if is_numbered { format!(" · {}", question.seq) } else { String::new() };
        page.line(Kind::Choice, &format!("- [ ] {}{number}", escape::inline(choice)));
    }
    page.gap();
}

fn push_place(page: &mut Page, head: &ReplyHead, shown: &[ReplyQuestion], kept: Kept<'_>) {
    let labels = Labels::of(head.language);
    page.line(Kind::Text, &format!("## {}", labels.reply_place));
    page.gap();
    let hint = match head.taking {
        Taking::Over => labels.reply_over,
        Taking::Nothing => labels.reply_unverified,
        Taking::Words if shown.iter().any(|question| !question.choices.is_empty()) => labels.reply_choose,
        Taking::Words if shown.is_empty() => labels.reply_speak,
        Taking::Words => labels.reply_write,
    };
    page.block(Kind::Text, hint);
    if !kept.typed.is_empty() {
        page.typed(kept.typed);
    }
    page.gap();
    if let Some(unsent) = kept.unsent {
        page.block(
            Kind::Text,
            &format!("> ⚠️ {}{} {}", labels.reply_unsent, labels.colon, why(unsent, labels)),
        );
    }
    if head.taking != Taking::Words {
        return;
    }
    let send = labels.reply_send;
    match shown {
        [] | [_] => page.line(Kind::Send, &format!("- [ ] {send}")),
        several => several.iter().for_each(|question| {
            let asker = escape::handle(&question.asker);
            page.line(Kind::Send, &format!("- [ ] {send} ➔ {asker} · {}", question.seq));
        }),
    }
}

fn why(unsent: &Unsent, labels: &Labels) -> String {
    match unsent {
        Unsent::TwoChoices => labels.reply_two_choices.to_owned(),
        Unsent::Empty => labels.reply_empty.to_owned(),
        Unsent::Refused(reason) => escape::inline(reason),
    }
}

/// The beginning of a long text, in whole lines if it has some.
fn beginning(text: &str) -> &str {
    let lines = text.split_inclusive('\n').take(SHOWN_LINES).map(str::len).sum::<usize>();
    let most = lines.min(text.floor_char_boundary(SHOWN_BYTES));
    if most == text.len() {
        return text;
    }
    let cut = &text[..most];
    cut.rfind('\n').map_or(cut, |end| &cut[..end])
}
