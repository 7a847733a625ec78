//! How many attempts run at once, so that an endpoint that hangs holds up no other.

use std::collections::{BTreeMap, BTreeSet};

use super::{WebhookDeliveryId, WebhookId};
use crate::{
    access::TenantId,
    limits::{
        WEBHOOK_MAX_ATTEMPTS_RUNNING, WEBHOOK_MAX_CONCURRENT, WEBHOOK_MAX_CONCURRENT_FAILING,
        WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT,
    },
};

/// A webhook of a tenant.
pub type EndpointKey = (TenantId, WebhookId);

/// The running attempts. Endpoints whose last attempt failed run one attempt at a time, and share slots of their own, so
/// that however many of them hang, the other endpoints have theirs.
#[derive(Debug, Default)]
pub struct Slots {
    running: BTreeMap<EndpointKey, BTreeSet<WebhookDeliveryId>>,
    failing: BTreeSet<EndpointKey>,
    /// The endpoints that hold slots of the failing ones, and how many.
    failing_running: usize,
    total: usize,
    /// The deliveries whose slot belongs to the failing endpoints.
    charged: BTreeSet<WebhookDeliveryId>,
}

impl Slots {
    /// How many further attempts may start at an endpoint now.
    #[must_use]
    pub fn free(&self, endpoint: &EndpointKey) -> usize {
        let running = self.running.get(endpoint).map_or(0, BTreeSet::len);
        let (own, shared) = if self.failing.contains(endpoint) {
            (1, WEBHOOK_MAX_CONCURRENT_FAILING.saturating_sub(self.failing_running))
        } else {
            (
                WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT,
                WEBHOOK_MAX_CONCURRENT.saturating_sub(self.total - self.failing_running),
            )
        };
        // An endpoint without an attempt has a slot of its own: others that begin to hang cannot take it.
        let own_slot = usize::from(running == 0 && self.total < WEBHOOK_MAX_ATTEMPTS_RUNNING);
        own.saturating_sub(running).min(shared.max(own_slot))
    }

    /// The number of attempts that run at an endpoint.
    #[must_use]
    pub fn running_at(&self, endpoint: &EndpointKey) -> usize {
        self.running.get(endpoint).map_or(0, BTreeSet::len)
    }

    /// The number of attempts that run.
    #[must_use]
    pub fn running(&self) -> usize {
        self.total
    }

    /// Takes a slot for an attempt. `false` if the same delivery runs already.
    #[must_use]
    pub fn start(&mut self, endpoint: &EndpointKey, delivery: &WebhookDeliveryId) -> bool {
        if !self.running.entry(endpoint.clone()).or_default().insert(delivery.clone()) {
            return false;
        }
        self.total += 1;
        if self.failing.contains(endpoint) {
            self.failing_running += 1;
            self.charged.insert(delivery.clone());
        }
        true
    }

    /// Gives the slot of an attempt back.
    pub fn finish(&mut self, endpoint: &EndpointKey, delivery: &WebhookDeliveryId, succeeded: bool) {
        let removed = self.running.get_mut(endpoint).is_some_and(|running| running.remove(delivery));
        if removed {
            self.total -= 1;
            self.failing_running -= usize::from(self.charged.remove(delivery));
        }
        if self.running_at(endpoint) == 0 {
            self.running.remove(endpoint);
        }
        if succeeded {
            self.failing.remove(endpoint);
        } else {
            self.failing.insert(endpoint.clone());
        }
    }

    /// Forgets endpoints that are no longer active.
    pub fn retain(&mut self, active: &BTreeSet<EndpointKey>) {
        self.failing.retain(|endpoint| active.contains(endpoint));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(number: u128) -> EndpointKey {
        (TenantId::parse("acme").unwrap(), WebhookId::from_bits(number))
    }

    fn delivery(number: u128) -> WebhookDeliveryId {
        WebhookDeliveryId::from_bits(number)
    }

    #[test]
    fn a_healthy_endpoint_has_a_limit_of_its_own() {
        let mut slots = Slots::default();
        for number in 0..WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT {
            assert!(slots.start(&endpoint(1), &delivery(number as u128)));
        }
        assert_eq!(slots.free(&endpoint(1)), 0);
        assert_eq!(slots.free(&endpoint(2)), WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT);
    }

    #[test]
    fn a_delivery_runs_once_at_a_time() {
        let mut slots = Slots::default();
        assert!(slots.start(&endpoint(1), &delivery(1)));
        assert!(!slots.start(&endpoint(1), &delivery(1)));
        slots.finish(&endpoint(1), &delivery(1), true);
        assert!(slots.start(&endpoint(1), &delivery(1)));
        assert_eq!(slots.running(), 1);
    }

    #[test]
    fn failing_endpoints_take_no_slot_of_the_others() {
        let mut slots = Slots::default();
        for number in 1..=2 * WEBHOOK_MAX_CONCURRENT as u128 {
            slots.finish(&endpoint(number), &delivery(number), false);
            while slots.free(&endpoint(number)) > 0 {
                assert!(slots.start(&endpoint(number), &delivery(number)));
            }
        }
        assert_eq!(slots.running(), 2 * WEBHOOK_MAX_CONCURRENT, "each endpoint has one slot");
        assert_eq!(slots.free(&endpoint(0)), WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT);
    }

    #[test]
    fn endpoints_that_begin_to_hang_leave_each_other_one_a_slot() {
        let mut slots = Slots::default();
        let mut number = 0;
        for hanging in 1..=18 {
            while slots.free(&endpoint(hanging)) > 0 {
                number += 1;
                assert!(slots.start(&endpoint(hanging), &delivery(number)));
            }
        }
        assert!(slots.running() >= WEBHOOK_MAX_CONCURRENT);
        assert_eq!(slots.free(&endpoint(0)), 1);
    }

    #[test]
    fn an_endpoint_that_recovers_runs_as_many_attempts_as_before() {
        let mut slots = Slots::default();
        slots.finish(&endpoint(1), &delivery(1), false);
        assert!(slots.start(&endpoint(1), &delivery(1)));
        assert_eq!(slots.free(&endpoint(1)), 0);
        slots.finish(&endpoint(1), &delivery(1), true);
        assert_eq!((slots.free(&endpoint(1)), slots.running()), (WEBHOOK_MAX_CONCURRENT_PER_ENDPOINT, 0));
    }
}
