//! The text of a note: what people are asked, a place to write, and boxes.

use super::answers::Unsent;
use super::gate::push_gate;
use super::guard::push_guard;
use super::marks::{Gate, Kind, Marks, Subject};
use super::page::Page;
use super::{ReplyDecision, ReplyGate, ReplyGuard, ReplyHead, ReplyQuestion, SHOWN, Taking};
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
    /// Decisions with a tick that have not gone anywhere.
    pub(super) decided: &'a [(Gate, ReplyDecision)],
    /// Lines of the front matter that are not ours.
    pub(super) others: &'a [String],
}

/// What stands in a note, of all that waits.
struct Shown<'a> {
    questions: &'a [ReplyQuestion],
    gates: &'a [ReplyGate],
    guards: &'a [ReplyGuard],
}

impl<'a> Shown<'a> {
    fn of(head: &'a ReplyHead) -> Self {
        if head.taking == Taking::Over {
            return Self { questions: &[], gates: &[], guards: &[] };
        }
        Self {
            questions: &head.questions[..head.questions.len().min(SHOWN)],
            gates: &head.gates[..head.gates.len().min(SHOWN)],
            guards: &head.guards[..head.guards.len().min(SHOWN)],
        }
    }

    /// The gates at which is decided here.
    fn open_gates(&self) -> impl Iterator<Item = &'a ReplyGate> {
        self.gates.iter().filter(|gate| !gate.decisions.is_empty())
    }

    /// What can be answered here, with the name of its sending box.
    fn subjects(&self) -> Vec<(Subject, String)> {
        let question = |question: &ReplyQuestion| {
            let name = format!("{} · {}", escape::handle(&question.asker), question.seq);
            (Subject::Question(question.seq), name)
        };
        let gate = |gate: &ReplyGate| {
            let name = format!("{} · {}", escape::code_span(&gate.task), gate.version);
            (Subject::Gate(gate.mark()), name)
        };
        self.questions.iter().map(question).chain(self.open_gates().map(gate)).collect()
    }
}

/// The whole file. `transcript` is the name of the transcript's file.
pub(super) fn render(head: &ReplyHead, key: &str, transcript: &str, kept: Kept<'_>) -> String {
    let shown = Shown::of(head);
    let subjects = shown.subjects();
    let is_named = subjects.len() > 1;
    let marks = subjects.iter().map(|(subject, _)| subject.clone()).collect();
    let mut page = Page::new(Marks::new(key, head.last_seq, marks));
    let labels = Labels::of(head.language);
    page.block(Kind::Text, &title(head, transcript, labels));
    for question in shown.questions {
        push_question(&mut page, head, question, is_named, transcript);
    }
    for gate in shown.gates {
        push_gate(&mut page, head, gate, is_named, kept.decided);
    }
    for guard in shown.guards {
        push_guard(&mut page, head, guard);
    }
    let all = head.questions.len() + head.gates.len() + head.guards.len();
    let left = all - shown.questions.len() - shown.gates.len() - shown.guards.len();
    if left > 0 && head.taking != Taking::Over {
        page.block(Kind::Text, &format!("… {left} {}", labels.more));
    }
    push_place(&mut page, head, &shown, &subjects, kept);
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
    page.line(Kind::Subject, &format!("## {asker} ➔ {human} ({at} UTC) · {}", question.seq));
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

fn push_place(
    page: &mut Page,
    head: &ReplyHead,
    shown: &Shown<'_>,
    subjects: &[(Subject, String)],
    kept: Kept<'_>,
) {
    let labels = Labels::of(head.language);
    page.line(Kind::Text, &format!("## {}", labels.reply_place));
    page.gap();
    for hint in hints(head, shown, labels) {
        page.block(Kind::Text, hint);
    }
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
    match subjects {
        [] | [_] => page.line(Kind::Send, &format!("- [ ] {send}")),
        several => {
            for (_, name) in several {
                page.line(Kind::Send, &format!("- [ ] {send} ➔ {name}"));
            }
        }
    }
}

/// What to do here.
fn hints(head: &ReplyHead, shown: &Shown<'_>, labels: &Labels) -> Vec<&'static str> {
    let asks =
        |has_choices: bool| shown.questions.iter().any(|question| question.choices.is_empty() != has_choices);
    let answer = match head.taking {
        Taking::Over => Some(labels.reply_over),
        Taking::Nothing => Some(labels.reply_unverified),
        Taking::Words if asks(true) => Some(labels.reply_choose),
        Taking::Words if asks(false) => Some(labels.reply_write),
        Taking::Words if shown.open_gates().next().is_some() => None,
        Taking::Words if shown.gates.is_empty() && shown.guards.is_empty() => Some(labels.reply_speak),
        Taking::Words => Some(labels.reply_write),
    };
    let decides_elsewhere = shown.gates.len() + shown.guards.len() > 0 && head.taking == Taking::Words;
    let decide = match shown.open_gates().next() {
        Some(_) => Some(labels.reply_decide),
        None => decides_elsewhere.then_some(labels.reply_said),
    };
    answer.into_iter().chain(decide).collect()
}

fn why(unsent: &Unsent, labels: &Labels) -> String {
    match unsent {
        Unsent::TwoChoices => labels.reply_two_choices.to_owned(),
        Unsent::Empty => labels.reply_empty.to_owned(),
        Unsent::NoReason => labels.reply_no_reason.to_owned(),
        Unsent::Refused(reason) => escape::inline(reason),
    }
}

/// The beginning of a long text, in whole lines if it has some.
pub(super) fn beginning(text: &str) -> &str {
    let lines = text.split_inclusive('\n').take(SHOWN_LINES).map(str::len).sum::<usize>();
    let most = lines.min(text.floor_char_boundary(SHOWN_BYTES));
    if most == text.len() {
        return text;
    }
    let cut = &text[..most];
    cut.rfind('\n').map_or(cut, |end| &cut[..end])
}
