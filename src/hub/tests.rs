//! Tests of the hub, in process, over the journal in memory. Time stands still until all wait.

mod damage;
mod everywhere;
mod identity;
mod invariants;
mod limits;
mod nexts;
mod patience;
mod remind;
mod rooms;
mod support;
mod talking;
mod time;
mod waits;

use support::Table;
