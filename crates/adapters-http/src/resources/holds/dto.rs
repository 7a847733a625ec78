//! The wire types of holds.

use parlance_domain::{
    id::ConversationId,
    privacy::{Hold, HoldPage, HoldSubject, PrivacyReference},
    text::ExternalId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::{
        page_parameters::encode_cursor,
        validation::{Field, Validation, required_text},
    },
};

/// A hold to place: on a customer or on a conversation, not both.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct HoldBody {
    /// The customer whose conversations are held, also those that come later.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "external-id")]
    customer_external_id: Field<String>,
    /// The service's id of the conversation that is held.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "id")]
    conversation_id: Field<String>,
    /// The operator's own reference, such as the number of a legal case.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "privacy-reference")]
    reference: Field<String>,
}

/// A hold.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HoldView {
    #[schema(format = "id")]
    id: String,
    /// The customer whose conversations are held. Not there if one conversation is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = "external-id-view")]
    customer_external_id: Option<String>,
    /// The conversation that is held. Not there if a customer is held.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = "id")]
    conversation_id: Option<String>,
    #[schema(format = "privacy-reference-view")]
    reference: String,
    #[schema(format = DateTime)]
    created_at: String,
}

/// A page of holds, oldest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HoldsView {
    holds: Vec<HoldView>,
    /// The `cursor` of the page after this one; null where nothing follows.
    #[schema(required = true, format = "next-cursor")]
    next_cursor: Option<String>,
    /// The `cursor` of the page before this one; null where nothing precedes.
    #[schema(required = true, format = "previous-cursor")]
    prev_cursor: Option<String>,
}

impl HoldBody {
    pub(crate) fn into_domain(self) -> Result<(HoldSubject, PrivacyReference), ApiError> {
        let mut validation = Validation::default();
        let subject = match (self.customer_external_id, self.conversation_id) {
            (customer @ (Field::Value(_) | Field::Null), Field::Absent) => {
                let customer = required_text(&mut validation, "/customerExternalId", customer, ExternalId::parse);
                customer.map(HoldSubject::Customer)
            }
            (Field::Absent, conversation @ (Field::Value(_) | Field::Null)) => {
                let parse = |text: String| ConversationId::parse(&text);
                let conversation = required_text(&mut validation, "/conversationId", conversation, parse);
                conversation.map(HoldSubject::Conversation)
            }
            _ => {
                let rule = Err::<HoldSubject, _>("exactly one of customerExternalId and conversationId must be given");
                validation.parse("", "exactly_one", rule)
            }
        };
        let reference = required_text(&mut validation, "/reference", self.reference, PrivacyReference::parse);
        validation.finish(subject.zip(reference))
    }
}

impl From<Hold> for HoldView {
    fn from(hold: Hold) -> Self {
        let (customer_external_id, conversation_id) = match hold.subject {
            HoldSubject::Customer(customer) => (Some(customer.as_str().to_owned()), None),
            HoldSubject::Conversation(conversation) => (None, Some(conversation.to_string())),
        };
        Self {
            id: hold.id.to_string(),
            customer_external_id,
            conversation_id,
            reference: hold.reference.as_str().to_owned(),
            created_at: hold.created_at.to_string(),
        }
    }
}

impl From<HoldPage> for HoldsView {
    fn from(page: HoldPage) -> Self {
        Self {
            holds: page.entries.into_iter().map(HoldView::from).collect(),
            next_cursor: page.next.as_ref().map(encode_cursor),
            prev_cursor: page.previous.as_ref().map(encode_cursor),
        }
    }
}
