//! Messages that lie unread, and nobody learns of it.

use std::time::Duration;

use super::Table;

#[tokio::test(start_paused = true)]
async fn who_asked_and_everybody_else_learns_that_a_person_has_not_answered_for_long() {
    let table = Table::new().await;
    table.room(&["@Alice", "@Bob", "@user"], |_| ()).await;
    let [alice, bob] = table.seated(["@Alice", "@Bob"]).await;
    alice.say("@Alice", "which one, @user?").await;
    let seen_by = |turn: crate::hub::TurnResult| {
        let lines = turn.new_messages.into_iter().map(|given| given.message.content.clone());
        lines.filter(|line| line.contains("has not answered yet")).collect::<Vec<_>>()
    };
    tokio::time::sleep(Duration::from_mins(61)).await;
    for (client, handle) in [(&alice, "@Alice"), (&bob, "@Bob"), (&table.client("u"), "@user")] {
        assert_eq!(
            seen_by(client.look(handle).await.turn),
            ["@user was called long ago and has not answered yet"]
        );
    }
    tokio::time::sleep(Duration::from_hours(3)).await;
    assert_eq!(seen_by(alice.look("@Alice").await.turn), [""; 0], "it is told once");
}
