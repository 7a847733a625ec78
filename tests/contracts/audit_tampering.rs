//! Tests that verification finds changes that bypass the service. Each case runs its own SQL on the database.

use parlance_domain::{
    audit::{Verification, VerificationScope},
    redaction::{
        Activity, Approval, Approver, ChangeReference, CommitOutcome, Entity, Switch, SwitchActor, SwitchId,
        SwitchRecord,
    },
};
use support::{
    database::TestDatabase,
    fixtures::{acme, credential, digest, from_micros},
    stores::TestStores,
};

/// Writes eight audit records: four created credentials, a revocation of the second, a rotation of the third, a switch
/// by the embedding service, and a switch by two approvers.
async fn write_records(stores: &TestStores) {
    for number in 1..5 {
        stores.credentials.insert(&credential(acme(), number)).await.unwrap();
    }
    assert!(stores.credentials.revoke(&credential(acme(), 2).id, from_micros(60)).await.unwrap());
    assert!(
        stores
            .credentials
            .rotate(&credential(acme(), 3).id, &digest(7), from_micros(90), from_micros(70))
            .await
            .unwrap()
    );
    let approver = |name| Approver::parse(name).unwrap();
    let reference = ChangeReference::parse("CHG-1").unwrap();
    let approval = Approval::new(reference, approver("Ada"), approver("Grace")).unwrap();
    let switches = [(Entity::EMAIL, SwitchActor::Embedder), (Entity::CVV, SwitchActor::Approvers(approval))];
    for ((entity, actor), number) in switches.into_iter().zip(1..) {
        let from = entity.row().default_active;
        let to = if from == Activity::On { Activity::Off } else { Activity::On };
        let record =
            SwitchRecord { id: SwitchId::from_bits(number), switched_at: from_micros(80), actor, entity, from, to };
        let switch = Switch { expected: None, record };
        assert_eq!(stores.redaction.set(&acme(), &switch).await.unwrap(), CommitOutcome::Committed);
    }
}

/// Runs the statements on a database with an intact chain. Returns the findings of the verification after them.
async fn findings_after(test_db: &TestDatabase, statements: &str) -> Vec<String> {
    let database = test_db.open_migrated().await;
    let stores = TestStores::in_sql(&database);
    write_records(&stores).await;
    assert!(
        stores
            .audit_service(None)
            .verify(&VerificationScope::default())
            .await
            .unwrap()
            .iter()
            .all(Verification::is_intact)
    );
    database.execute_unprepared(statements).await.unwrap();
    let verifications = stores.audit_service(None).verify(&VerificationScope::default()).await.unwrap();
    verifications.iter().flat_map(|verification| verification.findings.iter().map(ToString::to_string)).collect()
}

macro_rules! tampering {
    ($($case:ident: $statements:literal => $found:literal;)+) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let found = super::findings_after(&super::TestDatabase::sqlite(), $statements).await;
                    assert!(found.first().is_some_and(|first| first.ends_with($found)), "{found:?}");
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(test_db) = super::TestDatabase::postgres() else { return };
                    let found = super::findings_after(&test_db, $statements).await;
                    assert!(found.first().is_some_and(|first| first.ends_with($found)), "{found:?}");
                }
            )+
        }
    };
}

