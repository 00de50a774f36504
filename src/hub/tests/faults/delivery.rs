//! Messages that were "sent" and reached nobody.

use std::time::Duration;

use super::{Table, marked, settle, words};
use crate::hub::request::Leave;
use crate::hub::{DeliveryState, TurnStatus};
use crate::room::Status;

const MINUTE: Duration = Duration::from_mins(1);
const LEASE: Duration = Duration::from_mins(16);

#[tokio::test(start_paused = true)]
async fn what_is_said_to_one_who_is_away_outlives_a_restart_and_every_lease() {
    let mut table = Table::new().await;
    let (_, bob) = table.two().await;
    bob.look("@Bob").await;
    tokio::time::sleep(LEASE).await;
    let posted = table.client("u").say("@user", "one @Bob").await.posted.unwrap();
    assert_eq!(posted.delivery[0].state, DeliveryState::Away);
    table.restart().await;
    table.state().await;
    tokio::time::sleep(2 * LEASE).await;
    let back = table.client("b2").join("@Bob").await;
    assert_eq!((back.status, words(&back)), (TurnStatus::YourTurn, vec!["one @Bob".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn a_post_a_minute_for_six_hours_comes_to_one_who_waits_and_reconnects() {
    const POSTS: usize = 360;
    let table = Table::new().await;
    let (_, mut bob) = table.two().await;
    let user = table.client("u");
    let posting = tokio::spawn(async move {
        for number in 0..POSTS {
            tokio::time::sleep(MINUTE).await;
            user.say("@user", &format!("{number} @Bob")).await;
        }
    });
    let (mut given, mut again, mut sessions) = (Vec::new(), 0, 1);
    while given.len() < POSTS {
        for (words, is_marked) in marked(&bob.wait_for("@Bob", 4 * MINUTE).await.turn) {
            if is_marked {
                assert!(given.contains(&words), "only what was given before is marked");
                again += 1;
            } else {
                given.push(words);
            }
        }
        if given.len() == sessions * 90 {
            bob = table.client(&format!("b{sessions}"));
            sessions += 1;
        }
    }
    posting.await.unwrap();
    assert_eq!(given, (0..POSTS).map(|number| format!("{number} @Bob")).collect::<Vec<_>>());
    assert!(again <= sessions, "a new session is given one answer again, not more: {again}");
}

#[tokio::test(start_paused = true)]
async fn mentions_of_one_who_is_busy_all_come_with_its_next_answer() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    bob.look("@Bob").await;
    let user = table.client("u");
    for number in 1..=4 {
        user.say("@user", &format!("{number} @Bob")).await;
    }
    tokio::time::sleep(10 * MINUTE).await;
    assert_eq!(words(&bob.wait("@Bob").await.turn), ["1 @Bob", "2 @Bob", "3 @Bob", "4 @Bob"]);
    assert_eq!(table.state().await.turn_queue[0].as_str(), "@Bob");
}

#[tokio::test(start_paused = true)]
async fn delivery_tells_who_is_here_away_expected_asked_gone_or_nobody() {
    let table = Table::new().await;
    let everyone = ["@Alice", "@Bob", "@Carol", "@Dora", "@Erin", "@Fred", "@user"];
    table.room(&everyone, |init| init.policy.floor = Some("open".to_owned())).await;
    let [alice, bob, _, erin, fred] = table.seated(["@Alice", "@Bob", "@Carol", "@Erin", "@Fred"]).await;
    let leave = Leave { handle: "@Erin".to_owned(), ..Leave::default() };
    erin.hub.leave(&erin.caller, leave).await.unwrap();
    // Everybody but Carol is heard of.
    tokio::time::sleep(LEASE / 2).await;
    for (client, handle) in [(&alice, "@Alice"), (&bob, "@Bob"), (&fred, "@Fred")] {
        client.look(handle).await;
    }
    tokio::time::sleep(LEASE / 2).await;
    let _waiting = bob.spawn_wait("@Bob");
    settle().await;
    let posted = alice.say("@Alice", "@Bob @Carol @Dora @Erin @Fred @user @Dvae").await.posted.unwrap();
    assert_eq!(posted.unknown, ["@Dvae", "@Erin"]);
    let states: Vec<_> =
        posted.delivery.iter().map(|one| (one.handle.as_str(), one.state, one.since.is_some())).collect();
    let expected = [
        ("@Bob", DeliveryState::Woken, false),
        ("@Carol", DeliveryState::Away, true),
        ("@Dora", DeliveryState::Expected, false),
        ("@Fred", DeliveryState::Queued, false),
        ("@user", DeliveryState::Question, false),
        ("@Erin", DeliveryState::Left, false),
    ];
    assert_eq!(states, expected);
}

#[tokio::test(start_paused = true)]
async fn a_message_to_one_who_was_just_removed_is_refused_and_says_why() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    bob.look("@Bob").await;
    table.hub.remove(&table.client("u").caller, None, "@Bob").await.unwrap();
    let refused = alice.send("@Alice", "done, @Bob", |_| ()).await.unwrap_err();
    assert_eq!(refused.code(), "no_valid_mention");
    assert!(refused.to_string().contains("`@Bob` has left"), "{refused}");
    let private = |send: &mut crate::hub::request::Send| send.recipients = vec!["@Bob".to_owned()];
    let refused = alice.send("@Alice", "done", private).await.unwrap_err();
    assert_eq!(refused.to_string(), "`@Bob` has left this room");
    assert_eq!(table.state().await.message_count, 0, "nothing is stored that nobody gets");
}

#[tokio::test(start_paused = true)]
async fn a_mention_before_the_join_waits_for_the_joiner_with_its_place() {
    let table = Table::new().await;
    let (alice, _) = table.two_and(&["@Carol"]).await;
    alice.say("@Alice", "what do you say, @Carol?").await;
    tokio::time::sleep(10 * MINUTE).await;
    let carol = table.client("c").join("@Carol").await;
    assert_eq!(
        (carol.status, words(&carol)),
        (TurnStatus::YourTurn, vec!["what do you say, @Carol?".to_owned()])
    );
}

#[tokio::test(start_paused = true)]
async fn the_sender_sees_what_was_given_and_what_was_read() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    bob.look("@Bob").await;
    bob.look("@Bob").await;
    let seq = alice.say("@Alice", "one @Bob").await.posted.unwrap().seq_id;
    let stored = table.member("@Bob").await;
    assert!(stored.last_given_seq_id < seq && stored.unread == 1 && stored.unread_since.is_some());
    bob.look("@Bob").await;
    let given = table.member("@Bob").await;
    assert!(given.last_given_seq_id == seq && given.last_read_seq_id < seq && given.unread == 1);
    bob.look("@Bob").await;
    let read = table.member("@Bob").await;
    assert!(read.last_read_seq_id == seq && read.unread == 0 && read.unread_since.is_none());
}

#[tokio::test(start_paused = true)]
async fn an_answer_stays_small_however_much_is_unread_and_the_next_ones_bring_the_rest() {
    const UNREAD: usize = 150;
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    let user = table.client("u");
    let text = |number: usize| format!("{number} {}", "long ".repeat(400));
    for number in 0..UNREAD {
        user.say("@user", &text(number)).await;
    }
    let (mut given, mut left) = (0, u64::MAX);
    while left > 0 {
        let turn = bob.look("@Bob").await.turn;
        let words = words(&turn);
        assert!(words.iter().map(String::len).sum::<usize>() <= 64 << 10);
        assert!(turn.remaining_unread < left && !words.is_empty());
        left = turn.remaining_unread;
        for words in words {
            assert_eq!(words, text(given));
            given += 1;
        }
    }
    assert_eq!(given, UNREAD);
}

#[tokio::test(start_paused = true)]
async fn an_answer_stays_small_also_when_what_is_unread_is_many_and_short_or_has_long_choices() {
    let table = Table::new().await;
    let (_, bob) = table.two().await;
    let user = table.client("u");
    for number in 0..500 {
        user.say("@user", &format!("ok {number}")).await;
    }
    let choices = |send: &mut crate::hub::request::Send| {
        (send.choices, send.block) = (vec!["long ".repeat(190); 30], Some(false));
    };
    for number in 0..10 {
        user.send("@user", &format!("choose {number}"), choices).await.unwrap();
    }
    let (mut given, mut answers) = (0, 0);
    loop {
        let turn = bob.look("@Bob").await.turn;
        given += words(&turn).len();
        answers += 1;
        let bytes = |given: &crate::hub::Given| 150 + given.message.choices.concat().len();
        assert!(turn.new_messages.iter().map(bytes).sum::<usize>() <= 64 << 10);
        if turn.remaining_unread == 0 {
            break;
        }
    }
    assert_eq!(given, 510);
    assert!(answers <= 8, "a hundred kilobytes in envelopes, three hundred of choices: {answers} answers");
}

#[tokio::test(start_paused = true)]
async fn a_private_word_comes_to_its_recipient_alone_and_not_back() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob", "@Carol"], |init| init.policy.floor = Some("open".to_owned())).await;
    let [alice, bob, carol] = table.seated(["@Alice", "@Bob", "@Carol"]).await;
    for (name, words) in [("@Bob", "for you, @Bob"), ("@Carol", "for you, @Carol")] {
        let private = |send: &mut crate::hub::request::Send| {
            (send.is_private, send.block) = (true, Some(false));
        };
        let posted = alice.send("@Alice", words, private).await.unwrap().turn.posted.unwrap();
        assert_eq!(posted.recipients[0].as_str(), name);
    }
    assert_eq!(words(&alice.look("@Alice").await.turn), [""; 0]);
    assert_eq!(words(&bob.look("@Bob").await.turn), ["for you, @Bob"]);
    assert_eq!(words(&carol.look("@Carol").await.turn), ["for you, @Carol"]);
}

