//! Contract of signed heads: a store signs the head with each change, and a change never signs a head that follows an
//! unsigned head.

use std::sync::Arc;

use parlance::keys::{KeyPurpose, MasterKey};
use parlance_domain::{
    audit::{Finding, HeadFault, HeadSignature, SignatureCheck, UnsignedHeads, VerificationScope},
    error::StoreErrorKind,
    ports::Signer,
    redaction::CommitOutcome,
};
use support::{
    database::TestDatabase,
    fixtures::{acme, credential, digest, email_switch, from_micros, globex},
    stores::TestStores,
};

/// The signing key with this number.
fn key(number: u8) -> Arc<dyn Signer> {
    Arc::new(MasterKey::from_bytes([number; 32]).signer(KeyPurpose::AuditHeads).unwrap())
}

/// Defines the tests of signed heads. Each case takes stores that sign with the first key.
macro_rules! signing_contract {
    ($($case:ident),+ $(,)?) => {
        mod memory {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::TestStores::in_memory_signing(super::key(1))).await;
                }
            )+
        }

        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let database = super::TestDatabase::sqlite();
                    let signing = database.open_migrated().await.with_signer(super::key(1));
                    super::$case(super::TestStores::in_sql(&signing)).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(database) = super::TestDatabase::postgres() else { return };
                    let signing = database.open_migrated().await.with_signer(super::key(1));
                    super::$case(super::TestStores::in_sql(&signing)).await;
                }
            )+
        }
    };
}

signing_contract![
    every_change_is_signed_with_its_record,
    a_head_signed_by_another_key_is_reported_with_that_key,
    a_signature_is_stored_only_for_its_own_head,
];

async fn findings(stores: &TestStores, key: Arc<dyn Signer>) -> Vec<Finding> {
    stores
        .audit_service(Some(key))
        .verify(&VerificationScope::default())
        .await
        .unwrap()
        .into_iter()
        .flat_map(|all| all.findings)
        .collect()
}

async fn every_change_is_signed_with_its_record(stores: TestStores) {
    let id = credential(acme(), 1).id;
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    assert_eq!(findings(&stores, key(1)).await, []);
    assert!(stores.credentials.rotate(&id, &digest(7), from_micros(50), from_micros(40)).await.unwrap());
    assert_eq!(findings(&stores, key(1)).await, []);
    assert!(stores.credentials.revoke(&id, from_micros(60)).await.unwrap());
    assert_eq!(findings(&stores, key(1)).await, []);
    let outcome = stores.redaction.set(&acme(), &email_switch()).await.unwrap();
    assert_eq!((outcome, findings(&stores, key(1)).await), (CommitOutcome::Committed, vec![]));
}

async fn a_head_signed_by_another_key_is_reported_with_that_key(stores: TestStores) {
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    stores.credentials.insert(&credential(globex(), 1)).await.unwrap();
    assert_eq!(stores.audit.keys().await.unwrap(), [key(1).fingerprint()]);
    let fault = HeadFault::KeyMismatch(key(1).fingerprint());
    assert_eq!(findings(&stores, key(2)).await, [Finding::Head(fault), Finding::Head(fault)]);
    let verifications = stores.audit_service(None).verify(&VerificationScope::default()).await.unwrap();
    assert!(verifications.iter().all(|verification| verification.is_intact()
        && verification.signature_check == SignatureCheck::Unchecked(key(1).fingerprint())));
}

async fn a_signature_is_stored_only_for_its_own_head(stores: TestStores) {
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    let first = stores.audit.head(&acme()).await.unwrap().unwrap().head;
    stores.credentials.insert(&credential(acme(), 2)).await.unwrap();
    let second = stores.audit.head(&acme()).await.unwrap().unwrap().head;
    let signature = |head| HeadSignature::new(&acme(), head, &*key(2));
    assert!(!stores.audit.sign(&acme(), &first, &signature(&first)).await.unwrap());
    assert!(!stores.audit.sign(&globex(), &second, &signature(&second)).await.unwrap());
    assert_eq!(findings(&stores, key(1)).await, []);
    assert!(stores.audit.sign(&acme(), &second, &signature(&second)).await.unwrap());
    assert_eq!(findings(&stores, key(2)).await, []);
}

