//! How much work the nesting of a text is for a Markdown parser. Lines are not parsed here, only bounded.
//!
//! For each line a parser looks at every container that is open. Half a megabyte of `- - - - …` opens a
//! quarter of a million, and a blank line closes none of them: without a bound such a message would keep the
//! hub busy for hours.

/// Open containers per byte of text, summed over its lines, that are still read.
const MAX_PER_BYTE: usize = 16;

/// Whether a parser takes time linear in the length of `text`, whose lines end with `\n`.
pub(super) fn is_bearable(text: &str) -> bool {
    let budget = text.len().saturating_mul(MAX_PER_BYTE);
    let mut open = 0;
    let mut after_blank = true;
    let mut work: usize = 0;
    for line in text.split('\n') {
        let is_blank = line.bytes().all(|byte| byte == b' ' || byte == b'\t');
        if !is_blank {
            let opened = Prefix::of(line).opened(open);
            // A paragraph may go on without the marks of what holds it, until a blank line.
            open = if after_blank { opened } else { opened.max(open) };
        }
        after_blank = is_blank;
        work = work.saturating_add(open);
        if work > budget {
            return false;
        }
    }
    true
}

/// What stands before the words of a line.
#[derive(Default)]
struct Prefix {
    columns: usize,
    /// Marks of quotes.
    quotes: usize,
    /// Marks of list items and footnotes.
    bullets: usize,
}

impl Prefix {
    fn of(line: &str) -> Self {
        let mut prefix = Self::default();
        let mut rest = line;
        while let Some(after) = prefix.take_mark(rest) {
            rest = after;
        }
        prefix
    }

    /// Counts the first mark of `rest` and gives what comes after it.
    fn take_mark<'a>(&mut self, rest: &'a str) -> Option<&'a str> {
        if let Some(footnote) = rest.strip_prefix("[^") {
            self.bullets += 1;
            return footnote.split_once("]:").map(|(_, after)| after);
        }
        let bytes = rest.as_bytes();
        let is_before_space = bytes.get(1).is_none_or(u8::is_ascii_whitespace);
        match bytes.first()? {
            b' ' => self.columns += 1,
            b'\t' => self.columns += 4,
            b'>' => self.quotes += 1,
            b'-' | b'*' | b'+' | b'.' | b')' if is_before_space => self.bullets += 1,
            b'0'..=b'9' => {}
            _ => return None,
        }
        Some(&rest[1..])
    }

    /// At most how many containers a line with these marks is in, when `open` were open before it.
    fn opened(&self, open: usize) -> usize {
        // A list item goes on for two columns, a quote for its mark.
        let kept = open.min(self.columns / 2 + self.quotes);
        kept + self.quotes + self.bullets
    }
}
