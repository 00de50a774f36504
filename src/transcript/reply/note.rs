//! One reply note and what becomes of it: tick, told, posted, cleared.
//!
//! A look reads the file once. What is new is acted on at a later look that finds the same, so that nothing is made of
//! a file that is only half written. Between the tick and the cleared note stands the hub; until it has posted or
//! refused, nothing is told twice, and after a crash the same answer has the same id.

use std::io;
use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::answers::{Unsent, answers};
use super::file::{self, Put, Seen, Sight};
use super::marks::{self, Gate, Marks};
use super::parse::{Parsed, parse};
use super::render::{Kept, render};
use super::{ReplyAnswer, ReplyDecision, ReplyEvent, ReplyGate, ReplyHead, ReplyPlace, Taking, reply_path};
use crate::transcript::aside;
use crate::transcript::disk::{self, Print};
use crate::transcript::held::{self, Held};

/// A text that is whole is believed when so many looks in a row have found it.
const LOOKS: u32 = 2;
/// A file that is empty, gone, or without its end may be about to be written.
const MANY_LOOKS: u32 = 12;

pub(super) struct Note {
    place: ReplyPlace,
    path: PathBuf,
    wish: Option<ReplyHead>,
    /// The newest message that is known to be in the room.
    base: u64,
    /// What we wrote last, and its marks as they stand in it. There is a note for each open room: all this is small.
    ours: Option<(Sight, String)>,
    /// What stood there at the last look, and at how many looks in a row.
    seen: Option<(Sight, u32)>,
    print: Option<Print>,
    asked: Option<Asked>,
    unsent: Option<Unsent>,
    /// Whether the file is a note of ours, whatever stands in it.
    is_ours_there: bool,
    is_in_the_way: bool,
    held: Held,
    events: Vec<ReplyEvent>,
}

/// Answers on their way into the room.
struct Asked {
    /// The note that they stand in.
    parsed: Parsed,
    /// The one of which the hub was told, and those after it.
    left: Vec<ReplyAnswer>,
    /// The gates at which they decide.
    gates: Vec<Gate>,
}

/// When to look again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    /// When something changes.
    No,
    /// In a moment.
    Soon,
}

impl Note {
    pub(super) fn new(place: ReplyPlace) -> Self {
        Self {
            path: reply_path(&place.transcript),
            place,
            wish: None,
            base: 0,
            ours: None,
            seen: None,
            print: None,
            asked: None,
            unsent: None,
            is_ours_there: false,
            is_in_the_way: false,
            held: Held::default(),
            events: Vec::new(),
        }
    }

    pub(super) fn place(&self) -> &ReplyPlace {
        &self.place
    }

    pub(super) fn wish(&self) -> Option<&ReplyHead> {
        self.wish.as_ref()
    }

    pub(super) fn show(&mut self, head: ReplyHead) {
        let newest = |head: &ReplyHead| head.questions.iter().map(|question| question.seq).max();
        let gates = |head: &ReplyHead| head.gates.iter().map(ReplyGate::mark).collect::<Vec<_>>();
        let is_other = |before: &ReplyHead| newest(before) < newest(&head) || gates(before) != gates(&head);
        if self.wish.as_ref().is_some_and(is_other) {
            // What was not sent belongs to what was asked before.
            self.unsent = None;
        }
        self.base = self.base.max(head.last_seq);
        self.wish = Some(head);
    }

    /// Whether there is a note of ours.
    pub(super) fn is_there(&self) -> bool {
        self.is_ours_there
    }

    pub(super) fn take_events(&mut self) -> Vec<ReplyEvent> {
        std::mem::take(&mut self.events)
    }

    /// Whether the file may have changed since the last look.
    pub(super) fn is_touched(&self) -> bool {
        let found = std::fs::symlink_metadata(&self.path).ok();
        found.is_some() != self.print.is_some() || found.as_ref().and_then(disk::print) != self.print
    }

    /// Looks at the file, and does what is to be done.
    pub(super) fn look(&mut self, now: DateTime<Utc>) -> io::Result<Again> {
        self.print = std::fs::symlink_metadata(&self.path).ok().as_ref().and_then(disk::print);
        let seen = file::read(&self.path)?;
        let sight = seen.sight();
        let looks = match self.seen {
            Some((before, looks)) if before == sight => looks.saturating_add(1),
            _ => 1,
        };
        let is_first = self.seen.replace((sight, looks)).is_none();
        let parsed = match &seen {
            Seen::Text(text) => parse(text, self.last_marks().as_ref()),
            Seen::Nothing | Seen::Odd => None,
        };
        self.is_ours_there = parsed.is_some();
        if looks < self.looks_needed(&seen, parsed.as_ref(), is_first) {
            return Ok(Again::Soon);
        }
        self.act(&seen, parsed, now)
    }

