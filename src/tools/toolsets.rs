//! Which toolsets a client is shown. It is a matter of size alone: calls of the others work too.

use std::fmt;
use std::str::FromStr;

use super::catalogue::Toolset;

/// Some toolsets, each once, in the order in which they are listed; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolsets(Vec<Toolset>);

/// A name that no toolset has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no toolset `{0}`; name some of {all}, such as `room`", all = Toolsets::default())]
pub struct UnknownToolset(String);

impl Toolsets {
    /// They.
    #[must_use]
    pub fn as_slice(&self) -> &[Toolset] {
        &self.0
    }
}

impl Default for Toolsets {
    fn default() -> Self {
        Self(Toolset::ALL.to_vec())
    }
}

impl FromStr for Toolsets {
    type Err = UnknownToolset;

    /// Reads names with commas between them.
    fn from_str(text: &str) -> Result<Self, UnknownToolset> {
        let named = text.split(',').map(str::trim).map(|name| {
            let found = Toolset::ALL.into_iter().find(|set| set.name() == name);
            found.ok_or_else(|| UnknownToolset(name.chars().filter(|c| !c.is_control()).take(64).collect()))
        });
        let named: Vec<Toolset> = named.collect::<Result<_, _>>()?;
        Ok(Self(Toolset::ALL.into_iter().filter(|set| named.contains(set)).collect()))
    }
}

impl fmt::Display for Toolsets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|set| set.name()).collect();
        out.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_each_once_and_in_the_order_of_the_list() {
        let read = |text: &str| text.parse::<Toolsets>().unwrap().to_string();
        assert_eq!(read("room"), "room");
        assert_eq!(read("tasks, room,tasks"), "room,tasks");
        assert_eq!(read("puzzles,room,tasks"), Toolsets::default().to_string());
    }

    #[test]
    fn an_unknown_name_is_told_with_those_there_are() {
        for text in ["", "rooms", "room,", "room,x", "Room"] {
            let error = text.parse::<Toolsets>().unwrap_err().to_string();
            assert!(error.contains("room,tasks,puzzles"), "{error}");
        }
        assert!("x".repeat(10_000).parse::<Toolsets>().unwrap_err().to_string().len() < 200);
    }
}
