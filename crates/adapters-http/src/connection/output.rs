//! Permits for responses that wait for their readers: streams and large responses. The permits are counted separately
//! from requests in flight, per owner and in total.

use std::{
    collections::HashMap,
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, ready},
};

use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    web::Bytes,
};
use parlance_domain::{access::ApiId, sync};

use super::{
    handle::ConnectionHandle,
    limits::{LARGE_OUTPUT_BYTES, OUTPUT_PIECE_BYTES},
};

/// Limits on the number of responses that wait for their readers.
#[derive(Debug, Clone, Copy)]
pub struct OutputLimits {
    /// Maximum of all credentials together, and the same number again for all callers without a credential.
    pub max_total: usize,
    /// Maximum of one credential, or of one client address without a credential.
    pub max_per_owner: usize,
}

/// Counts the responses that wait for their readers. Clones share the count.
#[derive(Debug, Clone)]
pub struct OutputPermits {
    limits: OutputLimits,
    pending: Arc<Mutex<PendingOutput>>,
}

#[derive(Debug, Default)]
struct PendingOutput {
    credentials: Usage,
    addresses: Usage,
    by_owner: HashMap<OutputOwner, Usage>,
}

/// Number of waiting responses, and their bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    count: usize,
    bytes: u64,
}

impl Usage {
    fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
    }

    fn remove(&mut self, bytes: u64) {
        self.count -= 1;
        self.bytes -= bytes;
    }

    /// Whether one more response fits. A single response may have any size.
    fn has_room(self, bytes: u64, max_count: usize, max_bytes: u64) -> bool {
        self.count < max_count && (self.count == 0 || self.bytes + bytes <= max_bytes)
    }
}

/// Minimum number of bytes that a stream counts for. A stream is produced piece by piece.
pub(crate) const MIN_STREAM_BYTES: u64 = 512 * 1024;

/// Maximum bytes of the waiting responses of one owner.
const MAX_OWNER_BYTES: u64 = 32 * 1024 * 1024;

/// Maximum bytes of the waiting responses of all credentials together, and the same number again for all callers
/// without a credential.
const MAX_TOTAL_BYTES: u64 = 4 * MAX_OWNER_BYTES;

impl PendingOutput {
    /// The usage of all owners of this kind. Callers without a credential cannot use up the limit for credentials.
    fn total(&mut self, owner: &OutputOwner) -> &mut Usage {
        match owner {
            OutputOwner::Credential(_) => &mut self.credentials,
            OutputOwner::Address(_) => &mut self.addresses,
        }
    }
}

/// The owner of a response.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum OutputOwner {
    /// A credential.
    Credential(ApiId),
    /// A client address, if the operation needs no credential.
    Address(Option<IpAddr>),
}

/// Counts one response as waiting until dropped.
#[derive(Debug)]
pub(crate) struct OutputPermit {
    pending: Arc<Mutex<PendingOutput>>,
    owner: OutputOwner,
    bytes: u64,
}

/// Why a permit is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OutputRefusal {
    /// The limit of the owner is reached.
    OwnerLimit,
    /// The total limit is reached.
    TotalLimit,
}

impl OutputPermits {
    /// Permits with these limits, all of them free.
    #[must_use]
    pub fn new(limits: OutputLimits) -> Self {
        Self { limits, pending: Arc::default() }
    }

    /// Whether a response of this size needs a permit.
    pub(crate) fn requires_permit(size: BodySize) -> bool {
        match size {
            BodySize::Stream => true,
            BodySize::Sized(bytes) => bytes > LARGE_OUTPUT_BYTES as u64,
            BodySize::None => false,
        }
    }

    /// Acquires a permit for one response of this many bytes.
    ///
    /// # Errors
    /// [`OutputRefusal`] if a limit is reached.
    pub(crate) fn acquire(&self, owner: OutputOwner, bytes: u64) -> Result<OutputPermit, OutputRefusal> {
        let mut pending = sync::lock(&self.pending);
        if !pending.total(&owner).has_room(bytes, self.limits.max_total, MAX_TOTAL_BYTES) {
            return Err(OutputRefusal::TotalLimit);
        }
        let owner_usage = pending.by_owner.entry(owner.clone()).or_default();
        if !owner_usage.has_room(bytes, self.limits.max_per_owner, MAX_OWNER_BYTES) {
            return Err(OutputRefusal::OwnerLimit);
        }
        owner_usage.add(bytes);
        pending.total(&owner).add(bytes);
        Ok(OutputPermit { pending: Arc::clone(&self.pending), owner, bytes })
    }
}

