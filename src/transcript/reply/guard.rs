//! A guard of a puzzle in a note: what a person is asked before an action, and where that is answered.
//!
//! Words from a note are never verified, and a guard wants verified ones: a note shows it, and decides nothing.

use chrono::{DateTime, Utc};

use super::ReplyHead;
use super::marks::Kind;
use super::page::Page;
use super::render::beginning;
use crate::room::Handle;
use crate::transcript::body::{self, VaultLinks};
use crate::transcript::escape;
use crate::transcript::labels::Labels;

/// A puzzle that waits for a word of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyGuard {
    /// Which puzzle.
    pub puzzle: String,
    /// Which guard.
    pub guard: String,
    /// Who is asked.
    pub human: Handle,
    /// What is asked, as it was given.
    pub question: String,
    /// What somebody wants to do.
    pub action: String,
    /// Who, if it is known.
    pub actor: Option<Handle>,
    /// From where.
    pub state: String,
    /// To where.
    pub target: String,
    /// Since when.
    pub since: DateTime<Utc>,
    /// The command that answers in a terminal.
    pub command: String,
}

/// Shows a guard.
pub(super) fn push_guard(page: &mut Page, head: &ReplyHead, guard: &ReplyGuard) {
    let labels = Labels::of(head.language);
    let (puzzle, since) = (escape::code_span(&guard.puzzle), guard.since.format("%Y-%m-%d %H:%M:%S"));
    let (what, human, colon) = (labels.puzzle, escape::handle(&guard.human), labels.colon);
    let title = format!(
        "## {what} {puzzle} ➔ {human}{colon} {} ({since} UTC) · {}",
        labels.gate_pending, guard.guard
    );
    page.line(Kind::Text, &title);
    page.gap();
    let [action, state, target] =
        [&guard.action, &guard.state, &guard.target].map(|name| escape::code_span(name));
    let who = guard.actor.as_ref().map(|actor| format!("{}{colon} ", escape::handle(actor)));
    page.block(Kind::Text, &format!("{}{action}, {state} → {target}", who.unwrap_or_default()));
    page.block(Kind::Text, &body::render(beginning(&guard.question), VaultLinks::default()).1);
    let command = escape::code_span(&guard.command);
    page.block(Kind::Text, &format!("*{}* {command}", labels.gate_elsewhere));
}
