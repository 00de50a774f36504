//! What the agents of the demo say.

pub(super) const ALICE: &str = "@Alice";
pub(super) const BOB: &str = "@Bob";
pub(super) const TOPIC: &str = "Shall we ship on Friday?";
/// What a person may answer; anything else does as well.
pub(super) const CHOICES: [&str; 2] = ["Ship on Friday", "Wait for the fix"];

/// One line of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Words.
    Say(&'static str),
    /// A question to the person, with [`CHOICES`].
    Ask(&'static str),
    /// What is made of the answer.
    React,
    /// The last words; nobody has to answer.
    End(&'static str),
}

const OF_ALICE: [Line; 3] = [
    Line::Say("The release is ready, but one test fails now and then. @Bob, do you know why?"),
    Line::Ask("Then it is not ours to decide. @user, shall we ship on Friday, or wait for the fix?"),
    Line::React,
];
const OF_BOB: [Line; 2] = [
    Line::Say(
        "@Alice, it trusts a clock that another test moves. A fix takes me until Monday; users notice nothing.",
    ),
    Line::End("Noted, and done. Thank you both."),
];

/// The lines of an agent, in order.
pub(super) fn lines(handle: &str) -> &'static [Line] {
    if handle == ALICE { &OF_ALICE } else { &OF_BOB }
}

/// What somebody means who types this: a choice by its number, or these words.
pub(super) fn meant(typed: &str) -> &str {
    let choice = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    choice.and_then(|at| CHOICES.get(at).copied()).unwrap_or(typed)
}

/// What Alice makes of the answer.
pub(super) fn reaction(answer: &str) -> &'static str {
    let answer = answer.to_lowercase();
    match (answer.contains("ship"), answer.contains("wait")) {
        (true, false) => "Good, we ship on Friday. @Bob, please write the test down as a known fault.",
        (false, true) => "Good, we wait for the fix. @Bob, please do that test first.",
        _ => "Thank you, so be it. @Bob, please take it from here.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_has_its_reaction_and_other_words_have_one_too() {
        let [ship, wait] = CHOICES.map(reaction);
        assert!(ship.contains("ship") && wait.contains("wait"));
        assert_eq!(
            [meant("1"), meant("2"), meant("3"), meant("0"), meant("No")],
            [CHOICES[0], CHOICES[1], "3", "0", "No"]
        );
        assert!(reaction("What do you think?").starts_with("Thank you"));
    }
}
