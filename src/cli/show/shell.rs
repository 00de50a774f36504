//! The hub speaks to agents that call tools. At a terminal the same things have other names.

/// What the hub says, and what is typed for it. Phrases come before the words in them.
const WORDS: [(&str, &str); 31] = [
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
    ("publish a note with ack: true", "type `turnroom task ack`"),
    ("with since_version=", "with --since-version "),
    ("another request_id", "another --request-id"),
    ("context_create", "`turnroom task new`"),
    ("context_publish", "`turnroom task publish`"),
    ("context_read", "`turnroom task read`"),
    ("context_list", "`turnroom task list`"),
    ("context_decide", "`turnroom task decide`"),
    ("context_wait", "`turnroom task watch`"),
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
        ] {
            assert_eq!(in_shell(said), typed);
        }
    }
}
