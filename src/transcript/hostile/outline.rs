//! What a page is made of, seen from above: the one form in which all engines tell what they see.

/// A block at the top of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// `h1` to `h6`, `p`, `list`, `table`, `quote`, `plain` (a quote that holds one block of plain text, and
    /// nothing else), or another word for what should not be there.
    pub(super) kind: &'static str,
    /// Its words: the items of a list and the rows of a table in lines, the cells of a row with ` | ` between.
    pub(super) text: String,
}

/// What an engine sees.
#[derive(Default)]
pub(super) struct Seen {
    /// The blocks of the page.
    pub(super) blocks: Vec<Block>,
    /// Names of what acts, or looks as if it did.
    pub(super) acts: Vec<String>,
}

impl Block {
    pub(super) fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    /// Whether `seen` is this block. Of quotes and paragraphs only a part of the words is known.
    fn is_met_by(&self, seen: &Self) -> bool {
        match self.kind {
            "quote" => matches!(seen.kind, "quote" | "plain") && seen.text.contains(&self.text),
            "p" => seen.kind == "p" && seen.text.contains(&self.text),
            "plain" => seen.kind == "plain" && seen.text.trim_end_matches('\n') == self.text,
            kind => kind == seen.kind && self.text.trim() == seen.text.trim(),
        }
    }
}

impl Seen {
    /// What is wrong about it.
    pub(super) fn problems(&self, want: &[Block]) -> Vec<String> {
        let mut problems: Vec<String> = self.acts.iter().map(|what| format!("acts: {what}")).collect();
        if want.len() != self.blocks.len() {
            let kinds =
                |blocks: &[Block]| blocks.iter().map(|block| block.kind).collect::<Vec<_>>().join(" ");
            problems.push(format!("blocks: {}, not {}", kinds(&self.blocks), kinds(want)));
            return problems;
        }
        let pairs = want.iter().zip(&self.blocks).filter(|(want, seen)| !want.is_met_by(seen));
        problems.extend(pairs.map(|(want, seen)| format!("saw {seen:?}, not {want:?}")));
        problems
    }
}

/// Languages of fences that plugins and viewers run or draw.
const ACTIVE: [&str; 20] = [
    "mermaid",
    "dataview",
    "dataviewjs",
    "tasks",
    "query",
    "math",
    "plantuml",
    "chart",
    "tikz",
    "button",
    "leaflet",
    "base",
    "geojson",
    "topojson",
    "stl",
    "latex-render",
    "graphviz",
    "dot",
    "ad-note",
    "kanban",
];

/// Whether a fence with this info string does more than show its code.
pub(super) fn is_active_fence(info: &str) -> bool {
    let word = info.split([' ', '\t', ',', ':', '{', '}']).find(|word| !word.is_empty()).unwrap_or_default();
    info.contains('{') || ACTIVE.contains(&word.to_ascii_lowercase().as_str())
}

/// Schemes that run nothing. Of `ftp:`, `mailto:` and `xmpp:`, the last two with any letters before them, GitHub
/// makes links by itself, whatever is written around them.
const SCHEMES: [&str; 3] = ["http", "https", "ftp"];
const ENDS_OF_SCHEMES: [&str; 2] = ["mailto", "xmpp"];

/// Whether a target leads to the net, or to a place in the same folder.
pub(super) fn is_safe_target(target: &str) -> bool {
    let mut letters = target.chars().filter(|c| !c.is_control() && !c.is_whitespace()).peekable();
    let mut scheme = String::new();
    while let Some(c) = letters.next_if(|c| c.is_ascii_alphanumeric() || "+.-".contains(*c)) {
        scheme.push(c.to_ascii_lowercase());
    }
    letters.next() != Some(':')
        || SCHEMES.contains(&scheme.as_str())
        || ENDS_OF_SCHEMES.iter().any(|end| scheme.ends_with(end))
}

/// Whether a plugin evaluates this code.
pub(super) fn is_evaluated(code: &str) -> bool {
    ["=", "$=", "dv:", "dv="].iter().any(|open| code.trim_start().starts_with(open))
}
