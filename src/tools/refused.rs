//! Why a call came to nothing, and how that is told: `{"error": {code, message, allowed?, next}}`.

use serde_json::{Value, json};

use super::StateFault;
use super::catalogue::{Tool, Toolset, tools};
use super::message::put_names;
use super::puzzle::put_refusal;
use crate::hub::HubError;
use crate::room::nearest;

const QUOTED_CHARS: usize = 64;

/// Why a call came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// No tool has this name.
    #[error("there is no tool `{name}`{}", hint(nearest.as_deref()))]
    UnknownTool {
        /// The name that was called.
        name: String,
        /// The tool that was probably meant.
        nearest: Option<String>,
    },
    /// The tool takes no such argument.
    #[error("`{field}` is no argument of {tool}{}", hint(nearest.as_deref()))]
    UnknownArgument {
        /// The tool.
        tool: &'static str,
        /// The argument that was given.
        field: String,
        /// The argument that was probably meant.
        nearest: Option<String>,
        /// All arguments of the tool.
        allowed: Vec<String>,
    },
    /// An argument that the tool cannot do without was not given.
    #[error("{tool} needs `{field}`: {wanted}")]
    MissingArgument {
        /// The tool.
        tool: &'static str,
        /// The argument.
        field: String,
        /// What it must be.
        wanted: String,
    },
    /// An argument is not of the kind that the tool takes.
    #[error("`{field}` is {given}; it must be {wanted}")]
    WrongArgument {
        /// The tool.
        tool: &'static str,
        /// The argument.
        field: String,
        /// What was given, shortened.
        given: String,
        /// What it must be.
        wanted: String,
        /// The values there are, if they can be counted.
        values: Vec<String>,
    },
    /// What came back with the answer to a question is not taken.
    #[error(transparent)]
    State(#[from] StateFault),
    /// The hub refused.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// Turnroom itself is at fault.
    #[error("{tool} failed; this is a fault of turnroom, not of the call")]
    Fault {
        /// The tool.
        tool: &'static str,
    },
}

impl Refused {
    /// No tool has this name.
    pub(crate) fn unknown_tool(name: &str) -> Self {
        Self::UnknownTool {
            name: shortened(name),
            nearest: nearest(name, tools(&Toolset::ALL).map(|tool| tool.name)).map(str::to_owned),
        }
    }

    pub(super) fn unknown_argument(tool: &Tool, field: &str, known: &[&str]) -> Self {
        Self::UnknownArgument {
            tool: tool.name,
            field: shortened(field),
            nearest: nearest(field, known.iter().copied()).map(str::to_owned),
            allowed: known.iter().map(ToString::to_string).collect(),
        }
    }

    /// The stable code, listed in `docs/errors.md`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownTool { .. } => "unknown_tool",
            Self::UnknownArgument { .. } | Self::MissingArgument { .. } | Self::WrongArgument { .. } => {
                "invalid_argument"
            }
            Self::State(fault) => fault.code(),
            Self::Hub(error) => error.code(),
            Self::Fault { .. } => "internal_error",
        }
    }

    /// What would be allowed.
    #[must_use]
    pub fn allowed(&self) -> Vec<String> {
        match self {
            Self::UnknownTool { .. } => tools(&Toolset::ALL).map(|tool| tool.name.to_owned()).collect(),
            Self::UnknownArgument { allowed, .. } => allowed.clone(),
            Self::MissingArgument { .. } | Self::State(_) | Self::Fault { .. } => Vec::new(),
            Self::WrongArgument { values, .. } => values.clone(),
            Self::Hub(error) => error.allowed(),
        }
    }

    /// What the caller should do next.
    #[must_use]
    pub fn next(&self) -> String {
        match self {
            Self::UnknownTool { .. } => "call one of the tools in `allowed`".into(),
            Self::UnknownArgument { tool, .. } => {
                format!("call {tool} again with arguments from `allowed` only")
            }
            Self::MissingArgument { tool, field, .. } => format!("call {tool} again with `{field}`"),
            Self::WrongArgument { tool, field, .. } => format!("correct `{field}` and call {tool} again"),
            Self::State(fault) => fault.next().to_owned(),
            Self::Hub(error) => error.next(),
            Self::Fault { tool } => {
                format!("call {tool} once more; if it fails again, tell @user and look at the hub's log")
            }
        }
    }

    /// The answer that tells it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut error = json!({ "code": self.code(), "message": self.to_string(), "next": self.next() });
        let allowed = self.allowed();
        if !allowed.is_empty() {
            put_names(&mut error, "allowed", allowed.iter().map(String::as_str));
        }
        let mut json = json!({ "error": error });
        if let Self::Hub(error) = self {
            put_refusal(&mut json, error);
        }
        json
    }
}

/// Errors quote what was given, but not a page of it, and on one line.
pub(super) fn shortened(text: &str) -> String {
    let line: String =
        text.chars().take(QUOTED_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() < text.len() { line + "…" } else { line }
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_tool_is_answered_with_the_nearest_one_and_all_there_are() {
        let error = Refused::unknown_tool("joinConversation").to_json();
        assert_eq!(error["error"]["code"], "unknown_tool");
        assert_eq!(
            error["error"]["message"],
            "there is no tool `joinConversation`; did you mean `join_conversation`?"
        );
        assert_eq!(error["error"]["allowed"].as_array().unwrap().len(), 26);
    }

    #[test]
    fn a_refusal_of_the_hub_keeps_its_code_and_its_words() {
        let error = Refused::from(HubError::Stopping).to_json();
        assert_eq!(error["error"]["code"], "stopping");
        assert!(error["error"]["message"].is_string());
        assert!(error["error"]["next"].is_string());
    }

    #[test]
    fn a_long_list_of_what_is_allowed_is_cut_and_counted() {
        let rooms = (0..500).map(|number| format!("room-{number}")).collect();
        let refused = Refused::from(HubError::NoSuchRoom("tea".to_owned(), rooms)).to_json();
        assert_eq!(refused["error"]["allowed"].as_array().unwrap().len(), 30);
        assert_eq!(refused["error"]["allowed_total"], 500);
    }

    #[test]
    fn a_long_name_is_quoted_short_and_on_one_line() {
        let error = Refused::unknown_tool(&"x\n".repeat(1_000_000));
        assert!(error.to_string().len() < 120, "{error}");
        assert!(!error.to_string().contains('\n'));
    }
}
