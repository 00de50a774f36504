//! Passes lines between a client and a hub, and goes on with the next hub when one ends.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::Receiver;
use tokio_util::sync::CancellationToken;

use super::BridgeError;
use super::ledger::{For, Ledger, Line, Replay};
use crate::platform::socket::{LocalReader, LocalWriter};

/// Answers that are on their way when the client ends get so long.
const LAST_ANSWERS: Duration = Duration::from_secs(1);
/// Whatever the hub does, a bridge does not outlive its client by more.
const LAST_MOMENT: Duration = Duration::from_millis(1800);
/// A hub that does not answer a handshake for so long is no hub.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Memory of a longer line is given back.
const KEPT_BUFFER: usize = 256 * 1024;

/// A greeted connection to a hub.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) reader: BufReader<LocalReader>,
    pub(super) writer: LocalWriter,
}

/// Whether the client waits for a hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// A request has no answer.
    Now,
    /// Nothing is asked.
    Later,
}

/// Knows how to get to a hub. May be dropped at any time and asked again.
pub(super) trait Way: Send {
    /// Connects to the hub; waits for one, or starts one.
    fn connect(&mut self, need: Need) -> impl Future<Output = Result<Link, BridgeError>> + Send;
}

/// Which side has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lost {
    Client,
    Hub,
}

/// Runs until the client ends. `gone` fires at the end of its input.
pub(super) async fn relay(
    client: Receiver<Line>,
    gone: CancellationToken,
    output: impl AsyncWrite + Unpin + Send,
    way: impl Way,
) -> Result<(), BridgeError> {
    tokio::select! {
        ended = serve(client, output, way) => ended,
        () = async {
            gone.cancelled().await;
            tokio::time::sleep(LAST_MOMENT).await;
        } => Ok(()),
    }
}

async fn serve(
    mut client: Receiver<Line>,
    mut output: impl AsyncWrite + Unpin + Send,
    mut way: impl Way,
) -> Result<(), BridgeError> {
    let ledger = Mutex::new(Ledger::default());
    loop {
        let link = match connect(&mut client, &ledger, &mut way).await {
            Ok(Some(link)) => link,
            Ok(None) => return Ok(()),
            Err(error) => {
                give_up(&ledger, &mut output, &error).await;
                return Err(error);
            }
        };
        let Link { mut reader, mut writer } = link;
        let lost = match replay(&ledger, &mut reader, &mut writer, &mut output).await {
            Ok(()) => pass(&mut client, &ledger, reader, writer, &mut output).await,
            Err(lost) => lost,
        };
        match lost {
            Lost::Client => return Ok(()),
            Lost::Hub => tracing::info!("the hub has ended; looking for the next one"),
        }
        for line in locked(&ledger, Ledger::unasked) {
            if write(&mut output, &line).await.is_err() {
                return Ok(());
            }
        }
    }
}

/// A new hub; or nothing, if the client has ended and waits for nothing. What the client says meanwhile is noted.
async fn connect(
    client: &mut Receiver<Line>,
    ledger: &Mutex<Ledger>,
    way: &mut impl Way,
) -> Result<Option<Link>, BridgeError> {
    let mut is_client_here = true;
    loop {
        let need = if locked(ledger, |ledger| ledger.has_unanswered()) { Need::Now } else { Need::Later };
        if !is_client_here && need == Need::Later {
            return Ok(None);
        }
        tokio::select! {
            biased;
            line = client.recv(), if is_client_here => match line {
                Some(line) => locked(ledger, |ledger| ledger.client_said(&line)),
                None => is_client_here = false,
            },
            link = way.connect(need) => return link.map(Some),
        }
    }
}

