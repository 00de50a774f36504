//! How large a machine may be: each limit is named.

use serde_json::{Map, Value, json};

use super::support::{document, refused};
use crate::puzzle::Machine;

/// So many of one value, by name.
fn many(count: usize, value: &Value) -> Value {
    Value::Object((0..count).map(|number| (format!("n{number}"), value.clone())).collect::<Map<_, _>>())
}

fn told(config: Value) -> String {
    let refusal = refused(config);
    assert_eq!(refusal.code(), "limit_exceeded", "{refusal}");
    refusal.to_string()
}

#[test]
fn each_limit_is_told_by_its_number() {
    let exit_guard = |guard: Value| document(json!({ "states": { "DRAFT": { "exitGuard": guard } } }));
    let action = json!({ "targetState": "DRAFT" });
    let deep = (0..9).fold(json!({ "actor": "@Bob" }), |rule, _| json!({ "not": rule }));
    let wide = json!({ "all": vec![json!({ "any": vec![json!({ "done": "x" }); 50] }); 2] });
    for (config, limit) in [
        (json!({ "initialState": "n0", "states": many(201, &json!({})) }), "more than 200 states"),
        (document(json!({ "states": { "DRAFT": { "actions": many(51, &action) } } })), "50 are allowed"),
        (
            json!({ "initialState": "n0", "states": many(50, &json!({ "actions": many(41, &json!({ "targetState": "n1" })) })) }),
            "more than 2000 transitions",
        ),
        (document(json!({ "context": { "x": "x".repeat(262_144) } })), "262144 are allowed"),
        (
            document(json!({ "states": { "DRAFT": { "description": "x".repeat(4_001) } } })),
            "4000 are allowed",
        ),
        (exit_guard(json!("x".repeat(4_001))), "4000 are allowed"),
        (exit_guard(json!(vec!["x"; 21])), "20 may"),
        (exit_guard(json!({ "rule": deep })), "deeper in rules than 8"),
        (exit_guard(json!({ "rule": wide })), "100 are allowed"),
        (
            document(json!({ "states": { "DRAFT": { "resource": { "text": "x".repeat(65_537) } } } })),
            "65536 are allowed",
        ),
        (document(json!({ "roles": many(51, &json!(["@Bob"])) })), "50 are allowed"),
        (
            document(json!({ "roles": { "all": (0..51).map(|n| format!("@n{n}")).collect::<Vec<_>>() } })),
            "50 may",
        ),
        (
            document(json!({
                "roles": {
                    "one": (0..30).map(|n| format!("@n{n}")).collect::<Vec<_>>(),
                    "two": (30..60).map(|n| format!("@n{n}")).collect::<Vec<_>>(),
                },
                "states": { "DRAFT": { "who": ["one", "two"] } },
            })),
            "more than 50 handles stand here, with those of roles",
        ),
        (
            exit_guard(json!({ "rule": { "context": "x", "is": "x".repeat(4_000) } })),
            "4002 bytes, and 4000 are allowed",
        ),
        (
            exit_guard(
                json!({ "rule": { "context": "x", "oneOf": ["x".repeat(2_000), "y".repeat(2_000)] } }),
            ),
            "4007 bytes, and 4000 are allowed",
        ),
    ] {
        let told = told(config);
        assert!(told.contains(limit), "{limit} is not in {told}");
    }
    let long = json!({ "states": { "x".repeat(101): {} } });
    assert!(refused(document(long)).to_string().contains("at most 100 characters"));
}

#[test]
fn guards_are_counted_with_each_use_of_a_named_one() {
    let uses = |count: usize| {
        json!({
            "initialState": "n0",
            "guards": { "big": { "rule": { "all": vec![json!({ "done": "x" }); 90] } } },
            "states": many(2, &json!({ "actions": many(40, &json!({ "targetState": "n0", "guard": vec![json!({ "ref": "big" }); count] })) })),
        })
    };
    assert!(Machine::parse(&uses(1)).is_ok(), "what is the same is kept once");
    let params = |n: usize| json!({ "targetState": "n0", "guard": { "ref": "big", "params": { "x": n } } });
    let actions =
        |from: usize| (from..from + 40).map(|n| (format!("a{n}"), params(n))).collect::<Map<_, _>>();
    let mut config = uses(1);
    config["states"] = json!({ "n0": { "actions": actions(0) }, "n1": { "actions": actions(40) } });
    assert!(told(config).contains("more than 5000 guards"));
}

#[test]
fn thousands_of_faults_are_counted_and_few_are_told() {
    let ghosts = many(49, &json!({ "targetState": "GHOST" }));
    let refusal = refused(json!({ "initialState": "n0", "states": many(40, &json!({ "actions": ghosts })) }));
    assert!(refusal.to_string().len() < 20_000 && refusal.to_string().ends_with("and 170 more"), "{refusal}");
}
