//! Tries each way of telling once, so that a person sees whether notices arrive.

use std::path::Path;

use futures::future::join_all;

use super::channel::{self, BadChannel, Channel, Failure};
use super::news::News;
use super::notice::Notice;
use crate::clock::Clock;
use crate::config::Notices;
use crate::room::Handle;

/// What came of one way.
#[derive(Debug)]
pub struct Trial {
    /// Its name in the settings.
    pub channel: &'static str,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of one way.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It took the notice.
    Told,
    /// The settings do not want it.
    Off,
    /// There is nobody to be told in this way.
    Absent(String),
    /// It did not work, for this reason.
    Failed(String),
}

/// Sends one test notice on each way that the settings name; programs run in `folder`. Quiet hours do not count.
pub async fn try_all(settings: &Notices, folder: &Path, clock: Clock) -> Vec<Trial> {
    let notice = Notice::one(test_news(clock).into());
    let notice = &notice;
    let trials = channel::all(settings, folder)
        .into_iter()
        .map(|(channel, made)| async move { Trial { channel, outcome: outcome(made, notice).await } });
    join_all(trials).await
}

async fn outcome(made: Result<Option<Box<dyn Channel>>, BadChannel>, notice: &Notice) -> Outcome {
    let channel = match made {
        Ok(Some(channel)) => channel,
        Ok(None) => return Outcome::Off,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    match channel.tell(notice).await {
        Ok(()) => Outcome::Told,
        Err(Failure::Absent(reason)) => Outcome::Absent(reason),
        Err(error) => Outcome::Failed(error.to_string()),
    }
}

fn test_news(clock: Clock) -> News {
    News {
        id: "test".to_owned(),
        kind: "test".to_owned(),
        title: "A test of turnroom".to_owned(),
        body: "This is how you will be told that something waits for you.".to_owned(),
        is_private: false,
        room: String::new(),
        to: Handle::user(),
        since: clock.now().wall,
        url: None,
        command: "turnroom inbox".to_owned(),
    }
}
