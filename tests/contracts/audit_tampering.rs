//! What verification says of a database that somebody changed past the service. Each case is one statement.

use parlance_domain::{
    audit::{Scope, Verification},
    redaction::{
        Activity, Approval, Approver, ChangeReference, Commit, Entity, Switch, SwitchId, SwitchRecord, SwitchedBy,
    },
};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, credential, digest},
    stores::Stores,
};

/// Eight records: four credentials, the second revoked, the third rotated; an entity switched by the tenant, one by
/// compliance.
async fn write(stores: &Stores) {
    for number in 1..5 {
        stores.credentials.insert(&credential(acme(), number)).await.unwrap();
    }
    assert!(stores.credentials.revoke(&credential(acme(), 2).id, at(60)).await.unwrap());
    assert!(stores.credentials.rotate(&credential(acme(), 3).id, &digest(7), at(90), at(70)).await.unwrap());
    let approver = |name| Approver::parse(name).unwrap();
    let reference = ChangeReference::parse("CHG-1").unwrap();
    let approval = Approval::new(reference, approver("Ada"), approver("Grace")).unwrap();
    let thrown = [(Entity::EMAIL, SwitchedBy::Embedder), (Entity::CVV, SwitchedBy::Approvers(approval))];
    for ((entity, by), number) in thrown.into_iter().zip(1..) {
        let from = entity.row().default_active;
        let to = if from == Activity::On { Activity::Off } else { Activity::On };
        let record = SwitchRecord { id: SwitchId::from_bits(number), at: at(80), by, entity, from, to };
        let switch = Switch { presumes: None, record };
        assert_eq!(stores.redaction.set(&acme(), &switch).await.unwrap(), Commit::Committed);
    }
}

/// What is found after statements that someone ran on the database.
async fn found_after(home: &TestDatabase, statements: &str) -> Vec<String> {
    let database = home.migrated().await;
    let stores = Stores::in_sql(&database);
    write(&stores).await;
    assert!(stores.audit(None).verify(&Scope::default()).await.unwrap().iter().all(Verification::is_intact));
    database.execute_unprepared(statements).await.unwrap();
    let found = stores.audit(None).verify(&Scope::default()).await.unwrap();
    found.iter().flat_map(|found| found.findings.iter().map(ToString::to_string)).collect()
}

