//! All differences between operating systems.

pub mod files;
