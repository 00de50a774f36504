//! Hostile texts, put together from the pieces in `tokens.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::chance::Chance;

/// The pieces, by what gives them a meaning.
static PIECES: LazyLock<BTreeMap<String, Vec<String>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("tokens.json")).unwrap());

/// How often a piece of each kind is taken, of a hundred.
const SHARES: [(&str, usize); 8] = [
    ("breaks", 22),
    ("words", 12),
    ("code", 13),
    ("html", 12),
    ("blocks", 15),
    ("links", 12),
    ("vault", 11),
    ("hidden", 3),
];

fn pieces(kind: &str) -> &'static [String] {
    &PIECES[kind]
}

/// Every piece of a text.
pub(super) fn all() -> Vec<&'static str> {
    SHARES.iter().flat_map(|(kind, _)| pieces(kind)).map(String::as_str).collect()
}

fn piece(chance: &mut Chance) -> &'static str {
    let mut ticket = chance.below(100);
    let mut kinds = SHARES.iter();
    let kind = kinds.find(|(_, share)| {
        let is_this = ticket < *share;
        ticket = ticket.saturating_sub(*share);
        is_this
    });
    chance.pick(pieces(kind.unwrap().0)).as_str()
}

/// A text that is a handle.
pub(super) fn name(chance: &mut Chance) -> &'static str {
    chance.pick(pieces("names")).as_str()
}

/// A hostile text.
pub(super) fn text(chance: &mut Chance) -> String {
    match chance.below(20) {
        0 => chance.list(0, 40, Chance::character).into_iter().collect(),
        1 => chance
            .list(0, 60, |chance| char::from(b' ' + u8::try_from(chance.below(95)).unwrap()))
            .into_iter()
            .collect(),
        2..=6 => chance.list(1, 8, line).concat(),
        7..=9 => chance.list(0, 5, piece).concat(),
        _ => chance.list(0, 24, piece).concat(),
    }
}

/// Containers in each other, then something in them.
fn line(chance: &mut Chance) -> String {
    let opening = chance.list(0, 4, |chance| chance.pick(pieces("openings")).as_str()).concat();
    opening + &chance.list(0, 5, piece).concat() + "\n"
}

/// A hostile text of a few words, as topics and names are.
pub(super) fn words(chance: &mut Chance) -> String {
    chance.list(0, 8, piece).concat()
}
