//! Whom a message addresses.

use crate::room::Refusal;
use crate::room::command::{Post, ReplyTo};
use crate::room::tests::table::{Table, handle, last_word, post, private, reply_to, table, texts};

fn three() -> Table {
    table(&["@Alice", "@Bob", "@Carol"])
}

fn to(names: &[&str], message: Post) -> Post {
    Post { recipients: texts(names), ..message }
}

#[test]
fn each_recipient_counts_once() {
    let mut table = three();
    table.say("@Alice", "@Bob @Carol @bob @Bob");
    assert_eq!(table.recipients(), ["@Bob", "@Carol"]);
    assert_eq!(table.turns(), "@Bob < @Carol");
}

#[test]
fn oneself_does_not_count() {
    let mut table = three();
    assert_eq!(table.refused_post(post("@Alice", "I, @Alice, think")).code(), "no_valid_mention");
    table.say("@Alice", "@Alice asks @Bob");
    assert_eq!(table.recipients(), ["@Bob"]);
}

#[test]
fn unknown_names_are_reported_and_one_known_name_is_enough() {
    let mut table = three();
    let unknown = post("@Alice", "@Bob and @Dvae");
    table.post(unknown).unwrap();
    assert_eq!(table.recipients(), ["@Bob"]);
}

#[test]
fn a_message_to_nobody_known_is_refused_and_names_who_is_known() {
    let mut table = three();
    let refused = table.refused_post(post("@Alice", "@Dvae?"));
    assert_eq!(refused.code(), "no_valid_mention");
    assert_eq!(refused.allowed(), ["@Bob", "@Carol", "@all"]);
    assert!(
        matches!(refused, Refusal::NoValidMention { unknown, .. } if unknown == ["@Dvae"]),
        "what was mentioned in vain is named"
    );
}

#[test]
fn who_has_left_is_not_addressed_and_the_sender_learns_why() {
    let mut table = three();
    table.leave("@Carol");
    let refused = table.refused_post(post("@Alice", "@Carol and @Dvae"));
    assert_eq!(refused.code(), "no_valid_mention");
    assert!(refused.to_string().contains("`@Carol` has left, nobody here is `@Dvae`"), "{refused}");
    let refused = table.refused_post(to(&["@Carol"], post("@Alice", "hello")));
    assert_eq!(
        (refused.code(), refused.to_string().as_str()),
        ("unknown_participant", "`@Carol` has left this room")
    );
    table.say("@Alice", "@Bob @Carol");
    assert_eq!(table.recipients(), ["@Bob"]);
}

#[test]
fn user_may_be_mentioned_in_every_room_and_holds_up_none_that_it_takes_no_part_in() {
    let mut table = three();
    table.say("@Alice", "@user please decide");
    assert_eq!(table.recipients(), ["@user"]);
    assert_eq!(table.turns(), "- < @user");
}

#[test]
fn all_addresses_everyone_else_who_has_not_left() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user", "@Dave"]);
    table.leave("@Dave");
    table.say("@Alice", "@all hear me");
    assert_eq!(table.recipients(), ["@Bob", "@Carol", "@user"]);
}

#[test]
fn all_asks_and_queues_no_person() {
    let mut table = table(&["@Alice", "@Bob", "@user", "@Carol"]);
    table.say("@Alice", "@all");
    assert_eq!(table.turns(), "@Bob < @Carol");
    assert!(table.questions().is_empty());
}

#[test]
fn those_named_beside_all_come_before_the_others() {
    let mut table = table(&["@Alice", "@Bob", "@Carol", "@user"]);
    table.say("@Alice", "@all, @Carol and @user first");
    assert_eq!(table.turns(), "@Carol < @user < @Bob");
    assert_eq!(table.questions(), ["@Alice asks @user"]);
}

#[test]
fn all_leaves_user_out_until_it_takes_part() {
    let mut table = three();
    table.say("@Alice", "@all");
    assert_eq!(table.recipients(), ["@Bob", "@Carol"]);
    table.say("@user", "I am here");
    table.say("@Bob", "@all");
    assert_eq!(table.recipients(), ["@Alice", "@Carol", "@user"]);
}

