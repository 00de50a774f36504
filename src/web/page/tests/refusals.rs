//! The page that says what went wrong has the title and the status of that fault.

use std::sync::Arc;

use super::house::read;
use crate::hub::HubError;
use crate::journal::{JournalError, Version};
use crate::web::page::refusal;

#[tokio::test]
async fn each_fault_has_its_own_title() {
    let unread = JournalError::Unavailable { source: Arc::new(std::io::Error::other("the disk is gone")) };
    let damaged = HubError::RoomDamaged { room: "talk".into(), version: Version(2), detail: "torn".into() };
    for (error, status, title) in [
        (HubError::NoSuchRoom("talk".into(), Vec::new()), 404, "No such room"),
        (damaged, 500, "The room is damaged"),
        (HubError::NotReadable(unread), 503, "The log cannot be read now"),
        (HubError::Stopping, 503, "The hub stops"),
        (HubError::RoomOpen("talk".into()), 422, "This cannot be done"),
    ] {
        let words = error.to_string();
        let (found, page) = read(refusal(error)).await;
        assert_eq!(found.as_u16(), status, "{words}");
        assert!(page.contains(&format!("<h1>{title}</h1>")), "{page}");
    }
}
