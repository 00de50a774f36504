//! turnroom: one local hub on which coding agents and people take turns.
//!
//! Data flows one way. A front (`mcp`, `web`) hands a call to `tools`, which turns words from outside
//! into a request for the [`hub`]. The hub asks the pure [`room`] to decide, stores the events in the
//! [`journal`], applies them, wakes who waits, and tells the [`transcript`].

pub mod bridge;
pub mod cli;
pub mod clock;
pub mod config;
pub mod hub;
pub mod journal;
pub mod mcp;
pub mod notify;
pub mod paths;
pub mod platform;
pub mod puzzle;
pub mod room;
pub mod secret;
pub mod serve;
pub mod task;
pub mod tools;
pub mod transcript;
pub mod web;
