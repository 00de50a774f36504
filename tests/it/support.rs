//! What the tests share: the binary as a command, and a hub that answers what a test wants.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::UnixListener;
use tokio::runtime::Runtime;
use turnroom::paths::{DataFolder, Environment, HubAddress};

/// The binary, with a data folder and nothing of the tester's own settings.
pub(crate) fn turnroom(data: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnroom"));
    for name in ["DATA_DIR", "HANDLE", "ROOM", "KEY", "TASK", "ROLE", "LOG"] {
        command.env_remove(format!("TURNROOM_{name}"));
    }
    command.env_remove("NO_COLOR");
    // The tester's desktop shows nothing.
    command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    command.env("XDG_CONFIG_HOME", data.join("no-settings"));
    command.args(words).arg("--data-dir").arg(data);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the binary to its end.
pub(crate) fn run(data: &Path, words: &[&str]) -> Output {
    turnroom(data, words).output().expect("the binary starts")
}

/// What comes to be so by itself, looked for until it is, or for more than a minute.
pub(crate) fn comes<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..12_000 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::park_timeout(Duration::from_millis(5));
    }
    panic!("this does not come: {what}");
}

/// Standard output as text.
pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// Standard error as text.
pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// What a test answers to one call.
pub(crate) enum Reply {
    /// This, at once.
    Json(u16, Value),
    /// This, and the next calls go to a new hub at another place, as after a restart.
    Restart(Value),
    /// Nothing: the connection breaks, and the next calls go to a new hub at another place, as after a crash.
    Crash,
    /// Nothing: the call waits until its caller goes away.
    Never,
}

type Answer = dyn FnMut(&str, &Value) -> Reply + Send;

/// A hub that answers what a test wants, over the real socket.
pub(crate) struct FakeHub {
    folder: TempDir,
    /// One entry for each call that was answered with [`Reply::Never`] and whose caller has gone.
    pub(crate) gone: Receiver<()>,
    /// Path and headers of each call.
    pub(crate) calls: Receiver<(String, Value)>,
    _runtime: Runtime,
}

#[derive(Clone)]
struct Desk {
    answer: Arc<Mutex<Answer>>,
    data: DataFolder,
    gone: mpsc::Sender<()>,
    calls: mpsc::Sender<(String, Value)>,
}

impl FakeHub {
    /// A hub that answers by `answer`, which gets path and arguments of each call.
    pub(crate) fn new(answer: impl FnMut(&str, &Value) -> Reply + Send + 'static) -> Self {
        let folder = TempDir::new().expect("a folder");
        let data = DataFolder::open(Some(folder.path()), &Environment::read()).expect("a data folder");
        let ((gone, gone_receiver), (calls, calls_receiver)) = (mpsc::channel(), mpsc::channel());
        let runtime = Runtime::new().expect("a runtime");
        let desk = Desk { answer: Arc::new(Mutex::new(answer)), data, gone, calls };
        runtime.block_on(async { desk.listen("first.sock") });
        Self { folder, gone: gone_receiver, calls: calls_receiver, _runtime: runtime }
    }

    /// A hub that gives one answer to every call.
    pub(crate) fn answering(status: u16, json: Value) -> Self {
        Self::new(move |_, _| Reply::Json(status, json.clone()))
    }

    /// Its data folder.
    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }
}

impl Desk {
    /// Listens, and then tells where, as a hub does.
    fn listen(&self, name: &str) {
        let socket = self.data.path().join(name);
        let listener = UnixListener::bind(&socket).expect("a socket");
        let router = Router::new().fallback(handle).with_state(self.clone());
        tokio::spawn(async { axum::serve(listener, router).await });
        let started = "2026-08-18T10:20:00Z".parse().expect("a time");
        let address = HubAddress { pid: std::process::id(), url: None, socket, started };
        self.data.write_address(&address).expect("an address");
    }
}

async fn handle(State(desk): State<Desk>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let body = axum::body::to_bytes(request.into_body(), usize::MAX).await.unwrap_or_default();
    let arguments: Value = serde_json::from_slice(&body).expect("JSON");
    let reply = desk.answer.lock().expect("no test panicked")(&path, &arguments);
    desk.calls.send((path, arguments)).expect("the test runs");
    match reply {
        Reply::Json(status, json) => {
            (StatusCode::from_u16(status).expect("a status"), json.to_string()).into_response()
        }
        Reply::Restart(json) => {
            desk.listen("second.sock");
            Bytes::from(json.to_string()).into_response()
        }
        Reply::Crash => {
            desk.listen("second.sock");
            panic!("as the test wants");
        }
        Reply::Never => {
            let _gone = Gone(desk.gone);
            std::future::pending().await
        }
    }
}

/// Tells when the call it belongs to is dropped.
struct Gone(mpsc::Sender<()>);

impl Drop for Gone {
    fn drop(&mut self) {
        // The test may be over.
        let _ = self.0.send(());
    }
}
