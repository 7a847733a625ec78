//! Failed authentications, counted by the address that they came from.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::limits::FAILURE_ADDRESSES_REMEMBERED;

/// How often room is made for further addresses at most.
const PRUNE_EVERY: Duration = Duration::from_secs(1);

/// Holds back addresses from which too many authentications failed, by the generic cell rate algorithm: so many at
/// once, and one more each time that a share of a minute has passed. Times are readings of a
/// [`MonotonicClock`](crate::time::MonotonicClock). Cloning shares the count.
///
/// Secrets have 256 random bits, so this guards no secret from being guessed. It guards the store from being asked.
#[derive(Debug, Clone)]
pub struct FailedAttempts {
    /// How long it takes for one failure to be forgotten.
    interval: Duration,
    /// How much of that is borne before an address is held back.
    borne: Duration,
    forgotten_at: Arc<Mutex<Addresses>>,
}

#[derive(Debug, Default)]
struct Addresses {
    /// When the last failure from there is forgotten.
    by_network: HashMap<IpAddr, Duration>,
    pruned_at: Option<Duration>,
}

impl FailedAttempts {
    /// Bears this many failures of one address at once, and as many a minute in the long run.
    #[must_use]
    pub fn per_minute(failures: NonZeroU32) -> Self {
        let interval = Duration::from_mins(1) / failures.get();
        Self { interval, borne: interval * failures.get(), forgotten_at: Arc::default() }
    }

    /// How long an address is held back, where it is.
    #[must_use]
    pub fn held_back(&self, address: IpAddr, now: Duration) -> Option<Duration> {
        let addresses = self.forgotten_at.lock().unwrap_or_else(PoisonError::into_inner);
        let forgotten_at = *addresses.by_network.get(&network(address))?;
        let wait = (forgotten_at + self.interval).saturating_sub(now + self.borne);
        Some(wait).filter(|wait| !wait.is_zero())
    }

    /// Counts a failure. Where more addresses fail than are remembered, those that come last are not counted.
    pub fn count(&self, address: IpAddr, now: Duration) {
        let mut addresses = self.forgotten_at.lock().unwrap_or_else(PoisonError::into_inner);
        let network = network(address);
        if !addresses.by_network.contains_key(&network) && !addresses.has_room(now) {
            return;
        }
        let kept = addresses.by_network.entry(network).or_insert(now);
        *kept = (*kept).max(now) + self.interval;
    }
}

impl Addresses {
    /// Whether one more address can be remembered, those forgotten that may be. It looks for them once a second at most.
    fn has_room(&mut self, now: Duration) -> bool {
        let rested = self.pruned_at.is_none_or(|pruned_at| pruned_at + PRUNE_EVERY <= now);
        if self.by_network.len() >= FAILURE_ADDRESSES_REMEMBERED && rested {
            self.by_network.retain(|_, forgotten_at| *forgotten_at > now);
            self.pruned_at = Some(now);
        }
        self.by_network.len() < FAILURE_ADDRESSES_REMEMBERED
    }
}

/// What one client cannot change at will: a whole IPv4 address, and the first 64 bits of an IPv6 address. What counts by
/// client address counts by this.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn attempts(failures: u32) -> FailedAttempts {
        FailedAttempts::per_minute(NonZeroU32::new(failures).unwrap())
    }

    fn fail(attempts: &FailedAttempts, times: usize, address: IpAddr) {
        for _ in 0..times {
            attempts.count(address, at(100));
        }
    }

    #[test]
    fn as_many_failures_as_are_borne_hold_nobody_back() {
        let attempts = attempts(3);
        fail(&attempts, 2, CLIENT);
        assert_eq!(attempts.held_back(CLIENT, at(100)), None);
    }

    #[test]
    fn one_more_failure_is_borne_after_a_share_of_a_minute() {
        let attempts = attempts(3);
        fail(&attempts, 3, CLIENT);
        assert_eq!(attempts.held_back(CLIENT, at(100)), Some(Duration::from_secs(20)));
        assert_eq!(attempts.held_back(CLIENT, at(119)), Some(Duration::from_secs(1)));
        assert_eq!(attempts.held_back(CLIENT, at(120)), None);
    }

    #[test]
    fn another_address_is_not_held_back() {
        let attempts = attempts(1);
        fail(&attempts, 5, CLIENT);
        assert_eq!(attempts.held_back("10.0.0.1".parse().unwrap(), at(100)), None);
    }

    #[test]
    fn addresses_of_one_ipv6_network_are_one() {
        let attempts = attempts(1);
        fail(&attempts, 1, "2001:db8::1".parse().unwrap());
        assert!(attempts.held_back("2001:db8::ffff:1".parse().unwrap(), at(100)).is_some());
        assert!(attempts.held_back("2001:db8:0:1::1".parse().unwrap(), at(100)).is_none());
    }

    #[test]
    fn the_network_of_an_address_is_what_its_client_cannot_change() {
        assert_eq!(network("2001:db8::1".parse().unwrap()), network("2001:db8::ffff:1".parse().unwrap()));
        assert_ne!(network("2001:db8:0:1::1".parse().unwrap()), network("2001:db8::1".parse().unwrap()));
        assert_eq!(network("::ffff:10.0.0.1".parse().unwrap()), network("10.0.0.1".parse().unwrap()));
    }

    #[test]
    fn memory_is_bounded_and_makes_room_for_what_is_forgotten() {
        let attempts = attempts(1);
        for number in 0..=u32::try_from(FAILURE_ADDRESSES_REMEMBERED).unwrap() {
            attempts.count(IpAddr::V4(number.into()), at(100));
        }
        let remembered = || attempts.forgotten_at.lock().unwrap().by_network.len();
        assert_eq!(remembered(), FAILURE_ADDRESSES_REMEMBERED);
        attempts.count(IpAddr::V4(u32::MAX.into()), at(500));
        assert_eq!(remembered(), 1);
    }
}
