//! Whether the hub answers, over its socket and at its port.

use std::time::Duration;

use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::super::call::Call;
use super::super::hub::Hub;
use super::finding::Finding;
use crate::paths::DataFolder;

const ABOUT: &str = "hub";
/// A hub that is alive answers at once, unless the machine is very busy.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) async fn check(folder: &DataFolder, is_running: bool) -> Vec<Finding> {
    if !is_running {
        return vec![Finding::ok(ABOUT, "none runs; a client over stdio or `turnroom serve` starts one")];
    }
    let asked = async { Hub::find(folder)?.call(&Call::command("status")).await };
    let status = match timeout(PATIENCE, asked).await {
        Ok(Ok(status)) => status,
        Ok(Err(failure)) => {
            let why = failure.explain().unwrap_or_default();
            return vec![silent(why.trim_start_matches("error: ").trim())];
        }
        Err(_) => return vec![silent("it does not answer within 5 seconds")],
    };
    let mut findings = vec![version(&status)];
    if let Some(url) = status["url"].as_str() {
        findings.push(port(url).await);
    }
    findings
}

fn silent(why: &str) -> Finding {
    let next = "wait, then run this again; if it stays, end that process and start `turnroom serve`";
    Finding::fault(ABOUT, format!("one runs, but cannot be asked: {why}"), next)
}

fn version(status: &Value) -> Finding {
    let (ours, its) = (env!("CARGO_PKG_VERSION"), status["version"].as_str().unwrap_or("unknown"));
    if its == ours {
        let counts = (&status["rooms"], &status["clients"]);
        Finding::ok(ABOUT, format!("version {its} answers; {} rooms, {} clients", counts.0, counts.1))
    } else {
        let what = format!("the hub has version {its}, this program {ours}");
        Finding::warning(ABOUT, what, "`turnroom stop`, then start the hub again")
    }
}

async fn port(url: &str) -> Finding {
    let place = url.split_once("://").map_or(url, |(_, place)| place);
    match timeout(PATIENCE, TcpStream::connect(place)).await {
        Ok(Ok(_)) => Finding::ok(ABOUT, format!("{url} takes connections; MCP at {url}/mcp")),
        _ => {
            let next = "see whether a firewall is in the way, or restart the hub";
            Finding::fault(ABOUT, format!("{url} takes no connection"), next)
        }
    }
}
