//! A message in its quote: readable where that is safe, else escaped, else as plain text.
//!
//! **Invariant (text stays in its quote):** every line begins with `>`, and nothing in it acts: no HTML, image,
//! heading, definition, comment, program or formula. Whatever the rules cannot place becomes plain text.

mod fence;
mod markdown;
mod marks;
mod quote;

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::clean;

/// A longer message is shown as plain text: the analysis is made for what people read.
const MAX_ANALYSED: usize = 128 * 1024;
/// Deeper quotes and lists on one line are not analysed.
const MAX_MARKERS: usize = 32;

/// What `[[links]]` and `#tags` in messages do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VaultLinks {
    /// They lead to notes and join the tags of the vault.
    #[default]
    Alive,
    /// They are only shown.
    Shown,
}

/// How a message is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Quoted,
    /// With backslashes before what would act.
    Escaped,
    /// In a fence.
    Plain,
}

/// The quote of a message, with its form. It ends with a line feed.
pub(super) fn render(content: &str, links: VaultLinks) -> (Form, String) {
    let clean = clean::text(content);
    let text = clean.trim_end_matches('\n');
    if is_analysed(text) {
        // The parser is somebody else's: if it ever fails on a text, only this text loses its looks.
        let readable = catch_unwind(AssertUnwindSafe(|| readable(text, links)));
        if let Ok(Some(done)) = readable {
            return done;
        }
    }
    (Form::Plain, quote::quoted(&quote::fenced(text)))
}

/// The first readable form in which nothing acts.
///
/// The quoted text is analysed, never the bare one: the prefix shifts tab stops, so that a tab and `<b>` are
/// code alone and HTML behind `> `.
fn readable(text: &str, links: VaultLinks) -> Option<(Form, String)> {
    let quoted = quote::quoted(text);
    let first = analyse(&quoted, links);
    match first {
        Verdict::Inert => return Some((Form::Quoted, quoted)),
        Verdict::Beyond => return None,
        Verdict::Active(_) => {}
    }
    let Verdict::Active(places) = first else { return None };
    let escaped = quote::escaped(&quoted, &places);
    matches!(analyse(&escaped, links), Verdict::Inert).then_some((Form::Escaped, escaped))
}

/// What an analysis found.
enum Verdict {
    /// Nothing acts.
    Inert,
    /// Something acts; a backslash at each of these places may cure it.
    Active(Vec<usize>),
    /// Something acts that no backslash cures.
    Beyond,
}

fn analyse(quoted: &str, links: VaultLinks) -> Verdict {
    let Some(seen) = markdown::read(quoted) else { return Verdict::Beyond };
    let Some(places) = marks::find(quoted, &seen.code, links) else { return Verdict::Beyond };
    if places.is_empty() && !seen.is_active { Verdict::Inert } else { Verdict::Active(places) }
}

/// Whether a text is short and flat enough for a Markdown parser.
pub(super) fn is_analysed(text: &str) -> bool {
    text.len() <= MAX_ANALYSED && !is_nested_absurdly(text)
}

/// Whether a line opens so many quotes and lists that only an attack would.
fn is_nested_absurdly(text: &str) -> bool {
    text.split('\n').any(|line| {
        let opening = line.bytes().take_while(|byte| b"> \t-*+.)0123456789".contains(byte));
        let mut markers = 0;
        let mut before = b' ';
        for byte in opening {
            let is_item = byte == b' ' && !matches!(before, b' ' | b'\t' | b'>');
            markers += usize::from(byte == b'>' || is_item);
            before = byte;
        }
        markers > MAX_MARKERS
    })
}

#[cfg(test)]
mod tests;