#[test]
fn all_is_refused_in_private() {
    let mut table = three();
    assert_eq!(table.refused_post(private("@Alice", "@all @Bob")), Refusal::AllInPrivate);
    for all in ["@all", "all", "@ALL"] {
        assert_eq!(table.refused_post(to(&[all], private("@Alice", "psst"))), Refusal::AllInPrivate);
    }
    assert_eq!(table.refused_post(private("@user", "@all")), Refusal::AllInPrivate);
}

#[test]
fn a_private_message_needs_a_recipient() {
    let mut table = three();
    assert_eq!(table.refused_post(private("@Alice", "psst")).code(), "no_valid_mention");
    assert_eq!(table.refused_post(private("@user", "psst")), Refusal::PrivateToNobody);
    let note = Post { expects_reply: false, ..private("@Alice", "psst") };
    assert_eq!(table.refused_post(note), Refusal::PrivateToNobody);
}

#[test]
fn recipients_override_the_text() {
    let mut table = three();
    table.post(to(&["Carol"], private("@Alice", "@Bob must not hear this, nor @all"))).unwrap();
    assert_eq!(table.recipients(), ["@Carol"]);
    assert_eq!(table.turns(), "@Carol");
}

#[test]
fn one_unknown_recipient_refuses_the_post() {
    let mut table = three();
    let refused = table.refused_post(to(&["@Bob", "@Carlo"], private("@Alice", "psst")));
    assert_eq!(refused.code(), "unknown_participant");
    assert_eq!(refused.allowed(), ["@Alice", "@Bob", "@Carol"]);
}

#[test]
fn recipients_may_be_everyone_in_public() {
    let mut table = three();
    table.post(to(&["@Carol", "all"], post("@Alice", "hear me"))).unwrap();
    assert_eq!(table.recipients(), ["@Carol", "@Bob"]);
}

#[test]
fn a_reply_addresses_who_said_it() {
    let mut table = three();
    let seq = table.say("@Alice", "@Bob @Carol");
    table.post(Post { reply_to: Some(reply_to(seq, "@Alice")), ..post("@Bob", "yes") }).unwrap();
    assert_eq!(table.recipients(), ["@Alice"]);
    assert_eq!(table.turns(), "@Carol < @Alice");
}

#[test]
fn a_reply_addresses_those_named_first() {
    let mut table = three();
    let seq = table.say("@Alice", "@Bob");
    table.post(Post { reply_to: Some(reply_to(seq, "@Alice")), ..post("@Bob", "@Carol and you") }).unwrap();
    assert_eq!(table.recipients(), ["@Carol", "@Alice"]);
}

#[test]
fn a_private_word_to_chosen_recipients_is_not_widened_by_a_reply() {
    let mut table = three();
    let seq = table.say("@Alice", "@Bob");
    let message = to(&["@Carol"], private("@Bob", "what does that mean?"));
    table.post(Post { reply_to: Some(reply_to(seq, "@Alice")), ..message }).unwrap();
    assert_eq!(table.recipients(), ["@Carol"]);
}

#[test]
fn a_reply_to_a_notice_or_to_oneself_addresses_nobody() {
    let mut table = three();
    for sender in [None, Some(handle("@Alice"))] {
        let reply_to = Some(ReplyTo { seq: 1, sender, is_question: false });
        let refused = table.refused_post(Post { reply_to, ..post("@Alice", "well") });
        assert_eq!(refused.code(), "no_valid_mention");
    }
}

#[test]
fn a_last_word_may_address_nobody() {
    let mut table = three();
    table.post(last_word("@Alice", "done")).unwrap();
    assert!(table.recipients().is_empty());
}

#[test]
fn a_name_in_the_wrong_form_among_recipients_is_refused() {
    let mut table = three();
    for (name, code) in
        [("Bob Smith", "invalid_handle"), ("@system", "handle_reserved"), ("", "invalid_handle")]
    {
        assert_eq!(table.refused_post(to(&[name], post("@Alice", "x"))).code(), code);
    }
}
