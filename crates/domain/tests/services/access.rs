use std::{
    net::{IpAddr, Ipv4Addr},
    num::NonZeroU32,
    sync::Arc,
};

use parlance_domain::{
    access::{
        ApiId, ApiSecret, AuthenticationFailure, Credential, CredentialName, Credentials, FailedAttempts, Gate,
        MockAuthenticationMeter, MockCredentialStore, MockSecretDigester, MockSecretSource, Permission, Permissions,
        SecretDigest, SecretDigester,
    },
    error::{Error, Resource, StoreError, StoreErrorKind},
};
use pollster::block_on;

use super::{HandSetClock, at, clock, ids, tenant};

const DAY: i64 = 86_400;

/// A digest that is the secret's first byte repeated.
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

fn store_that_finds(times: usize, found: Option<Credential>) -> MockCredentialStore {
    let mut store = MockCredentialStore::new();
    store.expect_find().times(times).returning(move |_| Ok(found.clone()));
    store
}

/// A gate before this store, and the clock that it measures by.
fn gate_at(store: MockCredentialStore) -> (Gate, Arc<HandSetClock>) {
    let time = Arc::new(HandSetClock::default());
    let gate = Gate::new(Arc::new(store), digester(), Arc::clone(&time) as Arc<_>, Arc::clone(&time) as Arc<_>);
    (gate, time)
}

fn gate(store: MockCredentialStore) -> Gate {
    gate_at(store).0
}

fn authenticate(gate: &Gate, secret: &str) -> Result<String, Error> {
    let id = ApiId::new(tenant(), 1);
    block_on(gate.authenticate(&id, &ApiSecret::new(secret))).map(|caller| caller.tenant_name().to_owned())
}

#[test]
fn the_right_secret_makes_a_caller_of_its_tenant() {
    let gate = gate(store_that_finds(1, Some(credential())));
    assert_eq!(authenticate(&gate, "right").unwrap(), "acme");
}

#[test]
fn a_wrong_secret_and_an_unknown_id_get_one_answer() {
    let wrong = gate(store_that_finds(1, Some(credential())));
    let unknown = gate(store_that_finds(1, None));
    assert!(matches!(authenticate(&wrong, "wrong"), Err(Error::Unauthenticated)));
    assert!(matches!(authenticate(&unknown, "right"), Err(Error::Unauthenticated)));
}

#[test]
fn a_verified_credential_is_not_looked_up_again() {
    let gate = gate(store_that_finds(1, Some(credential())));
    for _ in 0..3 {
        assert!(authenticate(&gate, "right").is_ok());
    }
}

#[test]
fn a_wrong_secret_is_looked_up_even_while_the_right_one_is_trusted() {
    let gate = gate(store_that_finds(2, Some(credential())));
    assert!(authenticate(&gate, "right").is_ok());
    assert!(matches!(authenticate(&gate, "wrong"), Err(Error::Unauthenticated)));
}

#[test]
fn trust_ends_within_a_minute() {
    let (gate, time) = gate_at(store_that_finds(2, Some(credential())));
    assert!(authenticate(&gate, "right").is_ok());
    time.pass(59);
    assert!(authenticate(&gate, "right").is_ok());
}

#[test]
fn a_revoked_credential_is_refused_within_a_minute_though_the_time_of_day_is_set_back_a_day() {
    let mut store = store_that_finds(1, Some(credential()));
    store.expect_find().times(1).returning(|_| Ok(Some(Credential { revoked_at: Some(at(1)), ..credential() })));
    let (gate, time) = gate_at(store);
    assert!(authenticate(&gate, "right").is_ok());
    time.set(-DAY);
    time.pass(59);
    assert!(matches!(authenticate(&gate, "right"), Err(Error::Unauthenticated)));
}

#[test]
fn a_credential_is_trusted_on_though_the_time_of_day_is_set_forth_a_day() {
    let (gate, time) = gate_at(store_that_finds(1, Some(credential())));
    assert!(authenticate(&gate, "right").is_ok());
    time.set(DAY);
    assert!(authenticate(&gate, "right").is_ok());
}

