//! Answers that wait for their readers: streams, and answers that are large. They are counted apart from requests in flight,
//! and one owner may have so many only.

use std::{
    collections::HashMap,
    net::IpAddr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
};

use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    web::Bytes,
};
use parlance_domain::access::ApiId;

use super::{
    handle::ConnectionHandle,
    limits::{LARGE_OUTPUT_BYTES, OUTPUT_PIECE_BYTES},
};

/// How many answers may wait for their readers.
#[derive(Debug, Clone, Copy)]
pub struct OutputLimits {
    /// In all of credentials, and as many again of callers without one.
    pub total: usize,
    /// Of one credential, or of one client address without one.
    pub per_owner: usize,
}

/// Counts the answers that wait for their readers. Cloning shares the count.
#[derive(Debug, Clone)]
pub struct OutputPermits {
    limits: OutputLimits,
    held: Arc<Mutex<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    of_credentials: Share,
    of_addresses: Share,
    by_owner: HashMap<OutputOwner, Share>,
}

/// Answers that wait, and their bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    count: usize,
    bytes: u64,
}

impl Share {
    fn add(&mut self, bytes: u64) {
        self.count += 1;
        self.bytes += bytes;
    }

    fn remove(&mut self, bytes: u64) {
        self.count -= 1;
        self.bytes -= bytes;
    }

    /// Whether there is room for one more answer. One alone may have any size.
    fn has_room(self, bytes: u64, most: usize, most_bytes: u64) -> bool {
        self.count < most && (self.count == 0 || self.bytes + bytes <= most_bytes)
    }
}

/// Least bytes that a stream counts as: it is made piece by piece.
pub(crate) const STREAM_BYTES: u64 = 512 * 1024;

/// Most bytes of answers that wait, of one owner.
const OWNER_BYTES: u64 = 32 * 1024 * 1024;

/// Most bytes of answers that wait, of all credentials, and of all callers without one.
const TOTAL_BYTES: u64 = 4 * OWNER_BYTES;

impl Held {
    /// What is held by owners of this kind: who has no credential cannot take what is there for those who have one.
    fn total(&mut self, owner: &OutputOwner) -> &mut Share {
        match owner {
            OutputOwner::Credential(_) => &mut self.of_credentials,
            OutputOwner::Address(_) => &mut self.of_addresses,
        }
    }
}

/// Whose answer it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum OutputOwner {
    /// Of a credential.
    Credential(ApiId),
    /// Of a client address, where the operation needs no credential.
    Address(Option<IpAddr>),
}

/// The right to have an answer wait, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct OutputPermit {
    held: Arc<Mutex<Held>>,
    owner: OutputOwner,
    bytes: u64,
}

/// Why an answer may not wait.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum OutputRefusal {
    /// The owner has as many as it may have.
    OfOwner,
    /// There are as many as there may be.
    InAll,
}

impl OutputPermits {
    /// No answer waits.
    #[must_use]
    pub fn new(limits: OutputLimits) -> Self {
        Self { limits, held: Arc::default() }
    }

    /// Whether an answer of that size counts.
    pub(crate) fn concerns(size: BodySize) -> bool {
        match size {
            BodySize::Stream => true,
            BodySize::Sized(bytes) => bytes > LARGE_OUTPUT_BYTES as u64,
            BodySize::None => false,
        }
    }

    /// Takes the right to have one answer wait that takes so many bytes.
    ///
    /// # Errors
    /// [`OutputRefusal`].
    pub(crate) fn acquire(&self, owner: OutputOwner, bytes: u64) -> Result<OutputPermit, OutputRefusal> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if !held.total(&owner).has_room(bytes, self.limits.total, TOTAL_BYTES) {
            return Err(OutputRefusal::InAll);
        }
        let own = held.by_owner.entry(owner.clone()).or_default();
        if !own.has_room(bytes, self.limits.per_owner, OWNER_BYTES) {
            return Err(OutputRefusal::OfOwner);
        }
        own.add(bytes);
        held.total(&owner).add(bytes);
        Ok(OutputPermit { held: Arc::clone(&self.held), owner, bytes })
    }
}

