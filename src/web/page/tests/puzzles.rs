//! Puzzles on the page: what is shown, and what a person does with them.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::house::House;
use crate::web::page::view::{Drawing, Html, Sketch, SketchState, SketchWay};

const PLAIN: &str = "text/html";
const SCRIPT: &str = "application/json";
const HOSTILE: &str = "\"><script>alert('1')</script>";

/// A machine with a guard of each kind that a page can meet.
fn release() -> Value {
    json!({ "id": "release", "name": "A release", "initialState": "draft", "states": {
        "draft": { "actions": { "submit": { "targetState": "review" } } },
        "review": { "actions": {
            "approve": {
                "targetState": "published",
                "guard": { "participant": ["@user"], "question": "May **this** go out?" },
            },
            "check": { "targetState": "checked", "guard": [{ "form": "Tested?" }, { "form": "Read?" }] },
            "publish": { "targetState": "published", "allowed": ["@Bob"] },
        } },
        "checked": { "actions": { "back": { "targetState": "review" } } },
        "published": { "final": true },
    } })
}

async fn stands(house: &House) -> String {
    let state = house.page.hub.puzzle("release").await.unwrap().snapshot;
    format!("{} {}", state.current_state, state.version)
}

/// The release is in review, at version 2.
async fn in_review() -> House {
    let house = House::new().await;
    house.puzzle(release()).await;
    house.act_on("release", "submit", "@Ada").await;
    house
}

/// The value of a hidden field of the question before an act.
fn hidden(html: &str, name: &str) -> String {
    let (_, rest) = html.split_once(&format!("name=\"{name}\" value=\"")).expect("a field");
    rest.split_once('"').unwrap().0.replace("&#34;", "\"").replace("&quot;", "\"")
}