#[test]
fn the_secret_before_a_rotation_is_not_trusted_longer_than_it_is_accepted() {
    let rotated = Credential { digest: digest("new"), previous: Some((digest("right"), at(10))), ..credential() };
    let (gate, time) = gate_at(store_that_finds(2, Some(rotated)));
    assert!(authenticate(&gate, "right").is_ok());
    time.pass(11);
    assert!(matches!(authenticate(&gate, "right"), Err(Error::Unauthenticated)));
}

#[test]
fn a_store_out_of_reach_is_not_a_wrong_credential() {
    let mut store = MockCredentialStore::new();
    store.expect_find().return_once(|_| Err(StoreError::new(StoreErrorKind::Unavailable, "down")));
    let gate = gate(store);
    assert!(matches!(authenticate(&gate, "right"), Err(Error::Store(_))));
}

fn credentials(store: MockCredentialStore) -> Credentials {
    let mut secrets = MockSecretSource::new();
    secrets.expect_next().returning(|| Ok(ApiSecret::new("fresh")));
    Credentials::new(Arc::new(store), digester(), Arc::new(secrets), ids(), clock(100))
}

#[test]
fn an_issued_credential_is_kept_by_its_digest_only() {
    let mut store = MockCredentialStore::new();
    store
        .expect_insert()
        .withf(|kept| kept.digest.matches(&digest("fresh")) && kept.created_at == at(100))
        .return_once(|_| Ok(()));
    let name = CredentialName::parse("telephony").unwrap();
    let issued = block_on(credentials(store).create(tenant(), name, Permissions::all())).unwrap();
    assert_eq!((issued.id, issued.secret.reveal()), (ApiId::new(tenant(), 7), "fresh"));
}

#[test]
fn a_rotation_keeps_the_old_secret_for_as_long_as_was_asked() {
    let mut store = store_that_finds(1, Some(credential()));
    store
        .expect_rotate()
        .withf(|_, new, until, now| new.matches(&digest("fresh")) && (*until, *now) == (at(160), at(100)))
        .return_once(|_, _, _, _| Ok(true));
    let issued = block_on(credentials(store).rotate(&ApiId::new(tenant(), 1), 60)).unwrap();
    assert_eq!(issued.secret.reveal(), "fresh");
}

#[test]
fn what_is_not_there_can_be_neither_rotated_nor_revoked() {
    let mut store = store_that_finds(1, None);
    store.expect_revoke().return_once(|_, _| Ok(false));
    let credentials = credentials(store);
    let id = ApiId::new(tenant(), 1);
    assert!(matches!(block_on(credentials.rotate(&id, 0)), Err(Error::Missing(Resource::Credential))));
    assert!(matches!(block_on(credentials.revoke(&id)), Err(Error::Missing(Resource::Credential))));
}

const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn admit(gate: &Gate, secret: &str) -> Result<String, Error> {
    let (id, secret) = (ApiId::new(tenant(), 1), ApiSecret::new(secret));
    block_on(gate.admit(Some((&id, &secret)), Some(CLIENT))).map(|caller| caller.tenant_name().to_owned())
}

#[test]
fn an_address_whose_authentications_failed_too_often_is_held_back_without_asking_the_store() {
    let store = store_that_finds(3, Some(credential()));
    let gate = gate(store);
    let gate = gate.with_failures(FailedAttempts::per_minute(NonZeroU32::new(3).unwrap()));
    for _ in 0..3 {
        assert!(matches!(admit(&gate, "wrong"), Err(Error::Unauthenticated)));
    }
    assert!(matches!(admit(&gate, "wrong"), Err(Error::HeldBack { .. })));
    assert!(matches!(admit(&gate, "right"), Err(Error::HeldBack { .. })));
}

#[test]
fn a_credential_that_is_trusted_already_passes_from_an_address_that_is_held_back() {
    let gate = gate(store_that_finds(2, Some(credential())));
    let gate = gate.with_failures(FailedAttempts::per_minute(NonZeroU32::new(1).unwrap()));
    assert!(admit(&gate, "right").is_ok());
    assert!(matches!(admit(&gate, "wrong"), Err(Error::Unauthenticated)));
    assert!(matches!(admit(&gate, "wrong"), Err(Error::HeldBack { .. })));
    assert!(admit(&gate, "right").is_ok());
}

