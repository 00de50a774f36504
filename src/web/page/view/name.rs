//! A participant's name, with a badge: initials, and a shape beside the colour.

use askama::Template;

/// So many badges look different. The style sheet has one rule for each.
pub(in crate::web) const LOOKS: usize = 8;

/// A participant's name.
#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(path = "name.html")]
pub(in crate::web) struct Name {
    /// With its `@`.
    pub(in crate::web) handle: String,
    initials: String,
    look: String,
}

impl Name {
    /// A participant, with a number that says how its badge looks.
    pub(in crate::web) fn agent(handle: &str, look: usize) -> Self {
        Self { look: (look % LOOKS).to_string(), ..Self::person(handle) }
    }

    /// A person.
    pub(in crate::web) fn person(handle: &str) -> Self {
        Self { handle: handle.to_owned(), initials: initials(handle), look: "person".to_owned() }
    }
}

/// The first letters of two words of a handle, or of its only word.
fn initials(handle: &str) -> String {
    let name = handle.trim_start_matches('@');
    let mut words = name.split(['_', '-', '.']).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let mut letters = first.chars();
    let (one, other) =
        (letters.next(), words.next().map_or_else(|| letters.next(), |word| word.chars().next()));
    let upper = one.into_iter().flat_map(char::to_uppercase);
    upper.chain(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_tell_names_apart() {
        for (handle, expected) in [
            ("@alice", "Al"),
            ("@code_reviewer", "Cr"),
            ("@X", "X"),
            ("@日本", "日本"),
            ("@_b", "B"),
            ("@", ""),
        ] {
            assert_eq!(initials(handle), expected, "{handle}");
        }
    }

    #[test]
    fn a_badge_is_not_read_out() {
        let name = Name::agent("@Bob", 9).to_string();
        assert_eq!(
            name,
            r#"<span class="name"><span class="badge look-1" aria-hidden="true">Bo</span>@Bob</span>"#
        );
    }
}
