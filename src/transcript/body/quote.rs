//! Lines behind `> `, fences, and backslashes: the three ways in which a text is written.

use super::super::escape::longest_run;

/// Each line of `text` behind `> `.
pub(super) fn quoted(text: &str) -> String {
    let mut quote = String::with_capacity(text.len() + text.len() / 8 + 4);
    for line in text.split('\n') {
        quote.push_str(if line.is_empty() { ">" } else { "> " });
        quote.push_str(line);
        quote.push('\n');
    }
    quote
}

/// `text` in a fence that nothing in it can close.
pub(super) fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text, '`').max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}

/// `text` with a backslash at each of `places`, which are sorted.
pub(super) fn escaped(text: &str, places: &[usize]) -> String {
    let mut safe = String::with_capacity(text.len() + places.len());
    let mut done = 0;
    for place in places {
        safe.push_str(&text[done..*place]);
        safe.push('\\');
        done = *place;
    }
    safe.push_str(&text[done..]);
    safe
}
