//! Contract of credential stores.

use parlance_domain::{
    access::{ApiId, Credential, CredentialName, Permissions, SecretDigest, TenantId},
    time::Timestamp,
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, credential, digest, from_micros, globex},
    stores::TestStores,
};

contract![
    an_inserted_credential_is_read_back_unchanged,
    a_credential_that_was_never_inserted_is_not_found,
    names_are_read_back_byte_for_byte,
    every_set_of_permissions_is_read_back,
    a_list_of_all_is_ordered_by_tenant_and_then_by_age,
    a_list_of_a_tenant_has_only_its_own_credentials,
    a_list_includes_revoked_credentials,
    a_rotation_keeps_the_previous_digest_until_the_given_time,
    a_second_rotation_drops_the_first_digest,
    a_rotation_changes_nothing_else,
    a_revoked_credential_is_not_rotated,
    a_missing_credential_is_not_rotated,
    a_repeated_revocation_keeps_the_time_of_the_first,
    a_revocation_changes_nothing_else,
    a_missing_credential_is_not_revoked,
    rotation_and_revocation_affect_one_tenant_only,
    rotation_and_revocation_affect_one_credential_only,
];

/// All fields of a credential, in a form that can be compared and printed.
type CredentialFields =
    (String, String, Permissions, [u8; 32], Option<([u8; 32], Timestamp)>, Timestamp, Option<Timestamp>);

fn fields(credential: &Credential) -> CredentialFields {
    (
        credential.id.to_string(),
        credential.name.as_str().to_owned(),
        credential.permissions,
        *credential.digest.as_bytes(),
        credential.previous.as_ref().map(|(digest, until)| (*digest.as_bytes(), *until)),
        credential.created_at,
        credential.revoked_at,
    )
}

async fn insert(stores: &TestStores, credential: Credential) -> Credential {
    stores.credentials.insert(&credential).await.unwrap();
    credential
}

async fn find(stores: &TestStores, id: &ApiId) -> Option<CredentialFields> {
    stores.credentials.find(id).await.unwrap().as_ref().map(fields)
}

async fn list(stores: &TestStores, tenant: Option<&TenantId>) -> Vec<String> {
    stores.credentials.list(tenant).await.unwrap().iter().map(|credential| credential.id.to_string()).collect()
}

async fn rotate(stores: &TestStores, id: &ApiId, digest: &SecretDigest, until: i64) -> bool {
    stores.credentials.rotate(id, digest, from_micros(until), from_micros(9)).await.unwrap()
}

async fn revoke(stores: &TestStores, id: &ApiId, micros: i64) -> bool {
    stores.credentials.revoke(id, from_micros(micros)).await.unwrap()
}

async fn an_inserted_credential_is_read_back_unchanged(stores: TestStores) {
    let fresh = insert(&stores, credential(acme(), 1)).await;
    let rotated = Credential { previous: Some((digest(240), from_micros(-7))), ..credential(acme(), 2) };
    let rotated = insert(&stores, rotated).await;
    let revoked = Credential { revoked_at: Some(from_micros(9)), created_at: from_micros(-1), ..credential(acme(), 3) };
    let revoked = insert(&stores, revoked).await;
    for expected in [fresh, rotated, revoked] {
        assert_eq!(find(&stores, &expected.id).await, Some(fields(&expected)));
    }
}

async fn a_credential_that_was_never_inserted_is_not_found(stores: TestStores) {
    insert(&stores, credential(acme(), 1)).await;
    assert_eq!(find(&stores, &ApiId::new(acme(), 2)).await, None);
    assert_eq!(find(&stores, &ApiId::new(globex(), 1)).await, None);
}

async fn names_are_read_back_byte_for_byte(stores: TestStores) {
    let longest = "🦀".repeat(128);
    for (number, name) in (1..).zip(AWKWARD_TEXTS.into_iter().chain([longest.as_str()])) {
        let name = CredentialName::parse(name).unwrap();
        let expected = insert(&stores, Credential { name, ..credential(acme(), number) }).await;
        assert_eq!(find(&stores, &expected.id).await, Some(fields(&expected)));
    }
}

async fn every_set_of_permissions_is_read_back(stores: TestStores) {
    let single_permissions = Permissions::all().iter().map(|permission| [permission].into_iter().collect());
    for (number, permissions) in (1..).zip(single_permissions.chain([Permissions::all(), Permissions::default()])) {
        let expected = insert(&stores, Credential { permissions, ..credential(acme(), number) }).await;
        assert_eq!(find(&stores, &expected.id).await, Some(fields(&expected)));
    }
}

async fn a_list_of_all_is_ordered_by_tenant_and_then_by_age(stores: TestStores) {
    let tenant = |name| TenantId::parse(name).unwrap();
    let issued =
        [("globex", 1, 10), ("acme", 2, 30), ("acme", 3, -20), ("Zeta", 4, 50), ("acme-2", 5, 0), ("acme", 6, 25)];
    for (name, number, micros) in issued {
        insert(&stores, Credential { created_at: from_micros(micros), ..credential(tenant(name), number) }).await;
    }
    // Capital letters come first, as in the order of `TenantId`.
    let expected = [("Zeta", 4), ("acme", 3), ("acme", 6), ("acme", 2), ("acme-2", 5), ("globex", 1)]
        .map(|(name, number)| ApiId::new(tenant(name), number).to_string());
    assert_eq!(list(&stores, None).await, expected);
}

