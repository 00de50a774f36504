//! Programs that judge guards: what an action asks them, and what the hub asks them by itself, after an answer or when
//! time has passed. Never with a puzzle locked, and only so many at once.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex as PlainMutex};

use async_trait::async_trait;
use futures::future::BoxFuture;
use tokio::sync::Semaphore;

use super::plain;
use crate::hub::Hub;
use crate::hub::again::AGAIN;
use crate::hub::aggregate::Log;
use crate::hub::error::HubError;
use crate::hub::shared::Shared;
use crate::puzzle::machine::Unavailable;
use crate::puzzle::{Demand, Machine, Next, Programs, Puzzle, Refusal, Verdict, Warning, Whom};

/// So many programs run at once; the others wait for a place.
const AT_ONCE: usize = 8;

/// Runs the programs that judge guards, as the hub's configuration names them.
#[async_trait]
pub trait Judge: fmt::Debug + Send + Sync {
    /// The names of the programs.
    fn names(&self) -> Vec<String>;

    /// Asks one. It ends when nobody waits for it any more.
    async fn rule(&self, name: &str, puzzle: &str, demand: &Demand) -> Ruling;
}

/// What a program has said.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// Whether it may go on.
    pub pass: bool,
    /// Why.
    pub reason: Option<String>,
}

/// No programs.
#[derive(Debug)]
pub struct NoJudge;

#[async_trait]
impl Judge for NoJudge {
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    async fn rule(&self, name: &str, _puzzle: &str, _demand: &Demand) -> Ruling {
        Ruling { pass: false, reason: Some(format!("the hub's configuration names no `{name}`")) }
    }
}

/// What the hub does by itself.
#[derive(Debug)]
pub(super) struct AtWork {
    /// The puzzles in which it is at work.
    puzzles: PlainMutex<BTreeSet<String>>,
    places: Semaphore,
}

impl Default for AtWork {
    fn default() -> Self {
        Self { puzzles: PlainMutex::default(), places: Semaphore::new(AT_ONCE) }
    }
}

/// What comes of a look at what is next.
enum Happens {
    /// Nothing: the work is over.
    Nothing,
    /// Something has happened, and there may be more.
    More,
    /// A program has to be asked first.
    Asks(Box<Demand>),
}

impl Hub {
    /// What is odd about a machine here: the programs of its guards that the hub's configuration does not name.
    #[must_use]
    pub fn missing_programs(&self, machine: &Machine) -> Vec<Warning> {
        let names = self.shared.settings.judge.names();
        let missing = machine.programs().into_iter().filter(|name| names.iter().all(|known| known != name));
        let what = match machine.policy.unavailable {
            Unavailable::Refuse => "refuse",
            Unavailable::Allow => "let everything pass",
        };
        let warning = |name: &str| Warning {
            path: "config".to_owned(),
            problem: format!(
                "[puzzles.commands] of config.toml names no program `{name}`: until it does, the guards that ask it {what}"
            ),
        };
        missing.map(warning).collect()
    }
}

impl Shared {
    /// Asks the program that a demand is for.
    pub(super) async fn ask_program(&self, name: &str, puzzle: &str, demand: &Demand) -> Verdict {
        let _place = self.puzzles.at_work.places.acquire().await.expect("the places are never closed");
        let Ruling { pass, reason } = self.settings.judge.rule(name, puzzle, demand).await;
        Verdict {
            demand: demand.id.clone(),
            entered_version: demand.entered_version,
            pass,
            reason,
            is_of_program: true,
        }
    }

    /// Goes on in a puzzle, which is locked, if it can without its actor. The one that is at work there looks again
    /// after each step, so that nothing is missed.
    pub(super) fn go_on_by_itself(self: &Arc<Self>, puzzle: &Puzzle) {
        let programs = Programs { names: self.settings.judge.names(), verdicts: Vec::new() };
        let id = &puzzle.about().puzzle;
        if puzzle.go_on(&programs, self.clock.now().wall).is_none()
            || !plain(&self.puzzles.at_work.puzzles).insert(id.clone())
        {
            return;
        }
        let (stop, work) = (self.stop.clone(), Arc::clone(self).work_on(id.clone(), programs));
        self.tasks.spawn(async move { stop.run_until_cancelled(work).await });
    }

    fn work_on(self: Arc<Self>, id: String, mut programs: Programs) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            loop {
                match self.step(&id, &mut programs).await {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(error) => {
                        tracing::warn!(puzzle = %id, %error, "a puzzle cannot go on now");
                        if !error.is_of_a_disk() {
                            self.note_damage_of_puzzle(&id, &error);
                            plain(&self.puzzles.at_work.puzzles).remove(&id);
                            return;
                        }
                        tokio::time::sleep(AGAIN).await;
                    }
                }
            }
        })
    }

    /// One step, and whether there may be more.
    async fn step(self: &Arc<Self>, id: &str, programs: &mut Programs) -> Result<bool, HubError> {
        let live = match self.puzzle(id).await {
            Err(HubError::Puzzle { refusal: Refusal::Removed, .. }) => {
                plain(&self.puzzles.at_work.puzzles).remove(id);
                return Ok(false);
            }
            live => live?,
        };
        match self.whole(self.happen(&live, programs)).await? {
            Happens::Nothing => return Ok(false),
            Happens::More => {}
            Happens::Asks(demand) => {
                if let Whom::Command(name) = &demand.whom {
                    let verdict = self.ask_program(name, id, &demand).await;
                    programs.verdicts.push(verdict);
                }
            }
        }
        Ok(true)
    }

    /// What comes next happens, unless a program has to be asked first. If there is nothing, the work is over.
    async fn happen(
        self: &Arc<Self>,
        live: &Arc<Log<Puzzle>>,
        programs: &mut Programs,
    ) -> Result<Happens, HubError> {
        let now = self.clock.now().wall;
        let mut locked = live.lock(&*self.journal).await?;
        let entered = locked.state().entered_version();
        programs.verdicts.retain(|verdict| verdict.entered_version == entered);
        let mut next = None;
        let decided = locked.decide(now, |puzzle| {
            next = puzzle.go_on(programs, now);
            Ok::<_, HubError>(match &next {
                Some(Next::Happens(event)) => vec![(**event).clone()],
                Some(Next::Ask(_)) | None => Vec::new(),
            })
        });
        let events = decided.await?;
        Ok(match next {
            Some(Next::Ask(demand)) => Happens::Asks(demand),
            Some(Next::Happens(_)) => {
                self.puzzle_happened(live, &locked, &events).await;
                Happens::More
            }
            None => {
                self.puzzles.timers.set(&live.id, locked.state().due());
                plain(&self.puzzles.at_work.puzzles).remove(&live.id);
                Happens::Nothing
            }
        })
    }
}
