//! The clocks, the identifiers, the secrets and their digests.

use std::{
    sync::Mutex,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use parlance_domain::{
    access::{ApiSecret, SecretDigest, SecretDigester, SecretSource},
    error::{StoreError, StoreErrorKind},
    hex,
    id::IdSource,
    sync,
    time::{Clock, MonotonicClock, Timestamp},
};
use sha2::{Digest, Sha256};
use ulid::Ulid;
use zeroize::Zeroizing;

/// The clock of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(since_1970.as_micros()).unwrap_or(i64::MAX);
        Timestamp::from_micros(micros).unwrap_or(Timestamp::EPOCH)
    }
}

/// The elapsed time of this process, by the monotonic clock of the system. It does not advance while the machine
/// sleeps.
#[derive(Debug, Clone, Copy)]
pub struct ProcessClock(Instant);

impl ProcessClock {
    /// Starts a clock at zero.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl MonotonicClock for ProcessClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Issues ULIDs in ascending order within the process. A ULID is a time in milliseconds and random bits. If it would
/// not be larger than the previous one, it is the previous one plus one.
#[derive(Debug, Default)]
pub struct UlidSource(Mutex<u128>);

impl IdSource for UlidSource {
    fn next(&self, at: Timestamp) -> u128 {
        let millis = u64::try_from(at.as_micros() / 1_000).unwrap_or_default();
        let random = Ulid::from_datetime(UNIX_EPOCH + Duration::from_millis(millis)).0;
        let mut last = sync::lock(&self.0);
        *last = random.max(last.wrapping_add(1));
        *last
    }
}

/// Digests the text of a secret by SHA-256 (FIPS 180-4).
#[derive(Debug, Clone, Copy, Default)]
pub struct Sha256Digester;

impl SecretDigester for Sha256Digester {
    fn digest(&self, secret: &ApiSecret) -> SecretDigest {
        SecretDigest::new(Sha256::digest(secret.reveal().as_bytes()).into())
    }
}

/// Issues secrets of 256 random bits from the operating system, as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomSecrets;

impl SecretSource for RandomSecrets {
    fn next(&self) -> Result<ApiSecret, StoreError> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(bytes.as_mut_slice())
            .map_err(|_| StoreError::new(StoreErrorKind::Unavailable, "the system returned no random bytes"))?;
        Ok(ApiSecret::new(hex::encode(bytes.as_slice())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_ascend_even_if_the_clock_stops_or_goes_back() {
        let source = UlidSource::default();
        let (early, late) = (Timestamp::from_micros(1_000_000).unwrap(), Timestamp::from_micros(2_000_000).unwrap());
        let ids: Vec<_> = [late, late, early, early, late].iter().map(|at| source.next(*at)).collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn the_elapsed_time_never_decreases() {
        let clock = ProcessClock::start();
        let readings: Vec<_> = (0..100).map(|_| clock.elapsed()).collect();
        assert!(readings.is_sorted());
    }

    #[test]
    fn an_identifier_begins_with_its_time() {
        let at = Timestamp::from_micros(1_700_000_000_123_000).unwrap();
        assert_eq!((UlidSource::default().next(at) >> 80) as i64, 1_700_000_000_123);
    }

    #[test]
    fn a_secret_is_digested_by_sha_256() {
        let digest = Sha256Digester.digest(&ApiSecret::new("abc"));
        assert_eq!(digest.as_bytes()[..4], [0xba, 0x78, 0x16, 0xbf]);
    }

    #[test]
    fn a_secret_has_64_hexadecimal_digits_and_differs_from_the_next_one() {
        let (one, other) = (RandomSecrets.next().unwrap(), RandomSecrets.next().unwrap());
        assert!(one.reveal().len() == 64 && one.reveal().bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert_ne!(one.reveal(), other.reveal());
    }
}
