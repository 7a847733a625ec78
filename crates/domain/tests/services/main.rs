//! Tests of the use cases against mocked ports: which calls they make.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod conversations;
mod deliveries;
mod erasures;
mod events;
mod export_redaction;
mod external_detector;
mod feed_conflicts;
mod feed_production;
mod feed_progress;
mod fields;
mod holds;
mod idempotency;
mod leases;
mod ledger;
mod message_redaction;
mod messages;
mod preview;
mod privacy_batches;
mod privacy_requests;
mod recent_cache;
mod redaction;
mod retention;
mod stored_redactions;
mod stream_addresses;
mod switches;
mod tenant_erasures;
mod vocabularies;
mod webhooks;

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use parlance_domain::{
    access::{ApiId, AuthorizedCaller, Caller, RequiredPermission, SecretDigest, TenantId, VerifiedCredential},
    conversation::{Conversation, Participant},
    id::{ConversationId, IdSource, MockIdSource},
    privacy::MockContentAuthenticator,
    text::ExternalId,
    time::{Clock, MockClock, MonotonicClock, Timestamp},
};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

fn tenant() -> TenantId {
    TenantId::parse("acme").unwrap()
}

/// A caller of the test tenant with the permission that the use case needs.
fn caller<P: RequiredPermission>() -> AuthorizedCaller<P> {
    Caller::new(tenant(), [P::PERMISSION].into_iter().collect()).authorize().unwrap()
}

/// The credential of the test tenant with this number, as it was verified.
fn verified_credential(number: u128) -> VerifiedCredential {
    VerifiedCredential { id: ApiId::new(tenant(), number), digest: SecretDigest::new([9; 32]) }
}

fn external_id(text: &str) -> ExternalId {
    ExternalId::parse(text).unwrap()
}

fn conversation(bits: u128, key: &str) -> Conversation {
    Conversation {
        id: ConversationId::from_bits(bits),
        external_id: external_id(key),
        agent: None,
        customer: Participant { external_id: external_id("customer-1"), name: None },
        metadata: None,
        started_at: at(0),
    }
}

/// An authenticator whose code of a content is the sum of its bytes.
fn authenticator() -> MockContentAuthenticator {
    let code = |content: &[u8]| [content.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)); 32];
    let mut authenticator = MockContentAuthenticator::new();
    authenticator.expect_code().returning(move |content| Ok(code(content)));
    authenticator.expect_is_code_of().returning(move |content, given| Ok(code(content) == *given));
    authenticator
}

fn clock(seconds: i64) -> Arc<dyn Clock> {
    let mut clock = MockClock::new();
    clock.expect_now().return_const(at(seconds));
    Arc::new(clock)
}

/// A clock that a test controls. [`advance`](Self::advance) lets time pass, and
/// [`set_time_of_day`](Self::set_time_of_day) changes only the time of day. Times are in seconds.
#[derive(Default)]
struct ManualClock {
    time_of_day: AtomicI64,
    elapsed_seconds: AtomicU64,
}

impl ManualClock {
    fn advance(&self, seconds: u32) {
        self.time_of_day.fetch_add(seconds.into(), Ordering::Relaxed);
        self.elapsed_seconds.fetch_add(seconds.into(), Ordering::Relaxed);
    }

    fn set_time_of_day(&self, seconds: i64) {
        self.time_of_day.store(seconds, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        at(self.time_of_day.load(Ordering::Relaxed))
    }
}

impl MonotonicClock for ManualClock {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.elapsed_seconds.load(Ordering::Relaxed))
    }
}

fn ids() -> Arc<dyn IdSource> {
    let mut ids = MockIdSource::new();
    ids.expect_next().return_const(7_u128);
    Arc::new(ids)
}
