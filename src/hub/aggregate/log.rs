//! One aggregate in memory, and the one way to change it.

use std::ops::ControlFlow;
use std::sync::{Mutex as PlainMutex, PoisonError};

use chrono::{DateTime, Utc};
use tokio::sync::{Mutex, MutexGuard};

use super::Aggregate;
use crate::hub::changes::Changes;
use crate::hub::codec;
use crate::hub::error::HubError;
use crate::hub::pages;
use crate::journal::{AppendError, Journal, JournalError, StreamId, Version};

/// How often a decision is tried again when others append to the same stream.
const TRIES: usize = 16;

/// One aggregate in memory. It is loaded when it is locked.
#[derive(Debug)]
pub(in crate::hub) struct Log<A: Aggregate> {
    pub id: String,
    pub stream: StreamId,
    /// Changes with everything that happens.
    pub changes: Changes,
    /// Where things lie, as far as its stream was read.
    pub places: PlainMutex<A::Places>,
    inside: Mutex<Inside<A>>,
}

#[derive(Debug)]
struct Inside<A> {
    state: A,
    version: Version,
    /// Something may have been appended that is not applied.
    is_behind: bool,
}

/// A locked aggregate.
pub(in crate::hub) struct Locked<'a, A: Aggregate> {
    journal: &'a dyn Journal,
    log: &'a Log<A>,
    inside: MutexGuard<'a, Inside<A>>,
}

impl<A: Aggregate> Log<A> {
    pub(in crate::hub) fn new(id: String, stream: StreamId) -> Self {
        let inside = Inside { state: A::default(), version: Version::EMPTY, is_behind: true };
        let (changes, places) = (Changes::default(), PlainMutex::default());
        Self { id, stream, changes, places, inside: Mutex::new(inside) }
    }

    /// Locks it; it knows all that is in its stream by then.
    pub(in crate::hub) async fn lock<'a>(
        &'a self,
        journal: &'a dyn Journal,
    ) -> Result<Locked<'a, A>, HubError> {
        let mut locked = Locked { journal, log: self, inside: self.inside.lock().await };
        if locked.inside.is_behind {
            locked.catch_up().await?;
        }
        Ok(locked)
    }

    /// What has happened after a version, at most `limit` events; and from where to read on, if there may be more.
    pub(in crate::hub) async fn read(
        &self,
        journal: &dyn Journal,
        after: Version,
        limit: usize,
    ) -> Result<(Vec<(A::Event, Version)>, Option<Version>), HubError> {
        let page = journal.read(&self.stream, after, limit).await.map_err(|error| self.unread(error))?;
        let last = page.last().map(|last| last.version).filter(|_| page.len() == limit);
        let events = codec::decode::<A::Event>(&self.stream, &page).map_err(|error| self.unread(error))?;
        Ok((events, last))
    }

    fn apply(&self, state: &mut A, event: &A::Event, version: Version) {
        state.apply(event);
        A::place(&mut self.places.lock().unwrap_or_else(PoisonError::into_inner), event, version);
    }

    fn unread(&self, error: JournalError) -> HubError {
        match error {
            JournalError::Damaged { version, detail, .. } => self.damaged(version, detail),
            error @ JournalError::Unavailable { .. } => HubError::NotReadable(error),
        }
    }

    fn damaged(&self, version: Version, detail: String) -> HubError {
        HubError::LogDamaged { what: A::WHAT, id: self.id.clone(), version, detail }
    }
}

impl<A: Aggregate> Locked<'_, A> {
    pub(in crate::hub) fn state(&self) -> &A {
        &self.inside.state
    }

    /// Whether it was ever made.
    pub(in crate::hub) fn is_made(&self) -> bool {
        self.inside.version != Version::EMPTY
    }

    /// Decides, and stores what follows. Gives what happened: nothing, if nothing has to.
    pub(in crate::hub) async fn decide<E>(
        &mut self,
        now: DateTime<Utc>,
        mut decide: impl FnMut(&A) -> Result<Vec<A::Event>, E>,
    ) -> Result<Vec<A::Event>, HubError>
    where
        HubError: From<E>,
    {
        for _ in 0..TRIES {
            let events = decide(&self.inside.state)?;
            if self.commit(&events, now).await? {
                return Ok(events);
            }
        }
        Err(HubError::NotStored(AppendError::Conflict { actual: self.inside.version }))
    }

    /// Stores events, then applies them. Gives `false` when somebody else had appended: decide again.
    ///
    /// **Invariant (stored before told).**
    async fn commit(&mut self, events: &[A::Event], now: DateTime<Utc>) -> Result<bool, HubError> {
        if events.is_empty() {
            return Ok(true);
        }
        let encoded = events.iter().map(codec::encode).collect();
        // If the caller goes away while the disk works, whoever locks next reads on.
        self.inside.is_behind = true;
        match self.journal.append(&self.log.stream, self.inside.version, encoded, now).await {
            Ok(version) => {
                let before = self.inside.version;
                self.inside.version = version;
                self.inside.is_behind = false;
                for (number, event) in (1..).zip(events) {
                    self.log.apply(&mut self.inside.state, event, before.plus(number));
                }
                self.log.changes.happened();
                Ok(true)
            }
            Err(AppendError::Conflict { .. }) => self.catch_up().await.map(|()| false),
            Err(AppendError::Damaged { version, detail, .. }) => Err(self.log.damaged(version, detail)),
            Err(error) => Err(HubError::NotStored(error)),
        }
    }

    /// Reads on. That it is read at all for the first time is no change.
    async fn catch_up(&mut self) -> Result<(), HubError> {
        let (journal, log, is_known) = (self.journal, self.log, self.is_made());
        let read = pages::read_on(journal, &log.stream, self.inside.version, |page| {
            for (event, version) in codec::decode::<A::Event>(&log.stream, page)? {
                log.apply(&mut self.inside.state, &event, version);
            }
            self.inside.version = page.last().map_or(self.inside.version, |last| last.version);
            Ok(ControlFlow::Continue(()))
        });
        read.await.map_err(|error| log.unread(error))?;
        self.inside.is_behind = false;
        if is_known {
            log.changes.happened();
        }
        Ok(())
    }
}
