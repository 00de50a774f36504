//! The words of an item: what is wanted, more about it, and the command that does it.

use super::{Item, Want};
use crate::hub::tasks::SettingsFault;
use crate::room::{Handle, Stranded, one_line};
use crate::task::{Decision, Proposal, Status};

impl Item {
    fn title_of_guard(&self, puzzle: &str, action: &str, actor: Option<&Handle>) -> String {
        match actor {
            Some(actor) => format!("{actor} wants to do {action} on puzzle {puzzle}{}", self.and_waits()),
            None if self.to == Handle::user() => format!("puzzle {puzzle} waits for your word: {action}"),
            None => format!("puzzle {puzzle} waits for {}: {action}", self.to),
        }
    }

    /// What is wanted, in one line.
    #[must_use]
    pub fn title(&self) -> String {
        let room = &self.room;
        match &self.want {
            Want::Question { asker, .. } => format!("{asker} asks {} in {room}", self.to),
            Want::Barrier { missing } => format!("{room} waits for {}", names(missing)),
            Want::Paused { .. } => format!("{room} is paused"),
            Want::Stuck { .. } => format!("everybody waits in {room}"),
            Want::Undelivered { handle } => format!("{handle} does not answer in {room}"),
            Want::Stranded(stranded) => title_of_stranded(stranded),
            Want::Decision { task, proposals, status, .. } => title_of_decision(task, proposals, *status),
            Want::Attention { task, .. } => format!("task {task} needs a look"),
            Want::TaskTurn { task, role, handle, .. } if *handle == self.to => {
                format!("it is your turn ({role}) in task {task}")
            }
            Want::TaskTurn { task, role, handle, .. } => {
                format!("it is the turn of {handle} ({role}) in task {task}")
            }
            Want::StartFailed { task, role, handle, .. } => {
                format!("{handle} ({role}) was started for task {task}, and has not done its part")
            }
            Want::WentRound { task, times, .. } => {
                format!("the agents of task {task} went round {times} times without you")
            }
            Want::RunsOn { task, role, handle, .. } => {
                format!(
                    "{handle} ({role}) still runs for an earlier turn of task {task}, and it is its turn again"
                )
            }
            Want::Stalled { task, minutes: 1, .. } => format!("task {task}: nothing for a minute"),
            Want::Stalled { task, minutes, .. } => format!("task {task}: nothing for {minutes} minutes"),
            Want::Blocked { task, role, handle, .. } => {
                format!("{handle} ({role}) is blocked in task {task}")
            }
            Want::Stopped { task, role, handle, .. } => {
                format!("{handle} ({role}) stopped without publishing in task {task}")
            }
            Want::TaskDamaged { task, .. } => format!("the log of task {task} is damaged"),
            Want::PuzzleDamaged { puzzle, .. } => format!("the log of puzzle {puzzle} is damaged"),
            Want::Guard { puzzle, action, actor, .. } => self.title_of_guard(puzzle, action, actor.as_ref()),
            Want::NoteUnwritten { .. } => format!("the transcript of {room} cannot be written"),
            Want::Settings(_) => "your settings have a fault".to_owned(),
        }
    }

    /// For whom it waits, if that is another person than the usual one.
    fn and_waits(&self) -> String {
        if self.to == Handle::user() { String::new() } else { format!(" and waits for {}", self.to) }
    }

    /// More about it, in a sentence or in the words of who asks.
    #[must_use]
    pub fn body(&self) -> String {
        match &self.want {
            Want::Question { text, .. } => text.clone(),
            Want::Barrier { .. } => "Start without those missing, or wait on.".to_owned(),
            Want::Paused { reason } => reason.sentence(),
            Want::Stuck { waiting, .. } if waiting.is_empty() => {
                "Nobody has the turn, and nobody is about to speak.".to_owned()
            }
            Want::Stuck { waiting, .. } => {
                let wait = if waiting.len() == 1 { "waits" } else { "wait" };
                format!("{} {wait} for a word; nobody else can move the room.", names(waiting))
            }
            Want::Undelivered { .. } => {
                "It was called long ago and is not here. Start it again, or remove it.".to_owned()
            }
            Want::Stranded(stranded) => body_of_stranded(stranded),
            Want::Decision { version, .. } => {
                let first = format!("{}, at record {version}.", self.topic);
                [vec![first], self.about_decision()].concat().join("\n")
            }
            Want::Attention { warnings, .. } => {
                let words = warnings
                    .iter()
                    .map(|warning| format!("Record {}: {}", warning.version, warning.code.message()));
                words.collect::<Vec<_>>().join("\n")
            }
            Want::TaskTurn { .. }
            | Want::StartFailed { .. }
            | Want::WentRound { .. }
            | Want::RunsOn { .. }
            | Want::Stalled { .. }
            | Want::Blocked { .. }
            | Want::Stopped { .. } => self.body_of_agent(),
            Want::TaskDamaged { problem, .. } => {
                format!("{problem}. Nothing is started in it. `turnroom doctor` says what can be done.")
            }
            Want::PuzzleDamaged { puzzle, problem } => {
                format!("{problem}. `turnroom doctor` says what can be done; {}", giving_up(puzzle))
            }
            Want::Guard { question, state, target, .. } => {
                format!("{question}\nIt would go from {state} to {target}.")
            }
            Want::Settings(SettingsFault { file, line, problem }) => {
                let line = line.map_or_else(String::new, |line| format!(", line {line}"));
                let until = "Until that is mended, the hub goes on with the settings that it has.";
                format!("{}{line}: {problem}. {until}", file.display())
            }
            Want::NoteUnwritten { problem } => problem.clone(),
        }
    }

