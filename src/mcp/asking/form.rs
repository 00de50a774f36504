//! The form by which whoever sits at a client lets an action pass, or refuses it.

use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, EnumSchema,
    StringSchema,
};
use serde_json::Value;

use super::{REASON_CHARS, Said};

const VERDICT: &str = "verdict";
/// Comes after the verdict in any order: clients are sent the fields by their names.
const WHY: &str = "why";
const PASS: &str = "pass";
const REFUSE: &str = "refuse";

/// The form.
pub(super) fn request(text: &str) -> ElicitRequest {
    ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: text.to_owned(),
        requested_schema: schema(),
    })
}

fn schema() -> ElicitationSchema {
    let verdict = EnumSchema::builder(vec![PASS.to_owned(), REFUSE.to_owned()]);
    let verdict = verdict.title("Verdict").description("`pass` lets the action be done, `refuse` does not");
    let reason = StringSchema::new().title("Why").max_length(REASON_CHARS);
    let form = ElicitationSchema::builder().required_enum_schema(VERDICT, verdict.build());
    form.string_property(WHY, |_| reason).build_unchecked()
}

/// What was filled in. A form that was closed says neither yes nor no; one that was declined says no.
pub(super) fn read(answer: Value) -> Result<Said, String> {
    let ElicitResult { action, content, .. } = serde_json::from_value(answer)
        .map_err(|_| "the client has sent something that is no answer to a form".to_owned())?;
    match action {
        ElicitationAction::Accept => filled(content.as_ref()),
        ElicitationAction::Decline => {
            Ok(Said { pass: false, reason: Some("the form was declined".to_owned()) })
        }
        _ => Err("the form was closed without an answer".to_owned()),
    }
}

fn filled(content: Option<&Value>) -> Result<Said, String> {
    let wrong = |problem: &str| Err(format!("the form is not filled in as it asks: {problem}"));
    let Some(Value::Object(fields)) = content else { return wrong("it has no fields") };
    let pass = match fields.get(VERDICT).and_then(Value::as_str) {
        Some(PASS) => true,
        Some(REFUSE) => false,
        _ => return wrong("`verdict` is neither `pass` nor `refuse`"),
    };
    let reason = match fields.get(WHY) {
        None | Some(Value::Null) => None,
        Some(Value::String(reason)) if reason.chars().count() <= REASON_CHARS as usize => Some(reason),
        Some(_) => return wrong(&format!("`why` is no text of at most {REASON_CHARS} characters")),
    };
    Ok(Said { pass, reason: reason.filter(|reason| !reason.trim().is_empty()).cloned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn accepted(content: &Value) -> Result<Said, String> {
        read(json!({ "action": "accept", "content": content }))
    }

    #[test]
    fn a_form_asks_for_a_verdict_and_allows_a_reason() {
        let form = serde_json::to_value(request("May it go out?")).unwrap();
        insta::assert_json_snapshot!(form);
    }

    #[test]
    fn a_form_that_is_filled_in_is_a_verdict() {
        let said = |pass, reason: Option<&str>| Ok(Said { pass, reason: reason.map(str::to_owned) });
        assert_eq!(accepted(&json!({ "verdict": "pass" })), said(true, None));
        assert_eq!(accepted(&json!({ "verdict": "pass", "why": " " })), said(true, None));
        assert_eq!(
            accepted(&json!({ "verdict": "refuse", "why": "Too early" })),
            said(false, Some("Too early"))
        );
        assert_eq!(read(json!({ "action": "decline" })), said(false, Some("the form was declined")));
    }

    #[test]
    fn what_does_not_fit_the_form_is_no_verdict_and_says_why() {
        let long = "x".repeat(REASON_CHARS as usize + 1);
        for (content, why) in [
            (json!(null), "no fields"),
            (json!([]), "no fields"),
            (json!({}), "`verdict`"),
            (json!({ "verdict": "yes" }), "`verdict`"),
            (json!({ "verdict": true }), "`verdict`"),
            (json!({ "verdict": "PASS" }), "`verdict`"),
            (json!({ "verdict": "pass", "why": 7 }), "`why`"),
            (json!({ "verdict": "pass", "why": long }), "`why`"),
        ] {
            let told = accepted(&content).unwrap_err();
            assert!(told.contains(why), "{content}: {told}");
        }
        assert!(read(json!({ "action": "cancel" })).unwrap_err().contains("closed"));
        for odd in [json!(null), json!({}), json!({ "action": "perhaps" }), json!("accept")] {
            assert!(read(odd).unwrap_err().contains("no answer to a form"));
        }
    }
}
