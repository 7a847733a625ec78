//! What is made of a stored conversation when it is read.

use parlance_domain::{
    conversation::{Conversation, Metadata, Participant},
    error::StoreError,
    id::ConversationId,
    text::{DisplayName, ExternalId, Violation},
    time::Timestamp,
};

use crate::{
    columns::Columns,
    error::{Unread, corrupt},
};

const TABLE: &str = "conversations";

/// A conversation from the columns identifier, external identifier, agent's identifier and name, customer's identifier
/// and name, metadata, start.
pub(crate) fn restore(row: &(impl Columns + ?Sized)) -> Result<Conversation, Unread> {
    let id = row.text(0)?;
    let broken = |column| move |broken: Violation| corrupt(TABLE, column, id, broken);
    let agent = match (row.optional_text(2)?, row.optional_text(3)?) {
        (Some(external_id), name) => Some(participant(external_id, name, ["agent_external_id", "agent_name"], id)?),
        (None, None) => None,
        (None, Some(_)) => return Err(corrupt(TABLE, "agent_external_id", id, "is missing beside a name").into()),
    };
    let customer_columns = ["customer_external_id", "customer_name"];
    Ok(Conversation {
        id: restore_id(id)?,
        external_id: ExternalId::parse(row.text(1)?).map_err(broken("external_id"))?,
        agent,
        customer: participant(row.text(4)?, row.optional_text(5)?, customer_columns, id)?,
        metadata: row.optional_text(6)?.map(|text| restore_metadata(text, id)).transpose()?,
        started_at: Timestamp::from_micros(row.integer(7)?)
            .map_err(|broken| corrupt(TABLE, "started_at", id, broken))?,
    })
}

/// The identifier of a conversation.
pub(super) fn restore_id(id: &str) -> Result<ConversationId, StoreError> {
    ConversationId::parse(id).map_err(|broken| corrupt(TABLE, "id", id, broken))
}

fn participant(
    external_id: &str,
    name: Option<&str>,
    columns: [&'static str; 2],
    row: &str,
) -> Result<Participant, StoreError> {
    let [external_id_column, name_column] = columns;
    Ok(Participant {
        external_id: ExternalId::parse(external_id)
            .map_err(|broken| corrupt(TABLE, external_id_column, row, broken))?,
        name: name.map(DisplayName::parse).transpose().map_err(|broken| corrupt(TABLE, name_column, row, broken))?,
    })
}

fn restore_metadata(text: &str, row: &str) -> Result<Metadata, StoreError> {
    // The parser's own message would repeat a part of the text.
    let pairs = serde_json::from_str(text).map_err(|_| corrupt(TABLE, "metadata", row, "not a map of texts"))?;
    Metadata::parse(pairs).map_err(|broken| corrupt(TABLE, "metadata", row, broken))
}
