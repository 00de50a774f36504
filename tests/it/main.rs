//! Tests of the whole: the binary as a user runs it, and the code base as a newcomer finds it.

mod docs;
#[cfg(unix)]
mod doctor;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod hooks;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod house;
#[cfg(unix)]
mod notices;
#[cfg(unix)]
mod people;
#[cfg(unix)]
mod puzzles;
#[cfg(unix)]
mod rmcp_clients;
#[cfg(unix)]
mod support;
#[cfg(unix)]
mod tasks;
#[cfg(unix)]
mod terminal;
mod tidy;
mod waiting_costs;
mod weak_clients;
