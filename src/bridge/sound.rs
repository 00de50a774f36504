//! A line of the client that nobody can read still wants an answer. It is replaced by a request that can be
//! read, has the same id, and is sure to be answered with an error that tells what was wrong.

use serde_json::Value;

use super::ledger::Line;
use crate::mcp::MAX_MESSAGE;

/// Bytes of a broken line in which its id is looked for, from both ends.
const SEARCHED: usize = 4096;

/// The line, or what stands in for it when it is no message that a hub reads.
pub(super) fn sound(line: Line) -> Line {
    // Read whole: what is skipped would not be looked at, and half a surrogate in it breaks the line for the hub.
    let problem = match serde_json::from_slice::<Value>(&line) {
        _ if line.iter().all(u8::is_ascii_whitespace) => return line,
        Ok(Value::Object(message)) => match message.get("id") {
            None | Some(Value::Null | Value::String(_)) => return line,
            Some(Value::Number(id)) if id.is_i64() || id.is_u64() => return line,
            Some(_) => "an id must be a string or a whole number".to_owned(),
        },
        Ok(_) => "a line must hold one JSON object; batches are not taken".to_owned(),
        Err(error) => format!("the line is no valid JSON: {error}"),
    };
    stand_in(&line, &problem)
}

/// What stands in for a line that nobody would read to its end; `start` is the beginning of it.
pub(super) fn too_long(start: &[u8]) -> Line {
    stand_in(start, &format!("the line has more than {} MiB ({MAX_MESSAGE} bytes)", MAX_MESSAGE >> 20))
}

fn stand_in(line: &[u8], problem: &str) -> Line {
    let stand_in = match id_in(line) {
        Some(id) => serde_json::json!({"jsonrpc": "2.0", "id": id, "method": problem}),
        // Without an id the hub answers that it is no request.
        None => serde_json::json!({"jsonrpc": "2.0", "method": 0, "params": problem}),
    };
    let mut stand_in = stand_in.to_string().into_bytes();
    stand_in.push(b'\n');
    stand_in
}

/// The id of a broken line, if it can be seen.
fn id_in(line: &[u8]) -> Option<Value> {
    let start = &line[..line.len().min(SEARCHED)];
    let end = &line[line.len().saturating_sub(SEARCHED)..];
    [start, end].into_iter().find_map(|part| {
        let text = String::from_utf8_lossy(part);
        let rest = text.split_once("\"id\"")?.1.trim_start().strip_prefix(':')?.trim_start().to_owned();
        let is_end = |c: char| matches!(c, ',' | '}' | ' ' | '\n' | '\r' | '\t');
        serde_json::from_str(rest.split(is_end).next()?)
            .ok()
            .filter(|id: &Value| id.is_string() || id.is_i64())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sounded(line: &[u8]) -> Value {
        serde_json::from_slice(&sound(line.to_vec())).unwrap()
    }

    #[test]
    fn a_line_that_can_be_read_is_left_as_it_is() {
        for line in [
            r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#,
            r#"{"id":"a","result":{}}"#,
            r#"{"method":"x"}"#,
            "\n",
        ] {
            assert_eq!(sound(line.as_bytes().to_vec()), line.as_bytes());
        }
    }

    #[test]
    fn a_broken_line_becomes_a_request_with_its_id() {
        let deep = format!("{{\"id\":9,\"x\":{}", "[".repeat(5_000));
        let broken = [r#"{"jsonrpc":"2.0","id":7,"x":"\ud83d"}"#, "{\"id\":\"a\",\"x\":", &deep];
        for (line, id) in broken.iter().zip([Value::from(7), Value::from("a"), Value::from(9)]) {
            assert_eq!(sounded(line.as_bytes())["id"], id, "{line}");
        }
        assert_eq!(sounded(b"{\"id\":5,\"x\":\"\xff\"}")["id"], 5);
    }

    #[test]
    fn batches_and_ids_that_are_no_ids_are_named() {
        assert!(sounded(br#"[{"id":1,"method":"ping"}]"#)["method"].as_str().unwrap().contains("batches"));
        assert!(sounded(br#"{"id":1.5,"method":"ping"}"#)["params"].as_str().unwrap().contains("id"));
    }
}
