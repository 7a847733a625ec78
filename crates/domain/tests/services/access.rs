//! Tests of authentication and of the credential use cases.

use std::{
    net::{IpAddr, Ipv4Addr},
    num::NonZeroU32,
    sync::Arc,
};

use parlance_domain::{
    access::{
        ApiId, ApiSecret, AuthThrottle, AuthenticationError, AuthenticationFailure, Authenticator, Credential,
        CredentialError, CredentialName, Credentials, MockAuthenticationMeter, MockCredentialStore, MockSecretDigester,
        MockSecretSource, Permission, Permissions, SecretDigest, SecretDigester, VerifiedCredential,
    },
    error::{StoreError, StoreErrorKind},
};
use pollster::block_on;

use super::{ManualClock, at, clock, ids, tenant};

const DAY: i64 = 86_400;

/// A digester whose digest is the first byte of the secret, repeated.
fn digester() -> Arc<dyn SecretDigester> {
    let mut digester = MockSecretDigester::new();
    digester.expect_digest().returning(|secret| digest(secret.reveal()));
    Arc::new(digester)
}

fn digest(secret: &str) -> SecretDigest {
    SecretDigest::new([secret.bytes().next().unwrap_or(0); 32])
}

fn credential() -> Credential {
    Credential {
        id: ApiId::new(tenant(), 1),
        name: CredentialName::parse("telephony").unwrap(),
        permissions: [Permission::ReadConversations].into_iter().collect(),
        digest: digest("right"),
        previous: None,
        created_at: at(0),
        revoked_at: None,
    }
}

fn store_with(times: usize, stored: Option<Credential>) -> MockCredentialStore {
    let mut store = MockCredentialStore::new();
    store.expect_find().times(times).returning(move |_| Ok(stored.clone()));
    store
}

/// An authenticator with this store, and its clock.
fn authenticator_with_clock(store: MockCredentialStore) -> (Authenticator, Arc<ManualClock>) {
    let time = Arc::new(ManualClock::default());
    let authenticator =
        Authenticator::new(Arc::new(store), digester(), Arc::clone(&time) as Arc<_>, Arc::clone(&time) as Arc<_>);
    (authenticator, time)
}

fn authenticator(store: MockCredentialStore) -> Authenticator {
    authenticator_with_clock(store).0
}

fn authenticate(authenticator: &Authenticator, secret: &str) -> Result<String, AuthenticationError> {
    let id = ApiId::new(tenant(), 1);
    block_on(authenticator.authenticate(&id, &ApiSecret::new(secret))).map(|caller| caller.tenant_name().to_owned())
}

#[test]
fn the_right_secret_authenticates_a_caller_of_its_tenant() {
    let authenticator = authenticator(store_with(1, Some(credential())));
    assert_eq!(authenticate(&authenticator, "right").unwrap(), "acme");
}

#[test]
fn a_wrong_secret_and_an_unknown_id_get_the_same_error() {
    let wrong = authenticator(store_with(1, Some(credential())));
    let unknown = authenticator(store_with(1, None));
    assert!(matches!(authenticate(&wrong, "wrong"), Err(AuthenticationError::Unauthenticated)));
    assert!(matches!(authenticate(&unknown, "right"), Err(AuthenticationError::Unauthenticated)));
}

#[test]
fn a_verified_credential_is_cached() {
    let authenticator = authenticator(store_with(1, Some(credential())));
    for _ in 0..3 {
        assert!(authenticate(&authenticator, "right").is_ok());
    }
}

#[test]
fn a_wrong_secret_is_looked_up_although_the_right_one_is_cached() {
    let authenticator = authenticator(store_with(2, Some(credential())));
    assert!(authenticate(&authenticator, "right").is_ok());
    assert!(matches!(authenticate(&authenticator, "wrong"), Err(AuthenticationError::Unauthenticated)));
}

#[test]
fn a_cached_credential_expires_within_a_minute() {
    let (authenticator, time) = authenticator_with_clock(store_with(2, Some(credential())));
    assert!(authenticate(&authenticator, "right").is_ok());
    time.advance(59);
    assert!(authenticate(&authenticator, "right").is_ok());
}

#[test]
fn a_revoked_credential_is_refused_within_a_minute_though_the_time_of_day_is_set_back_a_day() {
    let mut store = store_with(1, Some(credential()));
    store.expect_find().times(1).returning(|_| Ok(Some(Credential { revoked_at: Some(at(1)), ..credential() })));
    let (authenticator, time) = authenticator_with_clock(store);
    assert!(authenticate(&authenticator, "right").is_ok());
    time.set_time_of_day(-DAY);
    time.advance(59);
    assert!(matches!(authenticate(&authenticator, "right"), Err(AuthenticationError::Unauthenticated)));
}

#[test]
fn a_cached_credential_stays_valid_though_the_time_of_day_is_set_forward_a_day() {
    let (authenticator, time) = authenticator_with_clock(store_with(1, Some(credential())));
    assert!(authenticate(&authenticator, "right").is_ok());
    time.set_time_of_day(DAY);
    assert!(authenticate(&authenticator, "right").is_ok());
}

