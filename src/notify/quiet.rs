//! When people are left alone. Pure: the time comes in.

use std::time::Duration;

use chrono::{NaiveTime, TimeDelta};

use crate::config::QuietHours;

/// How long the quiet hours go on, if `now` is one of them. Both are local time.
pub(super) fn rest(hours: QuietHours, now: NaiveTime) -> Option<Duration> {
    let QuietHours { from, to } = hours;
    let is_quiet = if from < to { (from..to).contains(&now) } else { now >= from || now < to };
    // `to` of the next day, if it has passed today.
    let left = to.signed_duration_since(now);
    let left = if left <= TimeDelta::zero() { left + TimeDelta::days(1) } else { left };
    is_quiet.then(|| left.to_std().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> NaiveTime {
        NaiveTime::parse_from_str(text, "%H:%M").expect("a time")
    }

    #[test]
    fn hours_that_end_before_they_begin_end_on_the_next_day() {
        let night = QuietHours { from: time("22:00"), to: time("07:00") };
        let day = QuietHours { from: time("12:00"), to: time("14:00") };
        let cases = [
            (night, "21:59", None),
            (night, "22:00", Some(9 * 60)),
            (night, "23:30", Some(7 * 60 + 30)),
            (night, "06:59", Some(1)),
            (night, "07:00", None),
            (day, "11:59", None),
            (day, "12:00", Some(120)),
            (day, "13:59", Some(1)),
            (day, "14:00", None),
        ];
        for (hours, now, minutes) in cases {
            let expected = minutes.map(|minutes| Duration::from_secs(minutes * 60));
            assert_eq!(rest(hours, time(now)), expected, "{now}");
        }
    }
}
