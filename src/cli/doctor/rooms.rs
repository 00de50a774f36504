//! Rooms and their transcripts: every event as it was written, every note as its log says.

use std::time::Duration;

use super::super::show;
use super::finding::Finding;
use super::journal::REPAIR;
use crate::hub::survey::{NoteState, RoomHealth, Survey, survey};
use crate::journal::SqliteArchive;

const ABOUT: &str = "rooms";
const TASKS: &str = "tasks";
const PUZZLES: &str = "puzzles";
const NOTES: &str = "transcripts";
/// A hub that runs may be about to write a note.
const PAUSE: Duration = Duration::from_secs(1);
const LOOKS: usize = 3;

pub(super) async fn check(archive: &SqliteArchive, is_running: bool) -> Vec<Finding> {
    let mut looks = if is_running { LOOKS } else { 1 };
    loop {
        let survey = match survey(archive).await {
            Ok(survey) => survey,
            Err(error) => return vec![Finding::fault(ABOUT, show::with_causes(&error), REPAIR)],
        };
        looks -= 1;
        if looks == 0 || survey.rooms.iter().all(|room| room.note != Some(Ok(NoteState::Behind))) {
            return report(&survey, is_running);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn report(survey: &Survey, is_running: bool) -> Vec<Finding> {
    let mut findings = logs(survey);
    let mut equal = 0;
    for room in &survey.rooms {
        match &room.note {
            Some(Ok(NoteState::UpToDate)) => equal += 1,
            Some(state) => findings.push(note(room, state, is_running)),
            None => {}
        }
    }
    findings.push(Finding::ok(NOTES, format!("{equal} equal their logs")));
    findings
}

fn logs(survey: &Survey) -> Vec<Finding> {
    let mut findings = Vec::new();
    if survey.damaged_entries > 0 {
        let what = format!("{} entries of the list of rooms are damaged", survey.damaged_entries);
        findings.push(Finding::fault(ABOUT, what, REPAIR));
    }
    for stream in &survey.lost {
        let what = format!("the list of rooms has lost `{stream}`");
        let next = "a hub lists it again at its start; if it stays lost, its own log is damaged too";
        findings.push(Finding::warning(ABOUT, what, next));
    }
    for room in &survey.rooms {
        if let Some((version, detail)) = &room.damage {
            let (name, stream) = (&room.room, &room.stream);
            let what =
                format!("`{name}` ({stream}) is damaged at event {version}: {detail}; its transcript stays");
            findings.push(Finding::fault(ABOUT, what, REPAIR));
        }
        if room.unknown > 0 {
            let what = format!(
                "`{}` has {} events of kinds that this version does not know",
                room.room, room.unknown
            );
            findings.push(Finding::warning(ABOUT, what, "use the newer turnroom that wrote them"));
        }
    }
    let kinds = [
        (TASKS, &survey.damaged_tasks, survey.sound_tasks),
        (PUZZLES, &survey.damaged_puzzles, survey.sound_puzzles),
    ];
    for (kind, damaged, sound) in kinds {
        for (stream, version, detail) in damaged {
            let what = format!("the log of {kind} `{stream}` is damaged at event {version}: {detail}");
            findings.push(Finding::fault(kind, what, REPAIR));
        }
        if sound > 0 {
            findings.push(Finding::ok(kind, format!("{sound} sound, each event as it was written")));
        }
    }
    let sound: Vec<_> = survey.rooms.iter().filter(|room| room.damage.is_none()).collect();
    let events: u64 = sound.iter().map(|room| room.events).sum();
    findings
        .push(Finding::ok(ABOUT, format!("{} sound, {events} events, each as it was written", sound.len())));
    findings
}

fn note(room: &RoomHealth, state: &Result<NoteState, String>, is_running: bool) -> Finding {
    let path = room.path.display();
    let later = match (room.is_over, is_running) {
        (false, true) => "nothing: the next post writes it".to_owned(),
        (false, false) => "nothing: the next hub writes it, with the next post at the latest".to_owned(),
        (true, true) => format!("the room is over: start the hub anew, then `turnroom list {}`", room.room),
        (true, false) => format!("the room is over: start a hub, then `turnroom list {}`", room.room),
    };
    match state {
        Ok(NoteState::Missing) => {
            Finding::warning(NOTES, format!("`{path}`, or a part of it, is missing"), later)
        }
        Ok(NoteState::Edited) => {
            let what = format!("`{path}`, or a part of it, was changed by somebody");
            Finding::warning(
                NOTES,
                what,
                "nothing: the changed version is kept beside it before the next one",
            )
        }
        Ok(NoteState::Behind) => Finding::warning(NOTES, format!("`{path}` is behind its log"), later),
        Ok(NoteState::Ahead { note, log }) => {
            let what =
                format!("`{path}` holds message {note}, but its log ends at {log}: the log has lost its end");
            let next = "copy the transcript; the next hub keeps it aside, and goes on from what the log has";
            Finding::fault(NOTES, what, next)
        }
        Ok(NoteState::UpToDate) => Finding::ok(NOTES, format!("`{path}` equals its log")),
        Err(why) => Finding::fault(NOTES, format!("`{path}` cannot be compared: {why}"), "see its rights"),
    }
}
