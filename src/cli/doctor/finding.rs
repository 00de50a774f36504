//! What a check has found, and how it is told.

use std::fmt::Write;

use serde_json::{Value, json};

use super::super::clean;
use super::super::screen::Look;

const FITS: &str = "a string takes every text";

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grade {
    /// All is well.
    Ok,
    /// It works, and may cost something.
    Warning,
    /// Something does not work, or is lost.
    Fault,
}

/// What a check has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) grade: Grade,
    /// Which check.
    pub(super) about: &'static str,
    pub(super) what: String,
    /// What to do next; nothing when all is well.
    pub(super) next: Option<String>,
}

impl Finding {
    pub(super) fn ok(about: &'static str, what: impl Into<String>) -> Self {
        Self { grade: Grade::Ok, about, what: what.into(), next: None }
    }

    pub(super) fn warning(about: &'static str, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { grade: Grade::Warning, about, what: what.into(), next: Some(next.into()) }
    }

    pub(super) fn fault(about: &'static str, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { grade: Grade::Fault, about, what: what.into(), next: Some(next.into()) }
    }
}

impl Grade {
    fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Fault => "fault",
        }
    }
}

/// One line each, with the next step below it; at the end how many there are.
pub(super) fn as_text(findings: &[Finding], look: Look) -> String {
    let width = findings.iter().map(|finding| finding.about.len()).max().unwrap_or(0);
    let mut text = String::new();
    for finding in findings {
        let word = format!("{:<7}", finding.grade.word());
        let word = if finding.grade == Grade::Ok { word } else { look.strong(&word) };
        let (about, what) = (finding.about, clean::line(&finding.what));
        writeln!(text, "{word}  {about:<width$}  {what}").expect(FITS);
        if let Some(next) = &finding.next {
            writeln!(text, "{:7}  {:width$}  next: {}", "", "", clean::line(next)).expect(FITS);
        }
    }
    text + &format!(
        "{} warnings, {} faults\n",
        count(findings, Grade::Warning),
        count(findings, Grade::Fault)
    )
}

pub(super) fn as_json(findings: &[Finding]) -> Value {
    let list: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let Finding { grade, about, what, next } = finding;
            json!({ "grade": grade.word(), "check": about, "what": what, "next": next })
        })
        .collect();
    json!({
        "findings": list,
        "warnings": count(findings, Grade::Warning),
        "faults": count(findings, Grade::Fault),
    })
}

fn count(findings: &[Finding], grade: Grade) -> usize {
    findings.iter().filter(|finding| finding.grade == grade).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings() -> Vec<Finding> {
        vec![
            Finding::ok("lock", "no hub runs"),
            Finding::fault("journal", "it is \u{1b}[31mdamaged", "run `turnroom doctor --repair`"),
        ]
    }

    #[test]
    fn each_finding_is_a_line_and_says_what_to_do() {
        insta::assert_snapshot!(as_text(&findings(), Look::Plain), @r"
        ok       lock     no hub runs
        fault    journal  it is ␛[31mdamaged
                          next: run `turnroom doctor --repair`
        0 warnings, 1 faults
        ");
    }

    #[test]
    fn programs_get_the_same_as_json() {
        let json = as_json(&findings());
        assert_eq!((&json["faults"], &json["warnings"]), (&json!(1), &json!(0)));
        assert_eq!(
            json["findings"][0],
            json!({"grade": "ok", "check": "lock", "what": "no hub runs", "next": null})
        );
    }
}
