//! One file, and everybody who may touch it meanwhile.

use super::*;
use crate::room::Language;
use crate::transcript::render;
use crate::transcript::sample::head;

struct House {
    folder: tempfile::TempDir,
    path: PathBuf,
    key: Key,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note.md");
        Self { folder, path, key: Key::of(&head(Language::En)) }
    }

    fn put(&self, seq: u64) -> Known {
        let (known, before) = prepare(&self.path, &page(seq)).unwrap().install(&self.key, None).unwrap();
        assert!(!matches!(before, Before::Foreign(_)));
        known
    }

    /// What lies in the folder, hidden or not.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn page(seq: u64) -> Page {
    let mut head = head(Language::En);
    head.last_seq = seq;
    head.topic = format!("state {seq}");
    render::note(&head, "note", None, &[], [].iter())
}

#[test]
fn a_version_replaces_an_older_one_of_ours_and_leaves_nothing_behind() {
    let house = House::new();
    let first = house.put(1);
    house.put(2);
    assert_eq!(fs::read_to_string(&house.path).unwrap(), page(2).text);
    assert_eq!(house.names(), ["note.md"]);
    assert_eq!(look(&house.path, &house.key, Some(&first)).unwrap(), Found::Ours(page(2).stamp));
}

/// The rule for files after a crash: any state of ours is ours.
#[test]
fn every_earlier_state_is_ours_without_memory() {
    let house = House::new();
    for seq in 0..5 {
        fs::write(&house.path, page(seq).text).unwrap();
        assert_eq!(look(&house.path, &house.key, None).unwrap(), Found::Ours(page(seq).stamp));
    }
}

#[test]
fn a_foreign_version_is_given_back_whole() {
    let house = House::new();
    house.put(1);
    let edited = page(1).text + "\nmy words\n";
    fs::write(&house.path, &edited).unwrap();
    let (_, before) = prepare(&house.path, &page(2)).unwrap().install(&house.key, None).unwrap();
    let Before::Foreign(kept) = before else { panic!("not seen") };
    assert_eq!(fs::read_to_string(kept).unwrap(), edited);
    assert_eq!(fs::read_to_string(&house.path).unwrap(), page(2).text);
}

/// A save in place, and one by rename, between the last look and the swap.
#[test]
fn a_save_between_compare_and_rename_is_kept() {
    let house = House::new();
    let known = house.put(1);
    for by_rename in [false, true] {
        let prepared = prepare(&house.path, &page(2)).unwrap();
        assert!(matches!(look(&house.path, &house.key, Some(&known)).unwrap(), Found::Ours(_)));
        if by_rename {
            fs::write(house.folder.path().join("theirs"), "saved late").unwrap();
            fs::rename(house.folder.path().join("theirs"), &house.path).unwrap();
        } else {
            fs::write(&house.path, "saved late").unwrap();
        }
        let (_, before) = prepared.install(&house.key, Some(&known)).unwrap();
        let Before::Foreign(kept) = before else { panic!("not seen") };
        assert_eq!(fs::read_to_string(&kept).unwrap(), "saved late");
        assert_eq!(fs::read_to_string(&house.path).unwrap(), page(2).text);
        fs::remove_file(kept).unwrap();
        house.put(1);
    }
}

#[test]
fn without_a_swap_the_old_file_gets_a_second_name() {
    let house = House::new();
    fs::write(&house.path, "theirs").unwrap();
    let prepared = prepare(&house.path, &page(1)).unwrap();
    let old = put_in_place(prepared.hidden, &house.path, linked).unwrap().unwrap();
    assert_eq!(fs::read_to_string(&old).unwrap(), "theirs");
    assert_eq!(fs::read_to_string(&house.path).unwrap(), page(1).text);
    drop(old);
    assert_eq!(house.names(), ["note.md"]);
}

#[test]
fn an_emptied_file_is_kept_for_who_may_be_writing_it() {
    let house = House::new();
    let known = house.put(1);
    let mut slow_editor = fs::File::create(&house.path).unwrap();
    let (_, before) = prepare(&house.path, &page(2)).unwrap().install(&house.key, Some(&known)).unwrap();
    let Before::Foreign(kept) = before else { panic!("not kept") };
    slow_editor.write_all(b"typed").unwrap();
    assert_eq!(fs::read_to_string(kept).unwrap(), "typed");
}

#[test]
fn an_empty_file_may_be_the_place_of_a_new_note() {
    let house = House::new();
    fs::write(&house.path, "").unwrap();
    house.put(1);
    assert_eq!(house.names(), ["note.md"]);
}

#[test]
fn a_folder_in_the_place_of_the_file_is_left_alone() {
    let house = House::new();
    fs::create_dir_all(house.path.join("inner")).unwrap();
    assert!(prepare(&house.path, &page(1)).is_err());
    assert!(house.path.join("inner").exists());
    assert_eq!(house.names(), ["note.md"]);
}

#[test]
fn what_a_crash_leaves_is_swept_and_what_somebody_typed_is_not() {
    let house = House::new();
    let at = |name: &str| house.folder.path().join(name);
    fs::write(at(".note.md.a.new"), &page(1).text[..50]).unwrap();
    fs::write(at(".note.md.b.new.old"), page(1).text).unwrap();
    fs::write(at(".note.md.c.new.old"), "typed").unwrap();
    fs::write(at(".note.md.d.new.old"), "").unwrap();
    fs::write(at(".other.md.e.new"), "not ours").unwrap();
    fs::write(at(".note.md.swp"), "an editor's").unwrap();
    fs::write(at(".note.md.b.md.e.new"), "another room's").unwrap();
    let foreign = sweep(house.folder.path(), &house.key, |file| file == "note.md");
    assert_eq!(foreign, [(at(".note.md.c.new.old"), house.path.clone())]);
    assert_eq!(
        house.names(),
        [".note.md.b.md.e.new", ".note.md.c.new.old", ".note.md.swp", ".other.md.e.new"]
    );
}

#[cfg(unix)]
#[test]
fn mode_is_kept_and_a_new_file_is_an_ordinary_one() {
    use std::os::unix::fs::PermissionsExt;
    let house = House::new();
    house.put(1);
    let mode = || fs::metadata(&house.path).unwrap().permissions().mode() & 0o777;
    let ordinary = {
        fs::write(house.folder.path().join("x"), "").unwrap();
        fs::metadata(house.folder.path().join("x")).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(mode(), ordinary);
    fs::set_permissions(&house.path, fs::Permissions::from_mode(0o640)).unwrap();
    house.put(2);
    assert_eq!(mode(), 0o640);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_file_is_not_written_through() {
    let house = House::new();
    let target = house.folder.path().join("target");
    fs::write(&target, "theirs").unwrap();
    std::os::unix::fs::symlink(&target, &house.path).unwrap();
    let (_, before) = prepare(&house.path, &page(1)).unwrap().install(&house.key, None).unwrap();
    assert!(matches!(before, Before::Foreign(_)));
    assert_eq!(fs::read_to_string(target).unwrap(), "theirs");
    assert_eq!(fs::read_to_string(&house.path).unwrap(), page(1).text);
}
