//! Puzzles: their list, one with its machine and what has happened to it, and the form that adds one.

use askama::Template;

use super::{Drawing, Frame, Html, Moment, Name, Tone, Waiting};

/// The link to the list of puzzles, with how many there are. Its element is `#puzzles-link`.
#[derive(Clone, Copy, Debug, Default, Template)]
#[template(path = "puzzles_link.html")]
pub(in crate::web) struct PuzzlesLink {
    /// How many there are.
    pub(in crate::web) count: usize,
}

/// The list of puzzles.
#[derive(Clone, Debug, Template)]
#[template(path = "puzzles_page.html")]
pub(in crate::web) struct PuzzlesPage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What waits.
    pub(in crate::web) waiting: Waiting,
    /// The puzzles.
    pub(in crate::web) puzzles: Puzzles,
}

/// Puzzles in rows. Its element is `#puzzles`; a later part has no such id, for no news replaces it.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "puzzles.html")]
pub(in crate::web) struct Puzzles {
    /// The newest first.
    pub(in crate::web) rows: Vec<PuzzleRow>,
    /// The ids of those that cannot be read.
    pub(in crate::web) damaged: Vec<String>,
    /// Where older ones are.
    pub(in crate::web) older: Option<String>,
    /// Whether these are the newest.
    pub(in crate::web) is_first: bool,
}

/// One puzzle of a list.
#[derive(Clone, Debug)]
pub(in crate::web) struct PuzzleRow {
    /// The path of its page.
    pub(in crate::web) path: String,
    /// What it is called.
    pub(in crate::web) name: String,
    /// The state it is in.
    pub(in crate::web) state: String,
    /// Since when: [`Moment::lasting`].
    pub(in crate::web) since: Moment,
    /// Who has to act, but for a person.
    pub(in crate::web) called: Vec<Name>,
    /// Whether a person has to.
    pub(in crate::web) is_yours: bool,
    /// How many questions wait.
    pub(in crate::web) pending: usize,
    /// Whether it has ended.
    pub(in crate::web) is_over: bool,
}

/// The puzzles that live in a room, on its page. Its element is `#puzzles-here`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "puzzles_here.html")]
pub(in crate::web) struct PuzzlesHere {
    /// They.
    pub(in crate::web) puzzles: Vec<PuzzleRow>,
}

/// One puzzle.
#[derive(Clone, Debug, Template)]
#[template(path = "puzzle.html")]
pub(in crate::web) struct PuzzlePage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What waits.
    pub(in crate::web) waiting: Waiting,
    /// Its id.
    pub(in crate::web) puzzle: String,
    /// What it is called.
    pub(in crate::web) name: String,
    /// What it is for.
    pub(in crate::web) description: Option<Html>,
    /// Who added it.
    pub(in crate::web) creator: Option<Name>,
    /// When.
    pub(in crate::web) made: Moment,
    /// The room in which its turns are taken.
    pub(in crate::web) room: Option<String>,
    /// What is odd about a machine that was added just now, and where.
    pub(in crate::web) oddities: Vec<(String, Html)>,
    /// Where it stands.
    pub(in crate::web) state: PuzzleLine,
    /// What is asked of the person who has acted.
    pub(in crate::web) demand: Demand,
    /// What a person can do.
    pub(in crate::web) forms: PuzzleForms,
    /// The machine, if it is not too large to see.
    pub(in crate::web) drawing: Option<Drawing>,
    /// The machine in words.
    pub(in crate::web) ways: Ways,
    /// The machine for other programs.
    pub(in crate::web) mermaid: Mermaid,
    /// What has happened: the newest, or what was asked for, in order.
    pub(in crate::web) steps: Vec<Step>,
    /// The newest of them.
    pub(in crate::web) last: u64,
    /// Where what happened before these is.
    pub(in crate::web) older: Option<String>,
    /// Where what happened after these is.
    pub(in crate::web) newer: Option<String>,
}

