//! What holds for any text.

use proptest::prelude::*;

use super::{super::mentions, names};
use crate::room::{Handle, Names};

const TOKENS: [&str; 62] = [
    "@Bob",
    "@Carol",
    "@all",
    "@太郎",
    "さん",
    "@Zed",
    "@",
    "Bob",
    "a",
    "Z",
    "1",
    "é",
    "\u{301}",
    "_",
    "__",
    "*",
    "**",
    "~~",
    "-",
    ".",
    "/",
    "\\",
    "&#64;",
    "&amp;",
    " ",
    " ",
    "\n",
    "\n",
    "\n\n",
    "\t",
    "    ",
    "\r\n",
    "\0",
    "`",
    "``",
    "```",
    "~~~",
    "> ",
    "- ",
    "1. ",
    "# ",
    "|",
    "|-|",
    "[",
    "]",
    "(",
    "](",
    "![",
    "[^a]: ",
    "[a]: ",
    "<",
    ">",
    "<b>",
    "</b>",
    "<pre>",
    "</pre>",
    "<code>",
    "</CODE>",
    "<script>",
    "<!--",
    "-->",
    "<div title='",
];

fn room() -> Names {
    names(&["@Alice", "@Bob", "@Carol", "@太郎", "Cupid=@Bob"])
}

/// Markdown, and much that is nearly Markdown.
fn texts() -> impl Strategy<Value = String> {
    let tokens = prop::collection::vec(prop::sample::select(TOKENS.to_vec()), 0..60);
    prop_oneof![tokens.prop_map(|tokens| tokens.concat()), any::<String>()]
}

/// A fence that nothing in `text` closes.
fn fenced(text: &str, mark: char) -> String {
    let longest = text.split(|c| c != mark).map(str::len).max().unwrap_or(0);
    let fence: String = std::iter::repeat_n(mark, longest.max(2) + 1).collect();
    format!("{fence}\n{text}\n{fence}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn only_known_handles_are_found_and_all_others_are_unknown(text in texts()) {
        let names = room();
        let found = mentions(&text, &names);
        for handle in &found.handles {
            prop_assert_eq!(names.resolve(handle.as_str()), Some(handle));
        }
        for name in &found.unknown {
            prop_assert!(name.starts_with('@') && text.contains('@'));
            prop_assert!(names.resolve(name).is_none() && Handle::parse(name).is_ok());
        }
    }

    #[test]
    fn each_is_found_once(text in texts()) {
        let found = mentions(&text, &room());
        for (at, handle) in found.handles.iter().enumerate() {
            prop_assert!(!found.handles[..at].contains(handle));
        }
        for (at, name) in found.unknown.iter().enumerate() {
            prop_assert!(!found.unknown[..at].contains(name));
        }
    }

    #[test]
    fn nothing_in_a_fence_counts(text in texts(), mark in prop::sample::select(vec!['`', '~'])) {
        prop_assert_eq!(mentions(&fenced(&text, mark), &room()), mentions("", &room()));
    }

    /// An unclosed fence or comment would take the new fence in: `text` has no backtick, and the new fence has
    /// nothing that ends a comment.
    #[test]
    fn a_fence_at_the_end_changes_nothing(text in texts(), code in "[@a-zA-Z \n]{0,40}") {
        let text = text.replace('`', "'");
        let longer = format!("{text}\n\n{}", fenced(&code, '`'));
        prop_assert_eq!(mentions(&longer, &room()), mentions(&text, &room()));
    }
}
