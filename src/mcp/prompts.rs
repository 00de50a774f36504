//! Prompts that a person starts: join a room, supervise one, start a debate.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, JsonObject, ListPromptsResult, Prompt, PromptArgument,
    PromptMessage, Role,
};
use serde_json::{Value, json};

/// One prompt.
struct Template {
    name: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
    text: fn(&Given) -> String,
}

/// One argument of a prompt.
struct Argument {
    name: &'static str,
    description: &'static str,
    is_required: bool,
}

const TEMPLATES: [Template; 3] = [
    Template {
        name: "join_room",
        description: "Take part in a conversation under a handle",
        arguments: &[
            Argument { name: "handle", description: "Who you are, such as @Alice", is_required: true },
            Argument { name: "room", description: "Id of the room", is_required: false },
        ],
        text: join_room,
    },
    Template {
        name: "supervise_room",
        description: "Start a room, bring agents into it, and see it through to its end",
        arguments: &[
            Argument { name: "topic", description: "What the agents are to settle", is_required: true },
            Argument {
                name: "participants",
                description: "Handles, with commas between",
                is_required: false,
            },
            Argument { name: "filepath", description: "Transcript, ending in .md", is_required: false },
        ],
        text: supervise_room,
    },
    Template {
        name: "start_debate",
        description: "Let agents argue different positions until they have settled a question",
        arguments: &[
            Argument { name: "topic", description: "The question", is_required: true },
            Argument {
                name: "participants",
                description: "Handles, with commas between",
                is_required: false,
            },
            Argument { name: "rounds", description: "How often each speaks; default 3", is_required: false },
        ],
        text: start_debate,
    },
];

/// All prompts.
pub(super) fn list() -> ListPromptsResult {
    ListPromptsResult::with_all_items(TEMPLATES.iter().map(listed).collect())
}

/// One prompt, filled in.
pub(super) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let template = find(&request.name).ok_or_else(|| {
        let known: Vec<_> = TEMPLATES.iter().map(|template| template.name).collect();
        ErrorData::invalid_params(
            format!("there is no such prompt; there are {}", known.join(", ")),
            Some(json!({ "name": request.name })),
        )
    })?;
    let given = Given::read(template, request.arguments.as_ref())?;
    let message = PromptMessage::new_text(Role::User, (template.text)(&given));
    let mut result = GetPromptResult::new(vec![message]);
    result.description = Some(template.description.to_owned());
    Ok(result)
}

/// Whether a prompt takes an argument.
pub(super) fn takes(prompt: &str, argument: &str) -> bool {
    find(prompt).is_some_and(|template| template.arguments.iter().any(|known| known.name == argument))
}

fn find(name: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.name == name)
}

fn listed(template: &Template) -> Prompt {
    let arguments = template.arguments.iter().map(|argument| {
        PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.is_required)
    });
    Prompt::new(template.name, Some(template.description), Some(arguments.collect()))
}

/// The arguments of one request, each on one line.
struct Given(Vec<(&'static str, String)>);

impl Given {
    fn read(template: &Template, arguments: Option<&JsonObject>) -> Result<Self, ErrorData> {
        let mut given = Vec::new();
        for argument in template.arguments {
            let value = arguments.and_then(|arguments| arguments.get(argument.name));
            match value.map(as_line) {
                Some(Some(line)) if !line.is_empty() => given.push((argument.name, line)),
                Some(None) => return Err(refused(argument, "must be a string")),
                _ if argument.is_required => return Err(refused(argument, "is needed")),
                _ => {}
            }
        }
        Ok(Self(given))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, line)| line.as_str())
    }

    fn or<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        self.get(name).unwrap_or(default)
    }
}

