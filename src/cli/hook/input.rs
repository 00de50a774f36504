//! What the client tells a hook: JSON on standard input.

use std::io::{IsTerminal, Read};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;

/// A client writes at once; one that keeps the pipe open is not waited for.
const PATIENCE: Duration = Duration::from_millis(500);
/// More is no hook's business; a tool's answer may be large.
const MAX_BYTES: u64 = 16 << 20;

/// What the client tells. Nothing of it is required.
#[derive(Debug, Default)]
pub(in crate::cli) struct Input(Value);

impl Input {
    /// Reads standard input, unless it is a terminal.
    pub(in crate::cli) fn read() -> Self {
        if std::io::stdin().is_terminal() {
            return Self::default();
        }
        let (sender, receiver) = mpsc::channel();
        // It ends with the process, if the client never closes the pipe.
        thread::spawn(move || {
            let mut text = Vec::new();
            let read = std::io::stdin().lock().take(MAX_BYTES).read_to_end(&mut text);
            let _ = sender.send(read.map(|_| text).unwrap_or_default());
        });
        Self::parse(&receiver.recv_timeout(PATIENCE).unwrap_or_default())
    }

    pub(in crate::cli) fn parse(text: &[u8]) -> Self {
        Self(serde_json::from_slice(text).unwrap_or_default())
    }

    /// Whether a client tells anything: whoever types, or writes a script, pipes in no object.
    pub(in crate::cli) fn is_of_a_client(&self) -> bool {
        self.0.is_object()
    }

    /// What the client shows to its user.
    pub(in crate::cli) fn message(&self) -> Option<&str> {
        self.0["message"].as_str()
    }

    /// Whether the agent goes on only because a hook has held it: then it may end.
    pub(in crate::cli) fn is_stopped_by_a_hook(&self) -> bool {
        self.0["stop_hook_active"] == true
    }

    /// The session, if its name can be the name of a file.
    pub(in crate::cli) fn session(&self) -> Option<&str> {
        let session = self.0["session_id"].as_str()?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (!session.is_empty() && session.len() <= 100 && session.bytes().all(is_plain)).then_some(session)
    }

    /// As whom a tool of turnroom was called by the agent of the session itself; a sub-agent is somebody else.
    pub(in crate::cli) fn caller(&self) -> Option<&str> {
        let arguments = &self.0["tool_input"];
        let named = arguments["handle"].as_str().or(arguments["sender"].as_str());
        named.filter(|name| self.0["agent_id"].is_null() && !name.is_empty() && name.len() <= 300)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn input(json: &Value) -> Input {
        Input::parse(json.to_string().as_bytes())
    }

    #[test]
    fn a_session_that_is_no_name_of_a_file_is_none() {
        assert_eq!(input(&json!({ "session_id": "0a-f_9" })).session(), Some("0a-f_9"));
        for session in ["", "../x", "a/b", "a.b", "ä", &"x".repeat(101)] {
            assert_eq!(input(&json!({ "session_id": session })).session(), None, "{session}");
        }
    }

    #[test]
    fn whoever_calls_a_tool_is_named_in_its_arguments() {
        assert_eq!(input(&json!({ "tool_input": { "handle": "@Alice" } })).caller(), Some("@Alice"));
        assert_eq!(
            input(&json!({ "tool_input": { "sender": "Bob", "content": "x" } })).caller(),
            Some("Bob")
        );
        assert_eq!(input(&json!({ "tool_input": { "handle": "@Carol" }, "agent_id": "a1" })).caller(), None);
    }

    #[test]
    fn a_client_tells_an_object_and_maybe_a_message() {
        let notification = input(&json!({ "hook_event_name": "Notification", "message": "May I?" }));
        assert_eq!((notification.is_of_a_client(), notification.message()), (true, Some("May I?")));
        assert!(!Input::parse(b"").is_of_a_client() && !Input::parse(b"\"May I?\"").is_of_a_client());
    }

    #[test]
    fn whatever_stands_on_standard_input_does_no_harm() {
        for text in [&b""[..], b"no json", b"[1]", b"{\"session_id\": 3, \"tool_input\": 4}", b"\xff"] {
            let input = Input::parse(text);
            assert!(input.session().is_none() && input.caller().is_none() && !input.is_stopped_by_a_hook());
            assert_eq!(input.message(), None);
        }
    }
}