#[test]
fn no_credential_at_all_is_a_failure_too() {
    let gate = gate(store_that_finds(0, None));
    let gate = gate.with_failures(FailedAttempts::per_minute(NonZeroU32::new(1).unwrap()));
    assert!(matches!(block_on(gate.admit(None, Some(CLIENT))), Err(Error::Unauthenticated)));
    assert!(matches!(block_on(gate.admit(None, Some(CLIENT))), Err(Error::HeldBack { .. })));
}

/// A gate that bears one failure a minute, after that one. Its store expects to be asked so often.
fn gate_that_holds_back(reads: usize) -> (Gate, Arc<HandSetClock>) {
    let (gate, time) = gate_at(store_that_finds(reads, Some(credential())));
    let gate = gate.with_failures(FailedAttempts::per_minute(NonZeroU32::new(1).unwrap()));
    assert!(matches!(admit(&gate, "wrong"), Err(Error::Unauthenticated)));
    assert!(matches!(admit(&gate, "right"), Err(Error::HeldBack { .. })));
    (gate, time)
}

#[test]
fn an_address_is_held_back_no_longer_though_the_time_of_day_is_set_back_a_day() {
    let (gate, time) = gate_that_holds_back(2);
    time.set(-DAY);
    time.pass(60);
    assert!(admit(&gate, "right").is_ok());
}

#[test]
fn an_address_is_held_back_no_shorter_though_the_time_of_day_is_set_forth_a_day() {
    let (gate, time) = gate_that_holds_back(1);
    time.set(DAY);
    time.pass(59);
    assert!(matches!(admit(&gate, "right"), Err(Error::HeldBack { .. })));
}

/// The reason that is counted where a gate finds this credential and the secret is presented.
fn counted(found: Option<Credential>, secret: &str) -> AuthenticationFailure {
    let (sender, counted) = std::sync::mpsc::channel();
    let sender = std::sync::Mutex::new(sender);
    let mut meter = MockAuthenticationMeter::new();
    meter.expect_failed().times(1).returning(move |reason| sender.lock().unwrap().send(reason).unwrap());
    let (gate, time) = gate_at(store_that_finds(1, found));
    let gate = gate.metered_by(Arc::new(meter));
    time.set(200);
    assert!(matches!(authenticate(&gate, secret), Err(Error::Unauthenticated)));
    counted.recv().unwrap()
}

#[test]
fn a_failed_authentication_is_counted_by_its_reason() {
    let revoked = Credential { revoked_at: Some(at(1)), ..credential() };
    let rotated = Credential { previous: Some((digest("old"), at(100))), ..credential() };
    assert_eq!(counted(None, "right"), AuthenticationFailure::UnknownCredential);
    assert_eq!(counted(Some(credential()), "wrong"), AuthenticationFailure::WrongSecret);
    assert_eq!(counted(Some(revoked), "right"), AuthenticationFailure::Revoked);
    assert_eq!(counted(Some(rotated), "old"), AuthenticationFailure::ExpiredSecret);
}

#[test]
fn a_request_without_a_credential_and_one_from_a_throttled_address_are_counted_as_such() {
    let mut meter = MockAuthenticationMeter::new();
    let mut order = mockall::Sequence::new();
    for reason in [AuthenticationFailure::Missing, AuthenticationFailure::AddressThrottled] {
        let is_it = mockall::predicate::eq(reason);
        meter.expect_failed().with(is_it).times(1).in_sequence(&mut order).return_const(());
    }
    let failures = FailedAttempts::per_minute(NonZeroU32::MIN);
    let gate = gate(store_that_finds(0, None));
    let gate = gate.with_failures(failures).metered_by(Arc::new(meter));
    let from = Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
    assert!(matches!(block_on(gate.admit(None, from)), Err(Error::Unauthenticated)));
    assert!(matches!(block_on(gate.admit(None, from)), Err(Error::HeldBack { .. })));
}