mod in_sql {
    use super::*;

    sql_contract![
        a_chain_from_before_signatures_is_intact_and_can_be_signed,
        a_signed_chain_is_not_continued_without_its_key,
        a_missing_signature_and_a_signature_of_another_head_are_found,
        a_forged_head_is_not_signed_by_the_next_record,
        a_rewritten_chain_is_found,
    ];

    /// Rows that a version without signatures wrote.
    const UNSIGNED_LOG: &str = include_str!("audit_log_before_signing.sql");

    async fn signing_stores(test_db: &TestDatabase) -> TestStores {
        TestStores::in_sql(&test_db.open_migrated().await.with_signer(key(1)))
    }

    async fn a_chain_from_before_signatures_is_intact_and_can_be_signed(test_db: &TestDatabase) {
        let stores = signing_stores(test_db).await;
        test_db.execute(UNSIGNED_LOG).await;
        let verifications = stores.audit_service(None).verify(&VerificationScope::default()).await.unwrap();
        let summaries: Vec<_> = verifications
            .iter()
            .map(|verification| (verification.head.sequence, verification.findings.len(), verification.signature_check))
            .collect();
        assert_eq!(summaries, [(8, 0, SignatureCheck::Unsigned), (1, 0, SignatureCheck::Unsigned)]);
        assert_eq!(findings(&stores, key(1)).await, vec![Finding::Head(HeadFault::Unsigned); 2]);
        let audit = stores.audit_service(Some(key(1)));
        let UnsignedHeads::Verified(heads) = audit.unsigned_heads().await.unwrap() else {
            panic!("the chain is intact")
        };
        assert_eq!(audit.sign(&heads).await.unwrap(), 2);
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        assert_eq!(findings(&stores, key(1)).await, []);
    }

    async fn a_signed_chain_is_not_continued_without_its_key(test_db: &TestDatabase) {
        let stores = signing_stores(test_db).await;
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        let keyless = TestStores::in_sql(&test_db.open().await);
        let error = keyless.credentials.insert(&credential(acme(), 2)).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unexpected);
        assert_eq!(keyless.credentials.list(None).await.unwrap().len(), 1);
        assert_eq!(findings(&stores, key(1)).await, []);
    }

    async fn a_missing_signature_and_a_signature_of_another_head_are_found(test_db: &TestDatabase) {
        let stores = signing_stores(test_db).await;
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        stores.credentials.insert(&credential(globex(), 1)).await.unwrap();
        let other_signature = "(SELECT signature FROM audit_heads WHERE tenant_id = 'globex')";
        test_db
            .execute(&format!("UPDATE audit_heads SET signature = {other_signature} WHERE tenant_id = 'acme'"))
            .await;
        assert_eq!(findings(&stores, key(1)).await, [Finding::Head(HeadFault::WrongSignature)]);
        test_db.execute("UPDATE audit_heads SET signature = NULL, signed_by = NULL WHERE tenant_id = 'acme'").await;
        assert_eq!(findings(&stores, key(1)).await, [Finding::Head(HeadFault::Unsigned)]);
    }

    async fn a_forged_head_is_not_signed_by_the_next_record(test_db: &TestDatabase) {
        let stores = signing_stores(test_db).await;
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        test_db.execute("UPDATE audit_heads SET signature = NULL, signed_by = NULL").await;
        stores.credentials.insert(&credential(acme(), 2)).await.unwrap();
        assert_eq!(findings(&stores, key(1)).await, [Finding::Head(HeadFault::Unsigned)]);
    }

    async fn a_rewritten_chain_is_found(test_db: &TestDatabase) {
        let stores = signing_stores(test_db).await;
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        test_db.execute("DELETE FROM audit_records; DELETE FROM audit_heads; DELETE FROM credentials").await;
        let forger = TestStores::in_sql(&test_db.open().await);
        forger.credentials.insert(&credential(acme(), 2)).await.unwrap();
        assert_eq!(findings(&stores, key(1)).await, [Finding::Head(HeadFault::Unsigned)]);
    }
}
