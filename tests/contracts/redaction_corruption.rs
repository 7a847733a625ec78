//! What becomes of stored switches that break a rule of the domain: they are never taken for "nothing is active".

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    redaction::{
        Activity, Approval, Approver, ChangeReference, Commit, Entity, Switch, SwitchId, SwitchRecord, SwitchedBy,
    },
};
use support::{
    database::TestDatabase,
    fixtures::{acme, at, globex},
    stores::Stores,
};

sql_contract![
    a_flag_of_no_entity_is_corrupt,
    a_record_that_breaks_a_rule_is_corrupt,
    a_corrupt_flag_of_another_tenant_harms_nobody_else,
];

async fn switched(home: &TestDatabase) -> Stores {
    let stores = Stores::in_sql(&home.migrated().await);
    let approver = |name| Approver::parse(name).unwrap();
    let approval = Approval::new(ChangeReference::parse("CHG-1").unwrap(), approver("Ada"), approver("Grace"));
    let record = SwitchRecord {
        id: SwitchId::from_bits(1),
        at: at(0),
        by: SwitchedBy::Approvers(approval.unwrap()),
        entity: Entity::CVV,
        from: Activity::On,
        to: Activity::Off,
    };
    let outcome = stores.redaction.set(&acme(), &Switch { presumes: None, record }).await;
    assert_eq!(outcome.unwrap(), Commit::Committed);
    stores
}

async fn corrupt(home: &TestDatabase, sql: &str) {
    home.open().await.execute_unprepared(sql).await.unwrap();
}

#[track_caller]
fn assert_corrupt<T>(outcome: Result<T, StoreError>, what: &str) {
    let kind = outcome.err().map(|error| error.kind());
    assert_eq!(kind, Some(StoreErrorKind::Corrupt), "{what}");
}

async fn a_flag_of_no_entity_is_corrupt(home: &TestDatabase) {
    let stores = switched(home).await;
    corrupt(home, "UPDATE redaction_flags SET label = 'NO_SUCH_THING'").await;
    assert_corrupt(stores.redaction.flags(&acme()).await, "label");
}

async fn a_record_that_breaks_a_rule_is_corrupt(home: &TestDatabase) {
    let stores = switched(home).await;
    for (column, wrong, right) in [
        ("label", "'NO_SUCH_THING'", "'CVV'"),
        ("switched_at", "9111111111111111111", "0"),
        ("credential", "'acme.01JZX900000000000000000000'", "NULL"),
        ("reference", "NULL", "'CHG-1'"),
        ("reference", "' '", "'CHG-1'"),
        ("first_approver", "''", "'Ada'"),
        ("second_approver", "'ADA'", "'Grace'"),
        ("id", "'not-an-id'", "'1'"),
    ] {
        corrupt(home, &format!("UPDATE redaction_audit SET {column} = {wrong}")).await;
        assert_corrupt(stores.redaction.log(&acme()).await, column);
        corrupt(home, &format!("UPDATE redaction_audit SET {column} = {right}")).await;
        assert_eq!(stores.redaction.log(&acme()).await.unwrap().len(), 1, "{column}");
    }
}

async fn a_corrupt_flag_of_another_tenant_harms_nobody_else(home: &TestDatabase) {
    let stores = switched(home).await;
    corrupt(home, "UPDATE redaction_flags SET label = 'NO_SUCH_THING', tenant_id = 'globex'").await;
    assert!(stores.redaction.flags(&acme()).await.is_ok());
    assert_corrupt(stores.redaction.flags(&globex()).await, "label");
}