async fn a_list_of_a_tenant_has_only_its_own_credentials(stores: TestStores) {
    let own = insert(&stores, credential(acme(), 1)).await;
    let others = insert(&stores, credential(globex(), 1)).await;
    assert_eq!(list(&stores, Some(&acme())).await, [own.id.to_string()]);
    assert_eq!(list(&stores, Some(&globex())).await, [others.id.to_string()]);
    assert!(list(&stores, Some(&TenantId::parse("acm").unwrap())).await.is_empty());
}

async fn a_list_includes_revoked_credentials(stores: TestStores) {
    let revoked = insert(&stores, credential(acme(), 1)).await;
    assert!(revoke(&stores, &revoked.id, 9).await);
    assert_eq!(list(&stores, Some(&acme())).await, [revoked.id.to_string()]);
    assert_eq!(list(&stores, None).await, [revoked.id.to_string()]);
}

async fn a_rotation_keeps_the_previous_digest_until_the_given_time(stores: TestStores) {
    let before = insert(&stores, credential(acme(), 1)).await;
    assert!(rotate(&stores, &before.id, &digest(200), 77).await);
    let after = Credential { digest: digest(200), previous: Some((before.digest, from_micros(77))), ..before };
    assert_eq!(find(&stores, &after.id).await, Some(fields(&after)));
}

async fn a_second_rotation_drops_the_first_digest(stores: TestStores) {
    let before = insert(&stores, credential(acme(), 1)).await;
    assert!(rotate(&stores, &before.id, &digest(100), 77).await);
    assert!(rotate(&stores, &before.id, &digest(200), 55).await);
    let after = Credential { digest: digest(200), previous: Some((digest(100), from_micros(55))), ..before };
    assert_eq!(find(&stores, &after.id).await, Some(fields(&after)));
}

async fn a_rotation_changes_nothing_else(stores: TestStores) {
    let before = insert(&stores, credential(acme(), 1)).await;
    assert!(rotate(&stores, &before.id, &digest(200), 77).await);
    let after = stores.credentials.find(&before.id).await.unwrap().unwrap();
    assert_eq!(fields(&Credential { digest: before.digest.clone(), previous: None, ..after }), fields(&before));
}

async fn a_revoked_credential_is_not_rotated(stores: TestStores) {
    let revoked = insert(&stores, Credential { revoked_at: Some(from_micros(9)), ..credential(acme(), 1) }).await;
    assert!(!rotate(&stores, &revoked.id, &digest(200), 77).await);
    assert_eq!(find(&stores, &revoked.id).await, Some(fields(&revoked)));
}

async fn a_missing_credential_is_not_rotated(stores: TestStores) {
    let missing = ApiId::new(acme(), 1);
    assert!(!rotate(&stores, &missing, &digest(200), 77).await);
    assert_eq!(find(&stores, &missing).await, None);
}

async fn a_repeated_revocation_keeps_the_time_of_the_first(stores: TestStores) {
    let revoked = insert(&stores, credential(acme(), 1)).await;
    for micros in [9, 5, 11] {
        assert!(revoke(&stores, &revoked.id, micros).await);
        let found = stores.credentials.find(&revoked.id).await.unwrap().unwrap();
        assert_eq!(found.revoked_at, Some(from_micros(9)));
    }
}

async fn a_revocation_changes_nothing_else(stores: TestStores) {
    let before = Credential { previous: Some((digest(240), from_micros(50))), ..credential(acme(), 1) };
    let before = insert(&stores, before).await;
    assert!(revoke(&stores, &before.id, 9).await);
    let after = Credential { revoked_at: Some(from_micros(9)), ..before };
    assert_eq!(find(&stores, &after.id).await, Some(fields(&after)));
}

async fn a_missing_credential_is_not_revoked(stores: TestStores) {
    let missing = ApiId::new(acme(), 1);
    assert!(!revoke(&stores, &missing, 9).await);
    assert_eq!(find(&stores, &missing).await, None);
}

async fn rotation_and_revocation_affect_one_tenant_only(stores: TestStores) {
    let own = insert(&stores, credential(acme(), 1)).await;
    assert!(!rotate(&stores, &ApiId::new(globex(), 1), &digest(200), 77).await);
    assert!(!revoke(&stores, &ApiId::new(globex(), 1), 9).await);
    let others = insert(&stores, credential(globex(), 1)).await;
    assert!(rotate(&stores, &others.id, &digest(200), 77).await);
    assert!(revoke(&stores, &others.id, 9).await);
    assert_eq!(find(&stores, &own.id).await, Some(fields(&own)));
}

async fn rotation_and_revocation_affect_one_credential_only(stores: TestStores) {
    let touched = insert(&stores, credential(acme(), 1)).await;
    let other = insert(&stores, credential(acme(), 2)).await;
    assert!(rotate(&stores, &touched.id, &digest(200), 77).await);
    assert!(revoke(&stores, &touched.id, 9).await);
    assert_eq!(find(&stores, &other.id).await, Some(fields(&other)));
}
