//! Tests of the room, by rule.

mod barrier;
mod cursors;
mod humans;
mod invariants;
mod joining;
mod late;
mod lease;
mod leaving;
mod loop_guard;
mod needs;
mod opening;
mod passing;
mod pause;
mod queue;
mod random;
mod recipients;
mod repeats;
mod search;
mod speaking;
mod stored;
mod table;
mod tasks;
mod time;
mod unanswered;
mod waits;
mod why;
