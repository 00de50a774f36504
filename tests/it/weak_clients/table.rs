//! One debate: a room with rules by chance, three weak agents, and a person.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::agent::Agent;
use super::chance::Chance;
use super::door::{Door, Fate, Reply};
use super::habits::Kind;
use super::judge;
use super::pace::Pace;
use super::person::Person;
use super::record::{Call, Player, Record};

pub(super) const ROOM: &str = "debate";
/// Messages of agents after which the debate is over.
pub(super) const TURNS: u64 = 30;
const NAMES: [&str; 3] = ["@Alice", "@Bob", "@Carol"];

/// The alias that stands for an agent.
pub(super) fn alias(handle: &str) -> &'static str {
    match handle {
        "@Alice" => "@Ali",
        "@Bob" => "@Robert",
        _ => "@Caro",
    }
}

/// What all players of a table share.
pub(super) struct Table {
    pub door: Arc<dyn Door>,
    pub pace: Pace,
    pub record: Record,
}

impl Table {
    /// Calls a tool, and keeps it on record.
    pub(super) async fn call(
        &self,
        player: &str,
        session: &str,
        tool: &str,
        arguments: &Value,
        fate: Fate,
    ) -> Option<Reply> {
        let call = Call { player, session, tool, arguments, fate };
        self.record.begins(&call);
        let outcome = self.door.call(session, tool, arguments, fate).await;
        self.record.ends(&call, &outcome);
        outcome.made.filter(|_| outcome.has_arrived)
    }
}

/// Plays one debate; gives what each kind of player spent, or what went wrong.
pub(super) async fn play(
    door: Arc<dyn Door>,
    pace: Pace,
    seed: u64,
    kinds: [Kind; 3],
) -> Result<BTreeMap<&'static str, Player>, String> {
    let mut chance = Chance::new(seed, pace);
    let table = Arc::new(Table { door, pace, record: Record::new() });
    let rules = rules(&mut chance, pace);
    if chance.percent(25) {
        // A room of the same agents, for those who name none.
        let other = json!({ "filepath": "other.md", "participants": NAMES, "aliases": rules["aliases"] });
        table.call("other", "other", "init_conversation", &other, Fate::Arrives).await;
    }
    let made = table.call("maker", "maker", "init_conversation", &rules, Fate::Arrives).await;
    if made.is_none_or(|reply| reply.is_error) {
        return Err(format!("seed {seed}: no room\n{}", table.record.trace()));
    }
    let ended = debate(&table, &mut chance, kinds).await;
    let log = table.door.log(ROOM).await;
    let players = table.record.players();
    let verdict = ended.and_then(|()| judge::judge(&log, &players, kinds, &NAMES));
    verdict.map_err(|fault| {
        let trace = table.record.trace();
        format!("seed {seed} {kinds:?}: {fault}\nrules {rules}\n{trace}")
    })?;
    let spent =
        NAMES.iter().zip(kinds).filter_map(|(name, kind)| Some((kind.name(), players.get(*name)?.clone())));
    Ok(spent.chain(players.get("@user").map(|person| ("person", person.clone()))).collect())
}

async fn debate(table: &Arc<Table>, chance: &mut Chance, kinds: [Kind; 3]) -> Result<(), String> {
    let mut agents = JoinSet::new();
    for (name, kind) in NAMES.into_iter().zip(kinds) {
        agents.spawn(Agent::new(Arc::clone(table), kind, name, chance.split()).live());
    }
    let person = tokio::spawn(Person::new(Arc::clone(table), chance.split()).live());
    match tokio::time::timeout(table.pace.most, person).await {
        Err(_) => {
            agents.abort_all();
            return Err("the debate does not come to its end".to_owned());
        }
        Ok(Err(panic)) => return Err(format!("the person failed: {panic}")),
        Ok(Ok(())) => {}
    }
    let all = async {
        while let Some(ended) = agents.join_next().await {
            ended.map_err(|panic| format!("an agent failed: {panic}"))?;
        }
        Ok(())
    };
    tokio::time::timeout(table.pace.farewell, all).await.unwrap_or(Err("somebody waits for ever".to_owned()))
}

/// A room with rules by chance.
fn rules(chance: &mut Chance, pace: Pace) -> Value {
    let mut rules = json!({
        "filepath": format!("{ROOM}.md"),
        "participants": NAMES,
        "topic": "The debate",
        "barrier": *chance.pick(&[2, 3]),
        "wake": chance.pick(&["all", "batched"]),
        "floor": chance.pick(&["strict", "strict", "strict", "open"]),
        "turn_lease_seconds": pace.lease(*chance.pick(&[20, 60, 300, 900])),
        "human_hold_seconds": pace.lease(*chance.pick(&[5, 60])),
        "human_first": chance.percent(30),
        "max_agent_turns": *chance.pick(&[0, 6, 15, 40]),
        "identity": chance.pick(&["open", "open", "session"]),
        "aliases": NAMES.map(|name| (name.to_owned(), json!([alias(name)]))).into_iter().collect::<BTreeMap<_, _>>(),
    });
    if chance.percent(50) {
        rules["humans"] = json!(["@user"]);
    }
    rules
}
