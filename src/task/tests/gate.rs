//! Who opens the gate: proposals, decisions, and whose work is whose.

use super::*;

#[test]
fn a_proposal_that_proposes_nothing_or_comes_too_late_is_a_warning_and_no_question() {
    let mut task = task(Full, Gate::Human);
    task.take(decision("banana", None));
    let warnings = &[Warning { version: 1, code: OutOfTable }][..];
    assert_eq!((task.proposals(), task.warnings()), (&[][..], warnings));
    task.take(decision("close", Some("@user")));
    task.take(decision("approve", None));
    task.take(decision("close", None));
    assert_eq!((task.status(), task.proposals()), (Some(Closed), &[][..]));
    assert_eq!(task.warnings().last(), Some(&Warning { version: 3, code: ClosedAbsorb }));
}

#[test]
fn a_decision_that_nobody_vouches_for_waits_for_a_person() {
    let mut task = task(Solo, Gate::Human);
    task.take(record("architect", "design", json!({})));
    task.take(record("executor", "code_changes", json!({})));
    task.take(Publish { agent: Some("pi".to_owned()), ..decision("approve", None) });
    assert_eq!((task.status(), task.version()), (Some(PendingApproval), 3));
    let proposal = task.proposals().last().unwrap();
    assert_eq!((proposal.decision, proposal.by.as_str(), proposal.version), (Decision::Approve, "pi", 3));
    assert!(!task.needs_attention(), "it is no mistake");
    task.take(decision("reject", Some("@user")));
    assert_eq!((task.status(), task.proposals()), (Some(Implementing), &[][..]));
}

#[test]
fn a_proposal_waits_until_a_person_answers_it_or_its_proposer_takes_it_back() {
    let propose = |by: &str, word: &str| Publish { agent: Some(by.to_owned()), ..decision(word, None) };
    let note = |by: &str, more| Publish { agent: Some(by.to_owned()), ..record("human", "note", more) };
    let seen = || json!({ "ack": true });
    let who = |task: &Task| task.proposals().iter().map(|one| one.by.clone()).collect::<Vec<_>>().join(" ");
    let mut task = task(Full, Gate::Human);
    task.take(propose("@Bob", "close"));
    task.take(propose("@Carol", "reject"));
    task.take(record("architect", "design", json!({})));
    task.take(note("@Ada", json!({})));
    task.take(note("@Ada", seen()));
    assert_eq!(
        (who(&task).as_str(), task.status()),
        ("@Bob @Carol", Some(Implementing)),
        "work is no answer"
    );
    task.take(propose("@bob", "approve"));
    assert_eq!(who(&task), "@Carol @bob", "one of each");
    task.take(note("@Bob", seen()));
    assert_eq!(who(&task), "@Carol", "he has taken it back");
    let person = Some(Handle::user());
    for answer in [record("human", "note", seen()), decision("reject", None), decision("close", None)] {
        let mut answered = task.clone();
        answered.take(Publish { person: person.clone(), ..answer });
        assert_eq!(answered.proposals(), &[]);
    }
}

#[test]
fn a_proposal_says_why() {
    let mut task = task(Full, Gate::Human);
    let why = |body: &str| Publish {
        agent: Some("@Carol".to_owned()),
        ..record("human", "decision", json!({ "decision": "reject", "body": body }))
    };
    for (body, reason) in [("A hole", Some("A hole")), ("@Carol: reject", None)] {
        task.take(why(body));
        assert_eq!(task.proposals().last().unwrap().reason.as_deref(), reason);
    }
}

