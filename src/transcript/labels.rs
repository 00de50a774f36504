//! The words of a note that are ours, in each language, and the text of notices.
//!
//! French uses the words that users of multiagent-mcp know.

mod chinese;
mod english;
mod french;
mod ink;
mod spanish;

use ink::Ink;

use super::view::Notice;
use crate::room::{Language, Status, Via};

/// The fixed words of one language.
pub(super) struct Labels {
    /// What stands between a label and its value.
    pub(super) colon: &'static str,
    pub(super) title: &'static str,
    pub(super) file: &'static str,
    pub(super) topic: &'static str,
    pub(super) started: &'static str,
    pub(super) participants: &'static str,
    pub(super) handle: &'static str,
    pub(super) name: &'static str,
    pub(super) status: &'static str,
    pub(super) joined: &'static str,
    pub(super) floor: &'static str,
    pub(super) queue: &'static str,
    pub(super) gathering: &'static str,
    pub(super) paused: &'static str,
    pub(super) closed: &'static str,
    pub(super) nothing_waits: &'static str,
    /// … `parser`, `printer`
    pub(super) work_for_people: &'static str,
    pub(super) puzzles_for_people: &'static str,
    /// `@Bob` … `@user`.
    pub(super) asks: &'static str,
    pub(super) since: &'static str,
    pub(super) more: &'static str,
    pub(super) latest: &'static str,
    pub(super) conversation: &'static str,
    pub(super) earlier: &'static str,
    pub(super) newest: &'static str,
    pub(super) private: &'static str,
    pub(super) puzzle: &'static str,
    pub(super) system: &'static str,
    pub(super) expected: &'static str,
    pub(super) active: &'static str,
    pub(super) away: &'static str,
    pub(super) left: &'static str,
    pub(super) via_mcp: &'static str,
    pub(super) via_terminal: &'static str,
    pub(super) via_page: &'static str,
    pub(super) via_note: &'static str,
    pub(super) reply_title: &'static str,
    pub(super) reply_link: &'static str,
    pub(super) reply_place: &'static str,
    pub(super) reply_choose: &'static str,
    pub(super) reply_write: &'static str,
    pub(super) reply_speak: &'static str,
    pub(super) reply_send: &'static str,
    pub(super) reply_unsent: &'static str,
    pub(super) reply_over: &'static str,
    pub(super) reply_unverified: &'static str,
    pub(super) reply_two_choices: &'static str,
    pub(super) reply_empty: &'static str,
    pub(super) reply_decide: &'static str,
    /// Where a note decides nothing of what it shows.
    pub(super) reply_said: &'static str,
    pub(super) reply_no_reason: &'static str,
    pub(super) gate_task: &'static str,
    pub(super) gate_pending: &'static str,
    pub(super) gate_approved: &'static str,
    /// `@Bob` … : Approve.
    pub(super) gate_proposes: &'static str,
    pub(super) gate_approve: &'static str,
    pub(super) gate_reject: &'static str,
    pub(super) gate_close: &'static str,
    /// Before the command that decides.
    pub(super) gate_elsewhere: &'static str,
}

impl Labels {
    /// The words of `language`.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &english::LABELS,
            Language::Fr => &french::LABELS,
            Language::Es => &spanish::LABELS,
            Language::Zh => &chinese::LABELS,
        }
    }

    /// The word for a status.
    pub(super) fn status_word(&self, status: Status) -> &'static str {
        match status {
            Status::Expected => self.expected,
            Status::Active => self.active,
            Status::Away => self.away,
            Status::Left => self.left,
        }
    }

    /// The words for the way a message came, if a reader should know it.
    pub(super) fn via_words(&self, via: Via) -> Option<&'static str> {
        match via {
            Via::Mcp => Some(self.via_mcp),
            Via::Terminal => Some(self.via_terminal),
            Via::Note => Some(self.via_note),
            Via::Page => Some(self.via_page),
            Via::System => None,
        }
    }
}

/// The text of a notice as participants get it, with the words of whoever caused it.
#[must_use]
pub fn notice_text(notice: &Notice, language: Language) -> String {
    let line = said(notice, language, Ink::Plain);
    match notice.words() {
        Some(words) => format!("{line}{} {}", Labels::of(language).colon, words.trim()),
        None => line,
    }
}

/// The line of a notice in a note: our own words only, in Markdown.
pub(super) fn notice_line(notice: &Notice, language: Language) -> String {
    said(notice, language, Ink::Markdown)
}

fn said(notice: &Notice, language: Language, ink: Ink) -> String {
    match language {
        Language::En => english::said(notice, ink),
        Language::Fr => french::said(notice, ink),
        Language::Es => spanish::said(notice, ink),
        Language::Zh => chinese::said(notice, ink),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::Handle;

    #[test]
    fn agents_get_the_reason_of_a_pass() {
        let (by, to) = (Handle::parse("@Alice").unwrap(), Handle::parse("@_Bob").unwrap());
        let passed = Notice::Passed { by, to: Some(to), reason: Some(" you know it better ".into()) };
        assert_eq!(notice_text(&passed, Language::En), "@Alice passed the turn to @_Bob: you know it better");
        assert_eq!(notice_line(&passed, Language::En), "@Alice passed the turn to @\\_Bob");
        let silent = Notice::Closed { by: None, summary: Some("  ".into()) };
        assert_eq!(notice_text(&silent, Language::En), "The conversation is closed");
    }

    #[test]
    fn words_of_ours_are_harmless_in_a_note() {
        let missing = Notice::Overdue { missing: vec![Handle::parse("@_Bob").unwrap(); 30] };
        let line = notice_line(&missing, Language::En);
        assert!(
            line.starts_with("@\\_Bob, @\\_Bob") && line.contains("…") && line.ends_with("`turnroom start`"),
            "{line}"
        );
        let kept = Notice::Kept { file: "a (edited 2026-08-18 10.22.03).md".into() };
        assert!(notice_line(&kept, Language::En).contains("`a (edited 2026-08-18 10.22.03).md`"));
    }
}
