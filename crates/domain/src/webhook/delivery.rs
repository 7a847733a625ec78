//! Deliveries: one event for one webhook, and the attempts to send it.

use super::{DeliveryAttempt, Jitter, WebhookDeliveryId, WebhookId, retry};
use crate::{
    access::TenantId,
    event::{EventTypes, LogEntry, LogPosition},
    limits::WEBHOOK_ATTEMPTS_KEPT,
    time::Timestamp,
};

/// What a delivery carries: a reference, never content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliverySubject {
    /// An entry of the change log.
    Event(LogEntry),
    /// A test that a caller asked for.
    Test,
}

impl DeliverySubject {
    /// The position in the log; the start for a test.
    #[must_use]
    pub fn position(&self) -> LogPosition {
        match self {
            Self::Event(entry) => entry.position,
            Self::Test => LogPosition::START,
        }
    }

    /// The type of the event.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Event(entry) => entry.change.event_type().as_str(),
            Self::Test => "webhook.test",
        }
    }

    /// Whether a webhook that names these types may be sent this: an event of one of them, or a test.
    #[must_use]
    pub fn is_named_by(&self, types: EventTypes) -> bool {
        match self {
            Self::Event(entry) => types.contains(entry.change.event_type()),
            Self::Test => true,
        }
    }

    /// Deliveries with the same key are sent in the order of the log, each after the one before it has succeeded: those of
    /// a conversation, and those of no conversation.
    #[must_use]
    pub fn order_key(&self) -> &str {
        match self {
            Self::Event(entry) => entry.change.conversation().map_or("", |conversation| conversation.as_str()),
            Self::Test => "test",
        }
    }
}

/// The state of a delivery that is not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingDelivery {
    /// The earliest time of the next attempt.
    pub next_attempt: Timestamp,
    /// The number of failures in succession.
    pub failures: u32,
    /// The time of the first of them.
    pub failing_since: Option<Timestamp>,
}

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookDeliveryState {
    /// It is sent when its turn has come.
    Pending(PendingDelivery),
    /// The receiver has accepted it at this time.
    Delivered(Timestamp),
}

/// The status of a delivery, for callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookDeliveryStatus {
    /// It was not tried since it was added or queued again.
    Pending,
    /// The last attempt failed. It is tried again.
    Failed,
    /// The receiver has accepted it.
    Delivered,
}

impl WebhookDeliveryStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Failed, Self::Delivered];

    /// The status as a stable word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Failed => "failed",
            Self::Delivered => "delivered",
        }
    }

    /// The status with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

/// A delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDelivery {
    /// The identifier, which is the `webhook-id` of every attempt.
    pub id: WebhookDeliveryId,
    /// The webhook.
    pub webhook: WebhookId,
    /// What it carries.
    pub subject: DeliverySubject,
    /// The time at which it was added.
    pub created_at: Timestamp,
    /// Its state.
    pub state: WebhookDeliveryState,
    /// The newest attempts, in the order in which they were made.
    pub attempts: Vec<DeliveryAttempt>,
}

/// A delivery of a tenant after an attempt, for its store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptedDelivery {
    /// The tenant of the webhook.
    pub tenant: TenantId,
    /// The delivery after the attempt.
    pub delivery: WebhookDelivery,
    /// The next attempt as it was stored when this attempt began. The store keeps the new state only if that is still stored: a
    /// delivery that was queued again meanwhile has another.
    pub expected_next_attempt: Option<Timestamp>,
}

impl WebhookDelivery {
    /// A delivery that was not tried.
    #[must_use]
    pub fn new(id: WebhookDeliveryId, webhook: WebhookId, subject: DeliverySubject, now: Timestamp) -> Self {
        let state = Self::untried(now);
        Self { id, webhook, subject, created_at: now, state, attempts: Vec::new() }
    }

