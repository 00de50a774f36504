//! Starting a room from the page, and how agents come into it.

use std::path::Path as FilePath;

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::{Map, Value, json};

use super::acts::{Fields, problem};
use super::address::Readable;
use super::place::place;
use super::started::{prompt, snippets};
use super::view::{NewRoom, NewRoomPage, Problem, Prompt, StartedPage};
use super::{Page, caller, refusal, room_path, shown};
use crate::hub::RoomState;

/// The form.
pub(super) async fn form(State(page): State<Page>) -> Response {
    shown(&page.form(NewRoom::default(), None).await)
}

/// Starts the room of a form, and shows how agents join. Keys are shown this once.
pub(super) async fn start(State(page): State<Page>, Form(fields): Form<Fields>) -> Response {
    if let Some(refused) = page.refuse_strange(&fields) {
        return refused;
    }
    let outcome = page.call(&caller(), "init_conversation", arguments(&fields)).await;
    if outcome.is_error {
        let view = page.form(filled_in(&fields), Some(problem(&outcome.json))).await;
        return (StatusCode::UNPROCESSABLE_ENTITY, shown(&view)).into_response();
    }
    let room = outcome.json["room"].as_str().unwrap_or_default();
    match outcome.json["invites"].as_array() {
        None => Redirect::to(&format!("{}/started", room_path(room))).into_response(),
        Some(invites) => {
            let text = |invite: &Value, field: &str| invite[field].as_str().unwrap_or_default().to_owned();
            let prompts = invites
                .iter()
                .map(|invite| prompt(room, &text(invite, "handle"), Some(&text(invite, "key"))));
            page.how_to_join(room, Some(prompts.collect())).await
        }
    }
}

/// How agents join a room.
pub(super) async fn started(
    State(page): State<Page>,
    Readable(Path(room)): Readable<Path<String>>,
) -> Response {
    page.how_to_join(&room, None).await
}

impl Page {
    async fn form(&self, form: NewRoom, problem: Option<Problem>) -> NewRoomPage {
        let mut frame = self.frame("start a room", None).await;
        frame.problem = problem;
        let folder = self.hub.first_folder().map(|folder| place(&folder));
        NewRoomPage { frame, folder: folder.unwrap_or_default(), form }
    }

    async fn how_to_join(&self, room: &str, prompts: Option<Vec<Prompt>>) -> Response {
        let state = match self.hub.room_state(&caller(), Some(room)).await {
            Ok(state) => state,
            Err(error) => return refusal(error),
        };
        shown(&StartedPage {
            frame: self.frame(room, None).await,
            room: state.room.clone(),
            topic: state.topic.clone(),
            file: place(&state.filepath),
            prompts: prompts.unwrap_or_else(|| prompts_of(&state)),
            snippets: snippets(),
        })
    }
}

fn prompts_of(state: &RoomState) -> Vec<Prompt> {
    let agents = state.participants.iter().filter(|member| !member.is_human);
    agents.map(|member| prompt(&state.room, member.handle.as_str(), None)).collect()
}

/// Names with spaces or commas between.
fn names(text: &str) -> Vec<&str> {
    text.split([' ', ',', '\n', '\t', '\r']).filter(|name| !name.is_empty()).collect()
}

fn arguments(fields: &Fields) -> Map<String, Value> {
    let given = |name: &str| fields.get(name).map(|text| text.trim()).filter(|text| !text.is_empty());
    let mut arguments = Map::new();
    for name in [
        "topic",
        "barrier",
        "first_speaker",
        "language",
        "floor",
        "wake",
        "identity",
        "max_agent_turns",
        "turn_lease_seconds",
    ] {
        if let Some(value) = given(name) {
            arguments.insert(name.to_owned(), value.into());
        }
    }
    if let Some(file) = given("filepath") {
        // A name without an ending is meant to have the only one that a transcript can have.
        let ending = if FilePath::new(file).extension().is_none() { ".md" } else { "" };
        arguments.insert("filepath".to_owned(), format!("{file}{ending}").into());
    }
    for name in ["participants", "humans"] {
        arguments.insert(name.to_owned(), json!(given(name).map(names).unwrap_or_default()));
    }
    for name in ["invite_only", "humans_verified_only"] {
        arguments.insert(name.to_owned(), given(name).is_some().into());
    }
    arguments
}

/// The form as it was filled in.
fn filled_in(fields: &Fields) -> NewRoom {
    let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
    NewRoom {
        filepath: text("filepath"),
        topic: text("topic"),
        participants: text("participants"),
        humans: text("humans"),
        barrier: text("barrier"),
        first_speaker: text("first_speaker"),
        language: text("language"),
        floor: text("floor"),
        wake: text("wake"),
        identity: text("identity"),
        max_agent_turns: text("max_agent_turns"),
        turn_lease_seconds: text("turn_lease_seconds"),
        invite_only: fields.contains_key("invite_only"),
        humans_verified_only: fields.contains_key("humans_verified_only"),
    }
}
