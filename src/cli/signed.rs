//! Who acts in tasks and puzzles, and whether it is the person at this terminal.

use std::io::{self, IsTerminal};

use super::call::Call;
use super::options::USER;

/// The agent for which this terminal is, as the environment says.
pub(super) fn agent_here() -> Option<String> {
    std::env::var("TURNROOM_HANDLE").ok().filter(|name| is_agent(name))
}

/// Whether a person types here: in a terminal that is for an agent, nothing is known to be a person's, whoever is named.
pub(super) fn is_person_here() -> bool {
    io::stdin().is_terminal() && agent_here().is_none()
}

fn is_agent(name: &str) -> bool {
    let name = name.trim().trim_start_matches('@');
    !name.is_empty() && !name.eq_ignore_ascii_case(USER.trim_start_matches('@'))
}

/// Says who acts: whoever is named, or the agent that the environment names, or the usual one. Such an agent may sit at
/// a terminal too; what it does is not shown to be a person's.
pub(super) fn signed(call: Call, field: &str, named: Option<&str>, usual: Option<&str>) -> Call {
    match agent_here().filter(|_| named.is_none()) {
        Some(agent) => call.set(field, agent),
        None => call.by_person().set_some(field, named.or(usual)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_for_an_agent_only_if_one_is_named() {
        for name in ["", " ", "@", "@user", "user", " @USER"] {
            assert!(!is_agent(name), "{name}");
        }
        for name in ["@Bob", "Bob", "@users"] {
            assert!(is_agent(name), "{name}");
        }
    }
}