macro_rules! tampering {
    ($($case:ident: $statements:literal => $found:literal;)+) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let found = super::found_after(&super::TestDatabase::sqlite(), $statements).await;
                    assert!(found.first().is_some_and(|first| first.ends_with($found)), "{found:?}");
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(home) = super::TestDatabase::postgres() else { return };
                    let found = super::found_after(&home, $statements).await;
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
    a_record_that_is_taken_out_is_found: "DELETE FROM audit_records WHERE sequence = 3"
        => "record 3: the record is missing";
    records_that_are_cut_off_are_found: "DELETE FROM audit_records WHERE sequence > 2"
        => "record 3: the record is missing";
    records_that_are_given_places_behind_the_head_are_found: "UPDATE audit_records SET sequence = sequence + 10"
        => "record 1: the record is missing";
    what_cannot_be_read_is_found: "UPDATE redaction_flags SET label = 'NONSENSE' WHERE label = 'EMAIL'"
        => "breaks a rule of the domain: names no entity";
    a_chain_that_is_taken_away_is_found: "DELETE FROM audit_records" => "record 1: the record is missing";
    a_record_of_another_chain_is_found: "UPDATE audit_records SET previous = hash WHERE sequence = 2"
        => "record 2: the record does not follow the one before it";
    a_head_of_another_hash_is_found: "UPDATE audit_heads SET sequence = 3"
        => "record 3: the chain does not end as its head says";
    a_head_that_is_taken_away_is_found: "DELETE FROM audit_heads" => "the head of the chain is missing";
    a_head_that_is_taken_away_with_an_altered_record_is_found:
        "DELETE FROM audit_heads; UPDATE audit_records SET details = 'x' WHERE sequence = 2"
        => "the head of the chain is missing";
    a_head_that_is_set_back_is_found: "UPDATE audit_heads SET sequence = 7,
            hash = (SELECT hash FROM audit_records WHERE sequence = 7)"
        => "record 8: there are records beyond the head of the chain";
    a_forged_record_behind_the_head_is_found: "INSERT INTO audit_records
            SELECT tenant_id, 9, recorded_at, action, subject, details, hash, hash FROM audit_records WHERE sequence = 8"
        => "record 9: there are records beyond the head of the chain";
    a_forged_record_before_the_first_is_found: "INSERT INTO audit_records
            SELECT tenant_id, 0, recorded_at, action, subject, details, hash, hash FROM audit_records WHERE sequence = 8"
        => "record 9: there are records beyond the head of the chain";
    an_audit_log_that_is_taken_away_whole_is_found: "DELETE FROM audit_heads; DELETE FROM audit_records"
        => "no record says that it was issued";
    a_credential_that_nobody_issued_is_found: "INSERT INTO credentials (tenant_id, api_id, name, permissions,
            secret_digest, created_at) SELECT tenant_id, 'acme.00000000000000000000000009', name, permissions,
            secret_digest, created_at FROM credentials WHERE api_id LIKE '%1'"
        => "credential acme.00000000000000000000000009: no record says that it was issued";
    other_permissions_are_found: "UPDATE credentials SET permissions = 'feed:read' WHERE api_id LIKE '%1'"
        => "its permissions, its name or its time are not those on record";
    another_name_is_found: "UPDATE credentials SET name = 'other' WHERE api_id LIKE '%1'"
        => "its permissions, its name or its time are not those on record";
    another_time_of_issue_is_found: "UPDATE credentials SET created_at = 5 WHERE api_id LIKE '%1'"
        => "its permissions, its name or its time are not those on record";
    a_credential_that_is_no_longer_revoked_is_found: "UPDATE credentials SET revoked_at = NULL"
        => "whether and when it was revoked is not what the record says";
    a_credential_that_is_revoked_without_a_record_is_found: "UPDATE credentials SET revoked_at = 5 WHERE api_id LIKE '%1'"
        => "whether and when it was revoked is not what the record says";
    a_former_secret_that_is_accepted_for_longer_is_found: "UPDATE credentials SET previous_until = 9000
            WHERE api_id LIKE '%3'"
        => "the secret before its last rotation is not accepted as the record says";
    a_former_secret_that_is_put_in_is_found: "UPDATE credentials SET previous_until = 9000,
            previous_digest = secret_digest WHERE api_id LIKE '%1'"
        => "the secret before its last rotation is not accepted as the record says";
    a_credential_that_is_taken_away_is_found: "DELETE FROM credentials WHERE api_id LIKE '%1'"
        => "it is on record and not among the credentials";
    a_flag_that_is_turned_is_found: "UPDATE redaction_flags SET active = NOT active WHERE label = 'CVV'"
        => "entity CVV: what is in force is not what the record says";
    a_flag_that_is_taken_away_is_found: "DELETE FROM redaction_flags WHERE label = 'EMAIL'"
        => "entity EMAIL: what is in force is not what the record says";
    a_flag_that_is_put_in_is_found: "INSERT INTO redaction_flags (tenant_id, label, active) VALUES ('acme', 'SSN', false)"
        => "entity SSN: what is in force is not what the record says";
    a_tenant_with_nothing_but_a_flag_is_found:
        "INSERT INTO redaction_flags (tenant_id, label, active) VALUES ('globex', 'SSN', false)"
        => "entity SSN: what is in force is not what the record says";
    another_approver_is_found: "UPDATE redaction_audit SET first_approver = 'Eve' WHERE label = 'CVV'"
        => "entity CVV: the log of switches holds one that is not on record so";
    a_switch_that_is_taken_out_is_found: "DELETE FROM redaction_audit WHERE label = 'CVV'"
        => "entity CVV: a switch is on record and not in the log of switches";
}
