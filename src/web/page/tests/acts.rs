//! Who gets in, and what forms do.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use serde_json::json;

use super::house::{House, read};
use crate::web::page::WAY_IN;

const PLAIN: &str = "text/html";
const SCRIPT: &str = "application/json";

#[tokio::test]
async fn every_answer_says_what_its_page_may_do() {
    let house = House::new().await;
    let code = format!("{WAY_IN}?code=used");
    for path in
        ["/", "/rooms/talk", "/rooms/nowhere", "/search?q=a", "/new", "/stream", "/assets/0/page.js", &code]
    {
        for request in [house.get(path), Request::get(path)] {
            let response = house.ask(request.body(Body::empty()).unwrap()).await;
            let header = |name| response.headers().get(name).unwrap().to_str().unwrap().to_owned();
            let policy = header(header::CONTENT_SECURITY_POLICY);
            assert!(
                policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
                "{path}"
            );
            assert!(!policy.contains("unsafe"), "{path}");
            assert_eq!(header(header::X_CONTENT_TYPE_OPTIONS), "nosniff", "{path}");
            assert_eq!(header(header::REFERRER_POLICY), "same-origin", "{path}");
        }
    }
}

#[tokio::test]
async fn who_has_not_come_in_sees_and_does_nothing() {
    let house = House::new().await;
    house.say("a secret").await;
    let token = house.page.access.form_token().to_owned();
    for path in ["/", "/rooms/talk", "/rooms/talk/started", "/search?q=secret", "/new", "/stream?room=talk"] {
        let (status, text) = read(house.ask(Request::get(path).body(Body::empty()).unwrap()).await).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{path}");
        assert!(
            text.contains("turnroom open") && !text.contains("secret") && !text.contains(&token),
            "{path}"
        );
    }
    let form = Body::from(format!("token={token}&content=forged"));
    let request = Request::post("/rooms/talk/say")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(form)
        .unwrap();
    assert_eq!(house.ask(request).await.status(), StatusCode::FORBIDDEN);
    assert!(!house.said().await.contains(&"forged".to_owned()));
}

#[tokio::test]
async fn a_form_without_the_token_of_the_page_does_nothing() {
    let house = House::new().await;
    for path in ["/rooms/talk/say", "/rooms/talk/close", "/rooms/talk/pause", "/new"] {
        for form in ["content=forged", "content=forged&token=", "content=forged&token=guessed"] {
            for accept in [PLAIN, SCRIPT] {
                let (status, text) = house.send_raw(path, form.to_owned(), accept).await;
                assert_eq!(status, StatusCode::FORBIDDEN, "{path} {form}: {text}");
            }
        }
    }
    assert!(!house.said().await.contains(&"forged".to_owned()));
    assert!(house.load("/rooms/talk").await.1.contains("class=\"open\""));
}

