//! Examples in the OpenAPI description. `serve --sandbox` stores the resources that the examples name, so that every
//! example works as it is.

use serde_json::{Value, json};

/// The service's id of the sample conversation in the sandbox.
pub const CONVERSATION_ID: &str = "01KG9P6JE00000000000000001";

/// The service's id of the first message of that conversation, which the sandbox stores directly after it.
pub const MESSAGE_ID: &str = "01KG9P6JE00000000000000002";

/// The caller's identifier of the same conversation.
pub const EXTERNAL_ID: &str = "sample-call";

/// The id of the sample vocabulary entry in the sandbox.
pub const VOCABULARY_ID: &str = "01KG9P6JE00000000000000001";

/// The id of the sample webhook in the sandbox, which is switched off.
pub const WEBHOOK_ID: &str = "01KG9P6JE00000000000000001";

/// The id of the sample hold in the sandbox, on a customer without conversations.
pub const HOLD_ID: &str = "01KG9P6JE00000000000000001";

/// The id of the sample request for access in the sandbox, which is completed.
pub const ACCESS_REQUEST_ID: &str = "01KG9P6JE00000000000000001";

/// The id of the sample request for erasure in the sandbox, which is completed.
pub const ERASURE_REQUEST_ID: &str = "01KG9P6JE00000000000000002";

/// The day for which the sandbox has every feed.
pub const FEED_DAY: &str = "2026-01-31";

/// The identifier of the run that wrote the files of that day. The names of the files contain it.
pub const FEED_RUN_ID: &str = "01KG9P6JE00000000000000001";

/// The example of a parameter of an operation. `None` if the caller may choose any value, or if the value comes from a
/// response, as a cursor does.
pub(crate) fn parameter(operation: &str, name: &str) -> Option<Value> {
    let example = match (operation, name) {
        // The operation accepts only one of its two identifiers.
        ("getTranscript", "conversationId") => return None,
        (_, "conversationId") => CONVERSATION_ID,
        // The address of a stream is good once, so no example opens one.
        (_, "messageId" | "streamId") => MESSAGE_ID,
        (_, "customVocabularyId") => VOCABULARY_ID,
        (_, "webhookId" | "deliveryId") => WEBHOOK_ID,
        ("getErasureReceipt", "requestId") => ERASURE_REQUEST_ID,
        ("getErasureReceipt", "issue") => return Some(json!(1)),
        (_, "requestId") => ACCESS_REQUEST_ID,
        (_, "holdId") => HOLD_ID,
        (_, "entityId") => "EMAIL",
        (_, "externalId") => EXTERNAL_ID,
        (_, "engine") => "amazon-transcribe",
        _ => return None,
    };
    Some(example.into())
}

/// The example of a body with this schema.
pub(crate) fn body(schema: &str) -> Option<Value> {
    let feed = json!({"feed": "messages"});
    let dataset = merge(&feed, &json!({"version": "1", "format": "jsonl"}));
    let day = merge(&dataset, &json!({"date": FEED_DAY}));
    let file = format!("part-r0001-00000-{FEED_RUN_ID}.jsonl.gz");
    Some(match schema {
        "ConversationBody" => conversation(),
        "MessageBody" => message("customer", "customer-7", "My parcel is late.", "2026-01-31T09:30:05.5Z"),
        "MessageBatchBody" => json!({"messages": [
            message("agent", "agent-3", "Hello, how can I help?", "2026-01-31T09:30:02Z"),
            message("customer", "customer-7", "My parcel is late.", "2026-01-31T10:30:05.5+01:00"),
        ]}),
        "StreamBody" => json!({"conversationId": CONVERSATION_ID}),
        "VocabularyBody" => json!({"phrase": "Wi-Fi", "soundsLike": ["why fi"]}),
        "WebhookBody" => json!({
            "url": "https://hooks.example.com/parlance", "types": ["message.created"], "description": "Billing",
        }),
        "WebhookChangeBody" => json!({"active": false}),
        "PrivacyRequestBody" => json!({
            "type": "erasure", "subject": {"customerExternalId": "customer-7"}, "reference": "CHG-1041", "dryRun": true,
        }),
        "ReplayBody" => json!({"after": "latest"}),
        // The sample conversation belongs to another customer, so it can be erased all the same.
        "HoldBody" => json!({"customerExternalId": "customer-8", "reference": "Case 2026-17"}),
        "RetentionPreviewBody" => json!({"rules": [{"days": 3_650}, {"metadata": {"channel": "phone"}, "days": 90}]}),
        // The token comes from a preview.
        "RetentionBody" => json!({"rules": [{"days": 3_650}], "previewToken": "a token of previewRetention"}),
        "SwitchBody" => json!({"active": true}),
        "PreviewBody" => json!({
            "messages": [
                {"text": "What is your e-mail address?", "sender": {"role": "agent"}},
                {"text": "It is ada@example.org.", "sender": {"role": "customer"}},
            ],
            "entities": ["EMAIL"],
        }),
        "BacktestBody" => json!({
            "entities": ["EMAIL"], "since": "2026-01-31T00:00:00Z", "until": "2026-02-01T00:00:00Z", "sample": 10,
        }),
        "FeedsBody" => json!({}),
        "FeedBody" => feed,
        "VersionBody" => merge(&feed, &json!({"version": "1"})),
        "TableBody" => dataset,
        "IntervalsBody" | "DayBody" => day,
        "FileBody" => merge(&day, &json!({"fileName": file})),
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

/// An object with the members of both objects.
fn merge(first: &Value, second: &Value) -> Value {
    let members = |object: &Value| object.as_object().cloned().unwrap_or_default();
    members(first).into_iter().chain(members(second)).collect::<serde_json::Map<_, _>>().into()
}
