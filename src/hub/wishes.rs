//! The rules of a room as they were asked for become a policy, or an error that names the field.

use std::time::Duration;

use super::error::HubError;
use super::request::{BarrierRequest, PolicyRequest};
use crate::room::{Barrier, FloorRule, Identity, Language, Policy, Wake};

const MAX_SECONDS: i64 = 7 * 86_400;
const MAX_TURNS: i64 = 100_000;

/// The policy that was asked for. First speaker and aliases need the participants; the room checks them.
pub(super) fn policy(wish: &PolicyRequest) -> Result<Policy, HubError> {
    let usual = Policy::default();
    Ok(Policy {
        barrier: wish.barrier.map_or(Ok(usual.barrier), barrier)?,
        barrier_timeout: seconds(
            "barrier_timeout_seconds",
            wish.barrier_timeout_seconds,
            usual.barrier_timeout,
        )?,
        floor: choice(
            "floor",
            wish.floor.as_deref(),
            usual.floor,
            &[("strict", FloorRule::Strict), ("open", FloorRule::Open)],
        )?,
        wake: choice(
            "wake",
            wish.wake.as_deref(),
            usual.wake,
            &[("all", Wake::All), ("batched", Wake::Batched)],
        )?,
        turn_lease: seconds("turn_lease_seconds", wish.turn_lease_seconds, usual.turn_lease)?,
        human_hold: seconds("human_hold_seconds", wish.human_hold_seconds, usual.human_hold)?,
        human_first: wish.human_first.unwrap_or(usual.human_first),
        max_agent_turns: match wish.max_agent_turns {
            None => usual.max_agent_turns,
            Some(turns) => number("max_agent_turns", turns, 0, MAX_TURNS)?,
        },
        first_speaker: None,
        aliases: Vec::new(),
        language: choice(
            "language",
            wish.language.as_deref(),
            usual.language,
            &[("en", Language::En), ("fr", Language::Fr), ("es", Language::Es), ("zh", Language::Zh)],
        )?,
        invite_only: wish.invite_only.unwrap_or(usual.invite_only),
        humans_verified_only: wish.humans_verified_only.unwrap_or(usual.humans_verified_only),
        identity: choice(
            "identity",
            wish.identity.as_deref(),
            usual.identity,
            &[("open", Identity::Open), ("session", Identity::Session), ("keyed", Identity::Keyed)],
        )?,
    })
}

fn barrier(wish: BarrierRequest) -> Result<Barrier, HubError> {
    match wish {
        BarrierRequest::All => Ok(Barrier::All),
        BarrierRequest::Count(count) => number("barrier", count, 0, i64::from(u32::MAX)).map(Barrier::Count),
    }
}

fn seconds(field: &'static str, wish: Option<i64>, usual: Duration) -> Result<Duration, HubError> {
    match wish {
        None => Ok(usual),
        Some(wish) => number(field, wish, 1, MAX_SECONDS).map(|seconds| Duration::from_secs(seconds.into())),
    }
}

fn number(field: &'static str, wish: i64, least: i64, most: i64) -> Result<u32, HubError> {
    let fits = (least..=most).contains(&wish).then(|| u32::try_from(wish).ok()).flatten();
    fits.ok_or_else(|| {
        HubError::argument(field, format!("{wish} is out of range"), &[&format!("{least} to {most}")])
    })
}

fn choice<T: Copy>(
    field: &'static str,
    wish: Option<&str>,
    usual: T,
    choices: &[(&str, T)],
) -> Result<T, HubError> {
    let Some(wish) = wish else { return Ok(usual) };
    let found = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(wish.trim()));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
        let wish: String = wish.chars().take(40).collect();
        HubError::argument(field, format!("`{wish}` is no choice"), &names)
    })
}
