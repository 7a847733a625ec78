//! What every store owes the signatures of heads: they are written with the change, and nothing unsigned becomes signed.

use std::sync::Arc;

use parlance::keys::{MasterKey, Purpose};
use parlance_domain::{
    audit::{Finding, HeadFault, HeadSignature, Scope, Signed, UnsignedHeads},
    error::StoreErrorKind,
    ports::Signer,
    redaction::{Activity, Commit, Entity, Switch, SwitchId, SwitchRecord, SwitchedBy},
};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, credential, digest, globex},
    stores::Stores,
};

/// The key number so and so.
fn key(number: u8) -> Arc<dyn Signer> {
    Arc::new(MasterKey::from_bytes([number; 32]).signer(Purpose::AuditHeads).unwrap())
}

/// Cases that take stores which sign with the first key.
macro_rules! signing_contract {
    ($($case:ident),+ $(,)?) => {
        mod memory {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    super::$case(super::Stores::in_memory_signing(super::key(1))).await;
                }
            )+
        }

        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let database = super::TestDatabase::sqlite();
                    let signing = database.migrated().await.signing_with(super::key(1));
                    super::$case(super::Stores::in_sql(&signing)).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(database) = super::TestDatabase::postgres() else { return };
                    let signing = database.migrated().await.signing_with(super::key(1));
                    super::$case(super::Stores::in_sql(&signing)).await;
                }
            )+
        }
    };
}

signing_contract![
    every_change_is_signed_with_its_record,
    another_key_is_named,
    a_signature_is_kept_for_the_head_it_is_of_only,
];

async fn findings(stores: &Stores, key: Arc<dyn Signer>) -> Vec<Finding> {
    stores.audit(Some(key)).verify(&Scope::default()).await.unwrap().into_iter().flat_map(|all| all.findings).collect()
}

async fn every_change_is_signed_with_its_record(stores: Stores) {
    let id = credential(acme(), 1).id;
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    assert_eq!(findings(&stores, key(1)).await, []);
    assert!(stores.credentials.rotate(&id, &digest(7), at(50), at(40)).await.unwrap());
    assert_eq!(findings(&stores, key(1)).await, []);
    assert!(stores.credentials.revoke(&id, at(60)).await.unwrap());
    assert_eq!(findings(&stores, key(1)).await, []);
    let (entity, from, to) = (Entity::EMAIL, Activity::Off, Activity::On);
    let record = SwitchRecord { id: SwitchId::from_bits(1), at: at(5), by: SwitchedBy::Embedder, entity, from, to };
    let thrown = stores.redaction.set(&acme(), &Switch { presumes: None, record }).await.unwrap();
    assert_eq!((thrown, findings(&stores, key(1)).await), (Commit::Committed, vec![]));
}

async fn another_key_is_named(stores: Stores) {
    stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
    stores.credentials.insert(&credential(globex(), 1)).await.unwrap();
    assert_eq!(stores.audit.keys().await.unwrap(), [key(1).fingerprint()]);
    let fault = HeadFault::OtherKey(key(1).fingerprint());
    assert_eq!(findings(&stores, key(2)).await, [Finding::Head(fault), Finding::Head(fault)]);
    let without = stores.audit(None).verify(&Scope::default()).await.unwrap();
    assert!(without.iter().all(|found| found.is_intact() && found.signed == Signed::Unchecked(key(1).fingerprint())));
}

