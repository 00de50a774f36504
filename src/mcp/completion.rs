//! Completions: ids of rooms and puzzles, and handles, for the arguments of prompts and of the resource templates.

use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference};
use rmcp::service::RequestContext;
use tokio_util::sync::CancellationToken;

use super::{Server, prompts, resources};

/// What is to be completed.
#[derive(Debug, PartialEq, Eq)]
enum Wanted {
    Room,
    Puzzle,
    /// A handle, of this room if one was chosen already.
    Handle(Option<String>),
}

impl Server {
    /// What may stand for an argument. An argument that nobody knows, and a hub that cannot tell, give an empty
    /// list: a completion is a help, never a hindrance.
    pub(super) async fn completions(
        &self,
        request: &CompleteRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let candidates = match wanted(request) {
            Some(Wanted::Room) => self.room_ids().await,
            Some(Wanted::Puzzle) => self.hub.puzzle_ids().await.unwrap_or_default(),
            Some(Wanted::Handle(room)) => self.handles(room.as_deref(), context).await,
            None => Vec::new(),
        };
        let matching = matching(candidates, &request.argument.value);
        let total = u32::try_from(matching.len()).ok();
        let shown: Vec<_> = matching.iter().take(CompletionInfo::MAX_VALUES).cloned().collect();
        let has_more = shown.len() < matching.len();
        CompletionInfo::with_pagination(shown, total, has_more)
            .map(CompleteResult::new)
            .map_err(|error| ErrorData::internal_error(error, None))
    }

    async fn room_ids(&self) -> Vec<String> {
        self.hub.rooms().await.unwrap_or_default().into_iter().map(|room| room.room).collect()
    }

    async fn handles(&self, room: Option<&str>, context: &RequestContext<RoleServer>) -> Vec<String> {
        let caller = self.caller(context, CancellationToken::new());
        match self.hub.room_state(&caller, room).await {
            Ok(room) => room.participants.into_iter().map(|member| member.handle.to_string()).collect(),
            Err(_) => Vec::new(),
        }
    }
}

fn wanted(request: &CompleteRequestParams) -> Option<Wanted> {
    let argument = request.argument.name.as_str();
    match &request.r#ref {
        Reference::Resource(template) if template.uri == resources::ROOM_TEMPLATE && argument == "id" => {
            Some(Wanted::Room)
        }
        Reference::Resource(template)
            if resources::PUZZLE_TEMPLATES.contains(&template.uri.as_str()) && argument == "id" =>
        {
            Some(Wanted::Puzzle)
        }
        Reference::Prompt(prompt) if prompts::takes(&prompt.name, argument) => match argument {
            "room" => Some(Wanted::Room),
            "handle" => {
                let chosen = request.context.as_ref().and_then(|context| context.get_argument("room"));
                Some(Wanted::Handle(chosen.filter(|room| !room.is_empty()).cloned()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Those that begin with what was typed, whatever its case, with or without `@`.
fn matching(candidates: Vec<String>, typed: &str) -> Vec<String> {
    let typed = bare(typed);
    candidates.into_iter().filter(|candidate| bare(candidate).starts_with(&typed)).collect()
}

fn bare(text: &str) -> String {
    text.strip_prefix('@').unwrap_or(text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{ArgumentInfo, CompletionContext};

    fn asked(reference: Reference, argument: &str) -> CompleteRequestParams {
        CompleteRequestParams::new(reference, ArgumentInfo::new(argument, ""))
    }

    #[test]
    fn rooms_and_handles_are_completed_where_they_are_asked_for() {
        for (request, expected) in [
            (asked(Reference::for_prompt("join_room"), "room"), Some(Wanted::Room)),
            (asked(Reference::for_prompt("join_room"), "handle"), Some(Wanted::Handle(None))),
            (asked(Reference::for_resource("turnroom://room/{id}"), "id"), Some(Wanted::Room)),
            (asked(Reference::for_resource("puzzlebox://puzzle/{id}"), "id"), Some(Wanted::Puzzle)),
            (asked(Reference::for_resource("turnroom://puzzle/{id}"), "id"), Some(Wanted::Puzzle)),
            (asked(Reference::for_resource("puzzlebox://puzzle/{id}/state/{name}"), "name"), None),
            (asked(Reference::for_prompt("start_debate"), "room"), None),
            (asked(Reference::for_prompt("start_debate"), "topic"), None),
            (asked(Reference::for_prompt("test_prompt_with_arguments"), "arg1"), None),
            (asked(Reference::for_resource("test://x/{id}"), "id"), None),
        ] {
            assert_eq!(wanted(&request), expected, "{request:?}");
        }
    }

    #[test]
    fn handles_are_those_of_the_room_that_was_chosen() {
        let chosen = CompletionContext::with_arguments([("room".to_owned(), "r".to_owned())].into());
        let request = asked(Reference::for_prompt("join_room"), "handle").with_context(chosen);
        assert_eq!(wanted(&request), Some(Wanted::Handle(Some("r".into()))));
    }

    #[test]
    fn a_handle_is_found_without_its_sign_and_in_any_case() {
        let handles = vec!["@Alice".to_owned(), "@Bob".to_owned()];
        assert_eq!(matching(handles.clone(), "al"), ["@Alice"]);
        assert_eq!(matching(handles.clone(), "@B"), ["@Bob"]);
        assert_eq!(matching(handles, ""), ["@Alice", "@Bob"]);
    }
}
