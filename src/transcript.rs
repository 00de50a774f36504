//! The Markdown note of a room: a projection of its log, for people. It is never read back as truth.
//!
//! [`render`] is pure and makes the text; [`Scribe`] keeps the file; [`Folders`] says where a file may lie.
//! Nothing here knows the hub.

mod body;
mod clean;
mod escape;
mod labels;
pub mod render;
mod view;

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod sample;

pub use body::VaultLinks;
pub use labels::notice_text;
pub use view::{Entry, Head, Latest, Notice, Row, Stage, Waiting};
