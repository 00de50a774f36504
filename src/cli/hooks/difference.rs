//! The lines in which two texts differ, as people know them: `-` is gone, `+` is new.

/// Lines that are shown around a change.
const AROUND: usize = 3;

/// What changes from `before` to `after`. Lines that stay are shown near a change only.
pub(super) fn difference(before: &str, after: &str) -> String {
    let (before, after): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    let lines = lines(&before, &after);
    let is_change = |at: usize| lines[at].0 != ' ';
    let is_near = |at: usize| (at.saturating_sub(AROUND)..lines.len().min(at + AROUND + 1)).any(is_change);
    let mut text = String::new();
    for (at, (mark, line)) in lines.iter().enumerate() {
        if is_near(at) {
            if at > 0 && !is_near(at - 1) {
                text.push_str("…\n");
            }
            text.push_str(format!("{mark} {line}").trim_end());
            text.push('\n');
        }
    }
    text
}

/// Every line with its mark, by the longest row of lines that both have.
fn lines<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<(char, &'a str)> {
    let common = common(before, after);
    let (mut old, mut new, mut found) = (0, 0, Vec::new());
    while old < before.len() || new < after.len() {
        let is_same = old < before.len() && new < after.len() && before[old] == after[new];
        if is_same {
            found.push((' ', after[new]));
            (old, new) = (old + 1, new + 1);
        } else if new == after.len() || old < before.len() && common[old + 1][new] >= common[old][new + 1] {
            found.push(('-', before[old]));
            old += 1;
        } else {
            found.push(('+', after[new]));
            new += 1;
        }
    }
    found
}

/// How many lines the ends of both texts have in common, from each pair of lines on.
fn common(before: &[&str], after: &[&str]) -> Vec<Vec<usize>> {
    let mut common = vec![vec![0; after.len() + 1]; before.len() + 1];
    for old in (0..before.len()).rev() {
        for new in (0..after.len()).rev() {
            common[old][new] = if before[old] == after[new] {
                common[old + 1][new + 1] + 1
            } else {
                common[old + 1][new].max(common[old][new + 1])
            };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changes_is_shown_and_what_is_near() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh\n";
        assert_eq!(
            difference(before, &before.replace("f\n", "F\nF2\n")),
            "…\n  c\n  d\n  e\n- f\n+ F\n+ F2\n  g\n  h\n"
        );
        assert_eq!(difference(before, before), "");
        assert_eq!(difference("", "x\n"), "+ x\n");
        assert_eq!(difference("x\n\ny\n", "x\n"), "  x\n-\n- y\n");
    }
}