async fn a_signature_is_kept_for_the_head_it_is_of_only(stores: Stores) {
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
        a_chain_from_before_signatures_is_intact_and_is_signed,
        changes_from_before_the_log_are_recorded_once_and_later_ones_are_not,
        a_signed_chain_does_not_go_on_without_its_key,
        a_signature_that_is_stripped_wrong_or_of_another_head_is_found,
        a_forged_head_is_not_signed_by_the_next_record,
        a_chain_that_is_written_anew_is_found,
    ];

    /// Rows that a version without signatures wrote.
    const BEFORE: &str = include_str!("audit_log_before_signing.sql");

    async fn run(home: &TestDatabase, sql: &str) {
        let sql = if home.url().starts_with("postgres") { sql.replace(" x'", r" E'\\x") } else { sql.to_owned() };
        home.open().await.execute_unprepared(&sql).await.unwrap();
    }

    async fn signing(home: &TestDatabase) -> Stores {
        Stores::in_sql(&home.migrated().await.signing_with(key(1)))
    }

    async fn a_chain_from_before_signatures_is_intact_and_is_signed(home: &TestDatabase) {
        let stores = signing(home).await;
        run(home, BEFORE).await;
        let found = stores.audit(None).verify(&Scope::default()).await.unwrap();
        let told: Vec<_> =
            found.iter().map(|found| (found.head.sequence, found.findings.len(), found.signed)).collect();
        assert_eq!(told, [(8, 0, Signed::Unsigned), (1, 0, Signed::Unsigned)]);
        assert_eq!(findings(&stores, key(1)).await, vec![Finding::Head(HeadFault::Unsigned); 2]);
        let audit = stores.audit(Some(key(1)));
        let UnsignedHeads::Verified(heads) = audit.unsigned_heads().await.unwrap() else { panic!("it is intact") };
        assert_eq!(audit.sign(&heads).await.unwrap(), 2);
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        assert_eq!(findings(&stores, key(1)).await, []);
    }

    async fn changes_from_before_the_log_are_recorded_once_and_later_ones_are_not(home: &TestDatabase) {
        let stores = Stores::in_sql(&home.migrated().await);
        run(home, BEFORE).await;
        let begun = "DELETE FROM audit_records; DELETE FROM audit_heads;
            UPDATE seaql_migrations SET applied_at = 1795560000 WHERE version = 'm0008_audit';
            DELETE FROM seaql_migrations WHERE version LIKE 'm0017%'";
        let forged = "INSERT INTO credentials (tenant_id, api_id, name, permissions, secret_digest, created_at)
            SELECT tenant_id, 'globex.00000000000000000000000009', name, permissions, secret_digest, 1795600000000000
            FROM credentials WHERE tenant_id = 'globex'";
        run(home, &format!("{begun}; {forged}")).await;
        home.open().await.migrate().await.unwrap();
        let found = stores.audit(None).verify(&Scope::default()).await.unwrap();
        let findings: Vec<_> = found.iter().flat_map(|found| &found.findings).map(ToString::to_string).collect();
        let expected = "credential globex.00000000000000000000000009: no record says that it was issued";
        assert_eq!(findings, [expected]);
        let first = stores.audit.records(&acme(), 0, 1).await.unwrap().remove(0);
        assert_eq!((first.entry.action.as_str(), found[0].head.sequence), ("audit.begun_late", 9));
    }

    async fn a_signed_chain_does_not_go_on_without_its_key(home: &TestDatabase) {
        let stores = signing(home).await;
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        let without = Stores::in_sql(&home.open().await);
        let refused = without.credentials.insert(&credential(acme(), 2)).await.unwrap_err();
        assert_eq!(refused.kind(), StoreErrorKind::Unexpected);
        assert_eq!(without.credentials.list(None).await.unwrap().len(), 1);
        assert_eq!(findings(&stores, key(1)).await, []);
    }

    async fn a_signature_that_is_stripped_wrong_or_of_another_head_is_found(home: &TestDatabase) {
        let stores = signing(home).await;
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        stores.credentials.insert(&credential(globex(), 1)).await.unwrap();
        let other = "(SELECT signature FROM audit_heads WHERE tenant_id = 'globex')";
        run(home, &format!("UPDATE audit_heads SET signature = {other} WHERE tenant_id = 'acme'")).await;
        assert_eq!(findings(&stores, key(1)).await, [Finding::Head(HeadFault::WrongSignature)]);
        run(home, "UPDATE audit_heads SET signature = NULL, signed_by = NULL WHERE tenant_id = 'acme'").await;
        assert_eq!(findings(&stores, key(1)).await, [Finding::Head(HeadFault::Unsigned)]);
    }

    async fn a_forged_head_is_not_signed_by_the_next_record(home: &TestDatabase) {
        let stores = signing(home).await;
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        run(home, "UPDATE audit_heads SET signature = NULL, signed_by = NULL").await;
        stores.credentials.insert(&credential(acme(), 2)).await.unwrap();
        assert_eq!(findings(&stores, key(1)).await, [Finding::Head(HeadFault::Unsigned)]);
    }

    async fn a_chain_that_is_written_anew_is_found(home: &TestDatabase) {
        let stores = signing(home).await;
        stores.credentials.insert(&credential(acme(), 1)).await.unwrap();
        run(home, "DELETE FROM audit_records; DELETE FROM audit_heads; DELETE FROM credentials").await;
        let forger = Stores::in_sql(&home.open().await);
        forger.credentials.insert(&credential(acme(), 2)).await.unwrap();
        assert_eq!(findings(&stores, key(1)).await, [Finding::Head(HeadFault::Unsigned)]);
    }
}
