//! Decodes stored conversations.

use parlance_domain::{
    conversation::{Conversation, Metadata, Participant},
    error::StoreError,
    id::ConversationId,
    text::{DisplayName, ExternalId, Violation},
    time::Timestamp,
};

use crate::{
    error::{ReadError, corrupt},
    row::Row,
};

const TABLE: &str = "conversations";

/// Decodes a conversation from the columns `id`, `external_id`, `agent_external_id`, `agent_name`,
/// `customer_external_id`, `customer_name`, `metadata`, `started_at`.
pub(crate) fn restore(row: &(impl Row + ?Sized)) -> Result<Conversation, ReadError> {
    let id = row.text(0)?;
    let corrupt_column = |column| move |error: Violation| corrupt(TABLE, column, id, error);
    let agent = match (row.optional_text(2)?, row.optional_text(3)?) {
        (Some(external_id), name) => Some(participant(external_id, name, ["agent_external_id", "agent_name"], id)?),
        (None, None) => None,
        (None, Some(_)) => {
            return Err(corrupt(TABLE, "agent_external_id", id, "is missing although agent_name is set").into());
        }
    };
    let customer_columns = ["customer_external_id", "customer_name"];
    Ok(Conversation {
        id: restore_id(id)?,
        external_id: ExternalId::parse(row.text(1)?).map_err(corrupt_column("external_id"))?,
        agent,
        customer: participant(row.text(4)?, row.optional_text(5)?, customer_columns, id)?,
        metadata: row.optional_text(6)?.map(|text| restore_metadata(text, id)).transpose()?,
        started_at: Timestamp::from_micros(row.integer(7)?).map_err(|error| corrupt(TABLE, "started_at", id, error))?,
    })
}

/// Parses the stored identifier of a conversation.
pub(super) fn restore_id(id: &str) -> Result<ConversationId, StoreError> {
    ConversationId::parse(id).map_err(|error| corrupt(TABLE, "id", id, error))
}

fn participant(
    external_id: &str,
    name: Option<&str>,
    columns: [&'static str; 2],
    row: &str,
) -> Result<Participant, StoreError> {
    let [external_id_column, name_column] = columns;
    Ok(Participant {
        external_id: ExternalId::parse(external_id).map_err(|error| corrupt(TABLE, external_id_column, row, error))?,
        name: name.map(DisplayName::parse).transpose().map_err(|error| corrupt(TABLE, name_column, row, error))?,
    })
}

fn restore_metadata(text: &str, row: &str) -> Result<Metadata, StoreError> {
    // The parser's own error could quote the text.
    let pairs =
        serde_json::from_str(text).map_err(|_| corrupt(TABLE, "metadata", row, "is not a JSON object of strings"))?;
    Metadata::parse(pairs).map_err(|error| corrupt(TABLE, "metadata", row, error))
}
