//! STAND-IN, replaced at merge.
use super::{Handle, names::Names};
/// M.
pub struct Mentions {
    /// H.
    pub handles: Vec<Handle>,
    /// A.
    pub has_all: bool,
    /// U.
    pub unknown: Vec<String>,
}
/// M.
#[must_use]
pub fn mentions(text: &str, names: &Names) -> Mentions {
    let mut m = Mentions { handles: vec![], has_all: false, unknown: vec![] };
    for w in text.split_whitespace().filter(|w| w.starts_with('@')) {
        let w = w.trim_end_matches(['.', ',', '?', '!', ':']);
        if w == "@all" {
            m.has_all = true;
        } else if let Some(h) = names.resolve(w) {
            if !m.handles.contains(h) {
                m.handles.push(h.clone());
            }
        } else {
            m.unknown.push(w.to_owned());
        }
    }
    m
}
