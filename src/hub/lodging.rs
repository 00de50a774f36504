//! The room in which the turns of a task or a puzzle are taken.

use super::Hub;
use super::caller::Caller;
use super::error::HubError;
use super::request::{BarrierRequest, Init, PolicyRequest};
use crate::room::Handle;

impl Hub {
    /// The room that is named, or one of its own, for something of this id and title. Whoever has to act must be in it;
    /// `field` says where they are named.
    pub(super) async fn lodge(
        &self,
        caller: &Caller,
        (id, title, room): (&str, &str, Option<&str>),
        (field, called): (&'static str, &[&Handle]),
    ) -> Result<String, HubError> {
        let Some(room) = room else {
            let user = Handle::user();
            let agents = called.iter().filter(|handle| ***handle != user).map(ToString::to_string);
            let init = Init {
                filepath: format!("{id}.md"),
                participants: agents.chain([user.to_string()]).collect(),
                topic: Some(title.to_owned()),
                policy: PolicyRequest { barrier: Some(BarrierRequest::Count(0)), ..PolicyRequest::default() },
                ..Init::default()
            };
            return Ok(self.init(caller, init).await?.room);
        };
        let live = self.shared.named_room(room).await?;
        let locked = live.lock(&self.shared).await?;
        let is_there = |handle: &&&Handle| locked.room().resolve(handle.key()).is_some();
        if let Some(stranger) = called.iter().find(|handle| !is_there(handle)) {
            let problem = format!("{stranger} is no participant of room `{}`; name one who is", live.id);
            return Err(HubError::argument(field, problem, &[]));
        }
        Ok(live.id.clone())
    }
}
