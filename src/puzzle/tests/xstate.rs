//! Named JSON of XState: what is read, and what is refused by its name.

use serde_json::{Value, json};

use super::support::{act, merge, puzzle, refused};
use crate::puzzle::Machine;

/// A checkout, as people have it.
fn checkout() -> Value {
    json!({
        "id": "checkout",
        "description": "Buy something",
        "initial": "cart",
        "context": { "items": 2, "limit": { "least": 1 } },
        "guards": {
            "hasItems": { "rule": { "context": "items", "atLeast": { "param": "least" } } },
            "isPaid": { "rule": { "context": "paid", "is": true } },
        },
        "states": {
            "cart": {
                "on": {
                    "CHECKOUT": { "target": "payment", "guard": { "type": "hasItems", "params": { "least": 1 } } },
                    "BULK": { "target": "payment", "guard": { "type": "hasItems", "params": { "least": 10 } } },
                },
                "meta": { "color": "blue", "turnroom": { "who": "@Ada", "resource": { "text": "Fill it." } } },
            },
            "payment": {
                "initial": "method",
                "always": { "target": "done", "guard": "isPaid" },
                "states": {
                    "method": { "on": { "CARD": "card", "BACK": "#checkout.cart" } },
                    "card": { "on": {
                        "PAY": { "target": ["#paid"], "meta": { "turnroom": { "set": { "paid": true }, "allowed": ["@Ada"] } } },
                        "BACK": [{ "target": "method", "guard": "isPaid" }, { "target": "method" }],
                    } },
                    "paid": { "id": "paid" },
                },
                "on": { "RESET": { "target": ".method" } },
            },
            "done": { "type": "final" },
        },
    })
}

#[test]
fn a_machine_of_xstate_runs() {
    let mut puzzle = puzzle(checkout());
    assert_eq!(puzzle.snapshot().name, "checkout");
    let cart = puzzle.machine().find("cart").unwrap();
    assert_eq!(puzzle.machine().state(cart).resource.as_ref().unwrap().text, "Fill it.");
    assert_eq!(puzzle.refusal(&act("BULK", "@Ada"), 1).code(), "guard_refused");
    for (action, state) in [
        ("CHECKOUT", "payment.method"),
        ("BACK", "cart"),
        ("CHECKOUT", "payment.method"),
        ("CARD", "payment.card"),
        ("RESET", "payment.method"),
        ("CARD", "payment.card"),
        ("BACK", "payment.method"),
        ("CARD", "payment.card"),
    ] {
        assert_eq!(puzzle.go(&act(action, "@Ada"), 1), state, "{action}");
    }
    assert_eq!(puzzle.refusal(&act("PAY", "@Bob"), 1).code(), "not_allowed");
    assert_eq!(puzzle.go(&act("PAY", "@Ada"), 1), "done", "paid, it goes on by itself");
}

#[test]
fn what_cannot_be_honoured_is_refused_by_its_name_and_place() {
    for (more, told) in [
        (json!({ "type": "parallel" }), "`config.type`: `parallel` is not honoured"),
        (json!({ "states": { "cart": { "type": "parallel" } } }), "`config.states.cart.type`: `parallel`"),
        (
            json!({ "states": { "cart": { "invoke": { "src": "x" } } } }),
            "cart.invoke`: `invoke` is not honoured",
        ),
        (json!({ "states": { "cart": { "entry": "log" } } }), "cart.entry`: `entry` is not honoured"),
        (json!({ "states": { "cart": { "exit": ["log"] } } }), "cart.exit`: `exit` is not honoured"),
        (json!({ "states": { "cart": { "tags": ["a"] } } }), "cart.tags`: `tags` is not honoured"),
        (
            json!({ "states": { "payment": { "onDone": "done" } } }),
            "payment.onDone`: `onDone` is not honoured",
        ),
        (
            json!({ "states": { "payment": { "always": { "allowed": "@Ada" } } } }),
            "payment.always.allowed`: `allowed` is not honoured here",
        ),
        (
            json!({ "states": { "cart": { "after": { "5000": [
                { "target": "done", "meta": { "turnroom": { "allowed": "@Ada" } } },
            ] } } } }),
            "cart.after.5000.0.meta.turnroom.allowed`: `allowed` is not honoured here",
        ),
        (json!({ "output": {} }), "`config.output`: `output` is not honoured"),
        (json!({ "delays": {} }), "`config.delays`: `delays` is not honoured"),
        (json!({ "states": { "cart": { "on": { "*": "done" } } } }), "cart.on`: wildcards such as `*`"),
        (json!({ "states": { "cart": { "on": { "a.*": "done" } } } }), "cart.on`: wildcards such as `a.*`"),
        (
            json!({ "states": { "cart": { "on": { "X": { "target": "done", "actions": "log" } } } } }),
            "cart.on.X.actions`: `actions` is not honoured",
        ),
        (
            json!({ "states": { "cart": { "on": { "X": { "target": "done", "cond": "x" } } } } }),
            "cart.on.X.cond`: `cond` is not honoured: write `guard`",
        ),
        (
            json!({ "states": { "cart": { "on": { "X": { "target": "done", "guard": "({ context }) => context.x" } } } } }),
            "cart.on.X.guard`: a function as text is not honoured",
        ),
        (
            json!({ "states": { "cart": { "on": { "X": { "target": ["done", "payment"] } } } } }),
            "cart.on.X.target`: one target is honoured",
        ),
        (json!({ "states": { "cart": { "after": { "SOON": "done" } } } }), "after.SOON`: `SOON` is no delay"),
        (json!({ "context": { "now": "() => Date.now()" } }), "`config.context.now`: a function as text"),
        (
            json!({ "states": { "cart": { "onn": {} } } }),
            "cart.onn`: there is no such field; did you mean `on`?",
        ),
    ] {
        let mut config = checkout();
        merge(&mut config, more);
        let told_of = refused(config).to_string();
        assert!(told_of.contains(told), "{told} is not in {told_of}");
    }
}

