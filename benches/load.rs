//! A load driver: runs a hub and what it is compared with, side by side, and prints each figure as a ratio to its
//! limit. `scripts/bench` builds both and calls it.

#[path = "load/agent.rs"]
mod agent;
#[path = "load/cold.rs"]
mod cold;
#[path = "load/crowd.rs"]
mod crowd;
#[path = "load/fixture.rs"]
mod fixture;
#[path = "load/http.rs"]
mod http;
#[path = "load/limits.rs"]
mod limits;
#[path = "load/posts.rs"]
mod posts;
#[path = "load/process.rs"]
mod process;
#[path = "load/puzzles.rs"]
mod puzzles;
#[path = "load/report.rs"]
mod report;
#[path = "load/talk.rs"]
mod talk;
#[path = "load/tasks.rs"]
mod tasks;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use serde_json::json;

use report::{Figure, number};

const MEBI: f64 = 1_048_576.0;
const PARTS: &str = "talk,crowd,posts,cold,tasks,puzzles";

/// Measures a hub under load.
#[derive(Parser)]
struct Options {
    /// The binary that is measured.
    #[arg(long)]
    binary: Option<PathBuf>,
    /// Also a room of 100,000 messages, 1,000 waiting agents, 1,000 rooms of 1,000 messages, a task of 5,000 records,
    /// and 10,000 puzzles.
    #[arg(long)]
    full: bool,
    /// Only these parts.
    #[arg(long, value_delimiter = ',', default_value = PARTS)]
    only: Vec<String>,
    /// Where to work: on the disk that is measured.
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Where the figures go as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Runs this program as a server to compare with.
    #[arg(long, hide = true)]
    role: Option<String>,
    /// What cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if let Some(role) = &options.role {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        return runtime.block_on(limits::serve(role));
    }
    let Some(binary) = &options.binary else {
        writeln!(std::io::stdout(), "nothing is measured; scripts/bench says what")?;
        return Ok(());
    };
    // One thread for all clients: the processors are for the hub.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(measure(&options, &binary.canonicalize()?))
}

async fn measure(options: &Options, binary: &Path) -> Result<()> {
    let folder = match &options.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let size = number(std::fs::metadata(binary).context("no binary")?.len());
    let mut figures = vec![Figure::new("size of the binary", size / MEBI, "MiB").at_most(30.0)];
    for part in &options.only {
        figures.extend(one(part, options.full, binary, &folder.path().join(part)).await?);
    }
    if let Some(file) = &options.json {
        let all = json!({ "is_full": options.full, "figures": report::list(&figures) });
        std::fs::write(file, format!("{all:#}\n"))?;
    }
    write!(std::io::stdout(), "{}", report::table(&figures))?;
    Ok(())
}

async fn one(part: &str, is_full: bool, binary: &Path, folder: &Path) -> Result<Vec<Figure>> {
    let long: &[u64] = if is_full { &[10, 1_000, 10_000, 100_000] } else { &[10, 1_000, 10_000] };
    let many: &[usize] = if is_full { &[10, 100, 300, 1_000] } else { &[10, 100, 300] };
    let rooms = if is_full { (1_000, 1_000) } else { (100, 100) };
    let records: &[u64] = if is_full { &[10, 1_000, 5_000] } else { &[10, 1_000] };
    let puzzles = if is_full { 10_000 } else { 1_000 };
    match part {
        "talk" => talk::measure(binary, folder, long).await,
        "crowd" => crowd::measure(binary, folder, many).await,
        "posts" => posts::measure(binary, folder).await,
        "cold" => cold::measure(binary, folder, rooms.0, rooms.1).await,
        "tasks" => tasks::measure(binary, folder, records).await,
        "puzzles" => puzzles::measure(binary, folder, puzzles).await,
        _ => anyhow::bail!("there is no part `{part}`; there are {PARTS}"),
    }
}
