//! Whether an answer is what the agent waits for.

use std::time::Duration;

use serde_json::Value;

use super::super::ending::Ending;
use super::super::show::SYSTEM;

/// A time-out may come a little early, by the rounding of clocks.
const SLACK: Duration = Duration::from_secs(1);

/// What to do after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The wait is over.
    Over(Ending),
    /// Nothing for the agent; wait on.
    Again,
}

/// Whether the wait is over. `left` is how much of its time the call did not use.
pub(super) fn verdict(answer: &Value, left: Duration) -> Verdict {
    match answer["status"].as_str() {
        Some("closed" | "replaced") => Verdict::Over(Ending::Refused),
        Some("timeout" | "waiting" | "stopping") if has_words(answer) => Verdict::Over(Ending::Done),
        // The floor is free: the hub ends all waits, so that somebody speaks.
        Some("timeout") if left > SLACK => Verdict::Over(Ending::Done),
        Some("timeout" | "waiting" | "stopping") => Verdict::Again,
        // A status of a newer hub too: better to wake the agent once too often.
        _ => Verdict::Over(Ending::Done),
    }
}

/// Whether the answer must be shown, although the wait may go on: it will not come again.
pub(super) fn has_news(answer: &Value) -> bool {
    messages(answer).next().is_some() || answer["system_notice"].is_string()
}

/// Whether somebody said something; notices do not wake.
fn has_words(answer: &Value) -> bool {
    messages(answer).any(|message| message["sender"] != SYSTEM)
        || answer["other_rooms"].as_array().is_some_and(|rooms| !rooms.is_empty())
}

fn messages(answer: &Value) -> impl Iterator<Item = &Value> {
    answer["new_messages"].as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOTHING_LEFT: Duration = Duration::ZERO;

    #[test]
    fn a_turn_a_message_and_a_pause_wake_the_agent() {
        for status in ["your_turn", "message_received", "paused", "something_new"] {
            let answer = json!({ "status": status });
            assert_eq!(verdict(&answer, NOTHING_LEFT), Verdict::Over(Ending::Done), "{status}");
        }
    }

    #[test]
    fn a_room_that_is_closed_ends_the_wait() {
        assert_eq!(verdict(&json!({ "status": "closed" }), NOTHING_LEFT), Verdict::Over(Ending::Refused));
        assert_eq!(verdict(&json!({ "status": "replaced" }), NOTHING_LEFT), Verdict::Over(Ending::Refused));
    }

    #[test]
    fn an_empty_answer_wakes_nobody() {
        for status in ["timeout", "waiting", "stopping"] {
            let answer = json!({ "status": status, "new_messages": [] });
            assert_eq!(verdict(&answer, NOTHING_LEFT), Verdict::Again, "{status}");
            assert!(!has_news(&answer));
        }
    }

    #[test]
    fn a_notice_is_shown_and_wakes_nobody() {
        let answer =
            json!({ "status": "timeout", "new_messages": [{ "sender": "@System", "content": "x" }] });
        assert_eq!(verdict(&answer, NOTHING_LEFT), Verdict::Again);
        assert!(has_news(&answer));
    }

    #[test]
    fn words_that_come_with_a_time_out_wake_the_agent() {
        let answer = json!({ "status": "timeout", "new_messages": [{ "sender": "@Bob", "content": "x" }] });
        assert_eq!(verdict(&answer, NOTHING_LEFT), Verdict::Over(Ending::Done));
        let answer = json!({ "status": "timeout", "other_rooms": ["review"] });
        assert_eq!(verdict(&answer, NOTHING_LEFT), Verdict::Over(Ending::Done));
    }

    #[test]
    fn a_time_out_before_its_time_means_that_the_floor_is_free() {
        assert_eq!(
            verdict(&json!({ "status": "timeout" }), Duration::from_mins(1)),
            Verdict::Over(Ending::Done)
        );
    }
}
