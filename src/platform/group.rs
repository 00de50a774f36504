//! A program that runs, with the children it starts.

use std::fs::File;
use std::process::{Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;
use tokio::time::timeout;

use super::process;

/// A killed program is gone after less.
const END: Duration = Duration::from_secs(1);
/// What a program has said before its end is read after less.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A file that is held for one program is open to all that start at the same moment: they start one after the other.
static STARTING: Mutex<()> = Mutex::new(());

/// A program that runs. If it is dropped before its end, it is killed with its children.
#[derive(Debug)]
pub struct Group(Child);

impl Group {
    /// Starts it.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(command: Command) -> std::io::Result<Self> {
        let _alone = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        Self::spawn(command)
    }

    /// Starts it, and lets it and its children hold this file open, whatever becomes of their standard streams: a lock
    /// on it lasts as long as one of them runs that does not close it on purpose.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start_holding(command: Command, file: &File) -> std::io::Result<Self> {
        let _alone = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        let _held = process::inheritable(file)?;
        Self::spawn(command)
    }

    fn spawn(mut command: Command) -> std::io::Result<Self> {
        process::lead_group(&mut command);
        tokio::process::Command::from(command).kill_on_drop(true).spawn().map(Self)
    }

    /// Gives it a text on its standard input, and waits for its end.
    ///
    /// # Errors
    /// If its end cannot be waited for.
    pub async fn feed(&mut self, text: String) -> std::io::Result<ExitStatus> {
        let input = self.0.stdin.take();
        let written = async {
            if let Some(mut input) = input {
                // A program need not read what it is given.
                let _ = input.write_all(text.as_bytes()).await;
            }
        };
        let ((), ended) = tokio::join!(written, self.0.wait());
        ended
    }

    /// Gives it a text on its standard input, and waits for its end and for what it has said by then, of which `most` bytes
    /// are kept.
    ///
    /// # Errors
    /// If its end cannot be waited for.
    pub async fn converse(&mut self, text: String, most: usize) -> std::io::Result<(ExitStatus, Vec<u8>)> {
        let output = self.0.stdout.take();
        let mut said = Vec::new();
        let heard = async {
            if let Some(mut output) = output {
                // What it says beyond that is taken and dropped, so that it is not held up.
                let _ = (&mut output).take(most as u64).read_to_end(&mut said).await;
                let _ = tokio::io::copy(&mut output, &mut tokio::io::sink()).await;
            }
        };
        let (mut heard, mut fed) = (Box::pin(heard), Box::pin(self.feed(text)));
        let ended = tokio::select! {
            () = &mut heard => fed.await,
            ended = &mut fed => {
                // What it has left running may hold its output for ever.
                let _ = timeout(LAST_WORDS, &mut heard).await;
                ended
            }
        };
        drop(heard);
        Ok((ended?, said))
    }

    /// Kills it with its children, and waits until it is gone.
    pub async fn kill(&mut self) {
        self.kill_group();
        let _ = timeout(END, self.0.wait()).await;
    }

    fn kill_group(&self) {
        // No number: it has ended, and was waited for.
        if let Some(leader) = self.0.id() {
            process::kill_group(leader);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill_group();
    }
}
