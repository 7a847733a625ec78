//! A rate limit for failed authentications, by client network.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::{limits::AUTH_THROTTLE_MAX_ADDRESSES, sync};

/// The shortest time between two removals of expired entries.
const PRUNE_INTERVAL: Duration = Duration::from_secs(1);

/// Throttles addresses from which too many authentications fail, by the generic cell rate algorithm: a burst is
/// allowed, and one more failure each time a fraction of a minute has passed. Times are readings of a
/// [`MonotonicClock`](crate::time::MonotonicClock). Clones share the counts.
///
/// Secrets have 256 random bits, so they need no protection against guessing. The throttle protects the store from
/// look-ups.
#[derive(Debug, Clone)]
pub struct AuthThrottle {
    /// The time after which one failure expires.
    interval: Duration,
    /// The burst tolerance: an address is throttled if one more failure would take longer than this to expire.
    tolerance: Duration,
    addresses: Arc<Mutex<AddressTable>>,
}

#[derive(Debug, Default)]
struct AddressTable {
    /// The time at which the last failure of each network expires.
    expiry_by_network: HashMap<IpAddr, Duration>,
    pruned_at: Option<Duration>,
}

impl AuthThrottle {
    /// Allows this many failures of one address at once, and as many per minute in the long run.
    #[must_use]
    pub fn per_minute(failures: NonZeroU32) -> Self {
        let interval = Duration::from_mins(1) / failures.get();
        Self { interval, tolerance: interval * failures.get(), addresses: Arc::default() }
    }

    /// The time until the address may try again; `None` if it is not throttled.
    #[must_use]
    pub fn retry_after(&self, address: IpAddr, now: Duration) -> Option<Duration> {
        let addresses = sync::lock(&self.addresses);
        let expires_at = *addresses.expiry_by_network.get(&client_network(address))?;
        let wait = (expires_at + self.interval).saturating_sub(now + self.tolerance);
        Some(wait).filter(|wait| !wait.is_zero())
    }

    /// Counts a failure. If the table is full, failures of further addresses are not counted.
    pub fn record_failure(&self, address: IpAddr, now: Duration) {
        let mut addresses = sync::lock(&self.addresses);
        let network = client_network(address);
        if !addresses.expiry_by_network.contains_key(&network) && !addresses.has_room(now) {
            return;
        }
        let expires_at = addresses.expiry_by_network.entry(network).or_insert(now);
        *expires_at = (*expires_at).max(now) + self.interval;
    }
}

impl AddressTable {
    /// Whether the table has room for one more address. Expired entries are removed at most once a second.
    fn has_room(&mut self, now: Duration) -> bool {
        let prune_is_due = self.pruned_at.is_none_or(|pruned_at| pruned_at + PRUNE_INTERVAL <= now);
        if self.expiry_by_network.len() >= AUTH_THROTTLE_MAX_ADDRESSES && prune_is_due {
            self.expiry_by_network.retain(|_, expires_at| *expires_at > now);
            self.pruned_at = Some(now);
        }
        self.expiry_by_network.len() < AUTH_THROTTLE_MAX_ADDRESSES
    }
}

/// The part of an address that one client cannot choose freely: a whole IPv4 address, or the first 64 bits of an IPv6
/// address. All limits per client address use it.
#[must_use]
pub fn client_network(address: IpAddr) -> IpAddr {
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

    fn attempts(failures: u32) -> AuthThrottle {
        AuthThrottle::per_minute(NonZeroU32::new(failures).unwrap())
    }

    fn fail(attempts: &AuthThrottle, times: usize, address: IpAddr) {
        for _ in 0..times {
            attempts.record_failure(address, at(100));
        }
    }

    #[test]
    fn failures_below_the_limit_do_not_throttle() {
        let attempts = attempts(3);
        fail(&attempts, 2, CLIENT);
        assert_eq!(attempts.retry_after(CLIENT, at(100)), None);
    }

    #[test]
    fn one_more_failure_is_allowed_after_a_fraction_of_a_minute() {
        let attempts = attempts(3);
        fail(&attempts, 3, CLIENT);
        assert_eq!(attempts.retry_after(CLIENT, at(100)), Some(Duration::from_secs(20)));
        assert_eq!(attempts.retry_after(CLIENT, at(119)), Some(Duration::from_secs(1)));
        assert_eq!(attempts.retry_after(CLIENT, at(120)), None);
    }

    #[test]
    fn another_address_is_not_throttled() {
        let attempts = attempts(1);
        fail(&attempts, 5, CLIENT);
        assert_eq!(attempts.retry_after("10.0.0.1".parse().unwrap(), at(100)), None);
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_a_count() {
        let attempts = attempts(1);
        fail(&attempts, 1, "2001:db8::1".parse().unwrap());
        assert!(attempts.retry_after("2001:db8::ffff:1".parse().unwrap(), at(100)).is_some());
        assert!(attempts.retry_after("2001:db8:0:1::1".parse().unwrap(), at(100)).is_none());
    }

    #[test]
    fn the_network_of_an_ipv6_address_is_its_first_64_bits() {
        assert_eq!(client_network("2001:db8::1".parse().unwrap()), client_network("2001:db8::ffff:1".parse().unwrap()));
        assert_ne!(client_network("2001:db8:0:1::1".parse().unwrap()), client_network("2001:db8::1".parse().unwrap()));
        assert_eq!(client_network("::ffff:10.0.0.1".parse().unwrap()), client_network("10.0.0.1".parse().unwrap()));
    }

    #[test]
    fn memory_is_bounded_and_expired_entries_make_room() {
        let attempts = attempts(1);
        for number in 0..=u32::try_from(AUTH_THROTTLE_MAX_ADDRESSES).unwrap() {
            attempts.record_failure(IpAddr::V4(number.into()), at(100));
        }
        let entries = || attempts.addresses.lock().unwrap().expiry_by_network.len();
        assert_eq!(entries(), AUTH_THROTTLE_MAX_ADDRESSES);
        attempts.record_failure(IpAddr::V4(u32::MAX.into()), at(500));
        assert_eq!(entries(), 1);
    }
}
