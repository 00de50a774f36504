//! A time as the page shows it. The script puts it into the reader's own time zone.

use askama::Template;
use chrono::{DateTime, SecondsFormat, Utc};

/// A time.
#[derive(Clone, Debug, PartialEq, Eq, Template)]
#[template(path = "moment.html")]
pub(in crate::web) struct Moment {
    iso: String,
    words: String,
    /// How the script goes on with it: `clock`, `ago` or `left`.
    form: &'static str,
    day: String,
}

impl Moment {
    /// A time of day, such as that of a message.
    pub(in crate::web) fn clock(at: DateTime<Utc>) -> Self {
        Self::new(at, at.format("%H:%M").to_string(), "clock")
    }

    /// How long ago something was.
    pub(in crate::web) fn ago(at: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        let seconds = (now - at).num_seconds();
        let words = if seconds < 1 { "now".to_owned() } else { format!("{} ago", span(seconds)) };
        Self::new(at, words, "ago")
    }

    /// How long something lasts already.
    pub(in crate::web) fn lasting(since: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        Self::new(since, span((now - since).num_seconds()), "lasting")
    }

    /// How long it is until something.
    pub(in crate::web) fn left(until: DateTime<Utc>, now: DateTime<Utc>) -> Self {
        Self::new(until, span_left((until - now).num_seconds()), "left")
    }

    /// The day, such as `2026-12-01`.
    pub(in crate::web) fn day(&self) -> &str {
        &self.day
    }

    fn new(at: DateTime<Utc>, words: String, form: &'static str) -> Self {
        let iso = at.to_rfc3339_opts(SecondsFormat::Secs, true);
        Self { iso, words, form, day: at.format("%Y-%m-%d").to_string() }
    }
}

/// A length of time in its largest unit. The script says it in the same way.
fn span(seconds: i64) -> String {
    match seconds {
        ..60 => format!("{} s", seconds.max(0)),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// How long it is until something: less than two of a unit is said in the one below, so that no day is taken for one.
fn span_left(seconds: i64) -> String {
    match seconds {
        3_600..7_200 => format!("{} min", seconds / 60),
        86_400..172_800 => format!("{} h", seconds / 3_600),
        _ => span(seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{TimeDelta, TimeZone};

    #[test]
    fn a_time_is_said_in_words_and_stands_in_its_element() {
        let at = Utc.with_ymd_and_hms(2026, 12, 1, 9, 5, 7).unwrap();
        let later = |seconds| at + TimeDelta::seconds(seconds);
        let words = |moment: Moment| moment.words;
        assert_eq!(words(Moment::clock(at)), "09:05");
        assert_eq!(words(Moment::ago(at, at)), "now");
        assert_eq!(words(Moment::ago(at, later(59))), "59 s ago");
        assert_eq!(words(Moment::ago(at, later(3_599))), "59 min ago");
        assert_eq!(words(Moment::lasting(at, later(86_399))), "23 h");
        assert_eq!(words(Moment::left(later(-5), at)), "0 s");
        assert_eq!(words(Moment::left(later(7_199), at)), "119 min");
        assert_eq!(words(Moment::left(later(172_799), at)), "47 h");
        assert_eq!(words(Moment::left(later(172_800), at)), "2 d");
        assert_eq!(
            Moment::clock(at).to_string(),
            r#"<time datetime="2026-12-01T09:05:07Z" data-form="clock">09:05</time>"#
        );
    }
}
