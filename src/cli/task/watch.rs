//! `turnroom task watch`: what is published in a task, as it comes, until somebody else has to act.

use std::io;

use clap::Args;
use serde_json::{Value, json};

use super::super::ask;
use super::super::call::Call;
use super::super::ending::Ending;
use super::super::failure::Failure;
use super::super::follow::{Follower, ROUND_SECONDS};
use super::super::options::{Looks, Output, number, seconds_value};
use super::super::{screen, show};
use super::Which;
use super::status::state_of;
use crate::paths::DataFolder;

/// Print what is published in a task, until somebody else has to act
#[derive(Debug, Args)]
#[command(after_help = "\
It goes on when the hub restarts; Ctrl-C ends it. With --json each line is an object: {\"event\": \"record\", \"record\":
{…}}, and at the end {\"event\": \"boundary\" | \"over\" | \"attention\", \"task\": {…}}.

Exit codes: 0 the task waits for somebody else, or for the role that is named; 2 it is closed; 3 a person must look at
its warnings; 1 refused. Words that make no sense end with 2 too, and no hub with 3, before anything is printed.

  turnroom task watch new-parser --role executor    as a background command whose end wakes an agent
  turnroom task watch new-parser --follow           until it is closed")]
pub(super) struct Watch {
    #[command(flatten)]
    which: Which,
    /// Begin with the records from here on [default: with what comes]
    #[arg(long, value_name = "N", value_parser = number::<u64>)]
    since_version: Option<u64>,
    /// End only when it is the turn of this role, also if it is now
    #[arg(long, value_parser = ["architect", "executor", "reviewer"])]
    role: Option<String>,
    /// Go on when somebody else has to act, until the task is closed
    #[arg(long, conflicts_with = "role")]
    follow: bool,
    #[command(flatten)]
    looks: Looks,
    #[command(flatten)]
    output: Output,
}

impl Watch {
    pub(super) async fn run(&self, folder: &DataFolder) -> Result<Ending, Failure> {
        let mut follower = Follower::new(folder);
        let first = follower.ask(&state_of(&self.which.task)).await?;
        if !self.output.json {
            screen::tell(&show::task_line(&first, self.looks.look()))?;
        }
        let newest = first["version"].as_u64().unwrap_or_default();
        let mut next = self.since_version.unwrap_or(newest + 1);
        loop {
            let state = self.tell_records(&mut follower, &mut next).await?;
            if let Some((event, ending)) = self.ended(&first, &state) {
                self.tell_end(event, &state)?;
                return Ok(ending);
            }
            self.wait(&mut follower, state["version"].as_u64().unwrap_or_default()).await?;
        }
    }

    /// Prints what is new; gives how the task stands then.
    async fn tell_records(&self, follower: &mut Follower<'_>, next: &mut u64) -> Result<Value, Failure> {
        loop {
            let call = Call::tool("context_read")
                .set("task_id", self.which.task.as_str())
                .set("since_version", (*next).max(1));
            let answer = follower.ask(&call).await?;
            for record in answer["versions"].as_array().into_iter().flatten() {
                self.tell_record(record)?;
                *next = record["version"].as_u64().map_or(*next, |version| version + 1);
            }
            if answer["next_since_version"].is_null() {
                return Ok(answer);
            }
        }
    }

    /// Comes back when something was published, or after a while.
    async fn wait(&self, follower: &mut Follower<'_>, version: u64) -> Result<(), Failure> {
        let call = Call::tool("context_wait")
            .set("task_id", self.which.task.as_str())
            .set("after_version", version)
            .set("timeout_seconds", seconds_value(ROUND_SECONDS));
        match follower.ask(&call).await {
            // The next one is waited for.
            Err(Failure::Refused(error)) if error["code"] == "stopping" => Follower::pause().await,
            answer => {
                if answer?["timeout"] == true {
                    Follower::pause().await;
                }
            }
        }
        Ok(())
    }

    /// Why it is over, if it is.
    fn ended(&self, first: &Value, state: &Value) -> Option<(&'static str, Ending)> {
        if state["status"] == "closed" {
            return Some(("over", Ending::Over));
        }
        if self.follow {
            return None;
        }
        if state["needs_attention"] == true {
            return Some(("attention", Ending::Attention));
        }
        let is_due = match &self.role {
            Some(role) => state["waiting_for"] == format!("agent:{role}"),
            None => is_elsewhere(first, state),
        };
        is_due.then_some(("boundary", Ending::Done))
    }

    fn tell_record(&self, record: &Value) -> io::Result<()> {
        if self.output.json {
            return screen::print(&ask::json_line(&json!({ "event": "record", "record": record })));
        }
        screen::tell(&show::task_record(record, self.looks.look()))
    }

    fn tell_end(&self, event: &str, state: &Value) -> io::Result<()> {
        if !self.output.json {
            return screen::tell(&show::task_line(state, self.looks.look()));
        }
        let mut task = state.clone();
        if let Some(fields) = task.as_object_mut() {
            fields.remove("versions");
        }
        screen::print(&ask::json_line(&json!({ "event": event, "task": task })))
    }
}

/// Whether somebody else has to act, or had to for a moment. A decision alone leaves it with the person.
fn is_elsewhere(first: &Value, state: &Value) -> bool {
    let is_only_approved = first["status"] == "pending_approval" && state["status"] == "approved";
    first["waiting_for"] != state["waiting_for"] || (first["since"] != state["since"] && !is_only_approved)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        watch: Watch,
    }

    fn state(status: &str, waiting_for: &str, since: &str) -> Value {
        json!({ "status": status, "waiting_for": waiting_for, "since": since, "needs_attention": false })
    }

    fn ending(words: &[&str], first: &Value, now: &Value) -> Option<Ending> {
        let watch = Words::try_parse_from([&["x", "parser"], words].concat()).unwrap().watch;
        watch.ended(first, now).map(|(_, ending)| ending)
    }

    #[test]
    fn a_watch_ends_at_a_boundary_at_the_end_and_when_a_person_must_look() {
        let first = state("implementing", "agent:executor", "1");
        let reviewing = state("reviewing", "agent:reviewer", "2");
        let closed = state("closed", "none", "3");
        let mut odd = state("implementing", "human", "1");
        odd["needs_attention"] = json!(true);
        assert_eq!(ending(&[], &first, &first), None);
        assert_eq!(ending(&[], &first, &reviewing), Some(Ending::Done));
        assert_eq!(ending(&[], &first, &closed), Some(Ending::Over));
        assert_eq!(ending(&[], &first, &odd), Some(Ending::Attention));
        assert_eq!(ending(&["--follow"], &first, &reviewing), None);
        assert_eq!(ending(&["--follow"], &first, &odd), None);
        assert_eq!(ending(&["--follow"], &first, &closed), Some(Ending::Over));
    }

    #[test]
    fn a_round_that_passes_quickly_is_a_boundary_and_an_approval_alone_is_none() {
        let first = state("implementing", "agent:executor", "1");
        assert_eq!(ending(&[], &first, &state("revising", "agent:executor", "3")), Some(Ending::Done));
        let pending = state("pending_approval", "human", "4");
        assert_eq!(ending(&[], &pending, &state("approved", "human", "5")), None);
    }

    #[test]
    fn who_waits_for_its_role_is_told_also_if_its_turn_is_now() {
        let now = state("implementing", "agent:executor", "1");
        assert_eq!(ending(&["--role", "executor"], &now, &now), Some(Ending::Done));
        let reviewing = state("reviewing", "agent:reviewer", "2");
        assert_eq!(ending(&["--role", "executor"], &now, &reviewing), None);
    }
}
