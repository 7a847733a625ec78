//! The use cases against mocked ports: what is asked of them, and what is not asked when the caller may not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod conversations;
mod deliveries;
mod exported;
mod leases;
mod masking;
mod messages;
mod recalling;
mod redaction;
mod repeats;
mod switches;
mod vocabularies;

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use parlance_domain::{
    access::{Caller, Permission, TenantId},
    conversation::{Conversation, Participant},
    id::{ConversationId, IdSource, MockIdSource},
    text::ExternalId,
    time::{Clock, MockClock, MonotonicClock, Timestamp},
};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(seconds * 1_000_000).unwrap()
}

fn tenant() -> TenantId {
    TenantId::parse("acme").unwrap()
}

fn caller(permissions: &[Permission]) -> Caller {
    Caller::new(tenant(), permissions.iter().copied().collect())
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

fn clock(seconds: i64) -> Arc<dyn Clock> {
    let mut clock = MockClock::new();
    clock.expect_now().return_const(at(seconds));
    Arc::new(clock)
}

/// A clock whose hands a test moves: time passes by [`pass`](Self::pass), and the time of day is set by
/// [`set`](Self::set) alone. Times are in seconds.
#[derive(Default)]
struct HandSetClock {
    time_of_day: AtomicI64,
    passed: AtomicU64,
}

impl HandSetClock {
    fn pass(&self, seconds: u32) {
        self.time_of_day.fetch_add(seconds.into(), Ordering::Relaxed);
        self.passed.fetch_add(seconds.into(), Ordering::Relaxed);
    }

    fn set(&self, seconds: i64) {
        self.time_of_day.store(seconds, Ordering::Relaxed);
    }
}

impl Clock for HandSetClock {
    fn now(&self) -> Timestamp {
        at(self.time_of_day.load(Ordering::Relaxed))
    }
}

impl MonotonicClock for HandSetClock {
    fn elapsed(&self) -> Duration {
        Duration::from_secs(self.passed.load(Ordering::Relaxed))
    }
}

fn ids() -> Arc<dyn IdSource> {
    let mut ids = MockIdSource::new();
    ids.expect_next().return_const(7_u128);
    Arc::new(ids)
}
