//! The page that says what went wrong has the title and the status of that fault.

use super::house::read;
use crate::hub::HubError;
use crate::web::page::{fault, refusal};

#[tokio::test]
async fn each_fault_has_its_own_title() {
    for (code, status, title) in [
        ("room_not_found", 404, "No such room"),
        ("task_not_found", 404, "No such task"),
        ("task_damaged", 500, "The task is damaged"),
        ("room_damaged", 500, "The room is damaged"),
        ("journal_unavailable", 503, "The log cannot be read now"),
        ("stopping", 503, "The hub stops"),
        ("room_open", 422, "This cannot be done"),
    ] {
        let (found, words) = fault(code);
        assert_eq!((found.as_u16(), words), (status, title), "{code}");
    }
    let (status, page) = read(refusal(HubError::Stopping)).await;
    assert_eq!(status.as_u16(), 503);
    assert!(page.contains("<h1>The hub stops</h1>"), "{page}");
}
