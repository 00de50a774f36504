//! The rules of what is repeated to a new hub, and what the client sees.

use super::*;

const INITIALIZE: &str =
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"a"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn line(text: &str) -> Line {
    format!("{text}\n").into_bytes()
}

fn call(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"wait"}}}}"#)
}

fn answer(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

fn ledger(said: &[&str]) -> Ledger {
    let mut ledger = Ledger::default();
    for text in said {
        ledger.client_said(&line(text));
    }
    ledger
}

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| String::from_utf8(line.clone()).unwrap().trim_end().to_owned()).collect()
}

#[test]
fn what_has_no_answer_is_repeated_in_order() {
    let mut ledger = ledger(&[&call("1"), &call("\"1\""), &call("2")]);
    assert!(ledger.has_unanswered());
    assert_eq!(ledger.hub_said(&line(&answer("1"))), For::Client);
    assert_eq!(texts(&ledger.replay().rest), [call("\"1\""), call("2")]);
}

#[test]
fn what_was_cancelled_is_not_repeated() {
    let cancel =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}"#;
    let mut ledger = ledger(&[&call("1"), &call("2"), cancel]);
    assert_eq!(texts(&ledger.replay().rest), [call("2")]);
}

#[test]
fn the_handshake_is_repeated_in_the_name_of_the_bridge_and_its_answer_swallowed() {
    let mut ledger = ledger(&[INITIALIZE]);
    ledger.hub_said(&line(&answer("0")));
    ledger.client_said(&line(INITIALIZED));
    ledger.client_said(&line(&call("1")));
    for id in ["\"turnroom-bridge-0\"", "\"turnroom-bridge-1\""] {
        let replay = ledger.replay();
        let opening: Value = serde_json::from_slice(&replay.opening.unwrap()).unwrap();
        assert_eq!(
            (opening["id"].to_string(), &opening["params"]["clientInfo"]["name"]),
            (id.to_owned(), &"a".into())
        );
        assert_eq!(texts(&replay.rest), [INITIALIZED, &call("1")]);
        assert_eq!(ledger.hub_said(&line(&answer(id))), For::Bridge);
    }
    assert_eq!(ledger.hub_said(&line(&answer("1"))), For::Client);
    assert!(!ledger.has_unanswered());
}

#[test]
fn a_handshake_without_an_answer_is_repeated_as_the_client_sent_it() {
    let mut ledger = ledger(&[INITIALIZE]);
    let replay = ledger.replay();
    assert_eq!(replay, Replay { opening: Some(line(INITIALIZE)), rest: Vec::new() });
    assert_eq!(ledger.hub_said(&line(&answer("0"))), For::Client);
}

#[test]
fn a_client_without_a_handshake_has_none_repeated() {
    assert_eq!(ledger(&[&call("1")]).replay(), Replay { opening: None, rest: vec![line(&call("1"))] });
}

#[test]
fn settings_and_subscriptions_are_repeated_as_long_as_they_hold() {
    let subscribe = |id: u32, uri: &str, method: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/{method}","params":{{"uri":"{uri}"}}}}"#)
    };
    let level = r#"{"jsonrpc":"2.0","id":9,"method":"logging/setLevel","params":{"level":"info"}}"#;
    let said = [
        level.to_owned(),
        subscribe(1, "a", "subscribe"),
        subscribe(2, "b", "subscribe"),
        subscribe(3, "a", "unsubscribe"),
        subscribe(4, "none", "subscribe"),
    ];
    let mut ledger = ledger(&said.each_ref().map(String::as_str));
    for id in ["9", "1", "2", "3"] {
        ledger.hub_said(&line(&answer(id)));
    }
    let refused = r#"{"jsonrpc":"2.0","id":4,"error":{"code":-32002,"message":"there is none"}}"#;
    assert_eq!(ledger.hub_said(&line(refused)), For::Client);
    let rest = texts(&ledger.replay().rest);
    assert_eq!(rest.len(), 2, "{rest:?}");
    assert!(rest[0].contains("setLevel") && rest[1].contains("\"b\""), "{rest:?}");
    assert_eq!(ledger.hub_said(&line(&answer("\"turnroom-bridge-0\""))), For::Bridge);
    assert_eq!(ledger.hub_said(&line(&answer("\"turnroom-bridge-1\""))), For::Bridge);
}

