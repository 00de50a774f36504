//! Log messages for clients of older revisions, which ask for them with `logging/setLevel`; newer ones name the
//! level in each request. Only warnings are sent, and only to who asked: logs proper go to stderr.
#![expect(deprecated, reason = "older clients use it, and it is required for them")]

use std::sync::Mutex;

use rmcp::RoleServer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::RequestContext;
use serde_json::Value;

use super::Server;
use super::receipts::lock;

/// The level that a session asked for.
#[derive(Debug, Default)]
pub(super) struct Logging(Mutex<Option<LoggingLevel>>);

impl Logging {
    pub(super) fn set(&self, level: LoggingLevel) {
        *lock(&self.0) = Some(level);
    }

    fn level(&self) -> Option<LoggingLevel> {
        *lock(&self.0)
    }
}

impl Server {
    /// Sends the warning of an answer, if it has one, also as a log message.
    pub(super) async fn log_warning(&self, context: &RequestContext<RoleServer>, answer: &Value) {
        let Some(warning) = answer.get("warning") else { return };
        let level = context.meta.log_level().or_else(|| self.logging.level());
        if !wants(level, LoggingLevel::Warning) {
            return;
        }
        let message = LoggingMessageNotificationParam::new(LoggingLevel::Warning, warning.clone());
        if let Err(error) = context.peer.notify_logging_message(message.with_logger("turnroom")).await {
            tracing::debug!(%error, "a log message did not reach its client");
        }
    }
}

fn wants(asked: Option<LoggingLevel>, level: LoggingLevel) -> bool {
    asked.is_some_and(|asked| level as u8 >= asked as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_gets_what_is_at_least_as_grave_as_it_asked() {
        assert!(wants(Some(LoggingLevel::Debug), LoggingLevel::Warning));
        assert!(wants(Some(LoggingLevel::Warning), LoggingLevel::Warning));
        assert!(!wants(Some(LoggingLevel::Error), LoggingLevel::Warning));
    }

    #[test]
    fn who_did_not_ask_gets_nothing() {
        assert!(!wants(Logging::default().level(), LoggingLevel::Warning));
    }

    #[test]
    fn the_level_asked_for_last_counts() {
        let logging = Logging::default();
        logging.set(LoggingLevel::Debug);
        logging.set(LoggingLevel::Error);
        assert_eq!(logging.level(), Some(LoggingLevel::Error));
    }
}
