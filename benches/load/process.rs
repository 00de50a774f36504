//! The processes that are measured, and what the system tells of them.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::Instant;

/// The system counts the time of processors in steps of this.
const TICK: Duration = Duration::from_millis(10);

/// A server that says where it listens.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    /// From the start until it said so.
    pub(crate) started_in: Duration,
}

/// A hub, and where it keeps everything.
pub(crate) struct Hub {
    pub(crate) server: Server,
    pub(crate) binary: PathBuf,
    pub(crate) data: PathBuf,
    pub(crate) notes: PathBuf,
}

impl Server {
    /// Starts a program, and waits for the line with its address.
    async fn start(command: &mut Command) -> Result<Self> {
        let begun = Instant::now();
        let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).kill_on_drop(true).spawn()?;
        let mut output = BufReader::new(child.stdout.take().context("it has an output")?);
        let mut line = String::new();
        loop {
            line.clear();
            let read = output.read_line(&mut line).await?;
            anyhow::ensure!(read > 0, "the server has ended before it said where it listens");
            let Some((_, rest)) = line.split_once("http://") else { continue };
            let address = rest.split('/').next().unwrap_or(rest).trim().parse()?;
            return Ok(Self { child, address, started_in: begun.elapsed() });
        }
    }

    /// This program once more, as a server to compare with.
    pub(crate) async fn role(name: &str) -> Result<Self> {
        Self::start(Command::new(std::env::current_exe()?).args(["--role", name])).await
    }

    fn file(&self, name: &str) -> Result<String> {
        let id = self.child.id().context("it has ended")?;
        Ok(fs::read_to_string(format!("/proc/{id}/{name}"))?)
    }

    /// Bytes of memory.
    pub(crate) fn memory(&self) -> Result<u64> {
        memory(self.child.id().context("it has ended")?)
    }

    /// Time of processors that it has used.
    pub(crate) fn cpu(&self) -> Result<Duration> {
        let text = self.file("stat")?;
        let (_, fields) = text.rsplit_once(')').context("no name")?;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u32>);
        Ok(TICK * ticks.sum::<Result<u32, _>>()?)
    }

    /// Bytes that it has handed to the system to write: to files and to sockets.
    pub(crate) fn written(&self) -> Result<u64> {
        let text = self.file("io")?;
        let line = text.lines().find_map(|line| line.strip_prefix("wchar:"));
        Ok(line.context("no wchar")?.trim().parse()?)
    }

    pub(crate) async fn ended(&mut self) -> Result<()> {
        self.child.wait().await?;
        Ok(())
    }

    pub(crate) async fn kill(mut self) -> Result<()> {
        Ok(self.child.kill().await?)
    }
}

impl Hub {
    /// Starts a hub in a folder.
    pub(crate) async fn start(binary: &Path, folder: &Path) -> Result<Self> {
        let (data, notes) = (folder.join("data"), folder.join("notes"));
        fs::create_dir_all(&notes)?;
        let mut command = Command::new(binary);
        command.args(["serve", "--port", "0", "--data-dir"]).arg(&data).arg("--transcripts").arg(&notes);
        command.env("HOME", folder).stderr(fs::File::create(folder.join("hub.log"))?);
        let server = Server::start(&mut command).await?;
        Ok(Self { server, binary: binary.to_owned(), data, notes })
    }

    /// Asks it to end, and waits until it has.
    pub(crate) async fn stop(mut self) -> Result<()> {
        Command::new(&self.binary).args(["stop", "--data-dir"]).arg(&self.data).output().await?;
        self.server.ended().await
    }
}

/// Bytes of memory that a process uses.
pub(crate) fn memory(id: u32) -> Result<u64> {
    let text = fs::read_to_string(format!("/proc/{id}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let pages: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(pages * 1024)
}
