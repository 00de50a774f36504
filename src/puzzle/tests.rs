//! Puzzles, rule by rule.

mod acting;
mod support;
