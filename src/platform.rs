//! All differences between operating systems.

pub mod process;
pub mod socket;
