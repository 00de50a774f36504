//! The words of a participant as HTML, for the page.
//!
//! **Nothing of a participant acts:** the elements and attributes that can come out are those that `writer` names,
//! and none of the words' own. Raw HTML is text, an image is a link, a link leads to the web, to an address of mail
//! or to a message of the same room, and a heading is a line in bold, so that it stays out of the page's outline.

mod page;
mod text;
mod writer;

use std::panic::{AssertUnwindSafe, catch_unwind};

use pulldown_cmark::{Options, Parser};

use super::{body, clean};
pub use page::page;
use text::escape;
use writer::Writer;

/// The words as HTML. What is too long or too deep for Markdown is shown as it was written.
#[must_use]
pub fn html(content: &str) -> String {
    let clean = clean::text(content);
    let text = clean.trim_end_matches('\n');
    if body::is_analysed(text) {
        // The parser is somebody else's: if it ever fails on a text, only this text loses its looks.
        let formatted = catch_unwind(AssertUnwindSafe(|| formatted(text)));
        if let Ok(Some(done)) = formatted {
            return done;
        }
    }
    let mut plain = String::from("<pre class=\"plain\"><code>");
    escape(text, &mut plain);
    plain + "</code></pre>\n"
}

/// Nothing, when the text is too deep, or becomes too long.
fn formatted(text: &str) -> Option<String> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::over(text);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        writer.take(event, range)?;
    }
    writer.finish()
}

#[cfg(test)]
mod tests;
