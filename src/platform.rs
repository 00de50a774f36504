//! All differences between operating systems.
