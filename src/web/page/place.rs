//! Where something lies, as people write it.

use std::path::Path;

use crate::paths::home_folder;

/// A path in which `~` stands for the folder of the hub's user.
pub(super) fn place(path: &Path) -> String {
    within(path, home_folder().as_deref())
}

fn within(path: &Path, home: Option<&Path>) -> String {
    let below = home.filter(|home| home.parent().is_some()).and_then(|home| path.strip_prefix(home).ok());
    match below {
        Some(below) => Path::new("~").join(below).display().to_string(),
        None => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_the_home_folder_is_short() {
        let shown = |path: &str, home: Option<&str>| within(Path::new(path), home.map(Path::new));
        assert_eq!(shown("/home/me/notes/a.md", Some("/home/me")), "~/notes/a.md");
        assert_eq!(shown("/home/met/a.md", Some("/home/me")), "/home/met/a.md");
        assert_eq!(shown("/srv/a.md", Some("/")), "/srv/a.md");
        assert_eq!(shown("/srv/a.md", None), "/srv/a.md");
    }
}
