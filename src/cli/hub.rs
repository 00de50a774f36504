//! The running hub, as the terminal commands reach it.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use reqwest::StatusCode;
use serde_json::Value;

use super::call::Call;
use super::clean;
use super::door::{self, Door};
use super::failure::Failure;
use super::signed::is_person_here;
use crate::paths::DataFolder;

/// A hub that has not answered by then hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running hub.
pub(super) struct Hub {
    door: Door,
    folder: PathBuf,
    human_token_file: PathBuf,
}

impl Hub {
    /// Finds the hub of a data folder. It may have died since it was noted down; the first call tells.
    pub(super) fn find(folder: &DataFolder) -> Result<Self, Failure> {
        let place = folder.path().to_owned();
        let address = folder.read_address().map_err(anyhow::Error::from)?;
        let door = door::open(folder, address.as_ref())?.ok_or_else(|| Failure::NoHub(place.clone()))?;
        Ok(Self { door, folder: place, human_token_file: folder.human_token_file() })
    }

    /// Asks the hub. Dropping the future takes the question back.
    pub(super) async fn call(&self, call: &Call) -> Result<Value, Failure> {
        let mut request = self.door.client.post(format!("{}/api/{}", self.door.base, call.path));
        if let Some(token) = &self.door.token {
            request = request.bearer_auth(token);
        }
        if !call.may_wait() {
            request = request.timeout(PATIENCE);
        }
        if !call.folders.is_empty() {
            request = request.header("x-turnroom-folders", folders_header(call)?);
        }
        if let Some(token) = self.human_token(call) {
            request = request.header("x-turnroom-human", token);
        }
        if let Some(session) = &call.session {
            request = request.header("x-turnroom-session", session);
        }
        let response = request.json(&call.arguments).send().await.map_err(|error| self.unreachable(error))?;
        let status = response.status();
        let body = response.bytes().await.map_err(|error| self.unreachable(error))?;
        understand(status, &body)
    }

    /// What shows that a person calls. A script has no terminal on its standard input, and so shows nothing; nor does
    /// an agent that has one.
    fn human_token(&self, call: &Call) -> Option<String> {
        let is_person = call.is_for_people && is_person_here();
        let token = is_person.then(|| std::fs::read_to_string(&self.human_token_file).ok()).flatten()?;
        Some(token.trim().to_owned())
    }

    fn unreachable(&self, source: reqwest::Error) -> Failure {
        Failure::Unreachable { folder: self.folder.clone(), source }
    }
}

/// The folders as a JSON list in ASCII, as a header must be.
fn folders_header(call: &Call) -> anyhow::Result<String> {
    let json = serde_json::to_string(&call.folders).context("a folder's name is not Unicode")?;
    Ok(clean::ascii_json(&json))
}

fn understand(status: StatusCode, body: &[u8]) -> Result<Value, Failure> {
    let json: Option<Value> = serde_json::from_slice(body).ok();
    match json {
        Some(mut json) if json.get("error").is_some_and(Value::is_object) => {
            Err(Failure::Refused(json["error"].take()))
        }
        Some(json) if status.is_success() => Ok(json),
        _ => Err(Failure::Strange {
            status: status.as_u16(),
            body: String::from_utf8_lossy(body).trim().to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_refusal_is_the_hubs_own_words() {
        let body = br#"{"error":{"code":"not_joined","message":"join first","next":"join"}}"#;
        let Err(Failure::Refused(error)) = understand(StatusCode::UNPROCESSABLE_ENTITY, body) else {
            panic!("a refusal")
        };
        assert_eq!(error["code"], "not_joined");
    }

    #[test]
    fn an_answer_that_is_no_json_is_shown_as_it_is() {
        let result = understand(StatusCode::NOT_FOUND, b"no such path\n");
        assert!(matches!(result, Err(Failure::Strange { status: 404, body }) if body == "no such path"));
    }

    #[test]
    fn folders_of_every_script_fit_into_a_header() {
        let call = Call::tool("init_conversation").with_folder(PathBuf::from("/home/太郎/𝄞 \"a\"\\b"));
        let header = folders_header(&call).unwrap();
        assert!(header.is_ascii(), "{header}");
        assert_eq!(serde_json::from_str::<Vec<PathBuf>>(&header).unwrap(), call.folders);
    }
}
