//! Rules of search: one list, run against each index; then what only a file can suffer.

use std::path::PathBuf;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

fn stream(name: &str) -> StreamId {
    StreamId::parse(name).unwrap()
}

fn document(name: &str, seq: u64, text: &str) -> Document {
    Document { stream: stream(name), seq, text: text.to_owned() }
}

/// What is found in `room/a`.
async fn found(index: &dyn SearchIndex, query: &str) -> Vec<u64> {
    index.find(&stream("room/a"), query, None, 100).await.unwrap()
}

async fn fill(index: &dyn SearchIndex, texts: &[&str]) {
    let documents = (1..).zip(texts).map(|(seq, text)| document("room/a", seq, text)).collect();
    index.add(documents).await.unwrap();
}

macro_rules! search_rules {
    ($($rule:ident,)*) => {
        mod memory {
            $(#[tokio::test] async fn $rule() { super::$rule(&super::MemorySearch::new()).await; })*
        }
        mod sqlite {
            $(#[tokio::test] async fn $rule() {
                let folder = tempfile::tempdir().unwrap();
                super::$rule(&super::open(&folder)).await;
            })*
        }
    };
}

search_rules! {
    all_words_must_occur_in_any_order_whatever_the_case,
    words_are_found_inside_longer_ones,
    short_words_and_scripts_without_spaces_are_found,
    spellings_that_mean_the_same_are_found,
    a_query_is_never_syntax,
    the_newest_come_first_and_pages_follow_each_other,
    a_query_without_words_finds_nothing,
    a_query_as_long_as_a_page_still_needs_all_its_words,
    streams_do_not_mix,
    the_highest_number_is_known,
    a_text_that_is_added_again_replaces_the_old_one,
    a_stream_that_is_forgotten_is_found_no_more_and_can_be_added_anew,
}

async fn all_words_must_occur_in_any_order_whatever_the_case(index: &dyn SearchIndex) {
    fill(index, &["The shared Memory protocol", "memory only", "A PROTOCOL, then MEMORY"]).await;
    assert_eq!(found(index, "memory protocol").await, [3, 1]);
    assert_eq!(found(index, "PROTOCOL  memory\n").await, [3, 1]);
    assert_eq!(found(index, "memory memory").await, [3, 2, 1]);
    assert!(found(index, "memory protocols").await.is_empty());
    assert_eq!(found(index, "only").await, [2]);
}

async fn a_stream_that_is_forgotten_is_found_no_more_and_can_be_added_anew(index: &dyn SearchIndex) {
    fill(index, &["one memory", "two"]).await;
    index.add(vec![document("room/b", 1, "another memory")]).await.unwrap();
    index.forget(&stream("room/a")).await.unwrap();
    index.forget(&stream("room/none")).await.unwrap();
    assert!(found(index, "memory").await.is_empty());
    assert_eq!(index.indexed(&stream("room/a")).await.unwrap(), 0);
    assert_eq!(index.find(&stream("room/b"), "memory", None, 9).await.unwrap(), [1]);
    fill(index, &["nothing", "a new memory"]).await;
    assert_eq!(found(index, "memory").await, [2]);
}

async fn words_are_found_inside_longer_ones(index: &dyn SearchIndex) {
    fill(index, &["see src/journal/search.rs", "nothing"]).await;
    assert_eq!(found(index, "journal").await, [1]);
    assert_eq!(found(index, "ourna").await, [1]);
    assert_eq!(found(index, "l/search.r").await, [1]);
}

async fn short_words_and_scripts_without_spaces_are_found(index: &dyn SearchIndex) {
    fill(index, &["我们在东京讨论协议", "go to it", "日本語の会議", "x", "100% of a_b"]).await;
    assert_eq!(found(index, "东京").await, [1]);
    assert_eq!(found(index, "讨论协议").await, [1]);
    assert_eq!(found(index, "東京").await, Vec::<u64>::new());
    assert_eq!(found(index, "会議 日本語").await, [3]);
    assert_eq!(found(index, "it").await, [2]);
    assert_eq!(found(index, "GO it").await, [2]);
    assert_eq!(found(index, "x").await, [4]);
    assert_eq!(found(index, "%").await, [5]);
    assert_eq!(found(index, "_").await, [5]);
}

