//! However much there is, a page stays small, and says what it does not show.

use serde_json::json;

use super::house::House;

#[tokio::test]
async fn at_most_fifty_cards_are_shown_and_the_rest_is_counted() {
    let house = House::new().await;
    for number in 0..52 {
        house.say(&format!("@user question {number}?")).await;
    }
    for path in ["/", "/rooms/talk"] {
        let (_, page) = house.load(path).await;
        assert_eq!(page.matches("<article class=\"card\"").count(), 50, "{path}");
        assert!(page.contains("data-count=\"52\" data-cut") && page.contains("and 2 more"), "{path}");
        assert!(page.contains("<title>(52) "), "{path}");
        let inbox = page.split("id=\"log\"").next().unwrap();
        assert!(
            inbox.contains("question 49?") && !inbox.contains("question 50?"),
            "the oldest first: {path}"
        );
    }
}

#[tokio::test]
async fn a_long_question_is_cut_on_its_card_and_leads_to_the_whole() {
    let house = House::new().await;
    house.say(&format!("@user {}END", "é ".repeat(2_500))).await;
    let (_, page) = house.load("/").await;
    let (link, _) = page.split_once("\">Read the whole question").expect("a link to it");
    let (link, _) = link.rsplit_once("href=\"").unwrap().1.split_once('#').unwrap();
    assert!(!page.contains("END") && link.starts_with("/rooms/talk?at="), "{link}");
    let (_, log) = house.load(link).await;
    assert!(log.contains("END"));
    house.say("@user a short one?").await;
    let (_, page) = house.load("/").await;
    assert_eq!(page.matches("Read the whole question").count(), 1);
}

#[tokio::test]
async fn a_list_of_many_rooms_goes_on() {
    let house = House::new().await;
    for number in 0..120 {
        let room = json!({ "filepath": format!("r{number}.md"), "participants": ["@Ada", "@Bob"] });
        house.tool("init_conversation", room).await;
    }
    let listed = |page: &str| -> Vec<String> {
        let rows = page.split("<li id=\"room/").skip(1);
        rows.map(|row| row.split_once('"').unwrap().0.to_owned()).collect()
    };
    let (_, first) = house.load("/").await;
    let mut rooms = listed(&first);
    assert_eq!(rooms.len(), 100);
    let next = format!("/?before={}", rooms[99]);
    assert!(
        first.contains(&format!("<a href=\"{next}\">21 more rooms</a>")) && first.contains("id=\"rooms\"")
    );
    let (_, rest) = house.load(&next).await;
    // No news of the stream replaces a later part of the list.
    assert!(!rest.contains("id=\"rooms\"") && rest.contains("<a href=\"/\">Newest rooms</a>"));
    rooms.extend(listed(&rest));
    assert_eq!(rooms.len(), 121);
    rooms.sort();
    rooms.dedup();
    assert_eq!(rooms.len(), 121, "each of them once");
}
