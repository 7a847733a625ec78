//! Limits of connections.

use std::time::Duration;

/// Maximum size of a request head in bytes: the request line and the header fields together.
pub(super) const HEAD_MAX_BYTES: usize = 32 * 1024;

/// Maximum number of header fields of a request: the limit of the HTTP library.
pub(super) const HEAD_MAX_FIELDS: usize = 96;

/// Maximum size of the chunk extensions and trailer fields of one body together, in bytes. The server ignores both.
pub(super) const CHUNK_OVERHEAD_MAX_BYTES: usize = 16 * 1024;

/// Maximum number of bytes that are read of the next request while the current request is processed.
pub(super) const READ_AHEAD_MAX_BYTES: usize = 8 * 1024;

/// Pipelined requests that may begin in each [`TICK`](super::deadline::TICK), on all connections together whose last
/// request had no valid credential. A pipelined request is received before the previous request is answered. Such a
/// request costs its sender nothing. Requests with a credential have a rate limit instead.
pub(super) const PIPELINED_PER_TICK: u32 = 32;

/// Pipelined requests without a credential that may begin in each tick on one connection.
pub(super) const PIPELINED_PER_CONNECTION_PER_TICK: u32 = 8;

/// Number of buffered bytes at which the HTTP library sends them before it accepts more of a response.
pub(super) const WRITE_BUFFER_BYTES: usize = 32 * 1024;

/// Maximum size of the pieces in which the HTTP library receives a large response, in bytes. Together with
/// [`WRITE_BUFFER_BYTES`] it limits how much of an unread response is buffered.
pub(super) const OUTPUT_PIECE_BYTES: usize = 16 * 1024;

/// A response of more bytes is large. The HTTP library receives a large response in pieces. A large response counts as
/// a stream, because it may wait in memory for its reader.
pub(super) const LARGE_OUTPUT_BYTES: usize = 64 * 1024;

/// New connections that one thread admits before it polls open connections for input again. Open connections are
/// therefore served during a burst of new ones. The limit does not cover TLS handshakes, which follow admission.
pub(super) const MAX_OPENING_CONNECTIONS: usize = 2;

/// Time for a client to notice that its connection is closing.
pub(super) const LINGER: Duration = Duration::from_secs(1);

/// Maximum number of bytes that are read and discarded from a closing connection.
pub(super) const DISCARD_MAX_BYTES: usize = 2 * 1024 * 1024;

/// Number of connections that are accepted beyond a cap. Only the health paths are served on them; every other request
/// receives the reason for its refusal.
pub const RESERVED_CONNECTIONS: usize = 64;

/// When a cap is reached, one part in this many of the cap is evicted at once.
pub(super) const EVICTION_DIVISOR: usize = 64;

/// Limits of the connections of one listener.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// Time for a request head to arrive, from its first byte. For the first head the time starts at admission and
    /// includes the TLS handshake.
    pub head_timeout: Duration,
    /// Time between a response and the first byte of the next request.
    pub idle_timeout: Duration,
    /// Time for a body to arrive, from the end of its head.
    pub body_timeout: Duration,
    /// Time for which a client may read more slowly than [`min_write_rate`](Self::min_write_rate).
    pub write_timeout: Duration,
    /// Minimum rate at which a client must read a waiting response, in bytes per second.
    pub min_write_rate: u32,
    /// Maximum number of connections in total.
    pub max_connections: usize,
    /// Maximum number of connections per client address (for IPv6, per /64 network). With `None`, only the total limit
    /// applies.
    pub max_per_address: Option<usize>,
    /// Maximum number of connections whose last request had the same credential.
    pub max_per_credential: usize,
}
