//! What bridge and hub say to each other before the first JSON-RPC message: one line each.

use std::io;
use std::path::{self, PathBuf};

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use uuid::Uuid;

use super::BridgeError;
use crate::mcp::{Toolsets, UnknownToolset};
use crate::{paths, secret};

/// Changes when the lines after the greeting mean something else. Equal numbers work together, whatever the versions.
pub(super) const PROTOCOL: u32 = 1;

const MAX_LINE: u64 = 64 * 1024;

/// The first line of a bridge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    /// [`PROTOCOL`] of the bridge.
    pub(super) protocol: u32,
    /// Version of the bridge.
    pub(super) version: String,
    /// Tells bridges apart; the same after the hub was restarted.
    pub(super) bridge: String,
    /// Absolute folders for transcripts.
    pub(super) folders: Vec<PathBuf>,
    /// Process of the client.
    pub(super) client: Option<u32>,
    /// Whether it was connected before, to this hub or an earlier one.
    #[serde(default)]
    pub(super) is_back: bool,
    /// The toolsets that the client is shown, with commas between them; hubs of before show all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) toolsets: Option<String>,
}

/// The first line of the hub.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Welcome {
    /// Version of the hub.
    pub(super) version: String,
    /// Why the hub does not want the bridge; the connection ends then.
    pub(super) refused: Option<String>,
}

/// The part of a greeting that every version understands.
#[derive(Deserialize)]
struct AnyHello {
    protocol: u32,
    #[serde(default)]
    version: String,
}

impl Hello {
    /// For this process and its client.
    pub(super) fn of_this_process(transcripts: &[PathBuf], client: Option<u32>) -> Result<Self, BridgeError> {
        let absolute = |folder: &PathBuf| match path::absolute(folder) {
            Ok(absolute) if !paths::may_be_folder(&absolute) => Err(BridgeError::NoFolder(folder.clone())),
            Ok(absolute) if absolute.to_str().is_some() => Ok(absolute),
            _ => Err(BridgeError::Folder(folder.clone())),
        };
        Ok(Self {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            bridge: secret::id(),
            folders: transcripts.iter().map(absolute).collect::<Result<_, _>>()?,
            client,
            is_back: false,
            toolsets: None,
        })
    }

    /// For a client that is shown only these tools.
    pub(super) fn with_toolsets(mut self, toolsets: Option<&Toolsets>) -> Self {
        self.toolsets = toolsets.map(ToString::to_string);
        self
    }

    /// The tools that the client is shown, if it says so.
    pub(super) fn toolsets(&self) -> Result<Option<Toolsets>, String> {
        let named = self.toolsets.as_deref().map(str::parse).transpose();
        named.map_err(|error: UnknownToolset| error.to_string())
    }

    /// Reads the line of a bridge. The error is what the bridge is told.
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let AnyHello { protocol, version } = serde_json::from_slice(line)
            .map_err(|_| "this socket is for `turnroom stdio` only".to_owned())?;
        if protocol != PROTOCOL {
            return Err(format!(
                "the running hub is turnroom {} and this is turnroom {version}, which do not understand each other; \
                 `turnroom stop` ends the hub, and the next client starts a new one",
                env!("CARGO_PKG_VERSION"),
            ));
        }
        let hello: Self =
            serde_json::from_slice(line).map_err(|error| format!("the greeting is broken: {error}"))?;
        if Uuid::try_parse(&hello.bridge).is_err() {
            return Err("the greeting is broken: `bridge` is no UUID".to_owned());
        }
        if hello.folders.iter().any(|folder| !folder.is_absolute()) {
            return Err("the greeting is broken: `folders` are not absolute".to_owned());
        }
        hello.toolsets()?;
        Ok(hello)
    }
}

impl Welcome {
    /// From this version; `refused` says why not.
    pub(super) fn new(refused: Option<String>) -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), refused }
    }
}

/// Writes one line.
pub(super) async fn write<T: Serialize + Sync>(
    writer: &mut (impl AsyncWrite + Unpin + Send),
    line: &T,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    writer.write_all(&line).await
}

/// Reads one line, of a length that a greeting may have.
pub(super) async fn read(reader: &mut (impl AsyncBufRead + Unpin + Send)) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    reader.take(MAX_LINE).read_until(b'\n', &mut line).await?;
    if line.last() == Some(&b'\n') { Ok(line) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello() -> Hello {
        Hello::of_this_process(&[PathBuf::from("transcripts"), PathBuf::from("/测试")], Some(7)).unwrap()
    }

    #[test]
    fn a_greeting_carries_absolute_folders() {
        let hello = Hello::parse(&serde_json::to_vec(&hello()).unwrap()).unwrap();
        assert!(hello.folders[0].is_absolute() && hello.folders[0].ends_with("transcripts"));
        assert_eq!(hello.folders[1], PathBuf::from("/测试"));
        assert_eq!(hello.toolsets(), Ok(None));
    }

    #[test]
    fn another_protocol_is_refused_with_a_way_out_and_another_version_is_not() {
        let other = Hello { protocol: PROTOCOL + 1, version: "9.9.9".to_owned(), ..hello() };
        let refused = Hello::parse(&serde_json::to_vec(&other).unwrap()).unwrap_err();
        assert!(refused.contains("9.9.9") && refused.contains("turnroom stop"), "{refused}");
        let newer = br#"{"protocol":1,"version":"9.9.9","bridge":"67e55044-10b1-426f-9247-bb680e5fe0c8","folders":[],"client":null,"new":1}"#;
        assert_eq!(Hello::parse(newer).unwrap().version, "9.9.9");
        let strange = Hello::parse(br#"{"protocol":99}"#).unwrap_err();
        assert!(strange.contains("turnroom stop"), "{strange}");
    }

    #[test]
    fn a_greeting_carries_the_toolsets_and_one_that_is_not_there_is_told() {
        let room: Toolsets = "room".parse().unwrap();
        let wish = hello().with_toolsets(Some(&room));
        let read = Hello::parse(&serde_json::to_vec(&wish).unwrap()).unwrap();
        assert_eq!(read.toolsets(), Ok(Some(room)));
        let other = Hello { toolsets: Some("chess".to_owned()), ..hello() };
        let refused = Hello::parse(&serde_json::to_vec(&other).unwrap()).unwrap_err();
        assert!(refused.contains("chess") && refused.contains("room,tasks"), "{refused}");
    }

    #[test]
    fn a_broken_greeting_is_refused() {
        let cases = [
            Hello { bridge: "../x".to_owned(), ..hello() },
            Hello { folders: vec![PathBuf::from("relative")], ..hello() },
        ];
        for case in cases {
            assert!(Hello::parse(&serde_json::to_vec(&case).unwrap()).is_err(), "{case:?}");
        }
        for line in ["", "{}", "GET / HTTP/1.1", "{\"jsonrpc\":\"2.0\"}", "[1]"] {
            assert!(Hello::parse(line.as_bytes()).is_err(), "{line}");
        }
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_or_has_no_end_is_no_greeting() {
        let long = vec![b'x'; 100_000];
        assert!(read(&mut long.as_slice()).await.is_err());
        assert!(read(&mut b"half".as_slice()).await.is_err());
        assert_eq!(read(&mut b"whole\nrest".as_slice()).await.unwrap(), b"whole\n");
    }
}
