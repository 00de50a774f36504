//! Those who wait for each other.

use std::collections::BTreeSet;

use super::WaitsFor;
use crate::room::Handle;

/// More circles than a person can look at are not told.
const MOST: usize = 10;

/// Every circle of waits that a walk finds, once, its first handle in order first.
pub(super) fn cycles(waits: &[WaitsFor]) -> Vec<Vec<Handle>> {
    let mut found = Vec::new();
    let mut done = BTreeSet::new();
    for wait in waits {
        walk(waits, &wait.who, &mut Vec::new(), &mut done, &mut found);
    }
    found.truncate(MOST);
    found
}

/// Goes on from `at` along all waits. Whoever is done leads to no circle that is not found by now.
fn walk<'a>(
    waits: &'a [WaitsFor],
    at: &'a Handle,
    path: &mut Vec<&'a Handle>,
    done: &mut BTreeSet<&'a Handle>,
    found: &mut Vec<Vec<Handle>>,
) {
    if let Some(start) = path.iter().position(|handle| *handle == at) {
        found.push(in_order(&path[start..]));
        return;
    }
    if done.contains(at) {
        return;
    }
    path.push(at);
    for wait in waits.iter().filter(|wait| wait.who == *at) {
        walk(waits, &wait.on, path, done, found);
    }
    path.pop();
    done.insert(at);
}

fn in_order(circle: &[&Handle]) -> Vec<Handle> {
    let first = circle.iter().enumerate().min_by_key(|(_, handle)| **handle).map_or(0, |(at, _)| at);
    let (end, start) = circle.split_at(first);
    start.iter().chain(end).map(|handle| (*handle).clone()).collect()
}
