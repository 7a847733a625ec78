//! Wire types of addresses that open a stream once.

use parlance_domain::{
    event::{EventTypes, IssuedAddress, StreamTarget},
    id::ConversationId,
    text::ExternalId,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::validation::{Field, Validation},
    resources::events::{
        dto::{EventTypeWord, EventViewWord},
        parameters::parse_view,
        resume::Resume,
        type_list::parse_types,
    },
};

/// What a stream is to give: the messages of one conversation, named by one of two identifiers, or all events.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct StreamBody {
    /// The service's id of the conversation.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "id")]
    conversation_id: Field<String>,
    /// The caller's identifier of the conversation.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "external-id")]
    external_id: Field<String>,
    /// The `id` of the last event that was received, or `latest`. Left out, the stream begins with the transcript, or with
    /// the oldest event that is kept.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "stream-resume")]
    after: Field<String>,
    /// The types to read. Left out, those of a stream of messages, or all that the credential may read. The stream of a
    /// conversation has types of conversations and messages only, and always gives `conversation.erased`.
    #[serde(default)]
    #[schema(value_type = Vec<EventTypeWord>, required = false)]
    types: Field<Vec<String>>,
    /// Which events are given out.
    #[serde(default)]
    #[schema(value_type = EventViewWord, required = false)]
    view: Field<String>,
}

/// An address that opens a stream once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StreamView {
    #[schema(format = "id")]
    stream_id: String,
    /// The address. It holds a secret.
    streaming_url: String,
    /// From when on the address opens nothing.
    #[schema(format = DateTime)]
    expires_at: String,
}

impl StreamBody {
    /// The caller's identifier of the conversation, if it is named by that, and what the stream is to give.
    pub(crate) fn into_domain(self) -> Result<(Option<ExternalId>, StreamTarget), ApiError> {
        let mut validation = Validation::default();
        let conversation = validation.optional("/conversationId", self.conversation_id);
        let conversation = conversation.and_then(|id| validation.check("/conversationId", ConversationId::parse(&id)));
        let external_id = validation.optional("/externalId", self.external_id);
        let external_id = external_id.and_then(|text| validation.check("/externalId", ExternalId::parse(text)));
        if conversation.is_some() && external_id.is_some() {
            let refusal = Err::<(), _>("must not be given together with conversationId");
            validation.parse("/externalId", "at_most_one", refusal);
        }
        let after = validation.optional("/after", self.after);
        let resume = after.and_then(|text| validation.parse("/after", "cursor", Resume::parse(&text).map(|_| text)));
        let types = validation.optional("/types", self.types);
        let is_of_conversation = conversation.is_some() || external_id.is_some();
        let possible = if is_of_conversation { EventTypes::of_conversations() } else { EventTypes::all() };
        let types = types.and_then(|names| parse_types(&mut validation, &names, possible));
        let view = validation.optional("/view", self.view);
        let view = view.and_then(|word| validation.parse("/view", "enum", parse_view(&word))).unwrap_or_default();
        validation.finish(Some((external_id, StreamTarget { conversation, resume, types, view })))
    }
}

impl StreamView {
    pub(crate) fn new(issued: &IssuedAddress, streaming_url: String) -> Self {
        Self { stream_id: issued.id.to_string(), streaming_url, expires_at: issued.expires_at.to_string() }
    }
}