#[tokio::test(start_paused = true)]
async fn a_reply_without_a_mention_wakes_who_is_replied_to() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let seq = alice.say("@Alice", "your view, @Bob?").await.posted.unwrap().seq_id;
    let waiting = alice.spawn_wait("@Alice");
    settle().await;
    let reply = |send: &mut crate::hub::request::Send| {
        (send.reply_to, send.block) = (i64::try_from(seq).ok(), Some(false));
    };
    bob.send("@Bob", "it holds", reply).await.unwrap();
    let woken = waiting.await.unwrap().unwrap().turn;
    assert_eq!((woken.status, words(&woken)), (TurnStatus::YourTurn, vec!["it holds".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn who_dies_in_its_turn_finds_every_word_and_its_place_when_it_comes_back() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    alice.say("@Alice", "your view, @Bob?").await;
    assert_eq!(bob.look("@Bob").await.turn.status, TurnStatus::YourTurn);
    table.hub.session_ended(&bob.caller.session);
    let user = table.client("u");
    for number in 1..=3 {
        user.say("@user", &format!("{number} @Bob")).await;
    }
    tokio::time::sleep(LEASE).await;
    let state = table.state().await;
    assert_ne!(state.active_turn.map(|holder| holder.to_string()).as_deref(), Some("@Bob"));
    assert_eq!(table.member("@Bob").await.status, Status::Away);
    let back = table.client("b2").join("@Bob").await;
    let expected = [("your view, @Bob?", true), ("1 @Bob", false), ("2 @Bob", false), ("3 @Bob", false)];
    assert_eq!(marked(&back), expected.map(|(words, is_marked)| (words.to_owned(), is_marked)));
    assert_eq!(back.status, TurnStatus::YourTurn);
}

#[tokio::test(start_paused = true)]
async fn what_an_old_session_does_late_does_not_touch_the_one_that_took_over() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.identity = Some("session".to_owned())).await;
    let [alice, bob] = table.seated(["@Alice", "@Bob"]).await;
    alice.say("@Alice", "your view, @Bob?").await;
    bob.look("@Bob").await;
    table.hub.session_ended(&bob.caller.session);
    settle().await;
    let heir = table.client("b2");
    assert_eq!(words(&heir.look("@Bob").await.turn), ["your view, @Bob?"]);
    let late = bob.send("@Bob", "done, @Alice", |_| ()).await.unwrap_err();
    let leave = Leave { handle: "@Bob".to_owned(), ..Leave::default() };
    let left = bob.hub.leave(&bob.caller, leave).await.unwrap_err();
    assert_eq!((late.code(), left.code()), ("handle_taken", "handle_taken"));
    assert_eq!(table.member("@Bob").await.status, Status::Active);
    assert!(heir.say("@Bob", "it holds, @Alice").await.posted.is_some());
}
