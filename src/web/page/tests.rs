//! What stands on each page, and that nothing of a participant gets out of its place.

use askama::Template;

use super::{assets, samples};

/// Every page, under a name for its file.
fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("home", samples::home().render().expect("a page")),
        ("room", samples::room().render().expect("a page")),
        ("paused", samples::paused().render().expect("a page")),
        ("gathering", samples::gathering().render().expect("a page")),
        ("closed", samples::closed().render().expect("a page")),
        ("search", samples::search(Some(samples::hits())).render().expect("a page")),
        ("nothing", samples::search(Some(Vec::new())).render().expect("a page")),
        ("new", samples::new_room().render().expect("a page")),
        ("started", samples::started().render().expect("a page")),
        ("refused", samples::refused().render().expect("a page")),
        ("enter", samples::enter(true).render().expect("a page")),
    ]
}

/// Writes all pages into the folder `TURNROOM_PAGES`, with their style and script, for looking at them.
#[test]
#[ignore = "writes files for a person who looks at the page"]
fn pages_are_written_for_looking_at_them() {
    let folder =
        std::path::PathBuf::from(std::env::var("TURNROOM_PAGES").expect("TURNROOM_PAGES names a folder"));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, page) in pages() {
        let mut page = page;
        for asset in [&assets::STYLE, &assets::SCRIPT, &assets::ICON] {
            let name = asset.address().rsplit('/').next().unwrap().to_owned();
            page = page.replace(&asset.address(), &name);
            std::fs::write(folder.join(&name), asset.text).unwrap();
        }
        std::fs::write(folder.join(name).with_extension("html"), page).unwrap();
    }
}
