//! The rules for paths.

use super::*;
use proptest::prelude::*;

struct House {
    /// The real path of a folder that holds `notes` (allowed) and `outside`.
    root: PathBuf,
    _temp: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("work/notes")).unwrap();
        fs::create_dir(root.join("outside")).unwrap();
        Self { root, _temp: temp }
    }

    fn notes(&self) -> PathBuf {
        self.root.join("work/notes")
    }

    fn resolve(&self, asked: &str) -> Result<PathBuf, PathRefused> {
        Folders { allowed: vec![self.notes()] }.resolve(asked, &[])
    }

    fn why(&self, asked: &str) -> Why {
        self.resolve(asked).unwrap_err().why
    }
}

#[test]
fn a_relative_path_lies_in_the_first_folder() {
    let house = House::new();
    assert_eq!(house.resolve("x.md").unwrap(), house.notes().join("x.md"));
    assert_eq!(house.resolve("./new folder/x y.md").unwrap(), house.notes().join("new folder/x y.md"));
    let asker = house.root.join("outside");
    let folders = Folders { allowed: vec![house.notes()] };
    assert_eq!(folders.resolve("x.md", std::slice::from_ref(&asker)).unwrap(), asker.join("x.md"));
    let other = house.notes().join("x.md");
    assert_eq!(folders.resolve(other.to_str().unwrap(), &[asker]).unwrap(), other);
}

#[test]
fn names_by_which_the_folder_ends_mean_the_folder() {
    let house = House::new();
    for asked in ["notes/x.md", "work/notes/x.md", "./notes/x.md"] {
        assert_eq!(house.resolve(asked).unwrap(), house.notes().join("x.md"), "{asked}");
    }
    assert_eq!(house.resolve("work/x.md").unwrap(), house.notes().join("work/x.md"));
    assert_eq!(house.resolve("notes.md").unwrap(), house.notes().join("notes.md"));
    assert_eq!(house.resolve("notes/notes/x.md").unwrap(), house.notes().join("notes/x.md"));
}

#[test]
fn a_folder_that_is_not_there_yet_may_be_named() {
    let house = House::new();
    let folder = house.root.join("later/transcripts");
    let folders = Folders { allowed: vec![folder.clone()] };
    assert_eq!(folders.resolve("transcripts/x.md", &[]).unwrap(), folder.join("x.md"));
    assert_eq!(folders.resolve(folder.join("a/x.md").to_str().unwrap(), &[]).unwrap(), folder.join("a/x.md"));
    assert!(!folder.exists(), "nothing is made");
}

#[test]
fn what_is_no_place_for_a_note_is_refused() {
    let house = House::new();
    fs::create_dir(house.notes().join("dir.md")).unwrap();
    for (asked, why) in [
        ("", Why::Empty),
        (" \n", Why::Empty),
        ("a\nb.md", Why::Characters),
        ("a\0.md", Why::Characters),
        ("a\u{202e}.md", Why::Characters),
        (" a.md", Why::Characters),
        ("a\u{200b}.md", Why::Characters),
        ("file:///tmp/x.md", Why::Url),
        ("https://example.org/x.md", Why::Url),
        ("CON.md", Why::Name),
        ("a./x.md", Why::Name),
        ("a\\x.md", Why::Name),
        ("10:22.md", Why::Name),
        ("../x.md", Why::Parent),
        ("a/../x.md", Why::Parent),
        ("~/x.md", Why::Home),
        ("x.txt", Why::Ending),
        ("x.md.state.json", Why::Ending),
        ("x", Why::Ending),
        (".md", Why::Ending),
        ("x.md/", Why::Directory),
        ("dir.md", Why::Directory),
        ("x.reply.md", Why::Reserved),
        ("x/part-001.md", Why::Reserved),
        ("x (edited 2026-08-18 10.22.03).md", Why::Reserved),
        ("/sys/kernel/room.md", Why::Outside),
    ] {
        assert_eq!(house.why(asked), why, "{asked:?}");
    }
    assert_eq!(house.why(&("x".repeat(200) + ".md")), Why::TooLong);
    assert_eq!(house.why(&("x/".repeat(2_000) + ".md")), Why::TooLong);
    let outside = house.root.join("work/notes-2/x.md");
    assert_eq!(house.why(outside.to_str().unwrap()), Why::Outside, "a name that only begins alike");
    assert_eq!(Folders::default().resolve("x.md", &[]).unwrap_err().why, Why::NoFolder);
}

