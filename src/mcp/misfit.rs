//! Requests whose method is known and whose params do not fit. rmcp takes them for a method of somebody else and would
//! answer that there is no such method.
#![expect(deprecated, reason = "setLevel is for clients of older revisions")]

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CompleteRequestParams, CustomRequest, ErrorCode, GetPromptRequestParams,
    PaginatedRequestParams, ReadResourceRequestParams, SetLevelRequestParams, SubscribeRequestParams,
    UnsubscribeRequestParams,
};
use serde::de::DeserializeOwned;

/// Characters of the reason: it may quote what was sent.
const MAX_REASON: usize = 200;

/// Says why params do not fit; nothing, if that cannot be told.
type Check = fn(&CustomRequest) -> Option<String>;

/// The methods that take params. An `initialize` that does not fit never comes as far as here.
const KNOWN: [(&str, Check); 11] = [
    ("tools/call", why::<CallToolRequestParams>),
    ("tools/list", why::<PaginatedRequestParams>),
    ("prompts/get", why::<GetPromptRequestParams>),
    ("prompts/list", why::<PaginatedRequestParams>),
    ("resources/read", why::<ReadResourceRequestParams>),
    ("resources/list", why::<PaginatedRequestParams>),
    ("resources/templates/list", why::<PaginatedRequestParams>),
    ("resources/subscribe", why::<SubscribeRequestParams>),
    ("resources/unsubscribe", why::<UnsubscribeRequestParams>),
    ("completion/complete", why::<CompleteRequestParams>),
    ("logging/setLevel", why::<SetLevelRequestParams>),
];

fn why<T: DeserializeOwned>(request: &CustomRequest) -> Option<String> {
    match request.params_as::<T>() {
        Ok(Some(_)) => None,
        Ok(None) => Some("there are none".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

/// The answer to a request that rmcp did not recognise.
pub(super) fn error(request: &CustomRequest) -> ErrorData {
    let method = &request.method;
    let Some((known, check)) = KNOWN.iter().find(|(known, _)| known == method) else {
        return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method.clone(), None);
    };
    let reason: String = check(request).unwrap_or_default().chars().take(MAX_REASON).collect();
    let message =
        format!("the params of `{known}` do not fit: {reason}; correct them and send the request again");
    ErrorData::invalid_params(message, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn answer(method: &str, params: Option<Value>) -> ErrorData {
        error(&CustomRequest::new(method, params))
    }

    #[test]
    fn a_known_method_with_params_that_do_not_fit_is_told_what_is_wrong() {
        for (method, params, part) in [
            ("tools/call", Some(json!({ "name": "list_conversations", "arguments": [] })), "expected a map"),
            ("tools/call", Some(json!({ "name": 5 })), "expected a string"),
            ("tools/call", Some(json!([])), "tools/call"),
            ("tools/call", None, "there are none"),
            ("tools/list", Some(json!("x")), "tools/list"),
            ("resources/read", Some(json!({})), "uri"),
            ("prompts/get", Some(json!({ "name": "join_room", "arguments": "x" })), "expected"),
            ("logging/setLevel", Some(json!({ "level": "loud" })), "loud"),
        ] {
            let answer = answer(method, params);
            assert_eq!(answer.code, ErrorCode::INVALID_PARAMS, "{method}");
            assert!(answer.message.contains(part), "{}", answer.message);
        }
    }

    #[test]
    fn an_unknown_method_is_still_unknown() {
        assert_eq!(answer("tools/cal", None).code, ErrorCode::METHOD_NOT_FOUND);
    }

    #[test]
    fn the_reason_is_short_however_long_the_params_are() {
        let params = json!({ "name": "x", "arguments": "y".repeat(1_000_000) });
        assert!(answer("tools/call", Some(params)).message.len() < 400);
    }
}
