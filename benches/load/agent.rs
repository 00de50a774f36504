//! An agent that calls tools, over HTTP or over a bridge. A call is written and read in two steps, so that one
//! task can hold many calls that wait.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::http::Connection;

const REVISION: &str = "2026-07-28";

/// One agent.
pub(crate) struct Agent {
    way: Way,
    calls: u64,
}

enum Way {
    Http(Connection),
    Bridge(Box<Bridge>),
}

struct Bridge {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Agent {
    pub(crate) async fn over_http(hub: SocketAddr) -> Result<Self> {
        Ok(Self { way: Way::Http(Connection::open(hub).await?), calls: 0 })
    }

    /// Starts a bridge to the hub of this data folder.
    pub(crate) async fn over_bridge(binary: &Path, data: &Path, notes: &Path) -> Result<Self> {
        let mut child = Command::new(binary)
            .arg("stdio")
            .args(["--data-dir".as_ref(), data])
            .args(["--transcripts".as_ref(), notes])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let input = child.stdin.take().context("it has an input")?;
        let output = BufReader::new(child.stdout.take().context("it has an output")?);
        let mut agent = Self { way: Way::Bridge(Box::new(Bridge { child, input, output })), calls: 0 };
        let client = json!({ "name": "load", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        agent.write("initialize", &params, "").await?;
        agent.read().await?;
        agent.notify("notifications/initialized").await?;
        Ok(agent)
    }

    /// The process of its bridge.
    pub(crate) fn bridge(&self) -> Option<u32> {
        match &self.way {
            Way::Http(_) => None,
            Way::Bridge(bridge) => bridge.child.id(),
        }
    }

    /// Writes a call.
    pub(crate) async fn ask(&mut self, tool: &str, arguments: &Value) -> Result<()> {
        let mut params = json!({ "name": tool, "arguments": arguments });
        if matches!(self.way, Way::Http(_)) {
            params["_meta"] = meta();
        }
        self.write("tools/call", &params, tool).await
    }

    /// Listens to the changes of a resource, over HTTP. It asks nothing more from now on.
    pub(crate) async fn listen(&mut self, uri: &str) -> Result<()> {
        let params = json!({ "notifications": { "resourceSubscriptions": [uri] }, "_meta": meta() });
        self.write("subscriptions/listen", &params, "").await?;
        if let Way::Http(connection) = &mut self.way {
            connection.begin_stream().await?;
        }
        self.hear("notifications/subscriptions/acknowledged").await
    }

    /// Waits until it is told of a change.
    pub(crate) async fn told(&mut self) -> Result<()> {
        self.hear("notifications/resources/updated").await
    }

    async fn hear(&mut self, method: &str) -> Result<()> {
        let Way::Http(connection) = &mut self.way else { bail!("a bridge does not listen here") };
        loop {
            let message: Value = serde_json::from_str(&connection.event().await?)?;
            if message["method"] == method {
                return Ok(());
            }
        }
    }

    /// Asks for a page of resources.
    pub(crate) async fn resources(&mut self) -> Result<Value> {
        self.write("resources/list", &json!({ "_meta": meta() }), "").await?;
        Ok(self.read().await?["result"].take())
    }

    /// Reads the answer to the call that was written last.
    pub(crate) async fn answer(&mut self) -> Result<Value> {
        let answer = self.read().await?;
        let result = &answer["result"];
        if result["isError"] == true {
            bail!("refused: {answer}");
        }
        // A large answer comes as text only.
        match (&result["structuredContent"], result["content"][0]["text"].as_str()) {
            (Value::Null, Some(text)) => Ok(serde_json::from_str(text)?),
            (Value::Null, None) => bail!("no answer: {answer}"),
            (structured, _) => Ok(structured.clone()),
        }
    }

    pub(crate) async fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        self.ask(tool, arguments).await?;
        self.answer().await
    }

    async fn write(&mut self, method: &str, params: &Value, name: &str) -> Result<()> {
        self.calls += 1;
        let body = json!({ "jsonrpc": "2.0", "id": self.calls, "method": method, "params": params });
        match &mut self.way {
            Way::Http(connection) => {
                let named = if name.is_empty() { String::new() } else { format!("mcp-name: {name}\r\n") };
                let headers = format!(
                    "accept: application/json, text/event-stream\r\nmcp-protocol-version: {REVISION}\r\n\
                     mcp-method: {method}\r\n{named}"
                );
                connection.write("/mcp", &headers, body.to_string().as_bytes()).await
            }
            Way::Bridge(bridge) => bridge.write(&body).await,
        }
    }

    async fn notify(&mut self, method: &str) -> Result<()> {
        if let Way::Bridge(bridge) = &mut self.way {
            bridge.write(&json!({ "jsonrpc": "2.0", "method": method })).await?;
        }
        Ok(())
    }

    async fn read(&mut self) -> Result<Value> {
        match &mut self.way {
            Way::Http(connection) => {
                let body = String::from_utf8(connection.read().await?)?;
                let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
                let last = events.map(str::trim).rfind(|data| !data.is_empty());
                Ok(serde_json::from_str(last.unwrap_or(&body))?)
            }
            Way::Bridge(bridge) => loop {
                let line: Value = serde_json::from_str(&bridge.line().await?)?;
                if line["id"] == self.calls {
                    return Ok(line);
                }
            },
        }
    }
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": REVISION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "load", "version": "1" },
    })
}

impl Bridge {
    async fn write(&mut self, body: &Value) -> Result<()> {
        self.input.write_all(format!("{body}\n").as_bytes()).await?;
        Ok(())
    }

    async fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line).await?;
        Ok(line)
    }
}
