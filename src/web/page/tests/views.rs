//! What stands on each page, and that nothing of a participant gets out of its place.

use std::collections::HashSet;

use askama::Template;

use super::view::Remedy;
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
        ("board", samples::board().render().expect("a page")),
        ("no tasks", samples::no_tasks().render().expect("a page")),
        ("closed tasks", samples::over().render().expect("a page")),
        ("task", samples::task().render().expect("a page")),
        ("approved", samples::approved().render().expect("a page")),
        ("working", samples::working().render().expect("a page")),
        ("new task", samples::new_task().render().expect("a page")),
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

/// The start tags of a page, as they are written between `<` and `>`.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).map(|rest| rest.split_once('>').expect("a tag ends").0).collect()
}

fn value<'p>(tag: &'p str, attribute: &str) -> Option<&'p str> {
    let (_, rest) = tag.split_once(&format!(" {attribute}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

#[test]
fn nothing_on_a_page_needs_more_than_its_own_script_and_style() {
    for (name, page) in pages() {
        for tag in tags(&page) {
            assert!(value(tag, "style").is_none(), "{name}: <{tag}>");
            assert!(!tag.split('"').step_by(2).any(|outside| outside.contains(" on")), "{name}: <{tag}>");
            assert!(!tag.starts_with("style") && !tag.starts_with("iframe"), "{name}: <{tag}>");
            if tag.starts_with("script") || tag.starts_with("img") {
                assert!(value(tag, "src").unwrap().starts_with("/assets/"), "{name}: <{tag}>");
            }
        }
    }
}

#[test]
fn every_form_that_acts_carries_the_token_and_stays_here() {
    for (name, page) in pages() {
        for form in page.split("<form").skip(1).map(|rest| rest.split_once("</form>").unwrap().0) {
            let tag = form.split_once('>').unwrap().0;
            if tag.contains("method=\"dialog\"") {
                continue;
            }
            assert!(value(tag, "action").unwrap().starts_with('/'), "{name}: {tag}");
            let has_token = form.contains("name=\"token\" value=\"form-token\"");
            assert_eq!(tag.contains("method=\"post\""), has_token, "{name}: {form}");
        }
    }
}

#[test]
fn an_id_stands_once_on_a_page_and_labels_lead_to_fields() {
    for (name, page) in pages() {
        let tags = tags(&page);
        let ids: Vec<&str> = tags.iter().filter_map(|tag| value(tag, "id")).collect();
        let distinct: HashSet<&str> = ids.iter().copied().collect();
        assert_eq!(distinct.len(), ids.len(), "{name}: {ids:?}");
        for tag in &tags {
            let named = ["for", "aria-labelledby", "aria-describedby"].iter().filter_map(|by| value(tag, by));
            for id in named {
                assert!(distinct.contains(id), "{name}: nothing has the id `{id}`");
            }
            let is_field = ["input ", "select ", "textarea "].iter().any(|field| tag.starts_with(field));
            let is_labelled = value(tag, "type").is_some_and(|kind| ["hidden", "checkbox"].contains(&kind))
                || value(tag, "id").is_some_and(|id| page.contains(&format!("<label for=\"{id}\"")))
                || value(tag, "id")
                    .is_some_and(|id| page.contains(&format!("<label class=\"unseen\" for=\"{id}\"")));
            assert!(!is_field || is_labelled, "{name}: <{tag}> has no label");
        }
    }
}

#[test]
fn words_of_others_stay_in_their_place() {
    let page = samples::hostile(HOSTILE);
    for (name, html) in page {
        // Neither an element of theirs, nor a quote that ends an attribute.
        assert!(!html.contains("<script>alert") && !html.contains("\"&#62;&#60;script"), "{name}: {html}");
        assert!(
            html.contains("&#60;script&#62;") || html.contains("&lt;script&gt;"),
            "{name} shows it: {html}"
        );
    }
}

const HOSTILE: &str = "\"><script>alert('1')</script>";

#[test]
fn the_room_says_in_words_what_is_shown_by_looks() {
    let room = samples::room().render().unwrap();
    for words in [
        "role=\"log\"",
        "(3) design",
        "<span class=\"mark private\">private</span>",
        "<span class=\"mark verified\">✓ verified</span>",
        "<span class=\"mark unverified\">not verified</span>",
        "data-sentence=\"@Ada has the floor; next: @Bob, @Carol\"",
        "<a class=\"number\" href=\"#12\"",
        "<p class=\"delivery\" id=\"d-10\">read by @Ada</p>",
        "data-last=\"12\"",
        "dir=\"auto\"",
    ] {
        assert!(room.contains(words), "{words}");
    }
    assert_eq!(room.matches("<li class=\"day\">").count(), 2, "one line for each day");
}

#[test]
fn a_task_says_in_words_what_each_record_comes_to() {
    let task = samples::task().render().unwrap();
    for words in [
        "data-sentence=\"The task is pending approval and waits for you\"",
        "<span class=\"mark outcome bad\">the code has to be mended</span>",
        "<span class=\"mark unverified\">proposal, not verified</span>",
        "<span class=\"mark verified\">✓ verified, @user</span>",
        "<a href=\"/tasks/parser/commits/3f9c2ab\" aria-label=\"What commit 3f9c2ab changes\"><code>3f9c2ab</code></a> \
         <button type=\"button\" class=\"quiet\" data-copy=\"3f9c2ab\"",
        "about <a href=\"?at=1#1\">record 1</a>",
        "<span class=\"mark waits\">does not fit</span> this record does not fit",
        "name=\"version\" value=\"4\"",
        ">Because</textarea>",
    ] {
        assert!(task.contains(words), "{words}");
    }
    let working = samples::working().render().unwrap();
    assert!(!working.contains("value=\"approve\"") && working.contains("value=\"close\""));
    assert!(samples::room().render().unwrap().contains("<a href=\"/tasks/parser?at=3#3\">Task"));
}

#[test]
fn an_agent_that_does_not_come_has_a_button_on_the_board_its_task_and_its_card() {
    let (board, home, task) =
        (samples::board().render(), samples::home().render(), samples::working().render());
    for page in [board.unwrap(), home.unwrap()] {
        assert!(
            page.contains("action=\"/tasks/parser/start\"") && page.contains(">Start the agent</button>")
        );
        assert!(
            page.contains("name=\"force\" value=\"yes\" data-again hidden>Start again</button>"),
            "{page}"
        );
    }
    let task = task.unwrap();
    assert!(task.contains("@Bob is not here.") && !task.contains("Start the agent"), "{task}");
    assert!(
        task.contains("<button class=\"main\" name=\"force\" value=\"yes\">Start again</button>"),
        "{task}"
    );
    assert!(!samples::task().render().unwrap().contains("/start\""), "a decision starts nobody");
}

#[test]
fn a_closed_room_has_no_field_to_write_in() {
    let closed = samples::closed().render().unwrap();
    assert!(!closed.contains("id=\"composer\"") && closed.contains("one SQLite file"));
    assert!(closed.contains("<section id=\"controls\" aria-labelledby=\"controls-heading\" hidden>"));
}

#[test]
fn a_refusal_is_told_and_the_words_are_kept() {
    let paused = samples::paused().render().unwrap();
    assert!(paused.contains("role=\"alert\"><strong>`@Carla` is nobody of this room</strong>"));
    assert!(paused.contains(">Postgres, because</textarea>") && paused.contains("Answering #12 of @Ada"));
    assert!(paused.contains("<section id=\"status\" class=\"paused\""));
}

#[test]
fn each_remedy_is_one_form() {
    for (remedy, path, label) in [
        (Remedy::Start, "start", "Start without them"),
        (Remedy::Resume, "resume", "Let them go on"),
        (Remedy::Say(vec!["@Ada".into()]), "say", "Say “please go on” to @Ada"),
        (Remedy::Pass, "pass", "Pass the turn on"),
        (Remedy::Close, "close", "Close the room"),
    ] {
        let card = samples::stuck(remedy).render().unwrap();
        assert!(card.contains(&format!("action=\"/rooms/port/{path}\"")) && card.contains(label), "{card}");
    }
    let says = samples::stuck(Remedy::Say(vec!["@Ada".into(), "@Bob".into()])).render().unwrap();
    assert!(says.contains("name=\"content\" value=\"@Ada @Bob please go on\""), "{says}");
}

#[test]
fn what_is_pasted_names_the_agent_its_room_and_its_key() {
    let started = samples::started().render().unwrap();
    assert!(started.contains("key &#34;bob-key-of-this-room&#34;") && started.contains("turnroom stdio"));
    for client in ["Claude Code", "Codex", "Gemini CLI", "opencode", "Cursor"] {
        assert!(started.contains(&format!("<summary>{client}</summary>")), "{client}");
    }
}

#[test]
fn what_is_of_no_room_leads_to_none() {
    let home = samples::home().render().unwrap();
    assert!(
        home.contains("/home/config.toml, line 3: `tasks.mode` must be") && !home.contains("/rooms/\""),
        "{home}"
    );
}

#[test]
fn what_a_page_does_not_show_is_counted() {
    let cut = samples::cut_inbox().render().unwrap();
    for words in ["data-count=\"18\" data-cut", "and 5 more: the oldest come first", "and 10 more</a>"] {
        assert!(cut.contains(words), "{words}: {cut}");
    }
    let rooms = samples::home().render().unwrap();
    assert!(rooms.contains("<a href=\"/?before=old\">3 more rooms</a>"), "{rooms}");
}
