//! Tests of the hub, in process, over the journal in memory. Time stands still until all wait.

mod circles;
mod crashes;
mod damage;
mod damaged_puzzles;
mod everywhere;
mod faults;
mod gates;
mod guards;
mod identity;
mod inbox;
mod invariants;
mod limits;
mod lodging;
mod looking;
mod nexts;
mod patience;
mod people;
mod puzzles;
mod remind;
mod reply;
mod reports;
mod resting;
mod rooms;
mod starts;
mod support;
mod talking;
mod task_lists;
mod tasks;
mod time;
mod turns;
mod twisted;
mod waits;
mod whole;

use support::Table;
