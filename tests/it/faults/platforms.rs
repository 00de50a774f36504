//! Languages of people and of their folders.

use serde_json::json;

use crate::rmcp_clients::house::{House, news};
use crate::support::{out, turnroom};

const WORDS: &str = "Messgerät 李雷 🙂, @李雷";

/// A locale that knows ASCII only.
fn plain_locale(command: &mut std::process::Command) {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        command.env(name, "C");
    }
}

#[tokio::test]
async fn words_of_every_script_pass_through_stdio_and_terminal_in_a_plain_locale() {
    let house = House::open().await;
    let (first, _) = house.over_stdio_with(plain_locale).await;
    let (second, _) = house.over_stdio_with(plain_locale).await;
    let room = json!({ "filepath": "talk.md", "participants": ["@Messgerät", "@李雷"], "barrier": 0, "first_speaker": "@Messgerät" });
    first.call("init_conversation", room).await;
    let post = json!({ "sender": "@Messgerät", "content": WORDS, "block": false });
    assert_eq!(first.call("send_message", post).await["posted"]["recipients"], json!(["@李雷"]));
    let heard = second.call("wait_for_turn", json!({ "handle": "@李雷" })).await;
    assert_eq!(news(&heard)[0]["content"], WORDS);

    let data = house.data();
    let terminal = tokio::task::spawn_blocking(move || {
        let mut send = turnroom(&data, &["send", "--as", "@李雷", "--no-wait", "好的 🙂 @Messgerät"]);
        let mut read = turnroom(&data, &["read", "--as", "@李雷"]);
        [&mut send, &mut read].map(|command| {
            plain_locale(command);
            command.output().expect("the binary starts")
        })
    });
    let [sent, read] = terminal.await.unwrap();
    assert!(sent.status.success());
    let shown = out(&read);
    assert!(shown.contains(WORDS) && shown.contains("好的 🙂 @Messgerät"), "{shown}");
    let note = std::fs::read_to_string(house.notes().join("talk.md")).unwrap();
    assert!(note.contains(WORDS) && note.contains("@Messgerät"), "{note}");
}

#[tokio::test]
async fn data_and_notes_lie_in_folders_of_any_script() {
    let folder = tempfile::Builder::new().prefix("测试 folder İgal ").tempdir().unwrap();
    let house = House::open_in(folder).await;
    let client = house.over_stdio().await;
    let room =
        json!({ "filepath": "测试 folder/İgal/notes.md", "participants": ["@Alice", "@Bob"], "barrier": 0 });
    let made = client.call("init_conversation", room).await;
    let note = house.notes().join("测试 folder/İgal/notes.md");
    assert_eq!(made["filepath"], note.to_str().unwrap());
    let state = client.call("list_participants", json!({ "room": made["room"] })).await;
    assert_eq!(state["filepath"], note.to_str().unwrap());
    client.call("send_message", json!({ "sender": "@Alice", "content": "hello @Bob", "block": false })).await;
    let text = std::fs::read_to_string(&note).unwrap();
    assert!(text.contains("`notes/测试 folder/İgal/notes.md`") && text.contains("> hello @Bob"), "{text}");
}
