//! The drawing of a machine.

use serde_json::json;

use super::support::{act, document, puzzle};

#[test]
fn a_machine_is_drawn_with_its_present_state_marked() {
    let mut puzzle = puzzle(document(json!({ "states": {
        "REVIEW": { "actions": { "APPROVE": { "guard": "ok?" } }, "after": { "1000": "DRAFT" } },
        "PUBLISHED": { "final": true, "actions": null },
    } })));
    puzzle.go(&act("SUBMIT", ""), 1);
    insta::assert_snapshot!(puzzle.mermaid());
}

#[test]
fn states_in_states_are_drawn_without_arrows_into_themselves() {
    let puzzle = puzzle(json!({
        "initial": "work",
        "on": { "STOP": ".end" },
        "states": {
            "work": {
                "initial": "plan",
                "on": { "RESTART": "work", "SKIP": ".build", "END": "end" },
                "states": { "plan": { "on": { "NEXT": "build" } }, "build": {}, "back": { "type": "history" } },
            },
            "end": { "type": "final" },
        },
    }));
    insta::assert_snapshot!(puzzle.mermaid());
}

#[test]
fn hostile_names_stay_in_their_labels() {
    let name = "A_b_\" as x\u{202e}; %%{init}%% --> [*] : <script>`#35;` direction LR";
    let drawn = puzzle(json!({ "initialState": name, "states": {
        (name): { "actions": { (name): { "targetState": name } } },
    } }))
    .mermaid();
    let plain = |c: char| c.is_alphanumeric() || "#;".contains(c);
    let state = drawn.lines().find(|line| line.contains("state \"")).unwrap();
    let label = state.trim().strip_prefix("state \"").unwrap().strip_suffix("\" as s1").unwrap();
    assert!(label.chars().all(plain), "{label}");
    let arrow = drawn.lines().find_map(|line| line.trim().strip_prefix("s1 --> s1 : ")).unwrap();
    assert!(arrow.chars().all(plain), "{arrow}");
    assert_eq!(drawn.lines().count(), 6);
}
