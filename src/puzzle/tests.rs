//! Puzzles, rule by rule.

mod acting;
mod asking;
mod binding;
mod circles;
mod drawing;
mod edge;
mod effort;
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
