//! Names made of what people write: titles, and names of files.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// As long as a name may be, so that a number and an ending fit behind it in the name of a file.
const MAX_BYTES: usize = 160;

/// Whether a name may have this letter: one of any script with its marks, or a digit; a capital only where its script
/// has no other form of it.
pub(super) fn is_letter(c: char) -> bool {
    (c.is_alphanumeric() || is_combining_mark(c)) && c.to_lowercase().eq([c])
}

/// A text as a name: lower case, any script, its words joined.
pub(super) fn slug(text: &str, max_chars: usize, fallback: &str) -> String {
    // A capital may become a letter and a mark, which belong together; and letters of another shape are the same letters.
    let lower: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    let words: Vec<_> = lower.split(|c| !is_letter(c)).filter(|word| !word.is_empty()).collect();
    let mut bytes = 0;
    let fits = |c: &char| {
        bytes += c.len_utf8();
        bytes <= MAX_BYTES
    };
    let whole = words.join("-");
    let cut: String = whole.chars().take(max_chars).take_while(fits).collect();
    let is_whole_word = whole[cut.len()..].is_empty() || whole[cut.len()..].starts_with('-');
    // The last word goes, rather than half of it, unless little would be left.
    let end = cut.rfind('-').filter(|end| !is_whole_word && *end > cut.len() / 2).unwrap_or(cut.len());
    let slug = cut[..end].trim_matches('-');
    if slug.is_empty() { fallback.to_owned() } else { slug.to_owned() }
}