    /// Where a decision is wanted: why it is proposed, what else is, and what can be done about it.
    #[must_use]
    pub fn about_decision(&self) -> Vec<String> {
        let Want::Decision { task, proposals, is_own, .. } = &self.want else { return Vec::new() };
        let mut lines = Vec::new();
        if let Some((newest, others)) = proposals.split_last() {
            lines.extend(newest.reason.clone());
            lines.extend(others.iter().rev().map(|other| match &other.reason {
                Some(reason) => format!("{} it: {reason}", proposal(other)),
                None => format!("{} it.", proposal(other)),
            }));
        }
        match self.decision() {
            Some(Decision::Close) if *is_own && self.is_at_gate() => lines.push(
                "You have done work in it: another person approves it. You may reject it, or close it.".to_owned(),
            ),
            None => lines.push(format!(
                "Where it stands now it can only be closed: `turnroom task decide {task} close`. To let it go on, take note \
                 of what is proposed."
            )),
            Some(_) => {}
        }
        lines
    }

    /// The decision that fits what is wanted: what is proposed, if a person can decide so now. None: nothing can be decided
    /// that was proposed.
    fn decision(&self) -> Option<Decision> {
        let Want::Decision { proposals, is_own, .. } = &self.want else { return None };
        let usual = if self.is_at_gate() { Decision::Approve } else { Decision::Close };
        match proposals.last().map_or(usual, |newest| newest.decision) {
            Decision::Approve | Decision::Reject if !self.is_at_gate() => None,
            Decision::Approve if *is_own => Some(Decision::Close),
            decision => Some(decision),
        }
    }

    fn is_at_gate(&self) -> bool {
        matches!(self.want, Want::Decision { status: Status::PendingApproval, .. })
    }

    /// The same, where an agent has to be looked after that does not go on.
    fn body_of_agent(&self) -> String {
        match &self.want {
            Want::TaskTurn { handle, .. } if *handle == self.to => {
                format!("You play this part. Do it, and say so with `turnroom task publish`: {}.", self.topic)
            }
            Want::TaskTurn { handle, .. } => {
                format!("{handle} is not here. Start it, or tell it to go on: {}.", self.topic)
            }
            Want::StartFailed { attempts, is_half_done, words, .. } => {
                let done = if *is_half_done {
                    "It published something that did not end its turn.".to_owned()
                } else {
                    let times = if *attempts == 1 { "once".to_owned() } else { format!("{attempts} times") };
                    format!(
                        "It was started {times} in this turn, and published nothing. Nobody starts it now but you."
                    )
                };
                if words.is_empty() { done } else { format!("{done} Its last words:\n{words}") }
            }
            Want::WentRound { role, handle, .. } => format!(
                "It is the turn of {handle} ({role}), and nobody is started any more. Look at what they do; a note of \
                 yours (role human) lets them go on."
            ),
            Want::RunsOn { .. } => {
                "Nobody is started beside it. Look whether it works; else end it, and start it for this turn."
                    .to_owned()
            }
            Want::Stalled { role, handle, .. } => format!("It is the turn of {handle} ({role})."),
            Want::Blocked { task, reason, can_start, .. } => {
                let again = format!(" `turnroom task start-next {task} --force` starts it again.");
                let again = if *can_start { again.as_str() } else { "" };
                said(reason.as_deref(), &format!("Answer it where it works, or in the room.{again}"))
            }
            Want::Stopped { reason, .. } => {
                said(reason.as_deref(), "It is still its turn. Tell it to go on, or start it again.")
            }
            _ => String::new(),
        }
    }

