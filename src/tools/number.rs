//! Numbers that tools take, and how much they give at once.

use serde_json::Value;

use super::catalogue::Tool;
use super::{Refused, arguments};

/// Entries that are given when no number is named, and at most.
const USUAL: usize = 50;
const MOST: usize = 200;
/// Bytes of entries after which an answer is cut.
const ANSWER_BYTES: usize = 64 << 10;

/// A number that is not less than `least`.
pub(super) fn at_least(
    tool: &Tool,
    field: &str,
    given: Option<i64>,
    least: u64,
) -> Result<Option<u64>, Refused> {
    let Some(given) = given else { return Ok(None) };
    match u64::try_from(given) {
        Ok(number) if number >= least => Ok(Some(number)),
        _ => {
            Err(arguments::refuse(tool, field, &given.to_string(), &format!("a number of at least {least}")))
        }
    }
}

/// How many entries are given, by the argument `limit`.
pub(super) fn limit(tool: &Tool, given: Option<i64>) -> Result<usize, Refused> {
    let limit = at_least(tool, "limit", given, 1)?;
    Ok(limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(USUAL).min(MOST))
}

/// As many as one answer holds, at least one.
pub(super) fn within_one_answer(entries: impl Iterator<Item = Value>) -> Vec<Value> {
    let (mut taken, mut bytes) = (Vec::new(), 0);
    for entry in entries {
        bytes += entry.to_string().len();
        if bytes > ANSWER_BYTES && !taken.is_empty() {
            break;
        }
        taken.push(entry);
    }
    taken
}
