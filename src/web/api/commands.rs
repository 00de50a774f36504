//! What people may ask for beside the tools, read from the body of a request.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::CORRECT;
use crate::hub::ReportTurn;
use crate::hub::request::{Answer, Delete, Export, Form};
use crate::hub::{Acknowledge, IfStarted};
use crate::task::Activity;
use crate::web::desk::{Command, Watch};
use crate::web::refusal::refusal;

/// Messages that a look gives when it names no number.
const USUAL_LOOK: usize = 50;

/// The body of every command; each needs some of it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub(super) room: Option<String>,
    task_id: Option<String>,
    role: Option<String>,
    event: Option<String>,
    reason: Option<String>,
    handle: Option<String>,
    folder: Option<PathBuf>,
    timeout_seconds: Option<f64>,
    known: Option<String>,
    seq_id: Option<u64>,
    content: Option<String>,
    request_id: Option<String>,
    after_seq_id: Option<u64>,
    limit: Option<usize>,
    file: Option<PathBuf>,
    format: Option<String>,
    note: Option<String>,
    expected_version: Option<u64>,
    with_private: Option<bool>,
    with_transcript: Option<bool>,
    force: Option<bool>,
    seen: Option<BTreeMap<String, u64>>,
}

/// The command of this name.
pub(super) fn command(name: &str, words: Words) -> Result<Command, BadCommand> {
    let Words { room, handle, folder, timeout_seconds, file, .. } = &words;
    let (room, timeout_seconds) = (room.clone(), *timeout_seconds);
    let handle = || handle.clone().ok_or(BadCommand::Missing("handle"));
    let patience = || timeout_seconds.map_or(Ok(Duration::ZERO), wait);
    Ok(match name {
        "inbox" => Command::Inbox { known: words.known, wait: patience()? },
        "answer" => Command::Answer(answer(words)?),
        "follow" => Command::Follow {
            room: room.ok_or(BadCommand::Missing("room"))?,
            after: words.after_seq_id,
            limit: words.limit.unwrap_or(USUAL_LOOK),
            wait: patience()?,
        },
        "watch" => Command::Watch(Watch {
            room,
            seen: words.seen,
            limit: words.limit.unwrap_or(USUAL_LOOK),
            wait: patience()?,
        }),
        "pause" => Command::Pause { room },
        "resume" => Command::Resume { room },
        "start" => Command::Start { room },
        "remove" => Command::Remove { room, handle: handle()? },
        "key" => Command::Key { room, handle: handle()? },
        "remind" => Command::Remind { room, handle: handle()?, wait: timeout_seconds.map(wait).transpose()? },
        "why" => Command::Why { room },
        "log" => Command::Log { room },
        "allow" => Command::Allow { folder: absolute("folder", folder.as_deref())? },
        "backup" => Command::BackUp { file: absolute("file", file.as_deref())? },
        "export" => Command::Export(export(words)?),
        "delete" => Command::Delete(Delete {
            room: room.ok_or(BadCommand::Missing("room"))?,
            force: words.force.unwrap_or_default(),
            with_transcript: words.with_transcript.unwrap_or_default(),
        }),
        "event" => Command::Report(report(words)?),
        "ack_task" => Command::Acknowledge(acknowledge(words)?),
        "start_next" => Command::StartNext {
            task: words.task_id.ok_or(BadCommand::Missing("task_id"))?,
            if_started: match words.force {
                Some(true) => IfStarted::StartAnew,
                None | Some(false) => IfStarted::Refuse,
            },
        },
        _ => return Err(BadCommand::Unknown(name.to_owned())),
    })
}

fn answer(words: Words) -> Result<Answer, BadCommand> {
    Ok(Answer {
        room: words.room.ok_or(BadCommand::Missing("room"))?,
        handle: words.handle.ok_or(BadCommand::Missing("handle"))?,
        seq: words.seq_id.ok_or(BadCommand::Missing("seq_id"))?,
        content: words.content.ok_or(BadCommand::Missing("content"))?,
        request_id: words.request_id,
    })
}

fn report(words: Words) -> Result<ReportTurn, BadCommand> {
    let event = words.event.ok_or(BadCommand::Missing("event"))?;
    Ok(ReportTurn {
        task: words.task_id,
        role: words.role,
        handle: words.handle,
        activity: Activity::of(&event).ok_or(BadCommand::Event)?,
        reason: words.reason,
    })
}

fn acknowledge(words: Words) -> Result<Acknowledge, BadCommand> {
    Ok(Acknowledge {
        task: words.task_id.ok_or(BadCommand::Missing("task_id"))?,
        by: words.handle.ok_or(BadCommand::Missing("handle"))?,
        note: words.note,
        expected_version: words.expected_version,
    })
}

fn export(words: Words) -> Result<Export, BadCommand> {
    let form = match words.format.as_deref() {
        None | Some("markdown") => Form::Markdown,
        Some("html") => Form::Html,
        Some(_) => return Err(BadCommand::Format),
    };
    Ok(Export { room: words.room, form, with_private: words.with_private.unwrap_or_default() })
}

/// A path that is meant wherever the hub runs.
fn absolute(name: &'static str, path: Option<&std::path::Path>) -> Result<PathBuf, BadCommand> {
    let path = path.ok_or(BadCommand::Missing(name))?;
    if path.is_absolute() {
        Ok(path.to_owned())
    } else {
        Err(BadCommand::Relative { name, path: path.to_owned() })
    }
}

/// Seconds as a time.
fn wait(seconds: f64) -> Result<Duration, BadCommand> {
    Duration::try_from_secs_f64(seconds).map_err(|_| BadCommand::Seconds(seconds))
}

/// Why there is no such command.
#[derive(Debug, thiserror::Error)]
pub(super) enum BadCommand {
    #[error(
        "there is no command `{0}`; there are inbox, answer, follow, watch, pause, resume, start, remove, key, remind, why, log, \
         event, allow, link, backup, export, delete, ack_task, start_next, status and stop"
    )]
    Unknown(String),
    #[error("`{0}` is missing")]
    Missing(&'static str),
    #[error("`timeout_seconds` must be a number of seconds, not {0}")]
    Seconds(f64),
    #[error("`{name}` must be an absolute path, not `{}`", path.display())]
    Relative { name: &'static str, path: PathBuf },
    #[error("`format` must be `markdown` or `html`")]
    Format,
    #[error("`event` must be `working`, `blocked` or `done`")]
    Event,
}

impl IntoResponse for BadCommand {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Unknown(_) => StatusCode::NOT_FOUND,
            Self::Missing(_) | Self::Relative { .. } | Self::Seconds(_) | Self::Format | Self::Event => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
        };
        refusal(status, "invalid_argument", &self.to_string(), CORRECT)
    }
}
