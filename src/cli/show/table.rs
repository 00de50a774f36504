//! Text in columns.

use super::super::clean;
use super::Look;

/// Names and values, one pair a line, the values aligned.
pub(super) fn pairs(pairs: impl IntoIterator<Item = (impl Into<String>, String)>, look: Look) -> String {
    let pairs: Vec<(String, String)> =
        pairs.into_iter().map(|(name, value)| (clean::line(&name.into()), value)).collect();
    let width = pairs.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    let line = |(name, value): &(String, String)| format!("{}  {value}\n", look.strong(&padded(name, width)));
    pairs.iter().map(line).collect::<Vec<_>>().concat()
}

/// Rows under a head, all columns but the last one aligned.
pub(super) fn table<const N: usize>(head: [&str; N], rows: &[[String; N]], look: Look) -> String {
    let head = head.map(str::to_owned);
    let widths: [usize; N] = std::array::from_fn(|column| {
        rows.iter().chain([&head]).map(|row| width(&row[column])).max().unwrap_or(0)
    });
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| padded(cell, width));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let rows = rows.iter().map(|row| line(row) + "\n");
    [look.strong(&line(&head)) + "\n"].into_iter().chain(rows).collect()
}

fn padded(text: &str, wanted: usize) -> String {
    format!("{text}{}", " ".repeat(wanted.saturating_sub(width(text))))
}

/// Characters; wide ones of some scripts may shift a column, no more.
fn width(text: &str) -> usize {
    text.chars().count()
}