/// Where a puzzle stands. Its element is `#status`.
#[derive(Clone, Debug, Template)]
#[template(path = "puzzle_line.html")]
pub(in crate::web) struct PuzzleLine {
    /// Its state.
    pub(in crate::web) state: String,
    /// What that is for.
    pub(in crate::web) description: Option<String>,
    /// The path of its document.
    pub(in crate::web) document: Option<String>,
    /// Since when: [`Moment::lasting`].
    pub(in crate::web) since: Moment,
    /// Who has to act, but for a person.
    pub(in crate::web) called: Vec<Name>,
    /// Whether a person has to.
    pub(in crate::web) is_yours: bool,
    /// When something happens by itself: [`Moment::left`].
    pub(in crate::web) due: Option<Moment>,
    /// How much has happened.
    pub(in crate::web) version: u64,
    /// Whether it has ended.
    pub(in crate::web) is_over: bool,
}

impl PuzzleLine {
    /// For the style sheet.
    fn look(&self) -> &'static str {
        match (self.is_over, self.is_yours) {
            (true, _) => "closed",
            (false, true) => "gathering",
            (false, false) => "open",
        }
    }

    /// What a screen reader says when it has changed.
    fn sentence(&self) -> String {
        let Self { state, .. } = self;
        if self.is_over {
            return format!("The puzzle has ended in {state}");
        }
        let mut whom: Vec<&str> = self.called.iter().map(|name| name.handle.as_str()).collect();
        if self.is_yours {
            whom.insert(0, "you");
        }
        if whom.is_empty() {
            format!("The puzzle is in {state}")
        } else {
            format!("The puzzle is in {state} and waits for {}", whom.join(", "))
        }
    }
}

/// What a person can do with a puzzle. Its element is `#decide`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "puzzle_forms.html")]
pub(in crate::web) struct PuzzleForms {
    /// The path of its page.
    pub(in crate::web) path: String,
    /// The token of the forms.
    pub(in crate::web) token: String,
    /// How much had happened when this was shown: an act is about what was seen.
    pub(in crate::web) version: u64,
    /// What is asked before actions go on.
    pub(in crate::web) guards: Vec<GuardCard>,
    /// What a person can do now.
    pub(in crate::web) actions: Vec<String>,
    /// What he cannot do now, and why.
    pub(in crate::web) others: Vec<(String, Html)>,
    /// Whether it has ended.
    pub(in crate::web) is_over: bool,
}

/// A question that an action waits for.
#[derive(Clone, Debug)]
pub(in crate::web) struct GuardCard {
    /// Its id.
    pub(in crate::web) guard: String,
    /// The action.
    pub(in crate::web) action: String,
    /// Who acts; nobody if time does.
    pub(in crate::web) actor: Option<Name>,
    /// Where it would go.
    pub(in crate::web) target: String,
    /// What is asked.
    pub(in crate::web) question: Html,
    /// Who has not answered yet.
    pub(in crate::web) asks: Vec<Name>,
    /// Who has.
    pub(in crate::web) answers: Vec<Answer>,
    /// How many have to agree, if it is more than one.
    pub(in crate::web) needed: Option<usize>,
    /// Until when: [`Moment::left`].
    pub(in crate::web) expires: Option<Moment>,
    /// Whether a person is asked.
    pub(in crate::web) is_yours: bool,
    /// Whether all have agreed: it goes on by itself, or its actor has to act once more.
    pub(in crate::web) has_passed: bool,
    /// A reason that was not taken, so that it is not lost.
    pub(in crate::web) reason: String,
}

/// What somebody has said to a guard.
#[derive(Clone, Debug)]
pub(in crate::web) struct Answer {
    /// Who or what: a handle, or words.
    pub(in crate::web) by: String,
    /// Whether it may go on.
    pub(in crate::web) pass: bool,
    /// Whether a person vouches for it.
    pub(in crate::web) is_verified: bool,
    /// Why.
    pub(in crate::web) reason: Option<Html>,
}

/// What is asked of the person who has acted, before it is done. Its element is `#demand`; mostly there is nothing.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "puzzle_demand.html")]
pub(in crate::web) struct Demand {
    /// The question.
    pub(in crate::web) question: Option<Question>,
}

/// A question to the person who has acted.
#[derive(Clone, Debug)]
pub(in crate::web) struct Question {
    /// The path of the puzzle's page.
    pub(in crate::web) path: String,
    /// The token of the form.
    pub(in crate::web) token: String,
    /// How much had happened when the person acted.
    pub(in crate::web) version: u64,
    /// The action.
    pub(in crate::web) action: String,
    /// Where it leads.
    pub(in crate::web) target: String,
    /// What is asked.
    pub(in crate::web) words: Html,
    /// For which move of the puzzle it is asked.
    pub(in crate::web) entered_version: u64,
    /// Its id.
    pub(in crate::web) demand: String,
    /// What was said to earlier questions, as JSON.
    pub(in crate::web) said: String,
}