#[tokio::test]
async fn only_the_script_of_the_page_speaks_verified() {
    let house = House::new().await;
    let key = house.page.access.page_key().to_owned();
    let (status, _) = house.send("/rooms/talk/say", &[("content", "one\r\ntwo")], PLAIN).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    house.send("/rooms/talk/say", &[("content", "three")], SCRIPT).await;
    let (_, text) = house.say_with("guessed", "talk", "four").await;
    assert_eq!(text, r#"{"status":"done","verified":false}"#);
    let (status, text) = house.say_with(&key, "talk", "five").await;
    assert_eq!((status, text.as_str()), (StatusCode::OK, r#"{"status":"done","verified":true}"#));
    let said = house.page.hub.everything_said("talk", None, None, 4).await.unwrap();
    let said: Vec<_> = said.messages.iter().map(|said| (said.content.as_str(), said.is_verified)).collect();
    assert_eq!(said, [("one\ntwo", false), ("three", false), ("four", false), ("five", true)]);
}

#[tokio::test]
async fn where_people_are_verified_only_a_form_without_the_key_is_refused_and_told_the_way() {
    let house = House::new().await;
    let room = json!({
        "filepath": "strict.md", "participants": ["@Ada", "@Bob"], "barrier": 0, "humans_verified_only": true,
    });
    house.tool("init_conversation", room).await;
    for accept in [PLAIN, SCRIPT] {
        let (status, text) = house.send("/rooms/strict/say", &[("content", "forged")], accept).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(text.contains("allow scripts") && text.contains("turnroom open"), "{text}");
    }
    assert!(house.load("/rooms/strict").await.1.contains("class=\"unverified strict\""));
    let key = house.page.access.page_key().to_owned();
    assert_eq!(house.say_with(&key, "strict", "mine").await.0, StatusCode::OK);
    let said = house.page.hub.everything_said("strict", None, None, 500).await.unwrap();
    let said: Vec<_> = said.messages.iter().map(|said| (said.content.as_str(), said.is_verified)).collect();
    assert_eq!(said, [("mine", true)]);
}

#[tokio::test]
async fn the_key_of_the_page_is_in_no_answer_but_the_one_to_a_good_link() {
    let house = House::new().await;
    house.say("@user which one?").await;
    let key = house.page.access.page_key().to_owned();
    let link = house.page.access.link("", Some("talk"));
    let enter = async |method: &str, cookie: bool| {
        let request = if cookie { house.get(&link) } else { Request::get(&link) };
        let response = house.ask(request.method(method).body(Body::empty()).unwrap()).await;
        let headers = format!("{:?}", response.headers());
        (headers, read(response).await.1)
    };
    let (headers, text) = enter("HEAD", false).await;
    assert!(!headers.contains(&key) && !headers.contains("set-cookie") && text.is_empty(), "{headers}");
    let (headers, text) = enter("GET", false).await;
    assert!(headers.contains(&format!("/rooms/talk#key={key}")) && headers.contains("no-store"), "{headers}");
    assert!(!text.contains(&key) && headers.contains("set-cookie"), "{headers}");
    for (shown, status) in [(key.as_str(), StatusCode::NO_CONTENT), ("guessed", StatusCode::FORBIDDEN)] {
        let look = Request::head(WAY_IN).header("x-turnroom-page", shown).body(Body::empty()).unwrap();
        assert_eq!(house.ask(look).await.status(), status, "{shown}");
    }
    // Whoever has the cookie only, such as a server of another port, gets nothing more.
    let (headers, text) = enter("GET", true).await;
    assert!(!headers.contains(&key) && !text.contains(&key), "{headers}");
    for path in ["/", "/rooms/talk", "/rooms/talk/started", "/search?q=which", "/new", "/rooms/none"] {
        assert!(!house.load(path).await.1.contains(&key), "{path}");
    }
}

#[tokio::test]
async fn what_was_not_done_out_of_turn_is_not_said_to_be_done() {
    let house = House::new().await;
    let room = json!({ "filepath": "turns.md", "participants": ["@Ada", "@Bob"] });
    house.tool("init_conversation", room).await;
    for handle in ["@Ada", "@Bob"] {
        let join = json!({ "handle": handle, "room": "turns", "timeout_seconds": 0 });
        house.tool("join_conversation", join).await;
    }
    for act in ["say", "pass"] {
        for accept in [PLAIN, SCRIPT] {
            let fields = [("handle", "@Bob"), ("content", "@Ada hello")];
            let (status, text) = house.send(&format!("/rooms/turns/{act}"), &fields, accept).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{act}: {text}");
            assert!(text.contains("it is not the turn of `@Bob`"), "{act}: {text}");
        }
    }
    let (status, text) = house.send("/rooms/turns/pass", &[], SCRIPT).await;
    assert_eq!(status, StatusCode::OK, "a person passes the turn of its holder: {text}");
}

#[tokio::test]
async fn an_address_that_makes_no_sense_is_answered_with_a_page() {
    let house = House::new().await;
    for path in [
        "/rooms/talk?reply=abc",
        "/rooms/%ff",
        "/rooms/%ff/started",
        "/search?q=%ff&q=a",
        "/?before=%ff&before=",
    ] {
        let (status, text) = house.load(path).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}");
        assert!(text.contains("<h1>No such page</h1>") && text.contains("class=\"brand\""), "{path}: {text}");
    }
    let (status, text) = house.send("/rooms/talk/explode", &[], PLAIN).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(text.contains("<h1>Nothing was done</h1>"), "{text}");
}

#[tokio::test]
async fn the_same_words_sent_again_are_said_once() {
    let house = House::new().await;
    for _ in 0..2 {
        let fields = [("content", "once"), ("request_id", "the-same")];
        assert_eq!(house.send("/rooms/talk/say", &fields, SCRIPT).await.0, StatusCode::OK);
    }
    assert_eq!(house.said().await.iter().filter(|said| *said == "once").count(), 1);
}

#[tokio::test]
async fn an_act_or_a_room_that_is_not_there_is_said_to_be_none() {
    let house = House::new().await;
    let (status, _) = house.send("/rooms/talk/explode", &[], PLAIN).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    for room in
        ["nowhere", "%2e%2e%2f%2e%2e%2fetc", "%3Cscript%3E", "a%00b", "%F0%9F%98%80", &"x".repeat(5_000)]
    {
        for (status, text) in [
            house.load(&format!("/rooms/{room}")).await,
            house.send(&format!("/rooms/{room}/say"), &[("content", "a")], PLAIN).await,
        ] {
            assert!(status.is_client_error(), "{room}: {status}");
            assert!(!text.contains("<script>"), "{text}");
        }
    }
    assert!(house.load("/rooms/%FF").await.0.is_client_error());
}

#[tokio::test]
async fn a_refusal_keeps_the_words_and_says_what_to_do() {
    let house = House::new().await;
    let fields = [("content", "my <b>words</b>"), ("to", "@Nobody")];
    let (status, text) = house.send("/rooms/talk/say", &fields, PLAIN).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
    assert!(text.contains("my &#60;b&#62;words") && text.contains("role=\"alert\"><strong>"), "{text}");
    let (status, text) = house.send("/rooms/talk/say", &fields, SCRIPT).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text.starts_with("{\"error\":"), "{text}");
}

#[tokio::test]
async fn words_that_are_too_long_are_refused_in_words() {
    let house = House::new().await;
    // Three bytes each, and nine in a form.
    let most = "語".repeat((1 << 20) / 3);
    assert_eq!(house.send("/rooms/talk/say", &[("content", &most)], SCRIPT).await.0, StatusCode::OK);
    let more = "語".repeat((1 << 20) / 3 + 1);
    let (status, text) = house.send("/rooms/talk/say", &[("content", &more)], SCRIPT).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text.contains("message_too_long"), "{text}");
}

#[tokio::test]
async fn questions_to_the_search_never_break_it() {
    let house = House::new().await;
    house.say("a needle in here").await;
    assert!(house.load("/search?q=needle").await.1.contains("a needle in here"));
    for words in
        ["%22", "%27%3B--", "a%20OR", "%2A", "%28", "NEAR%28", "%00", "needle&day=never", "needle&room=no"]
    {
        let (status, text) = house.load(&format!("/search?q={words}")).await;
        assert!(status.is_success(), "{words}: {status} {text}");
    }
}
