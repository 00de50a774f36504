//! What is compared with: a bare echo server, a bare loop of commits, and a bare MCP server whose only tool
//! waits. Each is as much as nothing at all costs here.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use rusqlite::Connection;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::time::Instant;

/// Runs this program as a server.
pub(crate) async fn serve(role: &str) -> Result<()> {
    let routes = match role {
        "echo" => Router::new().route("/", post(|body: Bytes| async { body })),
        "probe" => probe(),
        _ => bail!("there is no role `{role}`"),
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "http://{}", listener.local_addr()?)?;
    axum::serve(listener, routes).await?;
    Ok(())
}

#[derive(Clone)]
struct Probe(Arc<Notify>);

impl ServerHandler for Probe {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name == "wait" {
            self.0.notified().await;
        }
        let mut result = CallToolResult::success(vec![ContentBlock::text("{}")]);
        result.structured_content = Some(serde_json::json!({}));
        Ok(result.into())
    }
}

fn probe() -> Router {
    let wake = Arc::<Notify>::default();
    let waking = Arc::clone(&wake);
    let make = move || Ok(Probe(Arc::clone(&wake)));
    let config = StreamableHttpServerConfig::default();
    let mcp = StreamableHttpService::new(make, Arc::<LocalSessionManager>::default(), config);
    Router::new().route_service("/mcp", mcp).route(
        "/wake",
        post(move || async move {
            waking.notify_waiters();
            "{}"
        }),
    )
}

/// A journal that is only a table: one row, one commit, flushed.
pub(crate) struct Commits(Connection);

impl Commits {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let connection = Connection::open(folder.join("bare.db"))?;
        connection.query_row("PRAGMA journal_mode = WAL", (), |_| Ok(()))?;
        connection.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 512;
             CREATE TABLE bare (id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT",
        )?;
        Ok(Self(connection))
    }

    /// How long one durable commit takes.
    pub(crate) fn one(&self) -> Result<Duration> {
        let begun = Instant::now();
        self.0.prepare_cached("INSERT INTO bare (body) VALUES (?1)")?.execute([[7_u8; 500].as_slice()])?;
        Ok(begun.elapsed())
    }
}
