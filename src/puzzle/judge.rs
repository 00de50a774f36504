//! What one guard says: a rule is looked at, what was asked is looked up, and else it is said who has to be asked.

mod check;

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::command::{Demand, May, Verdict, Whom};
use super::effort::Effort;
use super::event::Cause;
use super::facts::{Doer, Facts};
use super::guard::{Guard, Panel};
use super::machine::{Policy, QuestionBy, Unavailable};
use super::pending::{Asked, Finding, needed};
use crate::room::{Handle, mark};

pub(super) use check::Check;

/// Why a way is not walked to its end.
#[derive(Debug)]
pub(super) enum Stop {
    /// A guard says no.
    Refused(No),
    /// Nobody can be asked.
    Unavailable { guard: String, needs: String },
    /// The edge has to ask.
    Ask(Box<Demand>),
    /// Participants have to be asked.
    Panel(Box<Question>),
    /// Somebody has to be asked who cannot be asked now. What was found on the way so far.
    NotNow(Vec<Finding>),
    /// It would go on and on.
    TooManySteps,
    /// There is more to look at than may be.
    TooMuch,
}

/// A guard says no.
#[derive(Debug)]
pub(super) struct No {
    pub guard: String,
    pub by: Option<Handle>,
    pub why: String,
    /// Somebody was asked, so it is kept; what a rule says is not.
    pub was_asked: bool,
}

/// Participants have to be asked.
#[derive(Debug)]
pub(super) struct Question {
    pub check: String,
    pub guard: String,
    pub asks: Vec<Handle>,
    pub quorum: Option<usize>,
    pub text: String,
    pub expires: Option<DateTime<Utc>>,
    pub target: String,
    pub findings: Vec<Finding>,
}

/// Asks the guards of one action.
///
/// **Invariant (nobody judges his own act):** but for a person who is verified.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    pub puzzle: &'a str,
    /// The version of the last move: what was found before it does not count.
    pub entered_version: u64,
    /// The present state.
    pub state: &'a str,
    /// Where the action leads to.
    pub target: String,
    pub cause: &'a Cause,
    pub doer: Doer<'a>,
    pub now: DateTime<Utc>,
    /// What was found for this action before.
    pub findings: Vec<Finding>,
    pub verdicts: &'a [Verdict],
    pub reach: Reach<'a>,
    pub effort: &'a Effort,
    /// A mark of the way so far: what was found on another one does not count.
    pub way: String,
    /// The keys of all checks of the way so far that ask somebody.
    pub asked: BTreeSet<String>,
}

