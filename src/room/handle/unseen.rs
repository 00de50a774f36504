//! Characters that deceive the eye: those that show nothing, and letters that look like those of names which only
//! turnroom and people have.

use unicode_normalization::UnicodeNormalization;

/// Whether `c` is a letter or a mark that shows nothing: two names that differ by it look the same.
#[must_use]
pub fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// The name in the plain letters that it looks like, as far as the names that nobody may imitate need it.
pub(super) fn plain(folded: &str) -> String {
    folded.nfkc().flat_map(char::to_lowercase).map(plain_letter).collect()
}

/// Letters of `user`, `system` and `all`, and what looks like them in other scripts.
fn plain_letter(c: char) -> char {
    match c {
        'а' | 'α' | 'ɑ' => 'a',
        'е' | 'ҽ' | 'ε' => 'e',
        'ӏ' | 'ǀ' | 'ⅼ' => 'l',
        'м' | 'ᴍ' => 'm',
        'г' | 'ᴦ' | 'ʀ' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' | 'ᴛ' => 't',
        'υ' | 'ս' | 'ʋ' | 'ᴜ' => 'u',
        'у' | 'γ' | 'ү' | 'ʏ' => 'y',
        other => other,
    }
}
