//! The Markdown note of a room: a projection of its log.
