//! What waiting costs: answers that an agent has to read, and their bytes, for a debate and an hour without the person.
//!
//! A model is asked anew after every answer, so each one costs a turn. Time stands still until all wait.

mod agent;
mod ledger;

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use turnroom::hub::{AtClient, Caller, Client, Hub, Mouth, Session, Settings, Waits};
use turnroom::journal::MemoryJournal;
use turnroom::journal::search::MemorySearch;
use turnroom::tools;

use agent::{Agent, HANDLES, TURNS};
use ledger::{Cost, Ledger};

const HOUR: Duration = Duration::from_hours(1);

/// How the agents wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// In a call, with a client of which nothing is known.
    Unknown,
    /// In a call, with a client that is known to allow 300 seconds.
    Known,
    /// With `turnroom send --no-wait` and `turnroom wait` as a command in the background.
    Command,
    /// Not at all: the wake hook of the client calls.
    Hook,
}

impl Way {
    const ALL: [Self; 4] = [Self::Unknown, Self::Known, Self::Command, Self::Hook];

    fn name(self) -> &'static str {
        match self {
            Self::Unknown => "in a call, 45 s",
            Self::Known => "in a call, 240 s",
            Self::Command => "`turnroom wait` in the background",
            Self::Hook => "the wake hook",
        }
    }

    fn caller(self, handle: &str) -> Caller {
        let client = (self == Self::Known)
            .then(|| Client { name: "codex-mcp-client".to_owned(), version: "0.150.0".to_owned() });
        let (session, mouth) = if self == Self::Command {
            (Session::Alone, Mouth::Terminal)
        } else {
            (Session::Named(handle.into()), Mouth::Mcp)
        };
        let (folders, cancelled) = (Vec::new(), CancellationToken::new());
        let at_client = AtClient::default();
        Caller { session, mouth, is_verified: false, client, folders, at_client, cancelled }
    }
}

/// What one debate cost each agent, on average: while they talked, and in the hour after it.
async fn debate(way: Way, wake: &str) -> (Cost, Cost) {
    let folder = TempDir::new().expect("a folder");
    let settings = Settings {
        folders: vec![folder.path().to_owned()],
        waits: Waits { clients: vec![("codex".to_owned(), Duration::from_mins(4))], ..Waits::default() },
        ..Settings::default()
    };
    let hub = Hub::open(Arc::new(MemoryJournal::new()), Arc::new(MemorySearch::new()), settings).await;
    let hub = Arc::new(hub.expect("an empty journal can be read"));
    let room = json!({
        "filepath": "debate.md", "participants": ["@Alice", "@Bob", "@Carol", "@user"], "wake": wake, "barrier": "all",
    });
    let room = room.as_object().expect("an object").clone();
    let made = tools::call(&hub, &way.caller("maker"), "init_conversation", room).await;
    assert!(!made.is_error, "{}", made.json);

    let ledger = Arc::new(Ledger::default());
    let agents: Vec<_> =
        HANDLES.iter().map(|handle| tokio::spawn(Agent::new(&hub, way, handle, &ledger).run())).collect();
    ledger.until(TURNS).await;
    let talking = ledger.so_far();
    tokio::time::sleep(HOUR).await;
    let waiting = ledger.so_far() - talking;
    for agent in agents {
        assert!(!agent.is_finished(), "it waits");
        agent.abort();
    }
    hub.stop();
    hub.shut_down().await;
    (talking.per_agent(), waiting.per_agent())
}

#[tokio::test(start_paused = true)]
async fn in_the_background_an_hour_without_the_person_costs_one_answer_at_most() {
    assert_eq!(debate(Way::Hook, "batched").await.1, Cost::default());
    // After an hour the room tells all that the question is still open.
    assert!(debate(Way::Command, "batched").await.1.answers <= 1);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_allows_more_wakes_less() {
    let (unknown, known) = (debate(Way::Unknown, "batched").await.1, debate(Way::Known, "batched").await.1);
    assert_eq!((unknown.answers, known.answers), (80, 15));
    assert!(unknown.bytes / unknown.answers < 300, "{unknown:?}");
}

#[tokio::test(start_paused = true)]
async fn a_batched_room_wakes_an_agent_only_for_its_own_turns() {
    let (all, batched) = (debate(Way::Known, "all").await.0, debate(Way::Known, "batched").await.0);
    let turns = u64::from(TURNS) / HANDLES.len() as u64;
    assert!(batched.answers <= turns + 2, "{batched:?}");
    assert!(all.answers >= 2 * turns, "{all:?}");
}

/// `cargo test --test it waiting_costs -- --ignored --nocapture` prints the table of `docs/performance.md`.
#[tokio::test(start_paused = true)]
#[ignore = "prints a table"]
async fn the_ledger() {
    println!("| the agents wait | `wake` | answers, 30 turns | bytes | answers, the hour | bytes |");
    println!("|---|---|---|---|---|---|");
    for way in Way::ALL {
        for wake in ["all", "batched"] {
            let (talking, waiting) = debate(way, wake).await;
            println!("| {} | `{wake}` | {talking} | {waiting} |", way.name());
        }
    }
}
