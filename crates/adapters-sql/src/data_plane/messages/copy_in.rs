//! Copies many messages into PostgreSQL at once.

use std::mem;

use sea_orm::sqlx::{Error, postgres::PgConnection};

use super::{
    append_row::AppendRow,
    rows::{role_to_number, set_to_hex},
    statement::{COPIED_COLUMNS, COPY_IN},
};
use crate::engine::postgres::copy_in::CopyEncoder;

/// The approximate number of bytes that are encoded before they are sent to be copied.
///
/// The driver does not set `TCP_NODELAY`, and sends the end of a copy as a message of its own. That message waits until the
/// server acknowledges the bytes before it, which Linux delays by 40 ms unless they are more than a segment. A segment is
/// at most so large, and the last bytes are at least so many, because a chunk is sent once the next one is encoded.
const CHUNK_BYTES: usize = 64 * 1024;

/// Copies the messages of rows without a precondition, whose conversations exist.
pub(super) async fn copy(connection: &mut PgConnection, rows: &[&AppendRow]) -> Result<(), Error> {
    let mut copy = connection.copy_in_raw(COPY_IN).await?;
    let mut encoder = CopyEncoder::new(COPIED_COLUMNS);
    let mut chunk = Vec::new();
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
        if encoder.len() >= CHUNK_BYTES {
            let earlier = mem::replace(&mut chunk, encoder.take());
            if !earlier.is_empty() {
                copy.send(earlier).await?;
            }
        }
    }
    encoder.end();
    chunk.extend(encoder.take());
    copy.send(chunk).await?;
    copy.finish().await?;
    Ok(())
}
