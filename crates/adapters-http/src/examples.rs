//! Examples of the interface's description. `serve --sandbox` stores what they name, so that each can be tried as it is.

use serde_json::{Value, json};

/// The conversation that the sandbox has, by the service's id.
pub const CONVERSATION_ID: &str = "01KG9P6JE00000000000000001";

/// The same conversation, by the caller's identifier.
pub const EXTERNAL_ID: &str = "sample-call";

/// The vocabulary entry that the sandbox has.
pub const VOCABULARY_ID: &str = "01KG9P6JE00000000000000001";

/// The day for which the sandbox has every feed.
pub const FEED_DAY: &str = "2026-01-31";

/// The mark in the names of the files of that day: the identifier of the run that wrote them.
pub const FEED_MARK: &str = "01KG9P6JE00000000000000001";

/// The example of a parameter of an operation; none where any value is a choice of the caller's, or where the value comes
/// from an answer, as a cursor does.
pub(crate) fn parameter(operation: &str, name: &str) -> Option<Value> {
    let example = match (operation, name) {
        // One of its two identifiers may be given.
        ("getTranscript", "conversationId") => return None,
        (_, "conversationId") => CONVERSATION_ID,
        (_, "customVocabularyId") => VOCABULARY_ID,
        (_, "entityId") => "EMAIL",
        (_, "externalId") => EXTERNAL_ID,
        (_, "engine") => "amazon-transcribe",
        _ => return None,
    };
    Some(example.into())
}

/// The example of a body of this schema.
pub(crate) fn body(schema: &str) -> Option<Value> {
    let feed = json!({"feed": "messages"});
    let table = with(&feed, &json!({"version": "1", "format": "jsonl"}));
    let day = with(&table, &json!({"date": FEED_DAY}));
    let file = format!("part-r0001-00000-{FEED_MARK}.jsonl.gz");
    Some(match schema {
        "ConversationBody" => conversation(),
        "MessageBody" => message("customer", "customer-7", "My parcel is late.", "2026-01-31T09:30:05.5Z"),
        "MessageBatchBody" => json!({"messages": [
            message("agent", "agent-3", "Hello, how can I help?", "2026-01-31T09:30:02Z"),
            message("customer", "customer-7", "My parcel is late.", "2026-01-31T10:30:05.5+01:00"),
        ]}),
        "VocabularyBody" => json!({"phrase": "Wi-Fi", "soundsLike": ["why fi"]}),
        "SwitchBody" => json!({"active": true}),
        "FeedsBody" => json!({}),
        "FeedBody" => feed,
        "VersionBody" => with(&feed, &json!({"version": "1"})),
        "TableBody" => table,
        "DayBody" => day,
        "FileBody" => with(&day, &json!({"fileName": file})),
        _ => return None,
    })
}

fn conversation() -> Value {
    json!({
        "externalId": EXTERNAL_ID,
        "timestamp": "2026-01-31T09:30:00Z",
        "customer": {"externalId": "customer-7", "name": "Ada"},
        "agent": {"externalId": "agent-3"},
        "metadata": {"channel": "phone"},
    })
}

fn message(role: &str, external_id: &str, text: &str, timestamp: &str) -> Value {
    json!({"text": text, "sender": {"role": role, "externalId": external_id}, "timestamp": timestamp})
}

/// An object with the members of two.
fn with(one: &Value, other: &Value) -> Value {
    let members = |object: &Value| object.as_object().cloned().unwrap_or_default();
    members(one).into_iter().chain(members(other)).collect::<serde_json::Map<_, _>>().into()
}
