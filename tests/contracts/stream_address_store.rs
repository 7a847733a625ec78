//! Contract of stores of streaming addresses.

use std::sync::Arc;

use parlance_domain::{
    access::{ApiId, SecretDigest, TenantId, VerifiedCredential},
    event::{EventType, EventView, PresentedAddress, StreamAddress, StreamId, StreamTarget},
    id::ConversationId,
};
use support::{fixtures::from_micros, stores::TestStores};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    an_address_is_taken_as_it_was_stored,
    an_address_of_a_whole_tenant_is_taken_as_it_was_stored,
    an_address_is_taken_once,
    an_address_that_has_expired_is_not_taken,
    an_address_is_not_taken_with_another_secret,
    an_address_is_not_taken_for_another_tenant,
    looking_for_an_address_leaves_it,
    expired_addresses_of_the_tenant_are_removed_by_an_insert,
    exactly_one_of_racing_clients_takes_an_address,
];

const EXPIRES_AT: i64 = 30;

fn tenant(name: &str) -> TenantId {
    TenantId::parse(name).unwrap()
}

fn target() -> StreamTarget {
    StreamTarget {
        conversation: Some(ConversationId::from_bits(7)),
        resume: Some("1-0-2".to_owned()),
        types: Some([EventType::MessageCreated, EventType::ConversationErased].into_iter().collect()),
        view: EventView::Settled,
    }
}

pub(crate) fn stream_address(id: u128, target: StreamTarget) -> StreamAddress {
    StreamAddress {
        id: StreamId::from_bits(id),
        digest: SecretDigest::new([7; 32]),
        credential: VerifiedCredential { id: ApiId::new(tenant("acme"), 3), digest: SecretDigest::new([5; 32]) },
        target,
        expires_at: from_micros(EXPIRES_AT),
    }
}

pub(crate) fn presented_address(id: u128) -> PresentedAddress {
    let digest = SecretDigest::new([7; 32]);
    PresentedAddress { id: StreamId::from_bits(id), digest }
}

async fn insert(stores: &TestStores, id: u128, at: i64) {
    let address = stream_address(id, target());
    stores.stream_addresses.insert(&tenant("acme"), &address, from_micros(at)).await.unwrap();
}

async fn is_taken(stores: &TestStores, presented: &PresentedAddress, at: i64) -> bool {
    stores.stream_addresses.take(&tenant("acme"), presented, from_micros(at)).await.unwrap().is_some()
}

async fn assert_round_trip(stores: TestStores, target: StreamTarget) {
    let address = stream_address(1, target);
    stores.stream_addresses.insert(&tenant("acme"), &address, from_micros(0)).await.unwrap();
    let taken =
        stores.stream_addresses.take(&tenant("acme"), &presented_address(1), from_micros(1)).await.unwrap().unwrap();
    assert_eq!((taken.id, taken.credential.id), (address.id, address.credential.id));
    assert!(taken.credential.digest.matches(&address.credential.digest));
    assert_eq!((taken.target, taken.expires_at), (address.target, address.expires_at));
    assert!(taken.digest.matches(&address.digest));
}

async fn an_address_is_taken_as_it_was_stored(stores: TestStores) {
    assert_round_trip(stores, target()).await;
}

async fn an_address_of_a_whole_tenant_is_taken_as_it_was_stored(stores: TestStores) {
    assert_round_trip(stores, StreamTarget::default()).await;
}

async fn an_address_is_taken_once(stores: TestStores) {
    insert(&stores, 1, 0).await;
    insert(&stores, 2, 0).await;
    assert!(is_taken(&stores, &presented_address(1), 1).await);
    assert!(!is_taken(&stores, &presented_address(1), 1).await);
    assert!(is_taken(&stores, &presented_address(2), 1).await);
}

async fn an_address_that_has_expired_is_not_taken(stores: TestStores) {
    insert(&stores, 1, 0).await;
    assert!(!is_taken(&stores, &presented_address(1), EXPIRES_AT).await);
    assert!(is_taken(&stores, &presented_address(1), EXPIRES_AT - 1).await);
}

async fn an_address_is_not_taken_with_another_secret(stores: TestStores) {
    insert(&stores, 1, 0).await;
    let wrong = PresentedAddress { digest: SecretDigest::new([8; 32]), ..presented_address(1) };
    assert!(!is_taken(&stores, &wrong, 1).await);
    assert!(is_taken(&stores, &presented_address(1), 1).await);
}

async fn an_address_is_not_taken_for_another_tenant(stores: TestStores) {
    insert(&stores, 1, 0).await;
    let taken = stores.stream_addresses.take(&tenant("globex"), &presented_address(1), from_micros(1)).await.unwrap();
    assert!(taken.is_none());
    assert!(is_taken(&stores, &presented_address(1), 1).await);
}

async fn looking_for_an_address_leaves_it(stores: TestStores) {
    let contains = async |at| {
        let found =
            stores.stream_addresses.find(&tenant("acme"), &presented_address(1), from_micros(at)).await.unwrap();
        found.is_some_and(|address| address.target == target())
    };
    assert!(!contains(1).await);
    insert(&stores, 1, 0).await;
    assert!(contains(1).await && contains(1).await && !contains(EXPIRES_AT).await);
    assert!(is_taken(&stores, &presented_address(1), 1).await);
    assert!(!contains(1).await);
}

async fn expired_addresses_of_the_tenant_are_removed_by_an_insert(stores: TestStores) {
    insert(&stores, 1, 0).await;
    insert(&stores, 2, EXPIRES_AT).await;
    assert!(!is_taken(&stores, &presented_address(1), 0).await);
    assert!(is_taken(&stores, &presented_address(2), 0).await);
}

async fn exactly_one_of_racing_clients_takes_an_address(stores: TestStores) {
    const CLIENTS: usize = 8;
    insert(&stores, 1, 0).await;
    let (barrier, mut clients) = (Arc::new(Barrier::new(CLIENTS)), JoinSet::new());
    for _ in 0..CLIENTS {
        let (stores, barrier) = (stores.clone(), Arc::clone(&barrier));
        clients.spawn(async move {
            barrier.wait().await;
            is_taken(&stores, &presented_address(1), 1).await
        });
    }
    let taken = clients.join_all().await.into_iter().filter(|is_taken| *is_taken).count();
    assert_eq!(taken, 1);
}
