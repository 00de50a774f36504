//! A way of telling people: the desktop, a webhook, a program.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;

use super::command::CommandChannel;
use super::desktop::Desktop;
use super::notice::Notice;
use super::webhook::WebhookChannel;
use crate::config::Notices;

/// A way of telling people.
#[async_trait]
pub(super) trait Channel: fmt::Debug + Send + Sync {
    /// Its name in the settings.
    fn name(&self) -> &'static str;

    /// Tells one notice. It takes a limited time. If it is dropped, nothing of it goes on.
    async fn tell(&self, notice: &Notice) -> Result<(), Failure>;
}

/// Why somebody was not told.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// It may work later.
    #[error("{reason}")]
    Later {
        /// What happened.
        reason: String,
        /// The least time until then, if the other side names one.
        after: Option<Duration>,
    },
    /// It would fail again.
    #[error("{0}")]
    Refused(String),
    /// There is nobody to be told in this way, and nothing wrong with that.
    #[error("{0}")]
    Absent(String),
}

/// Why a way cannot work at all.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct BadChannel(pub(super) String);

/// A way by its name. `None`: the settings do not want it.
type Made = (&'static str, Result<Option<Box<dyn Channel>>, BadChannel>);

/// Every way that exists, as the settings want it. Programs run in `folder`.
pub(super) fn all(settings: &Notices, folder: &Path) -> [Made; 3] {
    let desktop = settings.desktop.then(|| Box::new(Desktop) as Box<dyn Channel>);
    let webhook = WebhookChannel::new(&settings.webhook);
    let command = CommandChannel::new(&settings.command, folder);
    [
        (Desktop::NAME, Ok(desktop)),
        (WebhookChannel::NAME, webhook.map(|made| made.map(|one| Box::new(one) as _))),
        (CommandChannel::NAME, command.map(|made| made.map(|one| Box::new(one) as _))),
    ]
}