async fn spellings_that_mean_the_same_are_found(index: &dyn SearchIndex) {
    fill(index, &["Élan", "E\u{301}LAN", "STRASSE", "straße", "ΣΊΣΥΦΟΣ", "ＡＢＣ", "привет МИР"]).await;
    assert_eq!(found(index, "élan").await, [2, 1]);
    assert_eq!(found(index, "Straße").await, [4, 3]);
    assert_eq!(found(index, "σίσυφος").await, [5]);
    assert_eq!(found(index, "abc").await, [6]);
    assert_eq!(found(index, "Привет мир").await, [7]);
}

async fn a_query_is_never_syntax(index: &dyn SearchIndex) {
    fill(index, &["one AND two", "say \"hi there\" (twice)", "text:colon * ^start", "plain NOT NEAR(a b)"])
        .await;
    assert_eq!(found(index, "\"hi").await, [2]);
    assert_eq!(found(index, "there\" (twice)").await, [2]);
    assert_eq!(found(index, "text:colon").await, [3]);
    assert_eq!(found(index, "AND").await, [1]);
    assert_eq!(found(index, "NEAR(a b)").await, [4]);
    assert_eq!(found(index, "\"").await, [2]);
    assert_eq!(found(index, "a\0b").await, [4]);
    let hostile = [
        "\"\"\"",
        "'",
        "';--",
        "zzz OR one",
        "one NOT two*",
        "{x y}:",
        "\u{feff}",
        "(((((",
        "%%%",
        "\"two\" \"one\"",
    ];
    for hostile in hostile {
        assert!(found(index, hostile).await.is_empty(), "{hostile:?}");
    }
}

async fn the_newest_come_first_and_pages_follow_each_other(index: &dyn SearchIndex) {
    let texts: Vec<String> = (1..=10).map(|seq| format!("message {seq}")).collect();
    fill(index, &texts.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let room = stream("room/a");
    for query in ["message", "me"] {
        let page = async |before, limit| index.find(&room, query, before, limit).await.unwrap();
        assert_eq!(page(None, 3).await, [10, 9, 8]);
        assert_eq!(page(Some(8), 3).await, [7, 6, 5]);
        assert_eq!(page(Some(2), 3).await, [1]);
        assert!(page(Some(1), 3).await.is_empty());
        assert!(page(Some(0), 3).await.is_empty());
        assert!(page(None, 0).await.is_empty());
        assert_eq!(page(Some(u64::MAX), 1).await, [10]);
    }
}

async fn a_query_without_words_finds_nothing(index: &dyn SearchIndex) {
    fill(index, &["something", ""]).await;
    for query in ["", " ", "\n\t\u{3000}", "\0"] {
        assert!(found(index, query).await.is_empty(), "{query:?}");
    }
}

async fn a_query_as_long_as_a_page_still_needs_all_its_words(index: &dyn SearchIndex) {
    let page: Vec<String> = (0..500).map(|word| format!("word{word}")).collect();
    let whole = page.join(" ") + " end";
    let long = "y".repeat(20_000);
    fill(index, &[&whole, &whole.replace(" end", ""), &long]).await;
    assert_eq!(found(index, &whole).await, [1]);
    assert_eq!(found(index, &long).await, [3]);
    assert!(found(index, &format!("{long}y")).await.is_empty());
}

async fn streams_do_not_mix(index: &dyn SearchIndex) {
    index.add(vec![document("room/a", 1, "alpha"), document("room/b", 2, "alpha")]).await.unwrap();
    assert_eq!(found(index, "alpha").await, [1]);
    assert_eq!(found(index, "al").await, [1]);
    assert!(index.find(&stream("room/c"), "alpha", None, 9).await.unwrap().is_empty());
}

async fn the_highest_number_is_known(index: &dyn SearchIndex) {
    assert_eq!(index.indexed(&stream("room/a")).await.unwrap(), 0);
    index.add(vec![document("room/a", 3, "x"), document("room/b", 9, "y")]).await.unwrap();
    index.add(vec![document("room/a", 7, "")]).await.unwrap();
    index.add(Vec::new()).await.unwrap();
    assert_eq!(index.indexed(&stream("room/a")).await.unwrap(), 7);
    assert_eq!(index.indexed(&stream("room/b")).await.unwrap(), 9);
}

async fn a_text_that_is_added_again_replaces_the_old_one(index: &dyn SearchIndex) {
    fill(index, &["first words"]).await;
    fill(index, &["second words"]).await;
    assert!(found(index, "first").await.is_empty());
    assert_eq!(found(index, "words").await, [1]);
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("search.db")
}

fn open(folder: &TempDir) -> SqliteSearch {
    SqliteSearch::open(&file(folder))
}

#[tokio::test]
async fn reopening_keeps_the_index() {
    let folder = tempfile::tempdir().unwrap();
    fill(&open(&folder), &["kept"]).await;
    let index = open(&folder);
    assert_eq!(found(&index, "kept").await, [1]);
    assert_eq!(index.indexed(&stream("room/a")).await.unwrap(), 1);
}

#[tokio::test]
async fn a_file_that_is_something_else_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    for rubbish in [b"rubbish".repeat(2000), vec![0xff; 9000], b"SQLite format 3\0rest".to_vec()] {
        std::fs::write(file(&folder), rubbish).unwrap();
        let index = open(&folder);
        fill(&index, &["works"]).await;
        assert_eq!(found(&index, "works").await, [1]);
    }
    let index = open(&folder);
    drop(index);
    rusqlite::Connection::open(file(&folder)).unwrap().pragma_update(None, "user_version", 99).unwrap();
    assert_eq!(open(&folder).indexed(&stream("room/a")).await.unwrap(), 0);
}

