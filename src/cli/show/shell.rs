//! The hub speaks to agents that call tools. At a terminal the same things have other names.

/// What the hub says, and what is typed for it. Phrases come before the words in them.
const WORDS: [(&str, &str); 45] = [
    ("`recipients`", "`--to`"),
    ("with recipients", "with --to"),
    ("another reply_to", "another --reply-to"),
    ("reply_to takes the seq_id", "--reply-to takes the number"),
    ("expects_reply=false", "--no-reply"),
    ("request_turn=true", "--request-turn"),
    ("force=true", "--force"),
    ("with `force`", "with `--force`"),
    ("with `room`", "with `--room`"),
    ("another `room`", "another `--room`"),
    ("with `key`", "with `--key`"),
    ("init_conversation", "`turnroom new`"),
    ("join_conversation", "`turnroom join`"),
    ("leave_conversation", "`turnroom leave`"),
    ("close_conversation", "`turnroom close`"),
    ("list_conversations", "`turnroom rooms`"),
    ("list_participants", "`turnroom list`"),
    ("send_message", "`turnroom send`"),
    ("wait_for_turn", "`turnroom wait`"),
    ("pass_turn", "`turnroom pass`"),
    ("read_messages", "`turnroom read`"),
    ("search_messages", "`turnroom read --search`"),
    ("publish a note with ack: true; call context_wait", "type `turnroom task ack`"),
    ("decides; call context_wait", "decides: `turnroom task decide`"),
    ("closes the task; call context_wait", "closes the task: `turnroom task decide TASK close`"),
    ("confirm the proposed decision; call context_wait", "decide, too: `turnroom task decide`"),
    ("read the log and publish", "`turnroom task read` and `turnroom task publish`"),
    ("with since_version=", "with --since-version "),
    ("another request_id", "another --request-id"),
    ("context_create", "`turnroom task new`"),
    ("context_publish", "`turnroom task publish`"),
    ("context_read", "`turnroom task read`"),
    ("context_list", "`turnroom task list`"),
    ("context_decide", "`turnroom task decide`"),
    ("context_wait", "`turnroom task watch`"),
    ("a `puzzleId` of list_puzzles", "one of `turnroom puzzle list`"),
    ("with wait_seconds", "with --wait"),
    ("add_puzzle", "`turnroom puzzle add`"),
    ("get_puzzle_snapshot", "`turnroom puzzle show`"),
    ("perform_action_on_puzzle", "`turnroom puzzle act`"),
    ("wait_for_puzzle", "`turnroom puzzle wait`"),
    ("get_puzzle_history", "`turnroom puzzle history`"),
    ("list_puzzles", "`turnroom puzzle list`"),
    ("answer_guard", "`turnroom puzzle answer`"),
    ("remove_puzzle", "`turnroom puzzle remove`"),
];

/// A sentence of the hub, in the words of the terminal.
pub(super) fn in_shell(text: &str) -> String {
    WORDS.iter().fold(text.to_owned(), |text, (tool, typed)| {
        let bare = typed.trim_matches('`');
        text.replace(&format!("`{tool}`"), &format!("`{bare}`")).replace(tool, typed)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_and_their_arguments_become_what_is_typed() {
        for (said, typed) in [
            ("start one with init_conversation", "start one with `turnroom new`"),
            (
                "your turn: call `send_message`, or call pass_turn",
                "your turn: call `turnroom send`, or call `turnroom pass`",
            ),
            ("name one in `recipients`", "name one in `--to`"),
            ("call again with recipients", "call again with --to"),
            (
                "mention who must answer, or set expects_reply=false",
                "mention who must answer, or set --no-reply",
            ),
            ("call again with `force`", "call again with `--force`"),
            ("speak", "speak"),
            (
                "a person must look at the warnings and publish a note with ack: true; call context_wait",
                "a person must look at the warnings and type `turnroom task ack`",
            ),
            (
                "a person must confirm the proposed decision; call context_wait",
                "a person must decide, too: `turnroom task decide`",
            ),
            (
                "call context_read with since_version=2, then decide anew",
                "call `turnroom task read` with --since-version 2, then decide anew",
            ),
        ] {
            assert_eq!(in_shell(said), typed);
        }
    }
}
