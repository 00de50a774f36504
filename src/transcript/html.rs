//! The words of a participant as HTML that does nothing.

use super::clean;

/// The words as HTML.
#[must_use]
pub fn html(content: &str) -> String {
    let text = clean::text(content);
    format!("<pre>{}</pre>", text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;"))
}
