//! Notices on the desktop. Where there is none, nothing happens.

use std::time::Duration;

use async_trait::async_trait;
use notify_rust::Notification;
use tokio::time::timeout;

use super::channel::{Channel, Failure};
use super::notice::Notice;

/// A desktop that does not answer is none.
const PATIENCE: Duration = Duration::from_secs(5);

/// The desktop of this user.
#[derive(Debug)]
pub(super) struct Desktop;

impl Desktop {
    pub(super) const NAME: &str = "desktop";
}

#[async_trait]
impl Channel for Desktop {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn tell(&self, notice: &Notice) -> Result<(), Failure> {
        let mut shown = Notification::new();
        shown.appname("turnroom").summary(&notice.title()).body(&imp::plain(&notice.text()));
        let absent = |reason: String| Failure::Absent(format!("no desktop here shows notices: {reason}"));
        match timeout(PATIENCE, imp::show(shown)).await {
            Ok(result) => result.map_err(absent),
            Err(_) => Err(absent("it does not answer".to_owned())),
        }
    }
}

/// Desktops by the rules of freedesktop.org: over D-Bus, which this runtime serves.
#[cfg(all(unix, not(target_os = "macos")))]
mod imp {
    use super::Notification;

    pub(super) async fn show(notification: Notification) -> Result<(), String> {
        notification.show_async().await.map(drop).map_err(|error| error.to_string())
    }

    /// The body may hold markup; what people said is none.
    pub(super) fn plain(text: &str) -> String {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    }
}

/// Desktops whose calls block.
#[cfg(not(all(unix, not(target_os = "macos"))))]
mod imp {
    use super::Notification;

    pub(super) async fn show(notification: Notification) -> Result<(), String> {
        let shown = tokio::task::spawn_blocking(move || notification.show().map(drop));
        shown.await.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }

    pub(super) fn plain(text: &str) -> String {
        text.to_owned()
    }
}