/// Whom the edge can ask now.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reach<'a> {
    /// These; the others cannot be asked at all.
    Only(&'a May),
    /// These programs; for the rest the actor has to come.
    Programs(&'a [String]),
    /// Nobody at the moment: they are asked later.
    Nobody,
}

impl Judge<'_> {
    /// The way goes on with a candidate of `source`, to `target`.
    pub(super) fn goes(&mut self, source: &str, number: usize, target: &str) {
        self.way = mark(&json!([self.way, source, number, target]));
    }

    /// What was found on the way.
    pub(super) fn counted(&self) -> Vec<Finding> {
        self.findings.iter().filter(|finding| self.asked.contains(&finding.check)).cloned().collect()
    }

    /// Whether one guard lets it pass.
    pub(super) fn ask(
        &mut self,
        check: &Check<'_>,
        guard: &Guard,
        facts: &Facts<'_>,
        policy: &Policy,
    ) -> Result<(), Stop> {
        if !guard.is_rule() {
            // All that was found is gone through.
            self.effort.spend(1 + self.findings.len());
            self.asked.insert(self.key(check));
            if let Some(no) = self.no_at_client(check) {
                return Err(Stop::Refused(no));
            }
        }
        match guard {
            Guard::Rule(rule) if facts.holds(rule) && !self.effort.is_spent() => Ok(()),
            _ if self.effort.is_spent() => Err(Stop::TooMuch),
            Guard::Rule(rule) => {
                Err(Stop::Refused(No { guard: check.name(), by: None, why: rule.wish(), was_asked: false }))
            }
            Guard::Participant(panel) => self.panel(check, panel),
            Guard::Form(question) => self.edge(check, Whom::Form, question, policy),
            Guard::Sampling(question) => self.edge(check, Whom::Sampling, question, policy),
            Guard::Command { name, question } => {
                let question = question.as_deref().unwrap_or_default();
                self.edge(check, Whom::Command(name.clone()), question, policy)
            }
            Guard::Question(question) => self.question(check, question, policy),
        }
    }

    /// What was refused at the acting client. A no counts whatever was said before, and whether or not it can be asked now.
    fn no_at_client(&self, check: &Check<'_>) -> Option<No> {
        let mut noes =
            self.verdicts.iter().filter(|verdict| !verdict.pass && !verdict.is_of_program).peekable();
        noes.peek()?;
        self.effort.spend(self.verdicts.len());
        let ids = [Whom::Form, Whom::Sampling].map(|whom| (self.demand_id(check, &whom), whom));
        noes.find_map(|verdict| {
            let (_, whom) = ids.iter().find(|(id, _)| *id == verdict.demand)?;
            Some(self.no(check, whom, verdict))
        })
    }

    fn no(&self, check: &Check<'_>, whom: &Whom, verdict: &Verdict) -> No {
        let why = verdict.reason.clone().unwrap_or_else(|| "no reason was given".to_owned());
        No { guard: check.name(), by: self.speaker(whom), why, was_asked: true }
    }

    /// Whoever sits at the acting client is the actor; a model or a program is nobody.
    fn speaker(&self, whom: &Whom) -> Option<Handle> {
        if *whom == Whom::Form { self.doer.handle.cloned() } else { None }
    }

    /// A question goes to the first of those whom the policy names who can be asked.
    fn question(&mut self, check: &Check<'_>, question: &str, policy: &Policy) -> Result<(), Stop> {
        let panel = Panel {
            who: policy.reviewers.clone(),
            question: question.to_owned(),
            quorum: None,
            expires_minutes: None,
        };
        if self.answered(check).is_some() {
            return self.panel(check, &panel);
        }
        for by in &policy.question_by {
            match by {
                // Also where only the actor is left: nobody gets past his own review by another way.
                QuestionBy::Participant if !panel.who.is_empty() => return self.panel(check, &panel),
                QuestionBy::Form if self.can_ask(&Whom::Form) => {
                    return self.edge(check, Whom::Form, question, policy);
                }
                QuestionBy::Sampling if self.can_ask(&Whom::Sampling) => {
                    return self.edge(check, Whom::Sampling, question, policy);
                }
                _ => {}
            }
        }
        let needs = policy.question_by.iter().map(|by| match by {
            QuestionBy::Participant => "a reviewer in `policy`",
            QuestionBy::Form => "a client that shows forms",
            QuestionBy::Sampling => "a client with a model that can be asked",
        });
        let needs = needs.collect::<Vec<_>>().join(", or ");
        self.unavailable(check, needs, policy)
    }

    /// Asks participants. Whatever the policy says, nobody gets past them by acting himself: somebody else could act, and
    /// they would be asked.
    fn panel(&mut self, check: &Check<'_>, panel: &Panel) -> Result<(), Stop> {
        let key = self.key(check);
        if self.doer.handle.is_none() && matches!(self.cause, Cause::Action(_)) {
            let needs = "to know who acts, since nobody judges his own act; say it in `actor`".to_owned();
            return Err(Stop::Unavailable { guard: check.name(), needs });
        }
        if self.is_his_own_judge(&panel.who) && self.answered(check).is_none() {
            let by = Some(Handle::user());
            self.find(check, Asked::Participant, by, None);
        }
        let agreed = self.findings.iter().filter(|finding| finding.check == key && finding.pass).count();
        if agreed >= needed(panel.quorum) {
            return Ok(());
        }
        let has_answered =
            |who: &Handle| self.findings.iter().any(|one| one.check == key && one.by.as_ref() == Some(who));
        let asks = self.judges(&panel.who);
        if agreed + asks.iter().filter(|who| !has_answered(who)).count() < needed(panel.quorum) {
            let needs = match needed(panel.quorum) {
                1 => "an answer of somebody other than the actor".to_owned(),
                many => format!("answers of {many} other than the actor"),
            };
            return Err(Stop::Unavailable { guard: check.name(), needs });
        }
        let expires = panel.expires_minutes.map(|minutes| self.now + TimeDelta::minutes(minutes.into()));
        Err(Stop::Panel(Box::new(Question {
            check: key,
            guard: check.name(),
            asks,
            quorum: panel.quorum,
            text: panel.question.clone(),
            expires,
            target: self.target.clone(),
            findings: self.counted(),
        })))
    }

    fn edge(&mut self, check: &Check<'_>, whom: Whom, question: &str, policy: &Policy) -> Result<(), Stop> {
        if self.answered(check).is_some() {
            return Ok(());
        }
        let demand = self.demand(check, whom, question);
        let can_ask = self.can_ask(&demand.whom);
        let is_of_program = matches!(demand.whom, Whom::Command(_));
        // Nobody speaks for a program, nor for a model that there is not.
        let answers = |verdict: &&Verdict| {
            can_ask && verdict.demand == demand.id && verdict.is_of_program == is_of_program
        };
        if let Some(verdict) = self.verdicts.iter().find(answers) {
            let asked = match demand.whom {
                Whom::Form => Asked::Form,
                Whom::Sampling => Asked::Sampling,
                Whom::Command(_) => Asked::Command,
            };
            if !verdict.pass {
                return Err(Stop::Refused(self.no(check, &demand.whom, verdict)));
            }
            self.find(check, asked, self.speaker(&demand.whom), verdict.reason.clone());
            return Ok(());
        }
        if can_ask {
            return Err(match (self.reach, &demand.whom) {
                (Reach::Only(_), _) | (Reach::Programs(_), Whom::Command(_)) => Stop::Ask(Box::new(demand)),
                _ => Stop::NotNow(self.findings.clone()),
            });
        }
        self.unavailable(check, needs(&demand.whom), policy)
    }

    /// Why a guard can never be passed: it asks a program that is not there.
    pub(super) fn missing_program(&self, check: &Check<'_>, guard: &Guard, policy: &Policy) -> Option<Stop> {
        let Guard::Command { name, .. } = guard else { return None };
        let whom = Whom::Command(name.clone());
        let is_refused = policy.unavailable == Unavailable::Refuse;
        (is_refused && !self.can_ask(&whom) && self.answered(check).is_none())
            .then(|| Stop::Unavailable { guard: check.name(), needs: needs(&whom) })
    }

    fn demand_id(&self, check: &Check<'_>, whom: &Whom) -> String {
        let (action, Doer { handle, is_person_verified }) = (self.cause.name(), self.doer);
        let key = self.key(check);
        mark(&json!([self.puzzle, self.entered_version, action, handle, is_person_verified, key, whom]))
    }

    fn demand(&self, check: &Check<'_>, whom: Whom, question: &str) -> Demand {
        Demand {
            id: self.demand_id(check, &whom),
            whom,
            question: question.to_owned(),
            guard: check.name(),
            state: self.state.to_owned(),
            action: self.cause.name(),
            target: self.target.clone(),
            actor: self.doer.handle.cloned(),
            entered_version: self.entered_version,
        }
    }

    fn unavailable(&mut self, check: &Check<'_>, needs: String, policy: &Policy) -> Result<(), Stop> {
        if policy.unavailable == Unavailable::Refuse {
            return Err(Stop::Unavailable { guard: check.name(), needs });
        }
        if self.answered(check).is_none() {
            self.find(check, Asked::Nobody, None, Some(format!("it needs {needs}")));
        }
        Ok(())
    }

    /// Keeps that a guard lets it pass.
    fn find(&mut self, check: &Check<'_>, asked: Asked, by: Option<Handle>, reason: Option<String>) {
        let verified = by.is_some() && by.as_ref() == self.doer.handle && self.doer.is_person_verified;
        self.findings.push(Finding {
            check: self.key(check),
            guard: check.name(),
            asked,
            by,
            verified,
            pass: true,
            reason,
            at: self.now,
        });
    }

    fn key(&self, check: &Check<'_>) -> String {
        check.key(&self.way)
    }

    fn answered(&self, check: &Check<'_>) -> Option<&Finding> {
        let key = self.key(check);
        self.findings.iter().find(|finding| finding.check == key)
    }

    /// Those of `who` who may judge: the actor may not, but for a person who is verified.
    fn judges(&self, who: &[Handle]) -> Vec<Handle> {
        let is_judge =
            |who: &&Handle| self.is_his_own_judge(&[(*who).clone()]) || self.doer.handle != Some(*who);
        who.iter().filter(is_judge).cloned().collect()
    }

    /// Whether `@user` acts himself and is asked.
    fn is_his_own_judge(&self, who: &[Handle]) -> bool {
        let user = Handle::user();
        self.doer.is_person_verified && self.doer.handle == Some(&user) && who.contains(&user)
    }

    /// Whether the edge can ask them, now or later as far as is known.
    fn can_ask(&self, whom: &Whom) -> bool {
        match (self.reach, whom) {
            (Reach::Only(may), Whom::Form) => may.form,
            (Reach::Only(may), Whom::Sampling) => may.sampling,
            (Reach::Only(May { commands, .. }), Whom::Command(name)) => commands.contains(name),
            (Reach::Programs(programs), Whom::Command(name)) => programs.contains(name),
            (Reach::Nobody, Whom::Command(_)) => true,
            // Nobody comes for a timer.
            (Reach::Programs(_) | Reach::Nobody, _) => matches!(self.cause, Cause::Action(_)),
        }
    }
}

/// What is needed to ask somebody at the edge.
fn needs(whom: &Whom) -> String {
    match whom {
        Whom::Form => "a client that shows forms".to_owned(),
        Whom::Sampling => "a client with a model that can be asked".to_owned(),
        Whom::Command(name) => format!("the command `{name}` in the hub's configuration"),
    }
}
