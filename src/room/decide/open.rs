//! Making a room: what was declared is checked once, here.

use std::collections::{BTreeMap, BTreeSet};

use crate::room::draft::Draft;
use crate::room::event::{Event, Opened};
use crate::room::line::one_line;
use crate::room::policy::{Barrier, Policy};
use crate::room::state::State;
use crate::room::{Handle, Now, Refusal};

/// What a room is made of, as it was declared.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Its id.
    pub room: String,
    /// What it is about.
    pub topic: String,
    /// Where its transcript lies.
    pub filepath: String,
    /// Handles of the participants.
    pub participants: Vec<String>,
    /// Handles that are people, beside `@user`.
    pub humans: Vec<String>,
    /// Who speaks first.
    pub first_speaker: Option<String>,
    /// Other names by handle.
    pub aliases: BTreeMap<String, Vec<String>>,
    /// All other rules.
    pub policy: Policy,
    /// The session that makes it.
    pub creator: String,
}

/// Makes a room.
pub fn open(declared: Declared, now: Now) -> Result<Vec<Event>, Refusal> {
    let mut order = Vec::new();
    for text in declared.participants.iter().chain(&declared.humans) {
        add_distinct(&mut order, Handle::parse(text)?)?;
    }
    let people = declared.humans.iter().map(|text| Handle::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let is_human = |handle: &Handle| *handle == Handle::user() || people.contains(handle);
    let (humans, agents): (Vec<_>, Vec<_>) = order.iter().cloned().partition(is_human);
    let mut policy = declared.policy;
    policy.aliases = aliases(&declared.aliases, &order)?;
    policy.first_speaker =
        declared.first_speaker.map(|name| first_speaker(&name, &order, &policy)).transpose()?;
    if let Barrier::Count(asked) = policy.barrier
        && asked as usize > agents.len()
    {
        // The default barrier is no wish, so it bends to the number of agents.
        if policy.barrier != Policy::default().barrier {
            return Err(Refusal::BarrierImpossible { asked, declared: agents.len() });
        }
    }
    let topic = one_line(&declared.topic);
    let (room, filepath, creator) = (declared.room, declared.filepath, declared.creator);
    let mut draft = Draft::of(&State::default(), now);
    let opened = Opened { room, topic, filepath, agents, humans, order, policy, creator, at: now.wall };
    draft.emit(Event::Opened(Box::new(opened)));
    Ok(draft.done())
}

/// The same handle twice counts once; two spellings of one are refused.
fn add_distinct(order: &mut Vec<Handle>, handle: Handle) -> Result<(), Refusal> {
    match order.iter().find(|known| **known == handle) {
        None => order.push(handle),
        Some(known) if known.as_str() == handle.as_str() => {}
        Some(known) => return Err(Refusal::HandleClash(known.to_string(), handle.to_string())),
    }
    Ok(())
}

fn aliases(
    declared: &BTreeMap<String, Vec<String>>,
    order: &[Handle],
) -> Result<Vec<(Handle, Vec<String>)>, Refusal> {
    let mut taken: BTreeSet<Handle> = order.iter().cloned().chain([Handle::user()]).collect();
    let mut found = Vec::new();
    for (name, others) in declared {
        let owner = Handle::parse(name)?;
        let Some(owner) = taken.get(&owner).cloned() else {
            return Err(Refusal::UnknownParticipant { name: owner.to_string(), known: order.to_vec() });
        };
        let mut texts = Vec::new();
        for other in others {
            let alias = Handle::parse(other)?;
            if let Some(clash) = taken.get(&alias) {
                return Err(Refusal::HandleClash(clash.to_string(), alias.to_string()));
            }
            texts.push(alias.as_str().trim_start_matches('@').to_owned());
            taken.insert(alias);
        }
        found.push((owner, texts));
    }
    Ok(found)
}

fn first_speaker(name: &str, order: &[Handle], policy: &Policy) -> Result<Handle, Refusal> {
    let asked = Handle::parse(name)?;
    let is_alias =
        |names: &[String]| names.iter().any(|alias| Handle::parse(alias).is_ok_and(|a| a == asked));
    let owner = policy.aliases.iter().find(|(_, names)| is_alias(names)).map(|(owner, _)| owner);
    order
        .iter()
        .find(|known| **known == asked)
        .or(owner)
        .cloned()
        .ok_or_else(|| Refusal::UnknownParticipant { name: asked.to_string(), known: order.to_vec() })
}
