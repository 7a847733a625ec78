//! Events as the JSON bodies of webhooks: the same as `GET /conversation/v1/events` gives.

use parlance_domain::{
    event::Event,
    time::Timestamp,
    webhook::{EventEncoder, WebhookDeliveryId},
};
use serde_json::json;

use crate::resources::events::dto::EventItem;

/// Encodes events as the interface gives them out.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonEventEncoder;

impl EventEncoder for JsonEventEncoder {
    fn encode(&self, event: &Event) -> Vec<u8> {
        // A view without a map always serializes.
        serde_json::to_vec(&EventItem::from(event)).unwrap_or_default()
    }

    fn encode_test(&self, id: &WebhookDeliveryId, at: Timestamp) -> Vec<u8> {
        let test = json!({"id": id.as_str(), "type": "webhook.test", "occurredAt": at.to_string(), "data": null});
        test.to_string().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use parlance_domain::{
        event::{Change, EventData, FeedChange, LogPosition, MessageReference},
        feed::{Day, FeedName},
        id::{ConversationId, MessageId},
        message::MessagePosition,
        text::ExternalId,
    };

    use serde_json::Value;

    use super::*;

    fn event(change: Change, data: Option<EventData>) -> Event {
        let position = LogPosition { sequence: 10, index: 1, tag: 255 };
        Event { position, occurred_at: Timestamp::EPOCH, change, external_id: None, data }
    }

    fn encoded(event: &Event) -> Value {
        serde_json::from_slice(&JsonEventEncoder.encode(event)).unwrap()
    }

    #[test]
    fn an_erased_conversation_has_no_data() {
        let event = event(Change::ConversationErased(ConversationId::parse("C1").unwrap()), None);
        let expected = json!({
            "id": "a-1-ff", "type": "conversation.erased", "conversationId": "C1",
            "occurredAt": "1970-01-01T00:00:00.000Z", "data": null,
        });
        let mut with_id = expected.clone();
        with_id["externalId"] = json!("\"a\"");
        assert_eq!(encoded(&event), expected);
        let external_id = Some(ExternalId::parse("\"a\"").unwrap());
        assert_eq!(encoded(&Event { external_id, ..event }), with_id);
    }

    #[test]
    fn an_erased_message_is_named_by_its_identifier() {
        let position = MessagePosition { sent_at: Timestamp::EPOCH, id: MessageId::parse("M1").unwrap() };
        let message = MessageReference { conversation: ConversationId::parse("C1").unwrap(), position };
        let encoded = encoded(&event(Change::MessageMasked(message), None));
        assert_eq!((&encoded["messageId"], &encoded["data"]), (&json!("M1"), &Value::Null));
    }

    #[test]
    fn a_day_of_a_feed_is_named_with_its_revision() {
        let (feed, day) = (FeedName::parse("messages").unwrap(), Day::parse("2026-01-31").unwrap());
        let day = FeedChange { feed, day, revision: 2 };
        let event = event(Change::FeedDayRevised(day.clone()), Some(EventData::FeedChange(day)));
        assert_eq!(encoded(&event)["data"], json!({"feed": "messages", "date": "2026-01-31", "revision": 2}));
    }
}