#[test]
fn a_refusal_names_a_path_and_a_command_that_would_work() {
    let house = House::new();
    let asked = house.root.join("outside/it's here/x.md");
    let refused = house.resolve(asked.to_str().unwrap()).unwrap_err();
    let text = refused.to_string();
    let instead = house.notes().join("x.md");
    assert!(text.contains(&format!("use `{}`", instead.display())), "{text}");
    assert!(text.contains(r"turnroom allow '") && text.contains(r"it'\''s here'"), "{text}");
    assert!(house.resolve(instead.to_str().unwrap()).is_ok());
    let dots = house.resolve("../x.md").unwrap_err();
    assert_eq!((dots.command(), dots.instead), (None, Some(instead)));
}

#[test]
fn a_url_is_refused_and_its_last_name_recommended() {
    let house = House::new();
    let refused = house.resolve("file:///tmp/talk.md").unwrap_err();
    assert_eq!(refused.instead, Some(house.notes().join("talk.md")));
    assert_eq!(refused.command(), None);
    let device = house.resolve("a/nul.md").unwrap_err();
    assert_eq!(device.instead, Some(house.notes().join("room.md")));
}

#[test]
fn one_name_in_two_spellings_is_one_place() {
    let house = House::new();
    let composed = house.resolve("\u{e9}/caf\u{e9}.md").unwrap();
    assert_eq!(house.resolve("e\u{301}/cafe\u{301}.md").unwrap(), composed);
    // What is there already keeps its name.
    fs::create_dir(house.notes().join("o\u{308}")).unwrap();
    assert_eq!(house.resolve("o\u{308}/x.md").unwrap(), house.notes().join("o\u{308}/x.md"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_a_person_named_oddly_may_be_used() {
    let house = House::new();
    fs::create_dir(house.notes().join("a:b")).unwrap();
    assert_eq!(house.resolve("a:b/x.md").unwrap(), house.notes().join("a:b/x.md"));
}

#[cfg(unix)]
#[test]
fn links_must_stay_inside() {
    use std::os::unix::fs::symlink;
    let house = House::new();
    let link = |target: &Path, name: &str| symlink(target, house.notes().join(name)).unwrap();
    fs::create_dir(house.notes().join("inner")).unwrap();
    fs::write(house.notes().join("inner/real.md"), "x").unwrap();
    fs::write(house.root.join("outside/theirs.md"), "x").unwrap();
    link(&house.root.join("outside"), "out");
    link(&house.notes().join("inner"), "in");
    link(&house.root.join("outside/theirs.md"), "out.md");
    link(&house.notes().join("inner/real.md"), "in.md");
    link(&house.root.join("nowhere.md"), "dangling.md");
    link(&house.root.join("nowhere"), "dangling");
    assert_eq!(house.why("out/x.md"), Why::Outside);
    assert_eq!(house.why("out/new/x.md"), Why::Outside);
    assert_eq!(house.why("out.md"), Why::Link);
    assert_eq!(house.resolve("out.md").unwrap_err().instead, Some(house.notes().join("room.md")));
    assert_eq!(house.why("dangling.md"), Why::Link);
    assert_eq!(house.why("dangling/x.md"), Why::Link);
    assert_eq!(house.resolve("in/x.md").unwrap(), house.notes().join("inner/x.md"));
    assert_eq!(house.resolve("in.md").unwrap(), house.notes().join("inner/real.md"));
}

#[cfg(unix)]
#[test]
fn an_allowed_folder_may_itself_be_a_link() {
    let house = House::new();
    let link = house.root.join("shortcut");
    std::os::unix::fs::symlink(house.notes(), &link).unwrap();
    let folders = Folders { allowed: vec![link.clone()] };
    assert_eq!(folders.resolve("x.md", &[]).unwrap(), house.notes().join("x.md"));
    assert_eq!(
        folders.resolve(link.join("x.md").to_str().unwrap(), &[]).unwrap(),
        house.notes().join("x.md")
    );
}

proptest! {
    /// Whatever is asked, a note lies inside or is refused.
    #[test]
    fn no_path_leads_outside(asked in "(\\.|\\.\\.|/|~|a|notes|x\\.md|\\.md|outside| |\n|\\PC){0,12}") {
        let house = House::new();
        for asked in [asked.clone(), asked + ".md"] {
            match house.resolve(&asked) {
                Ok(path) => prop_assert!(path.starts_with(house.notes()) && path.extension().unwrap() == "md"),
                Err(refused) => prop_assert!(!refused.to_string().contains('\n')),
            }
        }
    }
}
