//! Who acts in tasks and puzzles.

use super::call::Call;
use super::options::USER;

/// Says who acts: whoever is named, or the agent that the environment names, or the usual one. Such an agent may sit at
/// a terminal too; what it does is not shown to be a person's.
pub(super) fn signed(call: Call, field: &str, named: Option<&str>, usual: Option<&str>) -> Call {
    let agent = std::env::var("TURNROOM_HANDLE").ok().filter(|name| !name.is_empty() && name != USER);
    match agent.filter(|_| named.is_none()) {
        Some(agent) => call.set(field, agent),
        None => call.by_person().set_some(field, named.or(usual)),
    }
}
