//! Tests that stored switches and flags that break a rule of the domain are errors, and never mean "nothing is active".

use parlance_domain::{
    error::{StoreError, StoreErrorKind},
    redaction::{
        Activity, Approval, Approver, ChangeReference, CommitOutcome, Entity, Switch, SwitchActor, SwitchId,
        SwitchRecord,
    },
};
use support::{
    database::TestDatabase,
    fixtures::{acme, from_micros, globex},
    stores::TestStores,
};

sql_contract![
    a_flag_of_an_unknown_entity_is_corrupt,
    a_record_that_breaks_a_rule_is_corrupt,
    a_corrupt_flag_affects_only_its_own_tenant,
];

async fn open_with_switch(test_db: &TestDatabase) -> TestStores {
    let stores = TestStores::in_sql(&test_db.open_migrated().await);
    let approver = |name| Approver::parse(name).unwrap();
    let approval = Approval::new(ChangeReference::parse("CHG-1").unwrap(), approver("Ada"), approver("Grace"));
    let record = SwitchRecord {
        id: SwitchId::from_bits(1),
        switched_at: from_micros(0),
        actor: SwitchActor::Approvers(approval.unwrap()),
        entity: Entity::CVV,
        from: Activity::On,
        to: Activity::Off,
    };
    let outcome = stores.redaction.set(&acme(), &Switch { expected: None, record }).await;
    assert_eq!(outcome.unwrap(), CommitOutcome::Committed);
    stores
}

async fn corrupt(test_db: &TestDatabase, sql: &str) {
    test_db.open().await.execute_unprepared(sql).await.unwrap();
}

#[track_caller]
fn assert_corrupt<T>(outcome: Result<T, StoreError>, column: &str) {
    let kind = outcome.err().map(|error| error.kind());
    assert_eq!(kind, Some(StoreErrorKind::Corrupt), "{column}");
}

async fn a_flag_of_an_unknown_entity_is_corrupt(test_db: &TestDatabase) {
    let stores = open_with_switch(test_db).await;
    corrupt(test_db, "UPDATE redaction_flags SET label = 'NO_SUCH_THING'").await;
    assert_corrupt(stores.redaction.flags(&acme()).await, "label");
}

async fn a_record_that_breaks_a_rule_is_corrupt(test_db: &TestDatabase) {
    let stores = open_with_switch(test_db).await;
    for (column, invalid, valid) in [
        ("label", "'NO_SUCH_THING'", "'CVV'"),
        ("switched_at", "9111111111111111111", "0"),
        ("credential", "'acme.01JZX900000000000000000000'", "NULL"),
        ("reference", "NULL", "'CHG-1'"),
        ("reference", "' '", "'CHG-1'"),
        ("first_approver", "''", "'Ada'"),
        ("second_approver", "'ADA'", "'Grace'"),
        ("id", "'not-an-id'", "'1'"),
    ] {
        corrupt(test_db, &format!("UPDATE redaction_audit SET {column} = {invalid}")).await;
        assert_corrupt(stores.redaction.log(&acme()).await, column);
        corrupt(test_db, &format!("UPDATE redaction_audit SET {column} = {valid}")).await;
        assert_eq!(stores.redaction.log(&acme()).await.unwrap().len(), 1, "{column}");
    }
}

async fn a_corrupt_flag_affects_only_its_own_tenant(test_db: &TestDatabase) {
    let stores = open_with_switch(test_db).await;
    corrupt(test_db, "UPDATE redaction_flags SET label = 'NO_SUCH_THING', tenant_id = 'globex'").await;
    assert!(stores.redaction.flags(&acme()).await.is_ok());
    assert_corrupt(stores.redaction.flags(&globex()).await, "label");
}
