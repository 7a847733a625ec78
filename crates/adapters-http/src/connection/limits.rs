//! What a connection may cost.

use std::time::Duration;

/// Most bytes of a request's head, the request line and the header fields together.
pub(super) const HEAD_MAX_BYTES: usize = 32 * 1024;

/// Most header fields of a request: as many as the HTTP library takes.
pub(super) const HEAD_MAX_FIELDS: usize = 96;

/// Most bytes of one body's chunk extensions and trailer fields together, which mean nothing here.
pub(super) const CHUNK_OVERHEAD_MAX_BYTES: usize = 16 * 1024;

/// Most bytes that are read of the next request while the one before is answered.
pub(super) const READ_AHEAD_MAX_BYTES: usize = 8 * 1024;

/// Most pipelined requests that are begun in each [`TICK`](super::deadline::TICK) on all connections whose last request had no
/// good credential. A pipelined request is one that was received before the one before it was answered; it costs its sender
/// nothing, and with a credential it has a rate.
pub(super) const PIPELINED_PER_TICK: u32 = 32;

/// Most of these on one connection.
pub(super) const PIPELINED_OF_ONE_PER_TICK: u32 = 8;

/// From how many bytes on the library sends what it has buffered, before it takes more of an answer.
pub(super) const WRITE_BUFFER_BYTES: usize = 32 * 1024;

/// Most bytes of a large answer that the library is given at once. With [`WRITE_BUFFER_BYTES`] it bounds what is buffered
/// of an answer that is not read.
pub(super) const OUTPUT_PIECE_BYTES: usize = 16 * 1024;

/// An answer of more bytes than that is large: it is given to the library in pieces, and counts as a stream, since it may
/// wait in memory for its reader.
pub(super) const LARGE_OUTPUT_BYTES: usize = 64 * 1024;

/// New connections of one thread that are admitted before it looks for input of open ones again, so that these are served
/// beside any number of new ones. A TLS handshake comes after that.
pub(super) const OPENING_AT_ONCE: usize = 2;

/// How long a connection that is being closed may take to hear of it.
pub(super) const LINGER: Duration = Duration::from_secs(1);

/// Most bytes that are read and forgotten of a connection that is being closed.
pub(super) const DISCARD_MAX_BYTES: usize = 2 * 1024 * 1024;

/// Connections beyond the cap that are accepted all the same, so that health is answered and others are told why they are
/// not.
pub const RESERVED_CONNECTIONS: usize = 64;

/// Which part of a cap is evicted at once where it is reached.
pub(super) const EVICTED_SHARE: usize = 64;

/// What the connections of one listener may cost.
#[derive(Debug, Clone, Copy)]
pub struct ConnectionLimits {
    /// How long each head of a request may take to arrive, from its first byte; for the first head and the TLS handshake
    /// before it, from the moment the connection is admitted.
    pub head: Duration,
    /// How long a connection may wait between an answer and the first byte of the next request.
    pub idle: Duration,
    /// How long a body may take to arrive, from the end of its head.
    pub body: Duration,
    /// How long a client may take answers more slowly than [`write_floor`](Self::write_floor).
    pub write: Duration,
    /// Fewest bytes a second that a client must take of an answer that waits for it.
    pub write_floor: u32,
    /// Most connections in all.
    pub connections: usize,
    /// Most connections of one client address (of IPv6, of one /64 network); none: as many as there may be in all.
    pub per_address: Option<usize>,
    /// Most connections whose last request had the same credential.
    pub per_credential: usize,
}
