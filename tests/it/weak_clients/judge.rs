//! Whether a debate was as it must be, judged by the log and by what each player was given.

use std::collections::BTreeMap;

use serde_json::Value;

use super::habits::Kind;
use super::record::Player;
use super::table::TURNS;

/// Says what is wrong with a debate.
pub(super) fn judge(
    log: &[Value],
    players: &BTreeMap<String, Player>,
    kinds: [Kind; 3],
    names: &[&str; 3],
) -> Result<(), String> {
    let events: Vec<&Value> = log.iter().map(|entry| &entry["event"]).collect();
    has_no_gap(&events)?;
    let posts: Vec<Post> = events.iter().filter_map(|event| Post::read(event)).collect();
    if (posts.iter().filter(|post| post.sender != "@user").count() as u64) < TURNS {
        return Err(format!("only {} messages", posts.len()));
    }
    for (name, player) in players {
        stands_once(name, player, &posts)?;
        if let Some(fault) = player.faults.first() {
            return Err(format!("{name} is at its end: {fault}"));
        }
        if let Some(((_, seq), _)) = player.given_as_new.iter().find(|(_, times)| **times > 1) {
            return Err(format!("{name} was given #{seq} twice, as if it were new"));
        }
    }
    for (name, kind) in names.iter().zip(kinds) {
        let player = players.get(*name).ok_or(format!("{name} never called"))?;
        has_all(name, player, &posts)?;
        if matches!(kind, Kind::Follower | Kind::Forgetful) && player.again > 0 {
            return Err(format!("{name} lost no answer, and {} messages came again", player.again));
        }
    }
    Ok(())
}

/// A message, as the log has it.
struct Post<'a> {
    seq: u64,
    sender: &'a str,
    content: &'a str,
    /// Who else may read it; everyone if it is public.
    readers: Option<Vec<&'a str>>,
}

impl<'a> Post<'a> {
    fn read(event: &'a Value) -> Option<Self> {
        if event["kind"] != "posted" {
            return None;
        }
        let recipients =
            event["recipients"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        Some(Self {
            seq: event["seq"].as_u64()?,
            sender: event["sender"].as_str()?,
            content: event["content"].as_str()?,
            readers: (event["is_private"] == true).then_some(recipients),
        })
    }
}

fn has_no_gap(events: &[&Value]) -> Result<(), String> {
    let numbers: Vec<u64> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
    let expected: Vec<u64> = (1..=numbers.len() as u64).collect();
    if numbers == expected { Ok(()) } else { Err(format!("the numbers have gaps: {numbers:?}")) }
}

/// What was said stands once, and what is believed to be said stands.
fn stands_once(name: &str, player: &Player, posts: &[Post]) -> Result<(), String> {
    let own: Vec<&str> = posts.iter().filter(|post| post.sender == name).map(|post| post.content).collect();
    for text in &own {
        if own.iter().filter(|other| *other == text).count() > 1 {
            return Err(format!("{name} doubled: {text}"));
        }
        if !player.tried.contains(*text) {
            return Err(format!("{name} never said: {text}"));
        }
        if player.refused.contains(*text) {
            return Err(format!("{name} was refused, and yet it stands: {text}"));
        }
    }
    match player.believed.iter().find(|text| !own.contains(&text.as_str())) {
        Some(text) => Err(format!("{name} lost: {text}")),
        None => Ok(()),
    }
}

/// Everything that a player may read was given to it.
fn has_all(name: &str, player: &Player, posts: &[Post]) -> Result<(), String> {
    for post in posts.iter().filter(|post| post.sender != name) {
        let may_read = post.readers.as_ref().is_none_or(|readers| readers.contains(&name));
        let given = player.arrived.get(&post.seq).map(String::as_str);
        if may_read && given != Some(post.content) {
            return Err(format!("{name} was never given #{} {}", post.seq, post.content));
        }
        if !may_read && given.is_some() {
            return Err(format!("{name} was given #{}, which is private to others", post.seq));
        }
    }
    Ok(())
}
