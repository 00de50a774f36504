//! What people do with a whole room, as JSON: one file of it, or nothing more of it.

use serde_json::{Value, json};

use crate::hub::{Deleted, Exported};

/// A conversation as one file.
pub(crate) fn exported(exported: &Exported) -> Value {
    let Exported { room, text, messages, left_out } = exported;
    json!({ "room": room, "messages": messages, "private_left_out": left_out, "text": text })
}

/// What became of a room that was deleted.
pub(crate) fn deleted(deleted: &Deleted) -> Value {
    let mut json = json!({
        "deleted": deleted.room,
        "messages": deleted.messages,
        "filepath": deleted.filepath,
        "keeps_transcript": deleted.keeps_transcript,
    });
    if let Some(warning) = &deleted.warning {
        json["warning"] = warning.as_str().into();
    }
    json
}