tampering! {
    an_altered_record_is_found: "UPDATE audit_records SET details = 'x' WHERE sequence = 2"
        => "record 2: the record was altered";
    a_record_of_another_action_is_found: "UPDATE audit_records SET action = 'nothing.done' WHERE sequence = 2"
        => "record 2: the record was altered";
    a_record_of_another_time_is_found: "UPDATE audit_records SET recorded_at = 1 WHERE sequence = 4"
        => "record 4: the record was altered";
    a_removed_record_is_found: "DELETE FROM audit_records WHERE sequence = 3"
        => "record 3: the record is missing";
    removed_last_records_are_found: "DELETE FROM audit_records WHERE sequence > 2"
        => "record 3: the record is missing";
    records_renumbered_beyond_the_head_are_found: "UPDATE audit_records SET sequence = sequence + 10"
        => "record 1: the record is missing";
    a_row_that_cannot_be_read_is_found: "UPDATE redaction_flags SET label = 'NONSENSE' WHERE label = 'EMAIL'"
        => "breaks a rule of the domain: is not the label of an entity";
    a_removed_chain_is_found: "DELETE FROM audit_records" => "record 1: the record is missing";
    a_record_with_another_previous_hash_is_found: "UPDATE audit_records SET previous = hash WHERE sequence = 2"
        => "record 2: the record does not follow the one before it";
    a_head_that_does_not_match_its_record_is_found: "UPDATE audit_heads SET sequence = 3"
        => "record 3: the last record does not match the head of the chain";
    a_removed_head_is_found: "DELETE FROM audit_heads" => "the head of the chain is missing";
    a_removed_head_beside_an_altered_record_is_found:
        "DELETE FROM audit_heads; UPDATE audit_records SET details = 'x' WHERE sequence = 2"
        => "the head of the chain is missing";
    a_head_that_is_set_back_is_found: "UPDATE audit_heads SET sequence = 7,
            hash = (SELECT hash FROM audit_records WHERE sequence = 7)"
        => "record 8: there are records beyond the head of the chain";
    a_forged_record_beyond_the_head_is_found: "INSERT INTO audit_records
            SELECT tenant_id, 9, recorded_at, action, subject, details, hash, hash FROM audit_records WHERE sequence = 8"
        => "record 9: there are records beyond the head of the chain";
    a_forged_record_before_the_first_is_found: "INSERT INTO audit_records
            SELECT tenant_id, 0, recorded_at, action, subject, details, hash, hash FROM audit_records WHERE sequence = 8"
        => "record 9: there are records beyond the head of the chain";
    a_removed_audit_log_is_found: "DELETE FROM audit_heads; DELETE FROM audit_records"
        => "its creation is not recorded";
    a_forged_credential_is_found: "INSERT INTO credentials (tenant_id, api_id, name, permissions,
            secret_digest, created_at) SELECT tenant_id, 'acme.00000000000000000000000009', name, permissions,
            secret_digest, created_at FROM credentials WHERE api_id LIKE '%1'"
        => "credential acme.00000000000000000000000009: its creation is not recorded";
    changed_permissions_are_found: "UPDATE credentials SET permissions = 'feed:read' WHERE api_id LIKE '%1'"
        => "its permissions, name or creation time differ from the record";
    a_changed_name_is_found: "UPDATE credentials SET name = 'other' WHERE api_id LIKE '%1'"
        => "its permissions, name or creation time differ from the record";
    a_changed_creation_time_is_found: "UPDATE credentials SET created_at = 5 WHERE api_id LIKE '%1'"
        => "its permissions, name or creation time differ from the record";
    a_removed_revocation_is_found: "UPDATE credentials SET revoked_at = NULL"
        => "its revocation differs from the record";
    a_revocation_without_a_record_is_found: "UPDATE credentials SET revoked_at = 5 WHERE api_id LIKE '%1'"
        => "its revocation differs from the record";
    a_prolonged_previous_secret_is_found: "UPDATE credentials SET previous_until = 9000
            WHERE api_id LIKE '%3'"
        => "the grace period of its previous secret differs from the record";
    an_added_previous_secret_is_found: "UPDATE credentials SET previous_until = 9000,
            previous_digest = secret_digest WHERE api_id LIKE '%1'"
        => "the grace period of its previous secret differs from the record";
    a_removed_credential_is_found: "DELETE FROM credentials WHERE api_id LIKE '%1'"
        => "it is recorded, but the credential is missing";
    an_inverted_flag_is_found: "UPDATE redaction_flags SET active = NOT active WHERE label = 'CVV'"
        => "entity CVV: its active flag differs from the record";
    a_removed_flag_is_found: "DELETE FROM redaction_flags WHERE label = 'EMAIL'"
        => "entity EMAIL: its active flag differs from the record";
    an_added_flag_is_found: "INSERT INTO redaction_flags (tenant_id, label, active) VALUES ('acme', 'SSN', false)"
        => "entity SSN: its active flag differs from the record";
    an_added_flag_of_a_tenant_without_records_is_found:
        "INSERT INTO redaction_flags (tenant_id, label, active) VALUES ('globex', 'SSN', false)"
        => "entity SSN: its active flag differs from the record";
    a_changed_approver_is_found: "UPDATE redaction_audit SET first_approver = 'Eve' WHERE label = 'CVV'"
        => "entity CVV: the switch log contains a switch that is not recorded";
    a_removed_switch_is_found: "DELETE FROM redaction_audit WHERE label = 'CVV'"
        => "entity CVV: a recorded switch is missing from the switch log";
}
