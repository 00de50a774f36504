//! Tests of the page without a browser: what it shows, how it answers, what it tells over its stream.

mod acts;
mod bounds;
mod following;
mod house;
mod puzzles;
mod refusals;
mod samples;
mod tasks;
mod views;

use super::{assets, started, view};