fn as_line(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn refused(argument: &Argument, what: &str) -> ErrorData {
    let message = format!("`{}` {what}: {}", argument.name, argument.description);
    ErrorData::invalid_params(message, Some(json!({ "argument": argument.name })))
}

fn join_room(given: &Given) -> String {
    let handle = given.or("handle", "");
    let room = given.get("room").map(|room| format!(", room \"{room}\"")).unwrap_or_default();
    format!(
        "Take part in a turnroom conversation. Your handle is {handle}.\n\n\
         1. Call join_conversation with handle \"{handle}\"{room}. Use the same handle in every call.\n\
         2. When the status is your_turn, do what you were asked, then call send_message. Mention only those who \
         must answer. Nothing to add: pass_turn.\n\
         3. Otherwise call wait_for_turn. An empty answer is normal: do what `next` says.\n\
         4. Go on until the status is closed, or your task is done; then call leave_conversation.\n\n\
         Do not read or edit the transcript file."
    )
}

fn supervise_room(given: &Given) -> String {
    let topic = given.or("topic", "");
    let participants =
        given.or("participants", "two or three handles that fit the topic, such as @Alice, @Bob");
    let filepath = given.or("filepath", "transcripts/ and a short name that ends in .md");
    format!(
        "Supervise a turnroom conversation on this topic: {topic}\n\n\
         1. Call init_conversation. participants: {participants}. filepath: {filepath}. With more than two \
         agents add wake \"batched\". Keep the room id from the answer.\n\
         2. Start one sub-agent for each participant, all in parallel. Give each its task, its handle and the \
         room, and this rule: \"Call join_conversation with your handle, then follow `next` in every answer \
         until the status is closed. Mention only those who must answer. Do not read the transcript file.\"\n\
         3. Wait with wait_for_turn as @user. When @user is asked, ask the person and send the answer as @user; \
         invent none.\n\
         4. When the topic is settled, call close_conversation with a summary of what was decided and what is \
         open, and tell the person where the transcript lies."
    )
}

fn start_debate(given: &Given) -> String {
    let topic = given.or("topic", "");
    let participants = given.or("participants", "@Alice, @Bob");
    let rounds = given.or("rounds", "3");
    format!(
        "Start a debate in turnroom on this question: {topic}\n\n\
         1. Call init_conversation. participants: {participants}. topic: the question. filepath: transcripts/ \
         and a short name that ends in .md.\n\
         2. Start one sub-agent for each participant, all in parallel, each with a different position to \
         defend, its handle and the room. Each joins with join_conversation, follows `next` in every answer, \
         and speaks {rounds} times: argue with reasons and evidence, answer the strongest point of the other \
         side, mention who is to answer. In its last message it says what it concedes and what it still holds, \
         with expects_reply=false.\n\
         3. Wait with wait_for_turn as @user; answer for @user only what the person told you.\n\
         4. Call close_conversation with a summary: the question, the best argument of each side, where they \
         agree, what is open. Tell the person."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(name: &str, arguments: &Value) -> Result<GetPromptResult, ErrorData> {
        let mut request = GetPromptRequestParams::default();
        request.name = name.to_owned();
        request.arguments = arguments.as_object().cloned();
        get(&request)
    }

    #[test]
    fn each_prompt_is_listed_with_its_arguments() {
        insta::assert_json_snapshot!(list());
    }

    #[test]
    fn arguments_are_filled_in_on_one_line() {
        let result = filled("join_room", &json!({ "handle": "@Alice", "room": "a\n\n# b" })).unwrap();
        let text = serde_json::to_string(&result).unwrap();
        assert!(text.contains(r#"handle \"@Alice\", room \"a # b\""#), "{text}");
    }

    #[test]
    fn a_missing_or_wrong_argument_is_named() {
        for (name, arguments) in [
            ("join_room", json!({})),
            ("join_room", json!({ "handle": " " })),
            ("start_debate", json!({ "topic": ["x"] })),
            ("supervise_room", Value::Null),
        ] {
            let error = filled(name, &arguments).unwrap_err();
            assert!(error.message.contains("handle") || error.message.contains("topic"), "{}", error.message);
        }
    }

    #[test]
    fn an_unknown_prompt_is_refused_with_those_there_are() {
        let error = filled("test_simple_prompt", &json!({})).unwrap_err();
        assert!(error.message.contains("join_room, supervise_room, start_debate"), "{}", error.message);
    }

    #[test]
    fn prompts_name_only_tools_that_exist() {
        let everything = json!({ "handle": "@Alice", "topic": "x" });
        for template in TEMPLATES {
            let text = serde_json::to_string(&filled(template.name, &everything).unwrap()).unwrap();
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            for word in words.filter(|word| word.ends_with("_conversation") || word.ends_with("_message")) {
                assert!(crate::tools::find(word).is_some(), "{word} in {}", template.name);
            }
        }
    }
}
