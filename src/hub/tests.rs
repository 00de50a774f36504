//! Tests of the hub, in process, over the journal in memory. Time stands still until all wait.

mod nexts;
mod rooms;
mod support;
mod talking;

use support::Table;
