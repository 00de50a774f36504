//! People: whose words are verified, and which answer counts.

use chrono::TimeDelta;
use futures::StreamExt as _;
use futures::stream;

use super::Table;
use super::support::Client;
use crate::clock::set_wall_clock;
use crate::hub::request::{Answer, BarrierRequest, Join, Search};
use crate::hub::{Find, HubError, Mouth};
use crate::room::{Handle, Refusal, Via};

fn verified(client: &Client, mouth: Mouth) -> Client {
    let mut client = client.clone();
    (client.caller.mouth, client.caller.is_verified) = (mouth, true);
    client
}

async fn answer(client: &Client, seq: u64, content: &str) -> Result<u64, HubError> {
    let request = Answer {
        handle: "@user".into(),
        room: "talk".into(),
        seq,
        content: content.into(),
        request_id: None,
    };
    let answer = client.hub.answer(&client.caller, request).await?;
    Ok(answer.turn.posted.expect("a person is never out of turn").seq_id)
}

#[tokio::test(start_paused = true)]
async fn the_first_answer_counts_and_the_second_is_told_so() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let seq = alice.say("@Alice", "@user which one?").await.posted.unwrap().seq_id;
    let page = verified(&table.client("page"), Mouth::Page);
    answer(&page, seq, "this one").await.unwrap();
    let late = answer(&table.client("note"), seq, "that one").await.unwrap_err();
    assert!(matches!(late, HubError::Refused(Refusal::QuestionAnswered(..))), "{late}");
}

#[tokio::test(start_paused = true)]
async fn the_answer_to_a_private_question_is_private() {
    let table = Table::new().await;
    let (alice, bob) = table.two().await;
    let asked = alice.send("@Alice", "@user between us?", |send| {
        (send.is_private, send.block) = (true, Some(false));
    });
    let seq = asked.await.unwrap().turn.posted.unwrap().seq_id;
    let page = verified(&table.client("page"), Mouth::Page);
    let answered = answer(&page, seq, "between us").await.unwrap();
    let said = table.hub.everything_said("talk", None, None, 10).await.unwrap();
    assert!(said.messages.iter().any(|said| said.seq_id == answered && said.is_private));
    let heard = bob.look("@Bob").await.turn;
    assert!(heard.new_messages.iter().all(|given| given.message.is_notice()), "{heard:?}");
}

#[tokio::test(start_paused = true)]
async fn only_a_person_with_the_token_is_verified() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    let page = verified(&table.client("page"), Mouth::Page);
    page.say("@user", "@Alice from the page").await;
    table.client("supervisor").say("@user", "@Alice from a supervisor").await;
    // The token vouches for people, not for those who speak as an agent.
    page.say("@Alice", "@Bob from an agent's mouth").await;
    let said = table.hub.everything_said("talk", None, None, 10).await.unwrap();
    let words: Vec<_> = said.messages.iter().filter(|said| !said.is_notice()).collect();
    let marks: Vec<_> = words.iter().map(|said| (said.via, said.is_verified)).collect();
    assert_eq!(marks, [(Via::Page, true), (Via::Mcp, false), (Via::Page, false)]);
    drop(alice);
}

#[tokio::test(start_paused = true)]
async fn a_room_may_take_words_and_acts_of_people_only_with_the_token() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob"], |init| init.policy.humans_verified_only = Some(true)).await;
    let supervisor = table.client("supervisor");
    let refused = |error: HubError| assert_eq!(error.code(), "not_verified", "{error}");
    refused(supervisor.send("@user", "@Alice hello", |_| ()).await.unwrap_err());
    refused(supervisor.close("@user").await.unwrap_err());
    refused(supervisor.hub.start(&supervisor.caller, None).await.unwrap_err());
    refused(supervisor.hub.remove(&supervisor.caller, None, "@Bob").await.unwrap_err());
    // It may listen for the person.
    let join = Join { handle: "@user".into(), ..Join::default() };
    supervisor.hub.join(&supervisor.caller, join).await.unwrap();
    let page = verified(&table.client("page"), Mouth::Page);
    page.hub.start(&page.caller, None).await.unwrap();
    page.say("@user", "@Alice hello").await;
    page.close("@user").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_person_sees_a_room_page_by_page() {
    let table = Table::new().await;
    let (alice, _bob) = table.two().await;
    for text in ["@user one", "@user two", "@user three"] {
        alice.say("@Alice", text).await;
        alice.say("@user", "@Alice go on").await;
    }
    let all = table.hub.everything_said("talk", Some(0), None, 500).await.unwrap();
    assert!(!all.more);
    let last = all.last_seq_id;
    let newest = table.hub.everything_said("talk", None, None, 2).await.unwrap();
    let seqs = |page: &crate::hub::Page| page.messages.iter().map(|said| said.seq_id).collect::<Vec<_>>();
    assert_eq!((seqs(&newest), newest.more), (vec![last - 1, last], true));
    let before = table.hub.everything_said("talk", None, Some(last - 1), 2).await.unwrap();
    assert_eq!(seqs(&before), [last - 3, last - 2]);
    let after = table.hub.everything_said("talk", Some(last - 2), None, 1).await.unwrap();
    assert_eq!((seqs(&after), after.more), (vec![last - 1], true));
    assert_eq!(seqs(&table.hub.everything_said("talk", Some(last + 5), None, 1).await.unwrap()), [0; 0]);
}

/// More hits than are asked of the index at once.
const MANY: usize = 1_100;

#[tokio::test(start_paused = true)]
async fn a_search_finds_what_a_sender_or_a_day_has_behind_many_other_hits() {
    let table = Table::new().await;
    let open = |init: &mut crate::hub::request::Init| {
        init.policy.barrier = Some(BarrierRequest::Count(0));
        init.policy.floor = Some("open".into());
        init.policy.max_agent_turns = Some(0);
    };
    table.room(&["@Alice", "@Bob"], open).await;
    let (alice, bob) = (table.client("a"), table.client("b"));
    bob.say("@Bob", "@Alice the word, long ago").await;
    let day = table.hub.rooms().await.unwrap()[0].last_activity.date_naive();
    set_wall_clock(TimeDelta::days(2));
    let posts = (0..MANY).map(async |number| {
        let private = |send: &mut crate::hub::request::Send| {
            (send.is_private, send.block) = (true, Some(false));
        };
        alice.send("@Alice", &format!("@user the word {number}"), private).await.unwrap();
    });
    // One after the other, but none waits until the transcript holds the one before.
    stream::iter(posts).buffered(50).collect::<()>().await;
    let all = Find { query: "word".into(), limit: 5, ..Find::default() };
    let found = async |find: &Find| {
        let found = table.hub.find_words(find).await.unwrap().into_iter();
        found.map(|found| found.message.content.clone()).collect::<Vec<_>>()
    };
    let newest: Vec<_> = (0..6).map(|number| format!("@user the word {}", MANY - 1 - number)).collect();
    assert_eq!(found(&all).await, newest, "one more than wanted tells that there are more");
    let long_ago = ["@Alice the word, long ago"];
    assert_eq!(found(&Find { sender: Handle::parse("@Bob").ok(), ..all.clone() }).await, long_ago);
    assert_eq!(found(&Find { day: Some(day), ..all }).await, long_ago);
    // Nor do the private words of others hide what one may read.
    let request = Search { handle: "@Bob".into(), query: "word".into(), ..Search::default() };
    let hits = bob.hub.search(&bob.caller, request).await.unwrap().hits;
    assert_eq!(hits.iter().map(|hit| hit.message.content.as_str()).collect::<Vec<_>>(), long_ago);
}
