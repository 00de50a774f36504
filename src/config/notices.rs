//! Settings of notices: what may be said in `[notices]`, and what of it is a secret.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::Path;

use chrono::NaiveTime;
use http::{HeaderName, HeaderValue, Uri};
use serde::{Deserialize, Deserializer};
use toml::Value;

const HEADERS: &str = "notices.webhook.headers";
const CONCEALED: &str = "…";

/// How a person is told that something waits.
#[derive(Clone, Debug, Deserialize)]
pub struct Notices {
    /// By the desktop, where there is one.
    pub desktop: bool,
    /// When nothing is told.
    #[serde(deserialize_with = "quiet_hours")]
    pub quiet_hours: Option<QuietHours>,
    /// Whether private words are shown.
    pub show_private: bool,
    /// By a request to somebody's server.
    pub webhook: Webhook,
    /// By a program.
    pub command: NoticeCommand,
}

/// Hours of each day in which nobody is told anything, in local time. Those that end before they begin end on the next
/// day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    /// Their first moment.
    pub from: NaiveTime,
    /// The first moment after them.
    pub to: NaiveTime,
}

/// A request to somebody's server.
#[derive(Clone, Debug, Deserialize)]
pub struct Webhook {
    /// Its address; empty: none.
    pub url: Hidden,
    /// What is sent.
    pub format: Format,
    /// Headers that go along.
    #[serde(default)]
    pub headers: BTreeMap<String, Hidden>,
}

/// What a webhook is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Everything that is known of the notice.
    Json,
    /// A message for a topic of ntfy.
    Ntfy,
    /// A message for an incoming webhook of Slack.
    Slack,
}

/// A program that is started for each notice.
#[derive(Clone, Debug, Deserialize)]
pub struct NoticeCommand {
    /// Its path or name; empty: none.
    pub program: String,
    /// Its arguments, as they are.
    pub args: Vec<String>,
    /// How long it may run.
    pub timeout_seconds: NonZeroU32,
}

/// A text that is a secret: it is in no log.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Hidden(String);

impl Hidden {
    /// The text itself.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Hidden {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(CONCEALED)
    }
}

impl QuietHours {
    /// Reads `22:00-07:00`.
    fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('-')?;
        let time = |text: &str| NaiveTime::parse_from_str(text.trim(), "%H:%M").ok();
        let (from, to) = (time(from)?, time(to)?);
        (from != to).then_some(Self { from, to })
    }
}

fn quiet_hours<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<QuietHours>, D::Error> {
    String::deserialize(deserializer).map(|text| QuietHours::parse(&text))
}

/// What a text must be that cannot be the value of this setting; nothing if it can.
pub(super) fn misfit(table: &str, key: &str, value: &Value) -> Option<&'static str> {
    let text = value.as_str()?;
    let (fits, expected) = match (table, key) {
        ("notices", "quiet_hours") => (
            text.is_empty() || QuietHours::parse(text).is_some(),
            "empty, or two times such as \"22:00-07:00\"",
        ),
        ("notices.webhook", "url") => {
            (text.is_empty() || is_address(text), "empty, or an address that begins with https:// or http://")
        }
        ("notices.webhook", "format") => {
            (matches!(text, "json" | "ntfy" | "slack"), "\"json\", \"ntfy\" or \"slack\"")
        }
        ("notices.command", "program") => {
            (is_program(text), "empty, an absolute path, or the name of a program in PATH")
        }
        (HEADERS, name) => (
            HeaderName::try_from(name).is_ok() && HeaderValue::try_from(text).is_ok(),
            "one line of text under a name that a header may have",
        ),
        _ => return None,
    };
    (!fits).then_some(expected)
}

fn is_address(text: &str) -> bool {
    let is_web = |uri: Uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some();
    text.parse::<Uri>().is_ok_and(is_web)
}

/// A path that depends on the present folder could lead into a project.
pub(super) fn is_program(text: &str) -> bool {
    let is_name = !text.contains(['/', '\\']) && !matches!(text, "." | "..");
    is_name || Path::new(text).is_absolute() || text.starts_with("~/")
}

/// What is shown instead of a value that is a secret. The address of a webhook often is one.
pub(super) fn hidden(table: &str, key: &str, value: &Value) -> Option<Value> {
    let text = value.as_str().filter(|text| !text.is_empty());
    match (table, key) {
        (HEADERS, _) => Some(Value::String(CONCEALED.to_owned())),
        ("notices.webhook", "url") => {
            let uri = text?.parse::<Uri>().ok();
            let host = uri.as_ref().and_then(|uri| Some((uri.scheme_str()?, uri.host()?)));
            Some(Value::String(match host {
                Some((scheme, host)) => format!("{scheme}://{host}/{CONCEALED}"),
                None => CONCEALED.to_owned(),
            }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_are_two_times() {
        let hours = QuietHours::parse("22:00-07:30").unwrap();
        assert_eq!((hours.from.to_string(), hours.to.to_string()), ("22:00:00".into(), "07:30:00".into()));
        for wrong in ["22-7", "22:00", "25:00-07:00", "22:00-22:00", "at night"] {
            assert_eq!(QuietHours::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_program_does_not_depend_on_the_present_folder() {
        for good in ["", "/usr/bin/say", "~/bin/tell", "notify-send", "tell.sh"] {
            assert!(is_program(good), "{good}");
        }
        for bad in ["./tell", "bin/tell", "../tell", "..", "."] {
            assert!(!is_program(bad), "{bad}");
        }
    }

    #[test]
    fn a_secret_is_in_no_log() {
        assert_eq!(format!("{:?}", Hidden::from("Bearer 123")), "…");
    }
}