/// Tells a new hub what the old one knew.
async fn replay(
    ledger: &Mutex<Ledger>,
    reader: &mut BufReader<LocalReader>,
    writer: &mut LocalWriter,
    output: &mut (impl AsyncWrite + Unpin),
) -> Result<(), Lost> {
    let Replay { opening, rest } = locked(ledger, Ledger::replay);
    if let Some(opening) = opening {
        writer.write_all(&opening).await.map_err(|_| Lost::Hub)?;
        let answered = tokio::time::timeout(HANDSHAKE, one_answer(ledger, reader, output)).await;
        answered.map_err(|_| Lost::Hub)??;
    }
    for line in rest {
        writer.write_all(&line).await.map_err(|_| Lost::Hub)?;
    }
    Ok(())
}

/// Passes lines of the hub on until one is an answer.
async fn one_answer(
    ledger: &Mutex<Ledger>,
    reader: &mut BufReader<LocalReader>,
    output: &mut (impl AsyncWrite + Unpin),
) -> Result<(), Lost> {
    let mut line = Line::new();
    loop {
        let before = locked(ledger, |ledger| ledger.outstanding());
        down_one(ledger, reader, output, &mut line).await?;
        if locked(ledger, |ledger| ledger.outstanding()) < before {
            return Ok(());
        }
    }
}

/// Passes lines both ways until one side ends.
async fn pass(
    client: &mut Receiver<Line>,
    ledger: &Mutex<Ledger>,
    mut reader: BufReader<LocalReader>,
    mut writer: LocalWriter,
    output: &mut (impl AsyncWrite + Unpin),
) -> Lost {
    let mut down = std::pin::pin!(async {
        let mut line = Line::new();
        loop {
            if let Err(lost) = down_one(ledger, &mut reader, output, &mut line).await {
                return lost;
            }
        }
    });
    let lost = tokio::select! {
        lost = up(client, ledger, &mut writer) => lost,
        lost = &mut down => return lost,
    };
    if lost == Lost::Client {
        // The hub sees the end at once, ends what waits, and sends what it still has.
        drop(writer);
        if tokio::time::timeout(LAST_ANSWERS, down).await.is_err() {
            tracing::debug!("the hub has not ended the connection in time");
        }
        return Lost::Client;
    }
    // Not dropped here, because it may be in the middle of a line for the client.
    down.await
}

async fn up(client: &mut Receiver<Line>, ledger: &Mutex<Ledger>, writer: &mut LocalWriter) -> Lost {
    while let Some(line) = client.recv().await {
        // Noted first: a line that a dying hub has not read is repeated to the next one.
        locked(ledger, |ledger| ledger.client_said(&line));
        if writer.write_all(&line).await.is_err() {
            return Lost::Hub;
        }
    }
    Lost::Client
}

async fn down_one(
    ledger: &Mutex<Ledger>,
    reader: &mut BufReader<LocalReader>,
    output: &mut (impl AsyncWrite + Unpin),
    line: &mut Line,
) -> Result<(), Lost> {
    line.clear();
    line.shrink_to(KEPT_BUFFER);
    let read = reader.read_until(b'\n', line).await;
    if read.is_err() || line.last() != Some(&b'\n') {
        // Half a line of a hub that died is no answer.
        return Err(Lost::Hub);
    }
    match locked(ledger, |ledger| ledger.hub_said(line)) {
        For::Bridge => Ok(()),
        For::Client => write(output, line).await.map_err(|_| Lost::Client),
    }
}

async fn write(output: &mut (impl AsyncWrite + Unpin), line: &[u8]) -> io::Result<()> {
    output.write_all(line).await?;
    output.flush().await
}

async fn give_up(ledger: &Mutex<Ledger>, output: &mut (impl AsyncWrite + Unpin), error: &BridgeError) {
    let errors = locked(ledger, |ledger| ledger.give_up(&error.to_string()));
    for line in errors {
        if write(output, &line).await.is_err() {
            return;
        }
    }
}

fn locked<T>(ledger: &Mutex<Ledger>, act: impl FnOnce(&mut Ledger) -> T) -> T {
    act(&mut ledger.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
