//! What every store of credentials does.

use parlance_domain::{
    access::{ApiId, Credential, CredentialName, Permissions, SecretDigest, TenantId},
    time::Timestamp,
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, at, credential, digest, globex},
    stores::Stores,
};

contract![
    an_inserted_credential_comes_back_as_it_was,
    what_was_never_inserted_is_not_found,
    names_come_back_byte_for_byte,
    every_set_of_permissions_comes_back,
    a_list_of_all_goes_by_tenant_and_then_by_age,
    a_list_of_a_tenant_holds_its_own_only,
    a_list_holds_revoked_credentials_too,
    a_rotation_keeps_the_digest_that_was_until_the_given_time,
    a_second_rotation_forgets_the_first_digest,
    a_rotation_changes_nothing_else,
    a_revoked_credential_is_not_rotated,
    a_missing_credential_is_not_rotated,
    a_revocation_keeps_the_time_of_the_first,
    a_revocation_changes_nothing_else,
    a_missing_credential_is_not_revoked,
    rotation_and_revocation_stay_in_their_tenant,
    rotation_and_revocation_touch_one_credential_only,
];

/// All that a credential is, in a form that can be compared and shown.
type Parts = (String, String, Permissions, [u8; 32], Option<([u8; 32], Timestamp)>, Timestamp, Option<Timestamp>);

