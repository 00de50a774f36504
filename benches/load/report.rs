//! Samples, figures, and the table of them.

use std::time::Duration;

use serde_json::{Value, json};

/// Times of the same thing, over and over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    pub(crate) fn add(&mut self, sample: Duration) {
        self.0.push(sample);
    }

    pub(crate) fn median(&self) -> Duration {
        self.part(50)
    }

    pub(crate) fn p99(&self) -> Duration {
        self.part(99)
    }

    fn part(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted
            .get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    }
}

/// One line of the table.
pub(crate) struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    /// What it is compared with, in the same unit.
    limit: Option<(String, f64)>,
    budget: Option<Budget>,
    note: String,
}

enum Budget {
    AtMost(f64),
    AtLeast(f64),
}

impl Figure {
    pub(crate) fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { name: name.into(), value, unit, limit: None, budget: None, note: String::new() }
    }

    pub(crate) fn time(name: impl Into<String>, value: Duration) -> Self {
        Self::new(name, millis(value), "ms")
    }

    /// What nothing at all would cost.
    pub(crate) fn limit(mut self, what: impl Into<String>, value: f64) -> Self {
        self.limit = Some((what.into(), value));
        self
    }

    pub(crate) fn at_most(mut self, budget: f64) -> Self {
        self.budget = Some(Budget::AtMost(budget));
        self
    }

    pub(crate) fn at_least(mut self, budget: f64) -> Self {
        self.budget = Some(Budget::AtLeast(budget));
        self
    }

    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    fn ratio(&self) -> Option<f64> {
        self.limit.as_ref().map(|(_, limit)| self.value / limit)
    }

    fn holds(&self) -> Option<bool> {
        self.budget.as_ref().map(|budget| match budget {
            Budget::AtMost(most) => self.value <= *most,
            Budget::AtLeast(least) => self.value >= *least,
        })
    }

    fn row(&self) -> String {
        let limit = self
            .limit
            .as_ref()
            .map_or_else(String::new, |(what, value)| format!("{what}: {}", short(*value)));
        let ratio = self.ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let budget = match &self.budget {
            None => String::new(),
            Some(Budget::AtMost(most)) => format!("≤ {}", short(*most)),
            Some(Budget::AtLeast(least)) => format!("≥ {}", short(*least)),
        };
        let holds = self.holds().map_or("", |holds| if holds { "yes" } else { "**no**" });
        let value = short(self.value);
        let Self { name, unit, note, .. } = self;
        format!("| {name} | {value} {unit} | {limit} | {ratio} | {budget} | {holds} | {note} |")
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "value": self.value,
            "unit": self.unit,
            "limit": self.limit.as_ref().map(|(what, value)| json!({ "what": what, "value": value })),
            "ratio": self.ratio(),
            "holds": self.holds(),
            "note": self.note,
        })
    }
}

/// All figures as a table.
pub(crate) fn table(figures: &[Figure]) -> String {
    let head = "| what | figure | limit | ratio | budget | holds | note |\n|---|---|---|---|---|---|---|\n";
    let rows: Vec<String> = figures.iter().map(Figure::row).collect();
    format!("{head}{}\n", rows.join("\n"))
}

/// All figures as JSON.
pub(crate) fn list(figures: &[Figure]) -> Value {
    figures.iter().map(Figure::json).collect()
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A whole number as it is needed for a figure; such numbers are small.
pub(crate) fn number(value: u64) -> f64 {
    u32::try_from(value).map_or(f64::from(u32::MAX), f64::from)
}

fn short(value: f64) -> String {
    if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