    /// The command that does it in a terminal. Handles and rooms need no quotes.
    #[must_use]
    pub fn command(&self) -> String {
        let (room, to) = (&self.room, &self.to);
        let person = if *to == Handle::user() { String::new() } else { format!(" --as {to}") };
        match &self.want {
            Want::Question { seq, .. } => format!("turnroom answer {room}#{seq} '…'{person}"),
            Want::Barrier { .. } => format!("turnroom start {room}"),
            Want::Paused { .. } => format!("turnroom resume {room}"),
            Want::Stuck { act, .. } => act.command_line(room),
            Want::Undelivered { .. } => format!("turnroom why {room}"),
            Want::Stranded(Stranded { puzzle, .. }) => format!("turnroom puzzle show {puzzle}"),
            Want::Decision { task, version, .. } => match self.decision() {
                Some(Decision::Reject) => {
                    format!("turnroom task decide {task} reject --reason '…' --expected-version {version}")
                }
                Some(decision) => {
                    let decision = decision.as_str();
                    format!("turnroom task decide {task} {decision} --expected-version {version}")
                }
                None => format!("turnroom task ack {task} --expected-version {version}"),
            },
            Want::Attention { task, version, .. } => {
                format!("turnroom task ack {task} --expected-version {version}")
            }
            Want::TaskTurn { task, handle, .. } if *handle == self.to => format!("turnroom task read {task}"),
            Want::TaskTurn { task, can_start: true, .. } | Want::Stopped { task, can_start: true, .. } => {
                format!("turnroom task start-next {task}")
            }
            Want::Blocked { handle, .. } if !room.is_empty() => format!("turnroom say {room} '{handle} …'"),
            Want::StartFailed { task, can_start: true, .. } | Want::RunsOn { task, can_start: true, .. } => {
                format!("turnroom task start-next {task} --force")
            }
            Want::TaskTurn { task, .. }
            | Want::StartFailed { task, .. }
            | Want::WentRound { task, .. }
            | Want::RunsOn { task, .. }
            | Want::Stalled { task, .. }
            | Want::Blocked { task, .. }
            | Want::Stopped { task, .. } => format!("turnroom task read {task}"),
            Want::TaskDamaged { .. } | Want::PuzzleDamaged { .. } | Want::NoteUnwritten { .. } => {
                "turnroom doctor".to_owned()
            }
            Want::Guard { puzzle, guard, .. } => {
                format!("turnroom puzzle answer {puzzle} {guard} pass{person}")
            }
            Want::Settings(_) => "turnroom config show".to_owned(),
        }
    }
}

/// What an agent says, and what is to be done.
fn said(reason: Option<&str>, advice: &str) -> String {
    reason.map_or_else(|| advice.to_owned(), |reason| format!("{reason}\n{advice}"))
}

fn title_of_stranded(stranded: &Stranded) -> String {
    let Stranded { puzzle, handles, have_left } = stranded;
    let is_one = handles.len() == 1;
    let how = match (have_left, is_one) {
        (true, true) => "has left",
        (true, false) => "have left",
        (false, true) => "is not here",
        (false, false) => "are not here",
    };
    format!("puzzle {puzzle} waits for {}, who {how}", names(handles))
}

fn body_of_stranded(stranded: &Stranded) -> String {
    format!("Start the agent again, or act on the puzzle yourself; {}", giving_up(&stranded.puzzle))
}

/// For puzzles that cannot go on.
fn giving_up(puzzle: &str) -> String {
    format!("`turnroom puzzle remove {puzzle}` gives it up.")
}

fn title_of_decision(task: &str, proposals: &[Proposal], status: Status) -> String {
    match (proposals.last(), status) {
        (Some(newest), _) => format!("{} task {task}", proposal(newest)),
        (None, Status::Approved) => format!("task {task} is approved, and not closed"),
        (None, _) => format!("task {task} waits for your decision"),
    }
}

/// Who proposes what, in the words of a title: what is said in the name of the person is marked, since nobody vouches
/// for it.
fn proposal(proposal: &Proposal) -> String {
    let by = one_line(&proposal.by);
    let is_persons = Handle::parse(&by).is_ok_and(|handle| handle == Handle::user());
    let mark = if is_persons { " (not verified)" } else { "" };
    format!("{by}{mark} proposes to {}", proposal.decision.as_str())
}

/// Some of many.
fn names(handles: &[Handle]) -> String {
    const NAMED: usize = 3;
    let mut names: Vec<_> = handles.iter().take(NAMED).map(ToString::to_string).collect();
    if handles.len() > NAMED {
        names.push(format!("{} more", handles.len() - NAMED));
    }
    names.join(", ")
}