#[test]
fn nobody_approves_what_is_his_own_work() {
    // Under which name, and vouched for by whom, the work was published; and whose work it is.
    for (agent, vouches, person, other) in [
        (Some("@Carol"), None, "@carol", "@user"),
        (Some("Straße"), None, "@STRASSE", "@user"),
        (Some("＠Ｃａｒｏｌ"), None, "@carol", "@user"),
        (None, None, "@Bob", "@user"),
        (None, Some("@user"), "@user", "@Carol"),
        (None, Some("@User"), "@user", "@Carol"),
        (None, Some("@user"), "@Bob", "@Carol"),
    ] {
        let mut task = task(Solo, Gate::Human);
        task.take(record("architect", "design", json!({})));
        let (agent, vouches) =
            (agent.map(ToOwned::to_owned), vouches.map(|name| Handle::parse(name).unwrap()));
        task.take(Publish { agent, person: vouches, ..record("executor", "code_changes", json!({})) });
        task.take(decision("approve", Some(person)));
        assert_eq!(task.status(), Some(PendingApproval), "{person} did the work");
        assert!(!task.proposals().is_empty());
        task.take(decision("approve", Some(other)));
        assert_eq!(task.status(), Some(Approved));
    }
}

#[test]
fn what_an_agent_publishes_in_the_name_of_a_person_takes_no_approval_from_him() {
    let cast = |task: &Task| task.made().cast.get(&Role::Executor).cloned();
    for (agent, is_cast, vouched_for, approves) in [
        (Some("@user"), false, false, true),
        (Some("USER"), false, false, true),
        (None, true, false, true),
        (None, true, true, false),
        (Some("@user"), false, true, false),
    ] {
        let mut task = task(Solo, Gate::Human);
        if is_cast {
            let mut made = task.made().clone();
            made.cast.insert(Role::Executor, Handle::user());
            task.apply(&Event::TaskCreated(Box::new(made)));
            assert_eq!(cast(&task), Some(Handle::user()));
        }
        task.take(record("architect", "design", json!({})));
        let person = vouched_for.then(Handle::user);
        let agent = agent.map(ToOwned::to_owned);
        task.take(Publish { agent, person, ..record("executor", "code_changes", json!({})) });
        task.take(decision("approve", Some("@user")));
        assert_eq!(task.status() == Some(Approved), approves, "{vouched_for}");
    }
}

#[test]
fn who_works_alone_may_reject_and_close_his_work_and_approve_it_where_the_gate_is_open() {
    let alone = |gate, decided: &str| {
        let mut task = task(Solo, gate);
        for (role, content_type) in [("architect", "design"), ("executor", "code_changes")] {
            let person = Some(Handle::user());
            task.take(Publish { person, ..record(role, content_type, json!({})) });
        }
        task.take(decision(decided, Some("@user")));
        task.status().unwrap()
    };
    for (gate, approved) in [(Gate::Human, PendingApproval), (Gate::Open, Approved)] {
        let decided = ["approve", "reject", "close"].map(|decided| alone(gate, decided));
        assert_eq!(decided, [approved, Implementing, Closed], "{gate:?}");
    }
}

#[test]
fn a_decision_is_bound_to_the_version_that_was_seen() {
    let mut task = task(Direct, Gate::Human);
    task.take(record("executor", "code_changes", json!({})));
    task.take(record("reviewer", "review", json!({ "verdict": "pass" })));
    task.take(record("executor", "note", json!({})));
    let late = Publish { expected_version: Some(2), ..decision("approve", Some("@user")) };
    let refused = task.publish(late, at(2)).unwrap_err();
    assert_eq!(refused, Refusal::VersionConflict { expected: 2, actual: 3 });
    for word in ["approve", "reject"] {
        let refused = task.publish(decision(word, Some("@user")), at(2)).unwrap_err();
        assert_eq!(refused.code(), "validation_error");
        assert!(refused.to_string().contains("it is 3 now"), "{refused}");
        assert!(task.publish(decision(word, None), at(2)).is_ok(), "a proposal decides nothing");
    }
    assert!(task.publish(decision("close", Some("@user")), at(2)).is_ok());
    task.take(decision("approve", Some("@user")));
    assert_eq!(task.status(), Some(Approved));
    let misfit = task.publish(decision("approve", Some("@user")), at(2));
    assert!(misfit.is_ok(), "what does not fit is kept with a warning");
}