#[tokio::test]
async fn a_person_adds_a_puzzle_and_finds_it_in_the_list() {
    let house = House::new().await;
    assert!(house.load("/puzzles").await.1.contains("There is no puzzle."));
    let (code, form) = house.load("/puzzles/new").await;
    assert!(code == StatusCode::OK && form.contains("A machine to begin with"));
    let machine = release().to_string();
    let fields = [("machine", machine.as_str()), ("name", ""), ("room", " "), ("request_id", "once")];
    for _ in 0..2 {
        let (code, page) = house.send("/puzzles/new", &fields, PLAIN).await;
        assert_eq!(code, StatusCode::SEE_OTHER, "{page}");
    }
    assert_eq!(house.page.hub.puzzle_count().await.unwrap(), 1, "sent twice, added once");
    let list = house.load("/puzzles").await.1;
    assert!(list.contains("href=\"/puzzles/release\"") && list.contains("A release"), "{list}");
    assert!(house.load("/").await.1.contains("Puzzles <span class=\"count soft\">1</span>"));
    let page = house.load("/puzzles/release").await.1;
    for words in
        ["<svg id=\"machine\"", "value=\"submit\"", "name=\"version\" value=\"1\"", "stateDiagram-v2"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    let room = house.load("/rooms/release").await.1;
    assert!(room.contains("<a href=\"/puzzles/release\" dir=\"auto\">A release</a>"), "{room}");
    assert!(
        room.contains("<a href=\"/puzzles/release?at=1#1\">Puzzle <code>release</code> is here"),
        "{room}"
    );
}

#[tokio::test]
async fn a_timer_stands_beside_a_question_that_expires_before_it_and_names_stand_as_code() {
    let house = House::new().await;
    let config = json!({
        "id": "timed",
        "initialState": "A",
        "states": {
            "A": {
                "actions": {
                    "go": { "targetState": "B", "guard": { "participant": "@Bob", "question": "q", "expiresMinutes": 5 } },
                    "mine": { "targetState": "B", "allowed": "@Bob" },
                },
                "after": { "86400000": "B" },
            },
            "B": { "final": true },
        },
    });
    house.send("/puzzles/new", &[("machine", &config.to_string())], PLAIN).await;
    house.act("/puzzles/timed/act", &[("action", "go"), ("version", "1")]).await;
    let page = house.load("/puzzles/timed").await.1;
    assert!(page.contains("refused in") && page.contains("Goes on by itself in"), "{page}");
    assert!(page.contains("only @Bob may do <code>mine</code> in <code>A</code>"), "{page}");
}

#[tokio::test]
async fn a_reason_looks_the_same_wherever_it_is_told() {
    let house = in_review().await;
    house.act_on("release", "approve", "@Ada").await;
    let answer = [("guard", "g3"), ("verdict", "pass"), ("reason", "fine *by me*"), ("version", "3")];
    house.act("/puzzles/release/answer", &answer).await;
    let page = house.load("/puzzles/release").await.1;
    assert!(page.matches("fine <em>by me</em>").count() == 2 && !page.contains("*by me*"), "{page}");
}

#[test]
fn a_line_of_ours_shows_names_as_code_and_everything_as_text() {
    let html = |line: &str| Html::of_line(line).to_string();
    assert_eq!(html("do `a<b>` now"), "do <code>a&#60;b&#62;</code> now");
    assert_eq!(html("one ` alone"), "one ` alone");
    assert_eq!(html("``"), "<code></code>");
}

#[test]
fn a_drawing_that_does_not_fit_says_that_it_can_be_scrolled() {
    let wide = |states: usize| {
        let state = |number: usize| SketchState {
            name: format!("a state with a name {number}"),
            ..SketchState::default()
        };
        let way = |number: usize| SketchWay { from: 0, to: number, label: "a way with a name".to_owned() };
        let (states, ways) = ((0..states).map(state).collect(), (1..states).map(way).collect());
        Drawing::of(&Sketch { states, ways, first: 0 }).unwrap().is_wide()
    };
    assert!(!wide(2) && wide(24));
}

#[tokio::test]
async fn faults_of_a_machine_are_told_with_their_places_and_what_was_written_stays() {
    let house = House::new().await;
    let faulty =
        json!({ "initialState": "A", "states": { "A": { "actions": { "<b>": { "targetState": "X" } } } } });
    let faulty = faulty.to_string();
    let (code, page) = house.send("/puzzles/new", &[("machine", &faulty), ("name", "N <b>")], PLAIN).await;
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
    for words in ["The machine has 1 fault.", "targetState</code>", "value=\"N &#60;b&#62;\"", "aria-invalid"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(page.contains("initialState&#34;:&#34;A") && !page.contains("<b>&"), "{page}");
    let (code, page) = house.send("/puzzles/new", &[("machine", "{ \"states\": ")], PLAIN).await;
    assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("This is no JSON") && page.contains("line 1"), "{page}");
    // What is only odd does not stop it, and is told once.
    let odd = json!({ "id": "odd", "initialState": "A", "states": { "A": { "final": true }, "B": { "final": true } } });
    let (code, _) = house.send("/puzzles/new", &[("machine", &odd.to_string())], PLAIN).await;
    assert_eq!(code, StatusCode::SEE_OTHER);
    let page = house.load("/puzzles/odd?added=yes").await.1;
    assert!(
        page.contains("odd about its machine") && page.contains("<li><code dir=\"auto\">config.states.B<"),
        "{page}"
    );
    assert!(!house.load("/puzzles/odd").await.1.contains("odd about its machine"));
}

#[tokio::test]
async fn an_act_is_about_what_was_seen() {
    let house = in_review().await;
    let (code, page) =
        house.send("/puzzles/release/act", &[("action", "submit"), ("version", "1")], PLAIN).await;
    assert_eq!((code, stands(&house).await.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "review 2"));
    assert!(page.contains("The puzzle is in `review` now.") && page.contains("value=\"check\""), "{page}");
    let (_, text) = house.act("/puzzles/release/act", &[("action", "submit"), ("version", "1")]).await;
    let error: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&error["error"]["code"], &error["error"]["version"]),
        (&json!("version_conflict"), &json!(2))
    );
    let (code, text) = house.act("/puzzles/release/act", &[("action", "publish"), ("version", "2")]).await;
    assert!(code == StatusCode::UNPROCESSABLE_ENTITY && text.contains("only @Bob may do"), "{text}");
    for fields in
        [&[("action", "approve")][..], &[("version", "2")], &[("action", "approve"), ("version", "x")]]
    {
        for accept in [PLAIN, SCRIPT] {
            let (code, _) = house.send("/puzzles/release/act", fields, accept).await;
            assert_eq!(code, StatusCode::UNPROCESSABLE_ENTITY, "{fields:?}");
        }
    }
    let forged = "action=approve&version=2&token=guessed".to_owned();
    for path in ["/puzzles/release/act", "/puzzles/release/answer", "/puzzles/release/remove", "/puzzles/new"]
    {
        assert_eq!(house.send_raw(path, forged.clone(), SCRIPT).await.0, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(stands(&house).await, "review 2");
}

#[tokio::test]
async fn a_guard_takes_a_word_of_a_verified_person_only() {
    let house = in_review().await;
    house.act_on("release", "approve", "@Ada").await;
    let page = house.load("/puzzles/release").await.1;
    assert!(page.contains("id=\"guard-g3\"") && page.contains("May <strong>this</strong> go out?"), "{page}");
    assert!(house.load("/").await.1.contains("action=\"/puzzles/release/answer\""));
    let fields = [("guard", "g3"), ("verdict", "pass"), ("version", "3"), ("reason", "my <b>words</b>")];
    let (code, page) = house.send("/puzzles/release/answer", &fields, PLAIN).await;
    assert_eq!((code, stands(&house).await.as_str()), (StatusCode::UNPROCESSABLE_ENTITY, "review 3"));
    assert!(page.contains("needs @user himself") && page.contains("my &#60;b&#62;words"), "{page}");
    let (code, text) = house.act("/puzzles/release/answer", &fields).await;
    assert_eq!((code, stands(&house).await.as_str()), (StatusCode::OK, "published 5"), "{text}");
    let page = house.load("/puzzles/release").await.1;
    assert!(
        page.contains("let it pass") && page.contains("✓ verified") && page.contains("It has ended."),
        "{page}"
    );
    assert!(!house.load("/").await.1.contains("action=\"/puzzles/release/answer\""));
    let (code, text) = house.act("/puzzles/release/answer", &fields).await;
    assert!(code == StatusCode::UNPROCESSABLE_ENTITY && text.contains("already_settled"), "{text}");
}

#[tokio::test]
async fn what_a_form_asks_of_whoever_acts_is_asked_on_the_page() {
    let house = in_review().await;
    let act = ("action", "check");
    let (code, page) = house.send("/puzzles/release/act", &[act, ("version", "2")], PLAIN).await;
    assert!(code == StatusCode::OK && page.contains("Tested?") && !page.contains("Read?</p>"), "{page}");
    // What was asked of a page without its script was asked of somebody whom nobody vouches for.
    let mut html = page;
    for question in ["Tested?", "Read?", ""] {
        let names = ["demand", "entered", "said"];
        let values = names.map(|name| hidden(&html, name));
        let mut fields = vec![act, ("version", "2"), ("verdict", "pass")];
        fields.extend(names.into_iter().zip(values.iter().map(String::as_str)));
        let (code, text) = house.act("/puzzles/release/act", &fields).await;
        assert_eq!(code, StatusCode::OK, "{text}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        html = answer["fresh"].as_str().unwrap().to_owned();
        assert!(html.starts_with("<section id=\"demand\"") && html.contains(question), "{html}");
        assert_eq!(html.contains("hidden>"), question.is_empty(), "{html}");
    }
    assert_eq!(stands(&house).await, "checked 3");
}

#[tokio::test]
async fn what_has_happened_tells_the_person_from_who_only_says_so() {
    let house = House::new().await;
    let machine = json!({ "id": "p", "initialState": "draft", "states": {
        "draft": { "actions": { "submit": { "targetState": "check" } } },
        "check": { "always": "review" },
        "review": { "actions": { "back": { "targetState": "draft" } } },
    } });
    house.puzzle(machine).await;
    house.act_on("p", "submit", "@user").await;
    let said = house.load("/puzzles/p").await.1;
    assert!(said.contains("through <bdi>check</bdi>") && !said.contains("✓ verified"), "{said}");
    let (code, text) = house.act("/puzzles/p/act", &[("action", "back"), ("version", "2")]).await;
    assert_eq!(code, StatusCode::OK, "{text}");
    assert!(house.load("/puzzles/p").await.1.contains("✓ verified"));
}

#[tokio::test]
async fn a_puzzle_is_removed_and_is_gone() {
    let house = in_review().await;
    let (code, _) = house.act("/puzzles/release/remove", &[("version", "2")]).await;
    assert_eq!(code, StatusCode::OK);
    for path in ["/puzzles/nowhere", "/puzzles/%2e%2e", "/puzzles/%3Cscript%3E"] {
        let (code, page) = house.load(path).await;
        assert!(code == StatusCode::NOT_FOUND && !page.contains("<script>"), "{path}: {code}");
    }
    assert!(house.load("/puzzles/nowhere").await.1.contains("<h1>No such puzzle</h1>"));
    let (code, page) = house.load("/puzzles/release").await;
    assert!(code == StatusCode::GONE && page.contains("<h1>The puzzle was removed</h1>"), "{code} {page}");
    assert!(house.load("/puzzles").await.1.contains("There is no puzzle."));
}

#[tokio::test]
async fn a_long_history_and_a_long_list_are_read_in_parts() {
    let house = House::new().await;
    house
        .puzzle(json!({ "id": "turn", "initialState": "A", "states": {
        "A": { "actions": { "go": { "targetState": "A" } } } } }))
        .await;
    for _ in 0..70 {
        house.act_on("turn", "go", "@Ada").await;
    }
    let shows = |page: &str, version: u64| page.contains(&format!("<li id=\"{version}\""));
    let newest = house.load("/puzzles/turn").await.1;
    assert!(shows(&newest, 71) && shows(&newest, 22) && !shows(&newest, 21), "{newest}");
    assert!(newest.contains("?since=1\">Older") && !newest.contains("data-elsewhen"));
    let oldest = house.load("/puzzles/turn?since=1").await.1;
    assert!(shows(&oldest, 1) && !shows(&oldest, 51) && oldest.contains("data-elsewhen"));
    assert!(shows(&house.load("/puzzles/turn?at=12").await.1, 12));
    for odd in ["?since=0", "?since=99999", "?at=0", "?at=18446744073709551615"] {
        assert_eq!(house.load(&format!("/puzzles/turn{odd}")).await.0, StatusCode::OK, "{odd}");
    }
    for number in 0..105 {
        house.puzzle(json!({ "id": format!("p{number}"), "initialState": "A", "states": { "A": { "final": true } } })).await;
    }
    let first = house.load("/puzzles").await.1;
    assert_eq!(first.matches("<a class=\"what\"").count(), 100);
    assert!(
        first.contains("href=\"/puzzles/p104\"") && first.contains("/puzzles?before=p5\">Older"),
        "{first}"
    );
    let rest = house.load("/puzzles?before=p5").await.1;
    assert_eq!(rest.matches("<a class=\"what\"").count(), 6);
    assert!(rest.contains("href=\"/puzzles/turn\"") && !rest.contains("id=\"puzzles\""));
}

#[tokio::test]
async fn names_of_a_machine_stay_names() {
    let house = House::new().await;
    let states = json!({ HOSTILE: {
        "description": HOSTILE,
        "actions": { HOSTILE: {
            "targetState": HOSTILE, "description": HOSTILE,
            "guard": { "participant": ["@user"], "question": HOSTILE },
        } },
    } });
    house.puzzle(json!({ "id": "bad", "name": HOSTILE, "description": HOSTILE, "initialState": HOSTILE, "states": states }))
        .await;
    house.act_on("bad", HOSTILE, "@Ada").await;
    for path in ["/puzzles", "/puzzles/bad", "/", "/rooms/bad"] {
        let (code, page) = house.load(path).await;
        assert_eq!(code, StatusCode::OK, "{path}");
        assert!(!page.contains("<script>alert"), "{path}: {page}");
    }
}

/// What a page shows: what stands in values of forms is sent back as it came.
fn seen(page: &str) -> String {
    let mut parts = page.split("value=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |seen, part| seen + part.split_once('"').map_or("", |(_, rest)| rest))
}

#[tokio::test]
async fn no_name_of_a_machine_turns_the_reading_direction() {
    const TURNED: &str = "to\u{202e}en\u{2066}d";
    let house = House::new().await;
    let asked = json!({ "participant": ["@user"], "question": TURNED });
    let states = json!({
        TURNED: { "description": TURNED, "actions": {
            TURNED: { "targetState": "b\u{202e}", "guard": asked },
            "form\u{202e}": { "targetState": "b\u{202e}", "guard": { "form": TURNED } },
            "not you\u{202e}": { "targetState": "b\u{202e}", "allowed": ["@Bob"] },
        } },
        "b\u{202e}": { "final": true },
    });
    house.puzzle(json!({ "id": "bad", "name": TURNED, "initialState": TURNED, "states": states })).await;
    house.act_on("bad", TURNED, "@Ada").await;
    for path in ["/puzzles", "/puzzles/bad", "/", "/rooms/bad"] {
        let page = seen(&house.load(path).await.1);
        assert!(!page.contains(['\u{202e}', '\u{2066}']), "{path}: {page}");
    }
    for (action, version) in
        [("form\u{202e}", "2"), ("not you\u{202e}", "2"), ("none\u{202e}", "2"), (TURNED, "1")]
    {
        let fields = [("handle", "@user"), ("action", action), ("version", version)];
        let page = seen(&house.send("/puzzles/bad/act", &fields, PLAIN).await.1);
        assert!(page.contains("<h1") && !page.contains('\u{202e}'), "{action}: {page}");
    }
}

#[tokio::test]
async fn the_document_of_a_state_has_a_page() {
    let house = House::new().await;
    let markdown = json!({ "text": "Read it *twice*. <script>alert(1)</script>" });
    let plain = json!({ "text": "*as it is* <b>", "mimeType": "text/plain" });
    house
        .puzzle(json!({ "id": "release", "initialState": "to review", "states": {
            "to review": { "resource": markdown, "actions": { "go": { "targetState": "out" } } },
            "out": { "resource": plain, "final": true },
        } }))
        .await;
    let (_, page) = house.load("/puzzles/release").await;
    assert!(
        page.contains("<a href=\"/puzzles/release/states/to%20review\">Document of this state</a>"),
        "{page}"
    );
    assert!(page.contains("<a href=\"/puzzles/release/states/out\">document</a>"), "{page}");
    let (code, shown) = house.load("/puzzles/release/states/to%20review").await;
    assert!(code == StatusCode::OK && shown.contains("Read it <em>twice</em>."), "{shown}");
    assert!(!shown.contains("<script>alert"), "{shown}");
    let (_, shown) = house.load("/puzzles/release/states/out").await;
    assert!(shown.contains("*as it is* &#60;b&#62;"), "{shown}");
    assert_eq!(house.load("/puzzles/release/states/none").await.0, StatusCode::NOT_FOUND);
}