#[test]
fn the_previous_secret_is_not_cached_longer_than_it_is_accepted() {
    let rotated = Credential { digest: digest("new"), previous: Some((digest("right"), at(10))), ..credential() };
    let (authenticator, time) = authenticator_with_clock(store_with(2, Some(rotated)));
    assert!(authenticate(&authenticator, "right").is_ok());
    time.advance(11);
    assert!(matches!(authenticate(&authenticator, "right"), Err(AuthenticationError::Unauthenticated)));
}

/// Whether the secret "right" is accepted of a credential that is stored like this, 10 seconds after the start.
fn is_active(stored: Credential) -> bool {
    let verified = VerifiedCredential { id: ApiId::new(tenant(), 1), digest: digest("right") };
    let (authenticator, time) = authenticator_with_clock(store_with(1, Some(stored)));
    time.advance(10);
    block_on(authenticator.active_caller(&verified)).unwrap().is_some()
}

#[test]
fn a_verified_credential_is_active_until_it_is_revoked_or_its_secret_is_rotated_away() {
    let rotated =
        |ends| Credential { digest: digest("new"), previous: Some((digest("right"), at(ends))), ..credential() };
    assert!(is_active(credential()));
    assert!(is_active(rotated(11)), "the old secret is kept for a second more");
    assert!(!is_active(rotated(10)), "the time of the old secret is over");
    let rotated_twice = Credential { previous: Some((digest("second"), at(11))), ..rotated(11) };
    assert!(!is_active(rotated_twice));
    assert!(!is_active(Credential { revoked_at: Some(at(1)), ..credential() }));
}

#[test]
fn an_unavailable_store_is_not_a_wrong_credential() {
    let mut store = MockCredentialStore::new();
    store.expect_find().return_once(|_| Err(StoreError::new(StoreErrorKind::Unavailable, "down")));
    let authenticator = authenticator(store);
    assert!(matches!(authenticate(&authenticator, "right"), Err(AuthenticationError::Store(_))));
}

fn credentials(store: MockCredentialStore) -> Credentials {
    let mut secrets = MockSecretSource::new();
    secrets.expect_next().returning(|| Ok(ApiSecret::new("fresh")));
    Credentials::new(Arc::new(store), digester(), Arc::new(secrets), ids(), clock(100))
}

#[test]
fn an_issued_credential_is_stored_by_its_digest_only() {
    let mut store = MockCredentialStore::new();
    store
        .expect_insert()
        .withf(|stored| stored.digest.matches(&digest("fresh")) && stored.created_at == at(100))
        .return_once(|_| Ok(()));
    let name = CredentialName::parse("telephony").unwrap();
    let issued = block_on(credentials(store).create(tenant(), name, Permissions::all())).unwrap();
    assert_eq!((issued.id, issued.secret.reveal()), (ApiId::new(tenant(), 7), "fresh"));
}

#[test]
fn a_rotation_keeps_the_old_secret_for_the_requested_time() {
    let mut store = store_with(1, Some(credential()));
    store
        .expect_rotate()
        .withf(|_, new, until, now| new.matches(&digest("fresh")) && (*until, *now) == (at(160), at(100)))
        .return_once(|_, _, _, _| Ok(true));
    let issued = block_on(credentials(store).rotate(&ApiId::new(tenant(), 1), 60)).unwrap();
    assert_eq!(issued.secret.reveal(), "fresh");
}

#[test]
fn a_missing_credential_can_be_neither_rotated_nor_revoked() {
    let mut store = store_with(1, None);
    store.expect_revoke().return_once(|_, _| Ok(false));
    let credentials = credentials(store);
    let id = ApiId::new(tenant(), 1);
    assert!(matches!(block_on(credentials.rotate(&id, 0)), Err(CredentialError::NotFound)));
    assert!(matches!(block_on(credentials.revoke(&id)), Err(CredentialError::NotFound)));
}

const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn admit(authenticator: &Authenticator, secret: &str) -> Result<String, AuthenticationError> {
    let (id, secret) = (ApiId::new(tenant(), 1), ApiSecret::new(secret));
    block_on(authenticator.authenticate_from(Some((&id, &secret)), Some(CLIENT)))
        .map(|caller| caller.tenant_name().to_owned())
}

#[test]
fn an_address_with_too_many_failures_is_throttled_without_reading_the_store() {
    let store = store_with(3, Some(credential()));
    let authenticator = authenticator(store);
    let authenticator = authenticator.with_throttle(AuthThrottle::per_minute(NonZeroU32::new(3).unwrap()));
    for _ in 0..3 {
        assert!(matches!(admit(&authenticator, "wrong"), Err(AuthenticationError::Unauthenticated)));
    }
    assert!(matches!(admit(&authenticator, "wrong"), Err(AuthenticationError::Throttled { .. })));
    assert!(matches!(admit(&authenticator, "right"), Err(AuthenticationError::Throttled { .. })));
}

