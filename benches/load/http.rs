//! A small HTTP/1.1 client on one connection that is kept open: it writes a request and reads an answer, or the events
//! of a stream, and nothing more, so that what is measured is the server.

use std::net::SocketAddr;

use anyhow::{Context, Result, bail, ensure};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// One connection.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    /// The part of an event that has come so far.
    begun: String,
}

/// What comes before a body.
struct Head {
    status: String,
    length: usize,
    is_chunked: bool,
    session: Option<String>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let stream = BufReader::with_capacity(2048, stream);
        Ok(Self { stream, host: address.to_string(), begun: String::new() })
    }

    /// Writes a POST. `headers` are whole lines.
    pub(crate) async fn write(&mut self, path: &str, headers: &str, body: &[u8]) -> Result<()> {
        self.request("POST", path, headers, body).await
    }

    /// Writes a request.
    pub(crate) async fn request(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &[u8],
    ) -> Result<()> {
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n{headers}content-length: {}\r\n\r\n",
            self.host,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.stream.write_all(&request).await?;
        Ok(())
    }

    /// Reads the whole body of the next answer.
    pub(crate) async fn read(&mut self) -> Result<Vec<u8>> {
        Ok(self.read_in_session().await?.0)
    }

    /// Reads the whole body of the next answer, and the session that it belongs to.
    pub(crate) async fn read_in_session(&mut self) -> Result<(Vec<u8>, Option<String>)> {
        let Head { status, length, is_chunked, session } = self.head().await?;
        let body = if is_chunked { self.chunks().await? } else { self.exactly(length).await? };
        ensure!(status.contains(" 2"), "{status}: {}", String::from_utf8_lossy(&body));
        Ok((body, session))
    }

    /// Reads what comes before the events of a stream.
    pub(crate) async fn begin_stream(&mut self) -> Result<()> {
        let head = self.head().await?;
        ensure!(head.status.contains(" 200") && head.is_chunked, "no stream: {}", head.status);
        Ok(())
    }

    /// Reads the data of the next event of a stream that has any.
    pub(crate) async fn event(&mut self) -> Result<String> {
        loop {
            if let Some(end) = self.begun.find("\n\n") {
                let event: String = self.begun.drain(..end + 2).collect();
                let data = event.lines().filter_map(|line| line.strip_prefix("data:"));
                let data: String = data.map(str::trim).collect();
                if !data.is_empty() {
                    return Ok(data);
                }
                continue;
            }
            let chunk = self.chunk().await?;
            ensure!(!chunk.is_empty(), "the stream has ended");
            self.begun.push_str(std::str::from_utf8(&chunk)?);
        }
    }

    async fn head(&mut self) -> Result<Head> {
        let mut head = Head { status: self.line().await?, length: 0, is_chunked: false, session: None };
        loop {
            let line = self.line().await?.to_ascii_lowercase();
            if line.is_empty() {
                return Ok(head);
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                head.length = value.trim().parse()?;
            }
            if let Some(value) = line.strip_prefix("mcp-session-id:") {
                head.session = Some(value.trim().to_owned());
            }
            head.is_chunked |= line.starts_with("transfer-encoding:") && line.ends_with("chunked");
        }
    }

    async fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let chunk = self.chunk().await?;
            if chunk.is_empty() {
                return Ok(body);
            }
            body.extend(chunk);
        }
    }

    /// One chunk; the last one is empty.
    async fn chunk(&mut self) -> Result<Vec<u8>> {
        let size = usize::from_str_radix(self.line().await?.trim(), 16).context("no chunk size")?;
        let chunk = self.exactly(size).await?;
        self.line().await?;
        Ok(chunk)
    }

    async fn exactly(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok(body)
    }

    async fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).await? == 0 {
            bail!("the server has closed the connection");
        }
        line.truncate(line.trim_end().len());
        Ok(line)
    }
}