impl Drop for OutputPermit {
    fn drop(&mut self) {
        let mut pending = sync::lock(&self.pending);
        pending.total(&self.owner).remove(self.bytes);
        if let Some(owner_usage) = pending.by_owner.get_mut(&self.owner) {
            owner_usage.remove(self.bytes);
            if owner_usage.count == 0 {
                pending.by_owner.remove(&self.owner);
            }
        }
    }
}

/// A body that holds its permit.
pub(crate) struct OutputBody {
    body: BoxBody,
    _permit: OutputPermit,
}

impl OutputBody {
    pub(crate) fn boxed(body: BoxBody, permit: OutputPermit) -> BoxBody {
        BoxBody::new(Self { body, _permit: permit })
    }
}

impl MessageBody for OutputBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_next(cx)
    }
}

/// Reports on drop that the response of a connection is complete.
struct CompletionGuard(ConnectionHandle);

impl Drop for CompletionGuard {
    fn drop(&mut self) {
        self.0.finish_response();
    }
}

/// A stream or a large body that the HTTP library receives in pieces. The library copies each piece into the buffer of
/// the connection, and requests the next piece only once the previous piece is on its way. Dropping this body reports
/// to the connection that the response is complete.
pub(super) struct PiecewiseBody {
    body: BoxBody,
    remaining: Bytes,
    size: BodySize,
    _completion: CompletionGuard,
}

impl PiecewiseBody {
    pub(super) fn boxed(body: BoxBody, connection: ConnectionHandle) -> BoxBody {
        let size = body.size();
        BoxBody::new(Self { body, remaining: Bytes::new(), size, _completion: CompletionGuard(connection) })
    }
}

impl MessageBody for PiecewiseBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = self.get_mut();
        // The HTTP library treats an empty piece as the end of the body.
        while this.remaining.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_next(cx)) {
                Some(Ok(bytes)) => this.remaining = bytes,
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let piece = this.remaining.len().min(OUTPUT_PIECE_BYTES);
        Poll::Ready(Some(Ok(this.remaining.split_to(piece))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits() -> OutputPermits {
        OutputPermits::new(OutputLimits { max_total: 3, max_per_owner: 2 })
    }

    fn credential(tenant: &str) -> OutputOwner {
        OutputOwner::Credential(ApiId::parse(&format!("{tenant}.01JZX900000000000000000000")).unwrap())
    }

    #[test]
    fn permits_are_limited_per_owner_and_in_total() {
        let permits = permits();
        let first_two =
            [permits.acquire(credential("a"), MIN_STREAM_BYTES), permits.acquire(credential("a"), MIN_STREAM_BYTES)]
                .map(Result::unwrap);
        assert_eq!(permits.acquire(credential("a"), MIN_STREAM_BYTES).unwrap_err(), OutputRefusal::OwnerLimit);
        let _other = permits.acquire(credential("b"), MIN_STREAM_BYTES).unwrap();
        assert_eq!(permits.acquire(credential("c"), MIN_STREAM_BYTES).unwrap_err(), OutputRefusal::TotalLimit);
        assert!(
            permits.acquire(OutputOwner::Address(None), MIN_STREAM_BYTES).is_ok(),
            "addresses are counted separately from credentials"
        );
        drop(first_two);
        assert!(permits.acquire(credential("a"), MIN_STREAM_BYTES).is_ok());
    }

    #[test]
    fn only_streams_and_large_responses_need_a_permit() {
        assert!(
            OutputPermits::requires_permit(BodySize::Stream) && OutputPermits::requires_permit(BodySize::Sized(65_537))
        );
        assert!(
            !OutputPermits::requires_permit(BodySize::Sized(65_536)) && !OutputPermits::requires_permit(BodySize::None)
        );
    }

    #[test]
    fn bytes_are_limited_per_owner_except_for_a_single_response() {
        let permits = permits();
        let _alone = permits.acquire(credential("a"), MAX_OWNER_BYTES + 1).unwrap();
        assert_eq!(permits.acquire(credential("a"), 100_000).unwrap_err(), OutputRefusal::OwnerLimit);
        assert!(permits.acquire(credential("b"), MAX_OWNER_BYTES).is_ok());
    }
}
