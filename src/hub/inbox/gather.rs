//! What waits for people in one room: what its log tells, and what only the hub knows, who waits in a call and
//! whether the note can be written.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::hub::error::HubError;
use crate::hub::item::{Asked, Item, Want};
use crate::hub::live::{LiveRoom, Locked};
use crate::hub::registry::Entry;
use crate::hub::shared::Shared;
use crate::hub::{codec, notice};
use crate::journal::Version;
use crate::room::{Act, Handle, Need, Needed, Now, Participant, Phase};

/// An agent that has the floor and waits may only be about to speak: so long is not yet worth a word.
const YOUNG: Duration = Duration::from_secs(30);

/// What waits in one room.
pub(super) struct Gathered {
    pub items: Vec<Item>,
    /// Whether it has to be looked at again, although nothing may happen.
    pub is_young: bool,
}

/// A room that cannot be read now. What was known of it still holds.
pub(super) struct NotGathered;

/// How a room stands, as far as people are needed.
#[derive(Default)]
struct Standing {
    topic: String,
    needs: Vec<Need>,
    /// The place in the log just before each message that asks.
    asked: BTreeMap<u64, Version>,
    others: Vec<Item>,
    is_young: bool,
}

impl Shared {
    /// Looks at one room. What was known `before` need not be read again.
    pub(super) async fn gather(
        self: &Arc<Self>,
        entry: &Entry,
        before: Vec<Item>,
    ) -> Result<Gathered, NotGathered> {
        let live = self.room(entry);
        let mut standing = self.standing(&live).await?;
        let is_at_work = |need: &Need| match &need.what {
            Needed::Delivery { handle } => live.bells.is_at_work(handle),
            _ => false,
        };
        standing.needs.retain(|need| !is_at_work(need));
        let mut items = Vec::new();
        for need in standing.needs {
            let asked = match &need.what {
                Needed::Answer { seq, .. } => {
                    self.asked(&live, *seq, standing.asked.get(seq).copied(), &before).await?
                }
                _ => Asked::default(),
            };
            items.push(Item::of(&live.id, &standing.topic, need, asked));
        }
        items.extend(standing.others);
        Ok(Gathered { items, is_young: standing.is_young })
    }

    /// Nothing of a room that is damaged or gone: `doctor` tells of it.
    async fn standing(&self, live: &LiveRoom) -> Result<Standing, NotGathered> {
        let room = live.lock_as_it_is(self).await;
        if room.is_loaded() {
            return Ok(room.standing(self.clock.now()));
        }
        drop(room);
        let brief = match live.brief(self).await {
            Ok(brief) => brief,
            Err(HubError::RoomDamaged { .. } | HubError::NoSuchRoom(..)) => return Ok(Standing::default()),
            Err(_) => return Err(NotGathered),
        };
        Ok(Standing {
            topic: brief.topic.clone(),
            needs: brief.needs.clone(),
            asked: brief.asked.iter().map(|(seq, version)| (*seq, Version(*version))).collect(),
            ..Standing::default()
        })
    }

    /// The words of a question.
    async fn asked(
        &self,
        live: &LiveRoom,
        seq: u64,
        version_before: Option<Version>,
        before: &[Item],
    ) -> Result<Asked, NotGathered> {
        let known = before.iter().find_map(|item| match &item.want {
            Want::Question { seq: known, text, choices, is_private, .. } if *known == seq => {
                Some(Asked { text: text.clone(), choices: choices.clone(), is_private: *is_private })
            }
            _ => None,
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let version = version_before.ok_or(NotGathered)?;
        let read = self.journal.read(&live.stream, version, 1).await;
        let events = read.and_then(|page| codec::decode(&live.stream, &page)).map_err(|_| NotGathered)?;
        let message = events.iter().find_map(|(event, _)| notice::message(event)).ok_or(NotGathered)?;
        let is_private = message.is_private;
        Ok(Asked { text: message.content, choices: message.choices, is_private })
    }
}

impl Locked<'_> {
    fn standing(&self, now: Now) -> Standing {
        let room = self.room();
        let (needs, asked) = self.needs();
        let mut standing = Standing { topic: room.topic().to_owned(), needs, asked, ..Standing::default() };
        if standing.needs.is_empty() && room.phase() == Phase::Open {
            self.add_if_stuck(&mut standing, now);
        }
        if let Some(problem) = self.live.note.warning() {
            let whom = (room.keeper(), room.last_activity());
            let want = Want::NoteUnwritten { problem };
            standing.others.push(Item::new(&self.live.id, room.topic(), whom, want.kind(), want));
        }
        standing
    }

    /// Everybody waits, and nothing else says so.
    fn add_if_stuck(&self, standing: &mut Standing, now: Now) {
        let room = self.room();
        let why = room.why(&|handle| self.live.bells.is_waiting(handle));
        let Some(act) = why.act.filter(|_| why.is_stuck) else { return };
        let holder = room.turn().map(|turn| (&turn.handle, turn.since));
        let is_persons =
            holder.is_some_and(|(handle, _)| room.participant(handle).is_some_and(Participant::is_human));
        if !is_persons && self.live.silence(room.last_activity(), now) < YOUNG {
            standing.is_young = true;
            return;
        }
        if matches!(act, Act::See { .. }) {
            let needs = room.stranded().map(|(since, stranded)| Need {
                to: room.keeper(),
                since,
                what: Needed::Puzzle(stranded),
            });
            standing.needs.extend(needs);
            return;
        }
        let is_agent = |handle: &Handle| {
            room.participant(handle).is_some_and(|member| !member.is_human() && member.is_here())
        };
        let waiting = self.live.bells.waiting().into_iter().filter(is_agent).collect();
        let since = holder.map_or(room.last_activity(), |(_, since)| since);
        let want = Want::Stuck { waiting, act };
        let key = format!("stuck/{}", room.last_seq());
        standing.others.push(Item::new(&self.live.id, room.topic(), (room.keeper(), since), &key, want));
    }
}
