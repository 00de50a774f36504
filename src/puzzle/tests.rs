//! Puzzles, rule by rule.

mod acting;
mod asking;
mod drawing;
mod edge;
mod going_on;
mod limits;
mod nested;
mod parsing;
mod properties;
mod rules;
mod stored;
mod support;
mod time;
mod xstate;