impl Drop for OutputPermit {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.total(&self.owner).remove(self.bytes);
        if let Some(own) = held.by_owner.get_mut(&self.owner) {
            own.remove(self.bytes);
            if own.count == 0 {
                held.by_owner.remove(&self.owner);
            }
        }
    }
}

/// A body with the right to wait.
pub(crate) struct OutputBody {
    body: BoxBody,
    _permit: OutputPermit,
}

impl OutputBody {
    pub(crate) fn around(body: BoxBody, permit: OutputPermit) -> BoxBody {
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

/// The answer of a connection, complete once this is dropped.
struct OpenAnswer(ConnectionHandle);

impl Drop for OpenAnswer {
    fn drop(&mut self) {
        self.0.finish_answer();
    }
}

/// A stream or a large body, given to the library in pieces: it copies each piece into the connection's buffer, and takes
/// the next only once that is on its way. The connection is told of its end.
pub(super) struct PiecewiseBody {
    body: BoxBody,
    left: Bytes,
    size: BodySize,
    _open: OpenAnswer,
}

impl PiecewiseBody {
    pub(super) fn around(body: BoxBody, connection: ConnectionHandle) -> BoxBody {
        let size = body.size();
        BoxBody::new(Self { body, left: Bytes::new(), size, _open: OpenAnswer(connection) })
    }
}

impl MessageBody for PiecewiseBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.size
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = self.get_mut();
        // The library takes an empty piece for the end.
        while this.left.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_next(cx)) {
                Some(Ok(bytes)) => this.left = bytes,
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let piece = this.left.len().min(OUTPUT_PIECE_BYTES);
        Poll::Ready(Some(Ok(this.left.split_to(piece))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits() -> OutputPermits {
        OutputPermits::new(OutputLimits { total: 3, per_owner: 2 })
    }

    fn of(tenant: &str) -> OutputOwner {
        OutputOwner::Credential(ApiId::parse(&format!("{tenant}.01JZX900000000000000000000")).unwrap())
    }

    #[test]
    fn a_credential_has_a_share_and_all_together_have_a_bound() {
        let permits = permits();
        let held = [permits.acquire(of("a"), STREAM_BYTES), permits.acquire(of("a"), STREAM_BYTES)].map(Result::unwrap);
        assert_eq!(permits.acquire(of("a"), STREAM_BYTES).unwrap_err(), OutputRefusal::OfOwner);
        let _other = permits.acquire(of("b"), STREAM_BYTES).unwrap();
        assert_eq!(permits.acquire(of("c"), STREAM_BYTES).unwrap_err(), OutputRefusal::InAll);
        assert!(
            permits.acquire(OutputOwner::Address(None), STREAM_BYTES).is_ok(),
            "who has no credential is counted apart"
        );
        drop(held);
        assert!(permits.acquire(of("a"), STREAM_BYTES).is_ok());
    }

    #[test]
    fn streams_and_large_answers_count_and_others_do_not() {
        assert!(OutputPermits::concerns(BodySize::Stream) && OutputPermits::concerns(BodySize::Sized(65_537)));
        assert!(!OutputPermits::concerns(BodySize::Sized(65_536)) && !OutputPermits::concerns(BodySize::None));
    }

    #[test]
    fn the_bytes_of_an_owner_have_a_bound_and_one_answer_alone_has_none() {
        let permits = permits();
        let _alone = permits.acquire(of("a"), OWNER_BYTES + 1).unwrap();
        assert_eq!(permits.acquire(of("a"), 100_000).unwrap_err(), OutputRefusal::OfOwner);
        assert!(permits.acquire(of("b"), OWNER_BYTES).is_ok());
    }
}