#[test]
fn a_cached_credential_passes_from_a_throttled_address() {
    let authenticator = authenticator(store_with(2, Some(credential())));
    let authenticator = authenticator.with_throttle(AuthThrottle::per_minute(NonZeroU32::new(1).unwrap()));
    assert!(admit(&authenticator, "right").is_ok());
    assert!(matches!(admit(&authenticator, "wrong"), Err(AuthenticationError::Unauthenticated)));
    assert!(matches!(admit(&authenticator, "wrong"), Err(AuthenticationError::Throttled { .. })));
    assert!(admit(&authenticator, "right").is_ok());
}

#[test]
fn a_missing_credential_counts_as_a_failure() {
    let authenticator = authenticator(store_with(0, None));
    let authenticator = authenticator.with_throttle(AuthThrottle::per_minute(NonZeroU32::new(1).unwrap()));
    assert!(matches!(
        block_on(authenticator.authenticate_from(None, Some(CLIENT))),
        Err(AuthenticationError::Unauthenticated)
    ));
    assert!(matches!(
        block_on(authenticator.authenticate_from(None, Some(CLIENT))),
        Err(AuthenticationError::Throttled { .. })
    ));
}

/// An authenticator that allows one failure per minute, after that failure. Its store expects `reads` reads.
fn throttling_authenticator(reads: usize) -> (Authenticator, Arc<ManualClock>) {
    let (authenticator, time) = authenticator_with_clock(store_with(reads, Some(credential())));
    let authenticator = authenticator.with_throttle(AuthThrottle::per_minute(NonZeroU32::new(1).unwrap()));
    assert!(matches!(admit(&authenticator, "wrong"), Err(AuthenticationError::Unauthenticated)));
    assert!(matches!(admit(&authenticator, "right"), Err(AuthenticationError::Throttled { .. })));
    (authenticator, time)
}

#[test]
fn an_address_is_not_throttled_longer_though_the_time_of_day_is_set_back_a_day() {
    let (authenticator, time) = throttling_authenticator(2);
    time.set_time_of_day(-DAY);
    time.advance(60);
    assert!(admit(&authenticator, "right").is_ok());
}

#[test]
fn an_address_is_not_throttled_shorter_though_the_time_of_day_is_set_forward_a_day() {
    let (authenticator, time) = throttling_authenticator(1);
    time.set_time_of_day(DAY);
    time.advance(59);
    assert!(matches!(admit(&authenticator, "right"), Err(AuthenticationError::Throttled { .. })));
}

/// The failure reason that is counted if the store returns `stored` and `secret` is presented.
fn counted_failure(stored: Option<Credential>, secret: &str) -> AuthenticationFailure {
    let (sender, receiver) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    let mut meter = MockAuthenticationMeter::new();
    meter.expect_record_failure().times(1).returning(move |reason| sender.lock().unwrap().send(reason).unwrap());
    let (authenticator, time) = authenticator_with_clock(store_with(1, stored));
    let authenticator = authenticator.with_meter(Arc::new(meter));
    time.set_time_of_day(200);
    assert!(matches!(authenticate(&authenticator, secret), Err(AuthenticationError::Unauthenticated)));
    receiver.recv().unwrap()
}

#[test]
fn a_failed_authentication_is_counted_by_its_reason() {
    let revoked = Credential { revoked_at: Some(at(1)), ..credential() };
    let rotated = Credential { previous: Some((digest("old"), at(100))), ..credential() };
    assert_eq!(counted_failure(None, "right"), AuthenticationFailure::UnknownCredential);
    assert_eq!(counted_failure(Some(credential()), "wrong"), AuthenticationFailure::WrongSecret);
    assert_eq!(counted_failure(Some(revoked), "right"), AuthenticationFailure::Revoked);
    assert_eq!(counted_failure(Some(rotated), "old"), AuthenticationFailure::ExpiredSecret);
}

#[test]
fn requests_without_a_credential_and_from_throttled_addresses_are_counted_by_their_reason() {
    let mut meter = MockAuthenticationMeter::new();
    let mut order = mockall::Sequence::new();
    for reason in [AuthenticationFailure::Missing, AuthenticationFailure::AddressThrottled] {
        let matches_reason = mockall::predicate::eq(reason);
        meter.expect_record_failure().with(matches_reason).times(1).in_sequence(&mut order).return_const(());
    }
    let failures = AuthThrottle::per_minute(NonZeroU32::MIN);
    let authenticator = authenticator(store_with(0, None));
    let authenticator = authenticator.with_throttle(failures).with_meter(Arc::new(meter));
    let from = Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
    assert!(matches!(block_on(authenticator.authenticate_from(None, from)), Err(AuthenticationError::Unauthenticated)));
    assert!(matches!(
        block_on(authenticator.authenticate_from(None, from)),
        Err(AuthenticationError::Throttled { .. })
    ));
}
