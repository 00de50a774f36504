//! Other engines, as programs that read documents: one a line, `{"number", "text", "blocks", "links"}` in JSON.

use std::io::{BufWriter, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};

use serde_json::json;

use super::outline::Block;
use crate::transcript::VaultLinks;

/// The drivers that `TURNROOM_DRIVERS` names: command lines, with `;` between.
pub(super) struct Drivers(Vec<(Child, BufWriter<ChildStdin>)>);

impl Drivers {
    pub(super) fn start() -> Self {
        let lines = std::env::var("TURNROOM_DRIVERS").unwrap_or_default();
        let lines = lines.split(';').map(str::trim).filter(|line| !line.is_empty());
        let start = |line| {
            let mut child = Command::new("sh").args(["-c", line]).stdin(Stdio::piped()).spawn().unwrap();
            let input = BufWriter::new(child.stdin.take().unwrap());
            (child, input)
        };
        Self(lines.map(start).collect())
    }

    /// Hands a document to each of them.
    pub(super) fn tell(&mut self, number: u64, page: &str, want: &[Block], links: VaultLinks) {
        if self.0.is_empty() {
            return;
        }
        let blocks: Vec<_> = want.iter().map(|block| [block.kind, &block.text]).collect();
        let links = links == VaultLinks::Alive;
        let line = json!({ "number": number, "text": page, "blocks": blocks, "links": links }).to_string();
        for (_, input) in &mut self.0 {
            // One that has ended says so by its exit status.
            let _ = writeln!(input, "{line}");
        }
    }

    /// Waits until they have read everything. Gives how many of them complain; they print what about.
    pub(super) fn finish(self) -> usize {
        let complains = |(mut child, input): (Child, BufWriter<ChildStdin>)| {
            let is_told = input.into_inner().is_ok();
            !child.wait().unwrap().success() || !is_told
        };
        self.0.into_iter().map(complains).filter(|complains| *complains).count()
    }
}
