//! Tests of the hub, in process, over the journal in memory. Time stands still until all wait.

mod everywhere;
mod identity;
mod invariants;
mod nexts;
mod rooms;
mod support;
mod talking;
mod time;
mod waits;

use support::Table;
