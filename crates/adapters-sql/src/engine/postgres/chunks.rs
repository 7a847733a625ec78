//! Rows in chunks that each leave in one TLS record.

/// The largest size, in bytes, of a statement's values that leave in one TLS record.
///
/// A larger message needs several TLS records, each of up to 16,384 bytes, and the driver does not set `TCP_NODELAY`
/// (sqlx 0.9.0, see its issue 4335). The second record then waits until the server acknowledges the first, which Linux
/// delays by 40 ms.
const MAX_CHUNK_BYTES: usize = 15_000;

/// Splits rows, in order, into chunks of up to [`MAX_CHUNK_BYTES`]. A larger row is a chunk by itself.
pub(crate) fn chunk_by_size<Row>(rows: impl IntoIterator<Item = Row>, bytes: impl Fn(&Row) -> usize) -> Vec<Vec<Row>> {
    let mut chunks: Vec<Vec<Row>> = Vec::new();
    let mut remaining = 0;
    for row in rows {
        let bytes = bytes(&row);
        match chunks.last_mut() {
            Some(chunk) if bytes <= remaining => {
                remaining -= bytes;
                chunk.push(row);
            }
            _ => {
                remaining = MAX_CHUNK_BYTES.saturating_sub(bytes);
                chunks.push(vec![row]);
            }
        }
    }
    chunks
}
