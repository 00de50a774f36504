//! Faults that users of such systems have met, by the rule that keeps them out; `docs/faults.md` names them.

mod delivery;
mod failing;
mod notices;
mod repeats;
mod waiting;

use super::Table;
use super::support::{Client, settle, words};
use crate::hub::{Member, RoomState};

impl Table {
    /// A room of these agents, all of whom have joined, each at a client of its own; the first one has the floor.
    async fn seated<const N: usize>(&self, handles: [&str; N]) -> [Client; N] {
        let clients = handles.map(|handle| self.client(handle));
        let joins: Vec<_> =
            clients.iter().zip(handles).map(|(client, handle)| client.spawn_join(handle)).collect();
        for join in joins {
            join.await.unwrap().unwrap();
        }
        for (client, handle) in clients.iter().zip(handles) {
            client.look(handle).await;
            client.look(handle).await;
        }
        clients
    }

    async fn state(&self) -> RoomState {
        self.hub.room_state(&self.client("looker").caller, None).await.unwrap()
    }

    async fn member(&self, handle: &str) -> Member {
        let members = self.state().await.participants;
        members.into_iter().find(|member| member.handle.as_str() == handle).unwrap()
    }
}

/// The words of an answer, each with whether it is marked as given again.
fn marked(turn: &crate::hub::TurnResult) -> Vec<(String, bool)> {
    let given = turn.new_messages.iter().filter(|given| !given.message.is_notice());
    given.map(|given| (given.message.content.clone(), given.redelivered)).collect()
}
