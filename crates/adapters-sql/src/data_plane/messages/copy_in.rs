//! Copies many messages into PostgreSQL at once.

use sea_orm::sqlx::{Error, postgres::PgConnection};

use super::{
    append_row::AppendRow,
    rows::{role_to_number, set_to_hex},
    statement::{COPIED_COLUMNS, COPY_IN},
};
use crate::engine::postgres::copy_in::CopyEncoder;

/// The approximate number of bytes that are encoded before they are sent to be copied.
const COPIED_BYTES: usize = 64 * 1024;

/// Copies the messages of rows without a precondition, whose conversations exist.
pub(super) async fn copy(connection: &mut PgConnection, rows: &[&AppendRow]) -> Result<(), Error> {
    let mut copy = connection.copy_in_raw(COPY_IN).await?;
    let mut encoder = CopyEncoder::new(COPIED_COLUMNS);
    for row in rows {
        let (tenant, conversation) = row.conversation_key();
        for message in &row.messages {
            encoder.begin_row();
            encoder.text(tenant);
            encoder.text(conversation);
            encoder.integer(message.sent_at.as_micros());
            encoder.text(message.id.as_str());
            encoder.smallint(role_to_number(message.sender.role));
            encoder.text(message.sender.external_id.as_str());
            encoder.text(message.text.as_str());
            encoder.integer(message.created_at.as_micros());
            encoder.text(&set_to_hex(message.masked_with));
            encoder.optional_text(message.redactions.stored());
        }
        if encoder.len() >= COPIED_BYTES {
            copy.send(encoder.take()).await?;
        }
    }
    encoder.end();
    copy.send(encoder.take()).await?;
    copy.finish().await?;
    Ok(())
}