/// A machine in words: for whoever does not see the drawing, and for what is not in it. Its element is `#ways`.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "ways.html")]
pub(in crate::web) struct Ways {
    /// The states.
    pub(in crate::web) states: Vec<StateRow>,
    /// Whether it stands beside a drawing.
    pub(in crate::web) is_beside: bool,
}

/// A state in words.
#[derive(Clone, Debug)]
pub(in crate::web) struct StateRow {
    /// Its dotted path.
    pub(in crate::web) state: String,
    /// What it is: the beginning, an end, a way back.
    pub(in crate::web) kind: Option<&'static str>,
    /// What it is for.
    pub(in crate::web) description: Option<String>,
    /// The path of its document.
    pub(in crate::web) document: Option<String>,
    /// Who gets the floor in it.
    pub(in crate::web) who: Vec<String>,
    /// What must hold before it is left or entered.
    pub(in crate::web) guards: Vec<String>,
    /// What leads out of it.
    pub(in crate::web) ways: Vec<WayRow>,
}

/// A way in words.
#[derive(Clone, Debug)]
pub(in crate::web) struct WayRow {
    /// What takes it.
    pub(in crate::web) name: String,
    /// Where it leads.
    pub(in crate::web) target: String,
    /// Who may take it, what must hold, what it is for.
    pub(in crate::web) notes: Vec<String>,
}

/// A machine as text of Mermaid. Its element is `#mermaid`.
#[derive(Clone, Debug, Template)]
#[template(path = "mermaid.html")]
pub(in crate::web) struct Mermaid {
    /// The text.
    pub(in crate::web) text: String,
}

/// One thing that has happened to a puzzle, as an `<li>`. Its element has its version as id.
#[derive(Clone, Debug, Template)]
#[template(path = "puzzle_step.html")]
pub(in crate::web) struct Step {
    /// How much had happened with it.
    pub(in crate::web) version: u64,
    /// What it was: an action, or words.
    pub(in crate::web) what: String,
    /// From which state to which.
    pub(in crate::web) way: Option<(String, String)>,
    /// Through which states `always` has led.
    pub(in crate::web) through: Vec<String>,
    /// Who did it.
    pub(in crate::web) actor: Option<Name>,
    /// When: [`Moment::clock`].
    pub(in crate::web) at: Moment,
    /// What it comes to.
    pub(in crate::web) outcome: Option<(Tone, String)>,
    /// Whether a person vouches for it.
    pub(in crate::web) is_verified: bool,
    /// Words that came with it: a question, a reason.
    pub(in crate::web) words: Option<Html>,
    /// What was said to its guards.
    pub(in crate::web) answers: Vec<Answer>,
    /// Guards that nobody could be asked about.
    pub(in crate::web) unguarded: Vec<String>,
    /// What it put into the context, as JSON.
    pub(in crate::web) more: Option<String>,
}

/// The form that adds a puzzle.
#[derive(Clone, Debug, Template)]
#[template(path = "new_puzzle.html")]
pub(in crate::web) struct NewPuzzlePage {
    /// What is around it.
    pub(in crate::web) frame: Frame,
    /// What waits.
    pub(in crate::web) waiting: Waiting,
    /// What was filled in, when it was refused.
    pub(in crate::web) form: NewPuzzle,
    /// What is wrong with the machine: where, and what.
    pub(in crate::web) faults: Vec<(String, Html)>,
    /// A machine to begin with.
    pub(in crate::web) example: &'static str,
}

/// What is filled in.
#[derive(Clone, Debug, Default)]
pub(in crate::web) struct NewPuzzle {
    /// The machine, as JSON.
    pub(in crate::web) machine: String,
    /// What it is called.
    pub(in crate::web) name: String,
    /// The room in which its turns are taken.
    pub(in crate::web) room: String,
    /// The same form sent again adds the same puzzle.
    pub(in crate::web) request_id: String,
}
