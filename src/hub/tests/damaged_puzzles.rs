//! Logs of puzzles that cannot be read: people are told, lists say so, and a puzzle that is given up is gone.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Table;
use super::damage::{Ill, stream};
use crate::hub::survey::survey;
use crate::hub::{ActOnPuzzle, AddPuzzle, Item, ListPuzzles};
use crate::journal::{Journal, StreamId, Version};

const ALL: ListPuzzles = ListPuzzles { after: None, limit: 50 };

fn lamp(id: &str) -> Value {
    json!({
        "id": id,
        "initialState": "OFF",
        "states": {
            "OFF": { "who": "@Ada", "actions": { "press": { "targetState": "ON" } } },
            "ON": { "who": "@Ada", "actions": { "press": { "targetState": "OFF" } } },
        },
    })
}

/// Puzzles `a` and `b`, each in a room of its own, and acted on once; the log of `a` is damaged then.
async fn one_damaged(journal: &Arc<Ill>) -> Table {
    let mut table = Table::over(Arc::<Ill>::clone(journal)).await;
    let maker = table.client("maker");
    for id in ["a", "b"] {
        let add = AddPuzzle { config: lamp(id), ..AddPuzzle::default() };
        maker.hub.add_puzzle(&maker.caller, add).await.unwrap();
        let (puzzle, action) = (id.to_owned(), "press".to_owned());
        let act = ActOnPuzzle { puzzle, action, ..ActOnPuzzle::default() };
        maker.hub.act_on_puzzle(&maker.caller, act).await.unwrap();
    }
    journal.damage(&log_of(journal, "a").await, 2);
    table.restart_over(Arc::<Ill>::clone(journal)).await;
    table
}

async fn log_of(journal: &Ill, puzzle: &str) -> StreamId {
    let entries = journal.inner.read(&stream("puzzles"), Version::EMPTY, 50).await.unwrap();
    let mut listed = entries.iter().map(|entry| serde_json::from_slice::<Value>(&entry.body).unwrap());
    stream(listed.find(|entry| entry["id"] == puzzle).unwrap()["stream"].as_str().unwrap())
}

fn is_damage(item: &Item) -> bool {
    item.title() == "the log of puzzle a is damaged" && item.command() == "turnroom doctor"
}

#[tokio::test(start_paused = true)]
async fn a_damaged_puzzle_is_in_the_inbox_in_the_list_and_in_the_survey() {
    let journal = Arc::new(Ill::default());
    let table = one_damaged(&journal).await;
    table.hub.inbox_changes().wait_for(|items| items.iter().any(is_damage)).await.unwrap();
    let page = table.hub.list_puzzles(&ALL).await.unwrap();
    assert_eq!(page.puzzles.iter().map(|puzzle| puzzle.puzzle.as_str()).collect::<Vec<_>>(), ["b"]);
    assert_eq!(page.damaged.iter().map(|damaged| damaged.puzzle.as_str()).collect::<Vec<_>>(), ["a"]);
    assert!(page.damaged[0].problem.contains("damaged at event 2"), "{page:?}");
    let found = survey(&*journal).await.unwrap();
    assert_eq!((found.sound_puzzles, found.damaged_puzzles.len()), (1, 1));
    assert_eq!(found.damaged_puzzles[0].0, log_of(&journal, "a").await);
    journal.damage(&stream("puzzles"), 1);
    let found = survey(&*journal).await.unwrap();
    assert!(found.damaged_puzzles.iter().any(|(list, ..)| *list == stream("puzzles")), "{found:?}");
}

#[tokio::test(start_paused = true)]
async fn a_damaged_puzzle_can_be_removed_and_its_room_is_free() {
    let journal = Arc::new(Ill::default());
    let mut table = one_damaged(&journal).await;
    let client = table.client("c");
    let room = async |table: &Table| {
        let caller = table.client("c").caller;
        table.hub.room_state(&caller, Some("a")).await.unwrap().lodgers
    };
    assert_eq!(room(&table).await, ["puzzle `a`"]);
    assert!(client.hub.remove_puzzle(&client.caller, "a", None).await.unwrap().is_none());
    for _ in 0..2 {
        let refused = table.hub.puzzle("a").await.unwrap_err();
        assert_eq!(refused.code(), "puzzle_removed");
        assert_eq!(table.hub.list_puzzles(&ALL).await.unwrap().damaged, []);
        assert!(!table.hub.inbox().await.iter().any(is_damage));
        assert!(room(&table).await.is_empty());
        table.restart_over(Arc::<Ill>::clone(&journal)).await;
    }
}
