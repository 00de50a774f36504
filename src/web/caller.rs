//! Who calls the API: read from the headers of a request, and checked.

use std::path::PathBuf;

use axum::http::{HeaderMap, HeaderValue};
use tokio_util::sync::CancellationToken;

use super::access::HumanToken;
use super::guard::Entry;
use crate::hub::{Caller, Mouth, Session};

/// Names the session of a caller that makes several calls.
pub const SESSION_HEADER: &str = "x-turnroom-session";
/// The caller's folders for transcripts: a JSON list of absolute paths, in ASCII.
pub const FOLDERS_HEADER: &str = "x-turnroom-folders";

/// Shows the hub's human token: a person calls, at a terminal.
pub const HUMAN_HEADER: &str = "x-turnroom-human";

const MAX_SESSION: usize = 100;
const MAX_FOLDERS: usize = 100;

/// A header that makes no sense.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(super) enum BadHeader {
    #[error("`{SESSION_HEADER}` must have 1 to {MAX_SESSION} visible ASCII characters")]
    Session,
    #[error("`{FOLDERS_HEADER}` must be a JSON list of at most {MAX_FOLDERS} absolute paths")]
    Folders,
    #[error("`{FOLDERS_HEADER}` is for the local socket only")]
    FoldersOverTcp,
    #[error(
        "`{HUMAN_HEADER}` does not hold this hub's human token; it lies in `human-token` in the data folder"
    )]
    Human,
}

/// The caller behind a request.
pub(super) fn caller(
    headers: &HeaderMap,
    entry: Entry,
    human: &HumanToken,
    cancelled: CancellationToken,
) -> Result<Caller, BadHeader> {
    let session = headers.get(SESSION_HEADER).map_or(Ok(Session::Alone), session)?;
    Ok(Caller {
        is_verified: headers.get(HUMAN_HEADER).map_or(Ok(false), |value| shows(value, human))?,
        folders: headers.get(FOLDERS_HEADER).map_or(Ok(Vec::new()), |value| folders(value, entry))?,
        cancelled,
        ..Caller::new(session, Mouth::Terminal)
    })
}

fn shows(value: &HeaderValue, human: &HumanToken) -> Result<bool, BadHeader> {
    let is_right = value.to_str().is_ok_and(|shown| human.is(shown.trim()));
    if is_right { Ok(true) } else { Err(BadHeader::Human) }
}

fn session(value: &HeaderValue) -> Result<Session, BadHeader> {
    let name = value.to_str().map_err(|_| BadHeader::Session)?;
    let is_visible = name.bytes().all(|byte| byte.is_ascii_graphic());
    if name.is_empty() || name.len() > MAX_SESSION || !is_visible {
        return Err(BadHeader::Session);
    }
    // A prefix, so that nobody takes the session of a bridge or an MCP client by its name.
    Ok(Session::Named(format!("api:{name}").into()))
}

fn folders(value: &HeaderValue, entry: Entry) -> Result<Vec<PathBuf>, BadHeader> {
    if entry == Entry::Tcp {
        return Err(BadHeader::FoldersOverTcp);
    }
    let folders: Vec<PathBuf> = serde_json::from_slice(value.as_bytes()).map_err(|_| BadHeader::Folders)?;
    if folders.len() > MAX_FOLDERS || folders.iter().any(|folder| !folder.is_absolute()) {
        return Err(BadHeader::Folders);
    }
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &'static str, value: &str, entry: Entry) -> Result<Caller, BadHeader> {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), HeaderValue::from_str(value).unwrap())]);
        caller(&headers, entry, &HumanToken::new("human".into()), CancellationToken::new())
    }

    #[test]
    fn a_caller_without_headers_stands_alone() {
        let human = HumanToken::new("human".into());
        let caller = caller(&HeaderMap::new(), Entry::Tcp, &human, CancellationToken::new()).unwrap();
        assert_eq!(caller.session, Session::Alone);
        assert!(!caller.is_verified);
        assert!(caller.folders.is_empty());
    }

    #[test]
    fn only_the_human_token_verifies_a_caller() {
        assert!(read(HUMAN_HEADER, "human", Entry::Local).unwrap().is_verified);
        for wrong in ["", "Human", "human2"] {
            assert_eq!(read(HUMAN_HEADER, wrong, Entry::Tcp).unwrap_err(), BadHeader::Human);
        }
    }

    #[test]
    fn a_named_session_is_no_session_of_another_transport() {
        let caller = read(SESSION_HEADER, "bridge:1", Entry::Local).unwrap();
        assert_eq!(caller.session, Session::Named("api:bridge:1".into()));
    }

    #[test]
    fn a_session_name_is_short_and_visible() {
        for name in ["", "a b", &"x".repeat(MAX_SESSION + 1)] {
            assert_eq!(read(SESSION_HEADER, name, Entry::Local).unwrap_err(), BadHeader::Session);
        }
    }

    #[test]
    fn folders_come_over_the_local_socket_only_and_are_absolute() {
        let caller = read(FOLDERS_HEADER, r#"["/a","/\u6d4b\u8bd5 b"]"#, Entry::Local).unwrap();
        assert_eq!(caller.folders, [PathBuf::from("/a"), PathBuf::from("/测试 b")]);
        assert_eq!(read(FOLDERS_HEADER, r#"["/a"]"#, Entry::Tcp).unwrap_err(), BadHeader::FoldersOverTcp);
        for bad in ["/a", r#"["a"]"#, r#"["../a"]"#, "[1]", "{}"] {
            assert_eq!(read(FOLDERS_HEADER, bad, Entry::Local).unwrap_err(), BadHeader::Folders, "{bad}");
        }
    }
}
