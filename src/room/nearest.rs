//! Which of the names there are was probably meant.

/// How alike two names are (0 to 1) before one is offered for the other.
const ALIKE: f64 = 0.75;
/// So many characters are compared: a hostile name may be megabytes long, and nothing that long is like a name of ours.
const COMPARED: usize = 64;

/// The known name that is most like `name`, if one is like it at all.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.chars().take(COMPARED).collect::<String>().to_lowercase();
    let likeness = |candidate: &str| {
        let candidate = candidate.chars().take(COMPARED).collect::<String>().to_lowercase();
        strsim::jaro_winkler(&name, &candidate)
    };
    known
        .map(|candidate| (likeness(candidate), candidate))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, candidate)| candidate)
}