#[test]
fn what_leads_nowhere_is_told_with_what_there_is() {
    let state = |more: Value| json!({ "states": { "payment": { "states": { "method": more } } } });
    for (more, told) in [
        (
            state(json!({ "on": { "CARD": "cart" } })),
            "`cart` names no state; beside it are `card`, `method`, `paid`",
        ),
        (state(json!({ "on": { "CARD": "#ghost" } })), "`#ghost` names no state"),
        (state(json!({ "on": { "CARD": "#checkout" } })), "`#checkout` names no state"),
        (
            state(json!({ "on": { "CARD": { "target": "card", "guard": "isRich" } } })),
            "`guards` has no `isRich`",
        ),
        (state(json!({ "id": "paid" })), "another state has the id `paid`"),
        (json!({ "states": { "payment": { "initial": "cart" } } }), "`cart` is no state in it to begin with"),
        (
            json!({ "states": { "payment": { "initial": null } } }),
            "`config.states.payment.initial`: it is missing",
        ),
        (json!({ "initial": "Cart" }), "`config.initial`: `Cart` is no state in it"),
        (json!({ "states": { "cart": { "initial": "x" } } }), "it does not fit this kind of state"),
        (json!({ "states": { "a.b": {} } }), "a state's name has no `.`"),
        (json!({ "states": { "done": { "on": { "X": "cart" } } } }), "a final state has no actions"),
        (
            json!({ "states": { "payment": { "states": { "h": { "type": "history", "target": "#checkout.cart" } } } } }),
            "a history state leads to a state beside it",
        ),
        (
            json!({ "states": { "payment": { "states": {
                "h": { "type": "history", "target": "g" }, "g": { "history": "deep" },
            } } } }),
            "`config.states.payment.states.h.target`: a history state leads to a state beside it, which is no history",
        ),
        (
            state(json!({ "meta": { "turnroom": { "owner": "@Bob" } } })),
            "meta.turnroom.owner`: there is no such field",
        ),
    ] {
        let mut config = checkout();
        merge(&mut config, more);
        let told_of = refused(config).to_string();
        assert!(told_of.contains(told), "{told} is not in {told_of}");
    }
}

#[test]
fn the_version_of_a_machine_is_for_people() {
    let mut config = checkout();
    merge(&mut config, json!({ "version": "1.0.2" }));
    Machine::parse(&config).unwrap();
    merge(&mut config, json!({ "states": { "cart": { "version": "1.0.2" } } }));
    let told_of = refused(config).to_string();
    assert!(told_of.contains("there is no such field"), "{told_of}");
}

#[test]
fn states_lie_in_states_eight_deep_and_no_deeper() {
    let deep = |depth: usize| {
        (1..depth).fold(
            json!({ "initial": "s", "states": { "s": {} } }),
            |inner, _| json!({ "initial": "s", "states": { "s": inner } }),
        )
    };
    let (machine, _) = Machine::parse(&deep(8)).unwrap();
    assert!(machine.find("s.s.s.s.s.s.s.s").is_some());
    let refusal = refused(deep(9));
    assert!(refusal.to_string().contains("deeper in states than 8"), "{refusal}");
}