#[tokio::test]
async fn an_index_that_is_damaged_is_emptied_says_so_and_works_again() {
    let folder = tempfile::tempdir().unwrap();
    let texts: Vec<String> =
        (0..500).map(|seq| format!("message {seq} {}", "about tea ".repeat(20))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    fill(&open(&folder), &texts).await;
    let mut bytes = std::fs::read(file(&folder)).unwrap();
    // All but the schema, which lies in the first page.
    bytes[4096..].fill(0x5a);
    std::fs::write(file(&folder), bytes).unwrap();
    let index = open(&folder);
    let room = stream("room/a");
    let first = index.find(&room, "tea", None, 9).await;
    assert!(
        matches!(first, Err(SearchError::Emptied)) || first.as_ref().is_ok_and(Vec::is_empty),
        "{first:?}"
    );
    assert_eq!(index.indexed(&room).await.unwrap(), 0);
    fill(&index, &texts).await;
    assert_eq!(index.find(&room, "tea", None, 2).await.unwrap(), [500, 499]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_file_finds_what_looking_at_every_text_finds(
        texts in prop::collection::vec(r#"([abB "東é]{0,12}|\PC{0,8}|.{0,4})"#, 1..12),
        queries in prop::collection::vec(r#"([abB "東é]{0,6}|\PC{0,5}|.{0,4})"#, 1..12),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let (file, memory) = (open(&folder), MemorySearch::new());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            fill(&file, &texts).await;
            fill(&memory, &texts).await;
            for query in queries.iter().map(String::as_str).chain(texts.iter().copied()) {
                assert_eq!(found(&file, query).await, found(&memory, query).await, "{query:?}");
            }
        });
    }
}

#[tokio::test]
async fn no_word_of_a_forgotten_stream_is_left_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let index = open(&folder);
    let secret = "xylophone quartz ".repeat(400);
    fill(&index, &[&secret]).await;
    index.add(vec![document("room/b", 1, "plain words")]).await.unwrap();
    index.forget(&stream("room/a")).await.unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for word in ["xylophone", "xyl", "qua"] {
            assert!(!bytes.windows(word.len()).any(|part| part == word.as_bytes()), "{word}");
        }
    }
    assert_eq!(index.find(&stream("room/b"), "plain", None, 9).await.unwrap(), [1]);
}
