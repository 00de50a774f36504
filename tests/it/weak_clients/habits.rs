//! How each kind of weak agent goes on from an answer.

use serde_json::Value;

/// The weak agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Ignores `status`, does only what `next` says.
    Follower,
    /// Its client gives calls up; it calls again with the same words.
    Repeater,
    /// Forgets what it was told when it joined.
    Forgetful,
    /// Waits twice at once.
    Double,
    /// Is killed, and comes back in a new session.
    Phoenix,
}

impl Kind {
    pub(super) const ALL: [Self; 5] =
        [Self::Follower, Self::Repeater, Self::Forgetful, Self::Double, Self::Phoenix];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Follower => "follower",
            Self::Repeater => "repeater",
            Self::Forgetful => "forgetful",
            Self::Double => "double",
            Self::Phoenix => "phoenix",
        }
    }
}

/// Every choice of three.
pub(super) fn trios() -> Vec<[Kind; 3]> {
    let all = Kind::ALL;
    let mut trios = Vec::new();
    for first in 0..all.len() {
        for second in first + 1..all.len() {
            trios.extend((second + 1..all.len()).map(|third| [all[first], all[second], all[third]]));
        }
    }
    trios
}

/// What an agent does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Join,
    Wait,
    /// Waits, and asks for the turn.
    Ask,
    Send,
    Pass,
    /// Has nothing to do any more.
    Stop,
}

/// What an agent could do after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// This only.
    Only(Act),
    /// It has the floor: it speaks, or passes.
    Turn,
    /// Nobody has the floor: it speaks if it has something.
    Free,
    /// The same again.
    Again,
}

/// What one who reads nothing but `next` does: what the tools named in it do.
pub(super) fn follow(next: &str) -> Way {
    let send = next.find("send_message");
    let wait = next.find("wait_for_turn");
    let is_first =
        |one: Option<usize>, other: Option<usize>| one.is_some_and(|one| other.is_none_or(|o| one < o));
    if next.contains("join_conversation") {
        Way::Only(Act::Join)
    } else if is_first(send, wait) {
        if next.contains("nobody has the floor") { Way::Free } else { Way::Turn }
    } else if next.contains("request_turn=true") {
        Way::Only(Act::Ask)
    } else if wait.is_some() {
        Way::Only(Act::Wait)
    } else if next.contains("do not call again") || next.contains("stop") {
        Way::Only(Act::Stop)
    } else if next.contains("call again") {
        Way::Again
    } else {
        Way::Only(Act::Stop)
    }
}

/// What one who reads the fields does.
pub(super) fn read(json: &Value, who: &str) -> Way {
    let status = json["status"].as_str().unwrap_or_default();
    let has_rest = json["remaining_unread"].as_u64().is_some_and(|rest| rest > 0);
    match status {
        "closed" if has_rest => Way::Only(Act::Wait),
        "closed" | "replaced" => Way::Only(Act::Stop),
        "waiting" | "paused" | "stopping" => Way::Only(Act::Wait),
        _ if has_rest => Way::Only(Act::Wait),
        "your_turn" => Way::Turn,
        _ if json["active_turn"] == who => Way::Turn,
        _ if json["active_turn"].is_null() => Way::Free,
        "not_your_turn" if json["active_turn"] == "@user" => Way::Only(Act::Ask),
        _ => Way::Only(Act::Wait),
    }
}
