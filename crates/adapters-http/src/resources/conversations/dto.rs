//! Wire types of conversations that requests create or update.

use std::collections::BTreeMap;

use parlance_domain::{
    conversation::{Change, Metadata, Participant, UpsertRequest},
    id::ConversationId,
    limits,
    text::{DisplayName, ExternalId},
};
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::schema::{ObjectBuilder, Schema, SchemaType, Type},
};

use crate::{
    errors::{api_error::ApiError, envelope::escape_pointer_token},
    extract::validation::{Field, Object, StringMap, Validation, required_text},
    openapi::named_formats::{NO_CONTROL, NO_NUL},
};

/// A conversation to create or to update, found by its `externalId`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConversationBody {
    /// The service's id of the conversation with this `externalId`. It is never chosen by the caller.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "id")]
    id: Field<String>,
    /// The caller's identifier of the conversation.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "external-id")]
    external_id: Field<String>,
    /// Who serves the customer. Left out, the agent stays as it is; `null` takes it away.
    #[serde(default)]
    #[schema(value_type = Option<ParticipantBody>, required = false)]
    agent: Field<Object<ParticipantBody>>,
    /// Who is served.
    #[serde(default)]
    #[schema(value_type = ParticipantBody, required = true)]
    customer: Field<Object<ParticipantBody>>,
    #[serde(default)]
    #[schema(schema_with = metadata_schema, required = false)]
    metadata: Field<StringMap>,
    /// When the conversation was created. Without a zone it is UTC. Of an existing conversation it changes nothing.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = DateTime)]
    timestamp: Field<String>,
}

/// Someone who takes part in a conversation.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ParticipantBody {
    /// The identifier in the caller's system.
    #[serde(default)]
    #[schema(value_type = String, required = true, format = "external-id")]
    external_id: Field<String>,
    /// The name to show.
    #[serde(default)]
    #[schema(value_type = String, required = false, format = "name")]
    name: Field<String>,
}

/// The id of what was written.
#[derive(Serialize, ToSchema)]
pub(crate) struct WrittenView {
    #[schema(format = "id")]
    id: String,
}

impl WrittenView {
    /// The id of the only resource that a request wrote.
    pub(crate) fn new(ids: Vec<String>) -> Self {
        Self { id: ids.into_iter().next().unwrap_or_default() }
    }
}

/// The schema of metadata with its description and its limits, which no attribute can express.
fn metadata_schema() -> Schema {
    pairs_schema(limits::METADATA_MAX_PAIRS)
        .schema_type(SchemaType::from_iter([Type::Object, Type::Null]))
        .description(Some(format!(
            "Up to {} key-value pairs. Left out, they stay as they are; `null` takes them away; given, they replace all.",
            limits::METADATA_MAX_PAIRS
        )))
        .into()
}

/// The schema of up to `max` pairs of metadata.
pub(crate) fn pairs_schema(max: usize) -> ObjectBuilder {
    let value = ObjectBuilder::new()
        .schema_type(Type::String)
        .max_length(Some(limits::METADATA_VALUE_MAX_CHARACTERS))
        .pattern(Some(NO_NUL));
    let key = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(limits::METADATA_KEY_MAX_CHARACTERS))
        .pattern(Some(NO_CONTROL));
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .max_properties(Some(max))
        .property_names(Some(key))
        .additional_properties(Some(value))
}

impl ConversationBody {
    pub(crate) fn into_domain(self) -> Result<UpsertRequest, ApiError> {
        let mut validation = Validation::default();
        let id = validation.optional("/id", self.id);
        let id = id.and_then(|text| validation.check("/id", ConversationId::parse(&text)));
        let external_id = required_text(&mut validation, "/externalId", self.external_id, ExternalId::parse);
        let agent = change_from_member(self.agent, |Object(body)| body.into_domain(&mut validation, "/agent"));
        let customer = validation.required("/customer", self.customer);
        let customer = customer.and_then(|Object(body)| body.into_domain(&mut validation, "/customer"));
        let metadata = change_from_member(self.metadata, |StringMap(pairs)| validate_metadata(&mut validation, pairs));
        let started_at = validation.timestamp("/timestamp", self.timestamp);
        let request = || {
            let (external_id, customer, started_at) = (external_id?, customer?, started_at?);
            Some(UpsertRequest { id, external_id, agent: agent?, customer, metadata: metadata?, started_at })
        };
        validation.finish(request())
    }
}

impl ParticipantBody {
    fn into_domain(self, validation: &mut Validation, pointer: &str) -> Option<Participant> {
        let external_id =
            required_text(validation, &format!("{pointer}/externalId"), self.external_id, ExternalId::parse);
        let name_pointer = format!("{pointer}/name");
        let name = validation.optional(&name_pointer, self.name);
        let name = name.map(|text| validation.check(&name_pointer, DisplayName::parse(text)));
        Some(Participant { external_id: external_id?, name: name.flatten() })
    }
}

fn validate_metadata(validation: &mut Validation, pairs: BTreeMap<String, String>) -> Option<Metadata> {
    let parsed = Metadata::parse(pairs);
    let key = parsed.as_ref().err().and_then(|error| error.key.as_deref());
    let pointer = key.map_or("/metadata".to_owned(), |key| format!("/metadata/{}", escape_pointer_token(key)));
    validation.check(&pointer, parsed.map_err(|error| error.violation))
}

/// The change that a member requests for an optional part. `None` if the value is invalid.
fn change_from_member<T, U>(member: Field<T>, convert: impl FnOnce(T) -> Option<U>) -> Option<Change<U>> {
    match member {
        Field::Absent => Some(Change::Keep),
        Field::Null => Some(Change::Clear),
        Field::Value(value) => convert(value).map(Change::Set),
    }
}