    fn last_marks(&self) -> Option<Marks> {
        self.ours.as_ref().and_then(|(_, marks)| marks.parse().ok())
    }

    fn is_as_we_left_it(&self, seen: &Seen) -> bool {
        self.ours.as_ref().is_some_and(|(ours, _)| *ours == seen.sight())
    }

    fn looks_needed(&self, seen: &Seen, parsed: Option<&Parsed>, is_first: bool) -> u32 {
        match (seen, parsed) {
            _ if self.is_as_we_left_it(seen) => 1,
            (Seen::Nothing, _) if is_first => 1,
            (Seen::Text(_), Some(parsed)) if parsed.is_whole => LOOKS,
            (Seen::Odd, _) => LOOKS,
            _ => MANY_LOOKS,
        }
    }

    fn act(&mut self, seen: &Seen, parsed: Option<Parsed>, now: DateTime<Utc>) -> io::Result<Again> {
        let Some(parsed) = parsed else {
            return match seen {
                Seen::Text(text) if !text.trim().is_empty() => Ok(self.is_foreign()),
                Seen::Odd => Ok(self.is_foreign()),
                // A room that is over needs no new note.
                _ if self.wish.as_ref().is_some_and(|head| head.taking == Taking::Over) => Ok(Again::No),
                _ => self.write(seen, Kept::default(), now),
            };
        };
        if parsed.marks.owner != marks::owner(&self.place.key) {
            return self.take_over(seen, &parsed, now);
        }
        self.is_in_the_way = false;
        if let Some(asked) = &self.asked {
            if asked.left.is_empty() {
                return self.clear(seen, &parsed, now);
            }
            return Ok(Again::No);
        }
        if parsed.is_answer() {
            return self.ask(seen, parsed, now);
        }
        if parsed.is_untouched() {
            return self.refresh(seen, &parsed, now);
        }
        if !self.is_as_we_left_it(seen) {
            // Who goes on writing has read why the words before were not sent.
            self.unsent = None;
        }
        Ok(Again::No)
    }

    fn is_foreign(&mut self) -> Again {
        if !std::mem::replace(&mut self.is_in_the_way, true) {
            let (key, file) = (self.place.key.clone(), self.path.clone());
            self.events.push(ReplyEvent::InTheWay { key, file });
        }
        Again::No
    }

    /// The note of a room that had this place before.
    fn take_over(&mut self, seen: &Seen, parsed: &Parsed, now: DateTime<Utc>) -> io::Result<Again> {
        if self.wish.is_none() {
            return Ok(Again::No);
        }
        if parsed.typed.is_empty() {
            return self.write(seen, Kept::default(), now);
        }
        let file = aside::move_aside(&self.path, &self.path, now)?;
        self.kept(file);
        Ok(Again::Soon)
    }

    /// Brings a note in which nobody has written up to date.
    fn refresh(&mut self, seen: &Seen, parsed: &Parsed, now: DateTime<Utc>) -> io::Result<Again> {
        let kept = Kept { others: &parsed.others, ..Kept::default() };
        let Some(text) = self.text(kept) else { return Ok(Again::No) };
        let wanted = parse(&text, None);
        // Compared by its lines: programs that tidy Markdown up do not make it another note.
        let is_same = parsed.has_all && wanted.is_some_and(|wanted| wanted.marks.has_lines_of(&parsed.marks));
        if is_same { Ok(Again::No) } else { self.put(seen, text, now) }
    }

    /// Tells the hub what somebody has answered.
    fn ask(&mut self, seen: &Seen, parsed: Parsed, now: DateTime<Utc>) -> io::Result<Again> {
        match answers(&parsed, &self.place.key) {
            Ok(left) => {
                self.unsent = None;
                self.events.extend(left.first().cloned().map(ReplyEvent::Answered));
                let gates = left.iter().filter_map(|answer| answer.to.gate()).collect();
                self.asked = Some(Asked { parsed, left, gates });
                Ok(Again::No)
            }
            Err(unsent) => {
                let decided = if unsent == Unsent::TwoChoices { &[] } else { parsed.decided.as_slice() };
                self.unsent = Some(unsent);
                let kept = Kept { typed: &parsed.typed, decided, others: &parsed.others, ..Kept::default() };
                self.write(seen, kept, now)
            }
        }
    }