    fn untried(now: Timestamp) -> WebhookDeliveryState {
        WebhookDeliveryState::Pending(PendingDelivery { next_attempt: now, failures: 0, failing_since: None })
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> WebhookDeliveryStatus {
        match self.state {
            WebhookDeliveryState::Delivered(_) => WebhookDeliveryStatus::Delivered,
            WebhookDeliveryState::Pending(PendingDelivery { failures: 0, .. }) => WebhookDeliveryStatus::Pending,
            WebhookDeliveryState::Pending(_) => WebhookDeliveryStatus::Failed,
        }
    }

    /// The earliest time of the next attempt; `None` once it is delivered.
    #[must_use]
    pub fn next_attempt(&self) -> Option<Timestamp> {
        match self.state {
            WebhookDeliveryState::Pending(pending) => Some(pending.next_attempt),
            WebhookDeliveryState::Delivered(_) => None,
        }
    }

    /// The delivery after it was queued again: it is sent at once, with the same identifier.
    #[must_use]
    pub fn requeued(self, now: Timestamp) -> Self {
        Self { state: Self::untried(now), ..self }
    }

    /// The delivery after an attempt: delivered, or tried again after a delay. Whoever has accepted a delivery does not
    /// get it again, so an attempt that ends after another has succeeded changes no state.
    #[must_use]
    pub fn after_attempt(mut self, attempt: DeliveryAttempt, jitter: Jitter) -> Self {
        let ended = attempt.at.plus_seconds(i64::try_from(attempt.duration.as_secs()).unwrap_or(i64::MAX));
        self.state = match (self.state, attempt.outcome) {
            (WebhookDeliveryState::Pending(_), Ok(_)) => WebhookDeliveryState::Delivered(ended),
            (WebhookDeliveryState::Pending(pending), Err(_)) => {
                let failures = pending.failures.saturating_add(1);
                let failing_since = pending.failing_since.or(Some(attempt.at));
                let next_attempt = retry::next_attempt(failures, ended, jitter);
                WebhookDeliveryState::Pending(PendingDelivery { next_attempt, failures, failing_since })
            }
            (delivered @ WebhookDeliveryState::Delivered(_), _) => delivered,
        };
        self.attempts.push(attempt);
        let surplus = self.attempts.len().saturating_sub(WEBHOOK_ATTEMPTS_KEPT);
        self.attempts.drain(..surplus);
        self
    }

    /// Whether it has failed for so long that its webhook is switched off.
    #[must_use]
    pub fn has_failed_too_long(&self, now: Timestamp) -> bool {
        let WebhookDeliveryState::Pending(pending) = self.state else { return false };
        pending.failing_since.is_some_and(|since| retry::is_too_long(since, now))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{time::SECONDS_PER_DAY, webhook::AttemptFailure};

    fn delivery() -> WebhookDelivery {
        let (id, webhook) = (WebhookDeliveryId::from_bits(1), WebhookId::from_bits(2));
        WebhookDelivery::new(id, webhook, DeliverySubject::Test, Timestamp::EPOCH)
    }

    fn attempt(seconds: i64, outcome: Result<u16, AttemptFailure>) -> DeliveryAttempt {
        DeliveryAttempt { at: Timestamp::EPOCH.plus_seconds(seconds), duration: Duration::from_secs(1), outcome }
    }

    #[test]
    fn a_success_is_final() {
        let delivered = delivery().after_attempt(attempt(1, Ok(204)), Jitter::default());
        assert_eq!(delivered.state, WebhookDeliveryState::Delivered(Timestamp::EPOCH.plus_seconds(2)));
        let late = delivered.clone().after_attempt(attempt(3, Err(AttemptFailure::TimedOut)), Jitter::default());
        assert_eq!((late.state, late.status()), (delivered.state, WebhookDeliveryStatus::Delivered));
    }

    #[test]
    fn a_failure_is_tried_again_and_remembers_when_it_began_to_fail() {
        let failed = delivery().after_attempt(attempt(1, Err(AttemptFailure::Status(500))), Jitter::default());
        let failed = failed.after_attempt(attempt(10, Err(AttemptFailure::Tls)), Jitter::default());
        let expected = PendingDelivery {
            next_attempt: Timestamp::EPOCH.plus_seconds(311),
            failures: 2,
            failing_since: Some(Timestamp::EPOCH.plus_seconds(1)),
        };
        assert_eq!(failed.state, WebhookDeliveryState::Pending(expected));
        assert_eq!(failed.status(), WebhookDeliveryStatus::Failed);
        let five_days = 5 * SECONDS_PER_DAY;
        assert!(!failed.has_failed_too_long(Timestamp::EPOCH.plus_seconds(five_days)));
        assert!(failed.has_failed_too_long(Timestamp::EPOCH.plus_seconds(five_days + 1)));
    }

    #[test]
    fn a_delivery_that_is_queued_again_is_untried_and_keeps_its_identifier() {
        let failed = delivery().after_attempt(attempt(1, Err(AttemptFailure::Unresolved)), Jitter::default());
        let requeued = failed.requeued(Timestamp::EPOCH.plus_seconds(9));
        assert_eq!((requeued.id.clone(), requeued.status()), (delivery().id, WebhookDeliveryStatus::Pending));
        assert_eq!(requeued.attempts.len(), 1);
    }

    #[test]
    fn only_the_newest_attempts_are_kept() {
        let many = (0..30).fold(delivery(), |delivery, second| {
            delivery.after_attempt(attempt(second, Err(AttemptFailure::Unreachable)), Jitter::default())
        });
        assert_eq!(many.attempts.len(), WEBHOOK_ATTEMPTS_KEPT);
        assert_eq!(many.attempts.last().unwrap().at, Timestamp::EPOCH.plus_seconds(29));
    }
}