fn parts(credential: &Credential) -> Parts {
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

async fn inserted(stores: &Stores, credential: Credential) -> Credential {
    stores.credentials.insert(&credential).await.unwrap();
    credential
}

async fn find(stores: &Stores, id: &ApiId) -> Option<Parts> {
    stores.credentials.find(id).await.unwrap().as_ref().map(parts)
}

async fn list(stores: &Stores, tenant: Option<&TenantId>) -> Vec<String> {
    stores.credentials.list(tenant).await.unwrap().iter().map(|credential| credential.id.to_string()).collect()
}

async fn rotate(stores: &Stores, id: &ApiId, digest: &SecretDigest, until: i64) -> bool {
    stores.credentials.rotate(id, digest, at(until), at(9)).await.unwrap()
}

async fn revoke(stores: &Stores, id: &ApiId, micros: i64) -> bool {
    stores.credentials.revoke(id, at(micros)).await.unwrap()
}

async fn an_inserted_credential_comes_back_as_it_was(stores: Stores) {
    let fresh = inserted(&stores, credential(acme(), 1)).await;
    let rotated = Credential { previous: Some((digest(240), at(-7))), ..credential(acme(), 2) };
    let rotated = inserted(&stores, rotated).await;
    let revoked = Credential { revoked_at: Some(at(9)), created_at: at(-1), ..credential(acme(), 3) };
    let revoked = inserted(&stores, revoked).await;
    for kept in [fresh, rotated, revoked] {
        assert_eq!(find(&stores, &kept.id).await, Some(parts(&kept)));
    }
}

async fn what_was_never_inserted_is_not_found(stores: Stores) {
    inserted(&stores, credential(acme(), 1)).await;
    assert_eq!(find(&stores, &ApiId::new(acme(), 2)).await, None);
    assert_eq!(find(&stores, &ApiId::new(globex(), 1)).await, None);
}

async fn names_come_back_byte_for_byte(stores: Stores) {
    let longest = "🦀".repeat(128);
    for (number, name) in (1..).zip(AWKWARD_TEXTS.into_iter().chain([longest.as_str()])) {
        let name = CredentialName::parse(name).unwrap();
        let named = inserted(&stores, Credential { name, ..credential(acme(), number) }).await;
        assert_eq!(find(&stores, &named.id).await, Some(parts(&named)));
    }
}

async fn every_set_of_permissions_comes_back(stores: Stores) {
    let each = Permissions::all().iter().map(|one| [one].into_iter().collect());
    for (number, permissions) in (1..).zip(each.chain([Permissions::all(), Permissions::default()])) {
        let kept = inserted(&stores, Credential { permissions, ..credential(acme(), number) }).await;
        assert_eq!(find(&stores, &kept.id).await, Some(parts(&kept)));
    }
}

async fn a_list_of_all_goes_by_tenant_and_then_by_age(stores: Stores) {
    let tenant = |name| TenantId::parse(name).unwrap();
    let issued =
        [("globex", 1, 10), ("acme", 2, 30), ("acme", 3, -20), ("Zeta", 4, 50), ("acme-2", 5, 0), ("acme", 6, 25)];
    for (name, number, micros) in issued {
        inserted(&stores, Credential { created_at: at(micros), ..credential(tenant(name), number) }).await;
    }
    // Capital letters come first, as they do in the order of the type.
    let expected = [("Zeta", 4), ("acme", 3), ("acme", 6), ("acme", 2), ("acme-2", 5), ("globex", 1)]
        .map(|(name, number)| ApiId::new(tenant(name), number).to_string());
    assert_eq!(list(&stores, None).await, expected);
}

async fn a_list_of_a_tenant_holds_its_own_only(stores: Stores) {
    let own = inserted(&stores, credential(acme(), 1)).await;
    let others = inserted(&stores, credential(globex(), 1)).await;
    assert_eq!(list(&stores, Some(&acme())).await, [own.id.to_string()]);
    assert_eq!(list(&stores, Some(&globex())).await, [others.id.to_string()]);
    assert!(list(&stores, Some(&TenantId::parse("acm").unwrap())).await.is_empty());
}

async fn a_list_holds_revoked_credentials_too(stores: Stores) {
    let revoked = inserted(&stores, credential(acme(), 1)).await;
    assert!(revoke(&stores, &revoked.id, 9).await);
    assert_eq!(list(&stores, Some(&acme())).await, [revoked.id.to_string()]);
    assert_eq!(list(&stores, None).await, [revoked.id.to_string()]);
}

async fn a_rotation_keeps_the_digest_that_was_until_the_given_time(stores: Stores) {
    let before = inserted(&stores, credential(acme(), 1)).await;
    assert!(rotate(&stores, &before.id, &digest(200), 77).await);
    let after = Credential { digest: digest(200), previous: Some((before.digest, at(77))), ..before };
    assert_eq!(find(&stores, &after.id).await, Some(parts(&after)));
}

async fn a_second_rotation_forgets_the_first_digest(stores: Stores) {
    let before = inserted(&stores, credential(acme(), 1)).await;
    assert!(rotate(&stores, &before.id, &digest(100), 77).await);
    assert!(rotate(&stores, &before.id, &digest(200), 55).await);
    let after = Credential { digest: digest(200), previous: Some((digest(100), at(55))), ..before };
    assert_eq!(find(&stores, &after.id).await, Some(parts(&after)));
}

async fn a_rotation_changes_nothing_else(stores: Stores) {
    let before = inserted(&stores, credential(acme(), 1)).await;
    assert!(rotate(&stores, &before.id, &digest(200), 77).await);
    let after = stores.credentials.find(&before.id).await.unwrap().unwrap();
    assert_eq!(parts(&Credential { digest: before.digest.clone(), previous: None, ..after }), parts(&before));
}

async fn a_revoked_credential_is_not_rotated(stores: Stores) {
    let revoked = inserted(&stores, Credential { revoked_at: Some(at(9)), ..credential(acme(), 1) }).await;
    assert!(!rotate(&stores, &revoked.id, &digest(200), 77).await);
    assert_eq!(find(&stores, &revoked.id).await, Some(parts(&revoked)));
}

async fn a_missing_credential_is_not_rotated(stores: Stores) {
    let missing = ApiId::new(acme(), 1);
    assert!(!rotate(&stores, &missing, &digest(200), 77).await);
    assert_eq!(find(&stores, &missing).await, None);
}

async fn a_revocation_keeps_the_time_of_the_first(stores: Stores) {
    let kept = inserted(&stores, credential(acme(), 1)).await;
    for micros in [9, 5, 11] {
        assert!(revoke(&stores, &kept.id, micros).await);
        let found = stores.credentials.find(&kept.id).await.unwrap().unwrap();
        assert_eq!(found.revoked_at, Some(at(9)));
    }
}

async fn a_revocation_changes_nothing_else(stores: Stores) {
    let before = Credential { previous: Some((digest(240), at(50))), ..credential(acme(), 1) };
    let before = inserted(&stores, before).await;
    assert!(revoke(&stores, &before.id, 9).await);
    let after = Credential { revoked_at: Some(at(9)), ..before };
    assert_eq!(find(&stores, &after.id).await, Some(parts(&after)));
}

async fn a_missing_credential_is_not_revoked(stores: Stores) {
    let missing = ApiId::new(acme(), 1);
    assert!(!revoke(&stores, &missing, 9).await);
    assert_eq!(find(&stores, &missing).await, None);
}

async fn rotation_and_revocation_stay_in_their_tenant(stores: Stores) {
    let own = inserted(&stores, credential(acme(), 1)).await;
    assert!(!rotate(&stores, &ApiId::new(globex(), 1), &digest(200), 77).await);
    assert!(!revoke(&stores, &ApiId::new(globex(), 1), 9).await);
    let others = inserted(&stores, credential(globex(), 1)).await;
    assert!(rotate(&stores, &others.id, &digest(200), 77).await);
    assert!(revoke(&stores, &others.id, 9).await);
    assert_eq!(find(&stores, &own.id).await, Some(parts(&own)));
}

async fn rotation_and_revocation_touch_one_credential_only(stores: Stores) {
    let touched = inserted(&stores, credential(acme(), 1)).await;
    let other = inserted(&stores, credential(acme(), 2)).await;
    assert!(rotate(&stores, &touched.id, &digest(200), 77).await);
    assert!(revoke(&stores, &touched.id, 9).await);
    assert_eq!(find(&stores, &other.id).await, Some(parts(&other)));
}