    /// An answer is in the room, as message `seq` or an earlier one.
    pub(super) fn posted(&mut self, request_id: &str, seq: u64) -> Again {
        self.base = self.base.max(seq);
        let Some(asked) = &mut self.asked else { return Again::No };
        if asked.left.first().is_none_or(|answer| answer.request_id != request_id) {
            return Again::No;
        }
        asked.left.remove(0);
        match asked.left.first().cloned() {
            Some(next) => {
                self.events.push(ReplyEvent::Answered(next));
                Again::No
            }
            None => Again::Soon,
        }
    }

    /// An answer is not in the room: what was typed stays, with the reason.
    pub(super) fn refused(&mut self, request_id: &str, reason: String) -> Again {
        let is_asked =
            |asked: &Asked| asked.left.first().is_some_and(|answer| answer.request_id == request_id);
        if let Some(asked) = self.asked.as_mut().filter(|asked| is_asked(asked)) {
            asked.left.clear();
            // Nothing of it counts as sent.
            asked.parsed.typed.clear();
            self.unsent = Some(Unsent::Refused(reason));
            return Again::Soon;
        }
        Again::No
    }

    /// Takes out of the note what has gone into the room. What was typed in the meantime stays.
    fn clear(&mut self, seen: &Seen, parsed: &Parsed, now: DateTime<Utc>) -> io::Result<Again> {
        let sent = self.asked.as_ref().map_or("", |asked| &asked.parsed.typed);
        let left = match parsed.typed.strip_prefix(sent) {
            Some(rest) if rest.is_empty() || rest.starts_with('\n') || sent.is_empty() => {
                rest.trim_start_matches('\n')
            }
            _ => &parsed.typed,
        };
        let gates = self.asked.as_ref().map_or(&[][..], |asked| &asked.gates);
        let is_left = |(gate, _): &&(Gate, ReplyDecision)| !gates.contains(gate);
        let decided: Vec<_> = parsed.decided.iter().filter(is_left).cloned().collect();
        let kept = Kept { typed: left, decided: &decided, others: &parsed.others, ..Kept::default() };
        let again = self.write(seen, kept, now)?;
        if again == Again::No && self.wish.is_some() {
            self.asked = None;
        }
        Ok(again)
    }

    fn text(&self, kept: Kept<'_>) -> Option<String> {
        let mut head = self.wish.clone()?;
        head.last_seq = head.last_seq.max(self.base);
        let transcript = self.place.transcript.file_name()?.to_string_lossy();
        let kept = Kept { unsent: self.unsent.as_ref(), ..kept };
        Some(render(&head, &self.place.key, &transcript, kept))
    }

    fn write(&mut self, seen: &Seen, kept: Kept<'_>, now: DateTime<Utc>) -> io::Result<Again> {
        match self.text(kept) {
            Some(text) => self.put(seen, text, now),
            None => Ok(Again::No),
        }
    }

    fn put(&mut self, seen: &Seen, text: String, now: DateTime<Utc>) -> io::Result<Again> {
        match file::replace(&self.path, seen, &text, now)? {
            Put::Done(old) => {
                self.held.hold(old);
                let marks = parse(&text, None).map(|parsed| parsed.marks.to_string());
                let sight = Seen::Text(text).sight();
                self.ours = marks.map(|marks| (sight, marks));
                self.seen = Some((sight, 1));
                self.is_ours_there = true;
                self.is_in_the_way = false;
                self.let_go(held::MOST, now)?;
                Ok(Again::No)
            }
            Put::Changed(kept) => {
                if let Some(file) = kept {
                    self.kept(file);
                }
                Ok(Again::Soon)
            }
        }
    }

    /// Whether versions that were replaced are still held.
    pub(super) fn holds_old(&self) -> bool {
        !self.held.is_empty()
    }

    /// Lets go of all but `most` versions that were replaced, and keeps what came into them late.
    pub(super) fn let_go(&mut self, most: usize, now: DateTime<Utc>) -> io::Result<()> {
        while let Some(old) = self.held.oldest_beyond(most) {
            if let Some(late) = old.late_text()? {
                let text = String::from_utf8_lossy(&late);
                let parsed = parse(&text, None);
                let is_kept = parsed.map_or(!text.trim().is_empty(), |parsed| !parsed.is_untouched());
                if is_kept {
                    let file = file::keep_late(&late, &self.path, now)?;
                    self.kept(file);
                }
            }
            self.held.let_go();
        }
        Ok(())
    }

    fn kept(&mut self, file: PathBuf) {
        self.events.push(ReplyEvent::Kept { key: self.place.key.clone(), file });
    }
}