#[test]
fn a_new_introduction_forgets_the_old_conversation() {
    let mut ledger = ledger(&[INITIALIZE, INITIALIZED, &call("1"), INITIALIZE]);
    assert_eq!(ledger.replay(), Replay { opening: Some(line(INITIALIZE)), rest: Vec::new() });
}

#[test]
fn notifications_and_requests_of_the_hub_are_for_the_client() {
    let mut ledger = ledger(&[&call("1")]);
    for text in [
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
        "noise",
    ] {
        assert_eq!(ledger.hub_said(&line(text)), For::Client);
    }
    assert!(ledger.has_unanswered());
}

#[test]
fn when_there_will_be_no_hub_every_request_gets_an_error() {
    let mut ledger = ledger(&[&call("1"), &call("\"x\"")]);
    let errors = texts(&ledger.give_up("no \"hub\""));
    assert_eq!(errors.len(), 2);
    let error: Value = serde_json::from_str(&errors[1]).unwrap();
    assert_eq!((&error["id"], &error["error"]["message"]), (&"x".into(), &"no \"hub\"".into()));
    assert!(!ledger.has_unanswered());
}

#[test]
fn what_is_no_message_changes_nothing() {
    let noise =
        ["", "{", "[]", "null", "7", "{\"id\":1}", "{\"method\":7,\"id\":1}", "\u{0}", "{\"id\":1,\"id\":2}"];
    let mut ledger = ledger(&noise);
    assert!(!ledger.has_unanswered());
    assert_eq!(ledger.replay(), Replay { opening: None, rest: Vec::new() });
}

proptest::proptest! {
    #[test]
    fn every_request_is_answered_once(steps in proptest::collection::vec((0..3_u8, 0..6_u32), 0..60)) {
        let mut ledger = Ledger::default();
        let mut open = Vec::new();
        let mut next = 0;
        for (step, which) in steps {
            match step {
                0 => {
                    ledger.client_said(&line(&call(&next.to_string())));
                    open.push(next);
                    next += 1;
                }
                1 if !open.is_empty() => {
                    let id = open.remove(which as usize % open.len());
                    ledger.hub_said(&line(&answer(&id.to_string())));
                }
                _ => {
                    let expected: Vec<String> = open.iter().map(|id| call(&id.to_string())).collect();
                    proptest::prop_assert_eq!(texts(&ledger.replay().rest), expected);
                }
            }
        }
        proptest::prop_assert_eq!(ledger.has_unanswered(), !open.is_empty());
    }
}

#[test]
fn what_a_hub_that_has_ended_has_asked_is_taken_back_if_it_has_no_answer() {
    let ask = |id: u8| {
        line(&format!(r#"{{"jsonrpc":"2.0","id":"m-{id}","method":"elicitation/create","params":{{}}}}"#))
    };
    let mut ledger = ledger(&[&call("1")]);
    for id in 0..3 {
        assert_eq!(ledger.hub_said(&ask(id)), For::Client);
    }
    ledger.client_said(&line(&answer("\"m-0\"")));
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"m-1"}}"#;
    assert_eq!(ledger.hub_said(&line(cancel)), For::Client);
    let unasked: Vec<Value> =
        ledger.unasked().iter().map(|line| serde_json::from_slice(line).unwrap()).collect();
    let [only] = &unasked[..] else { panic!("{unasked:?}") };
    assert_eq!(
        (&only["method"], &only["params"]["requestId"]),
        (&"notifications/cancelled".into(), &"m-2".into())
    );
    assert!(ledger.unasked().is_empty());
    assert_eq!(texts(&ledger.replay().rest), [call("1")], "the call itself is made again");
}
