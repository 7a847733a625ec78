//! Contract of audit stores, and of the stores that append to the audit log.

use std::sync::Arc;

use parlance_domain::{
    access::ApiId,
    audit::{
        AuditAction, AuditRecord, ChainBreak, ChainFault, ChainHead, Finding, Period, Verification, VerificationScope,
    },
    redaction::{Activity, CommitOutcome, Entity, Switch, SwitchActor, SwitchId, SwitchRecord},
};
use support::{
    fixtures::{acme, credential, digest, from_micros, globex},
    stores::TestStores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_tenant_without_changes_has_no_chain,
    every_tenant_with_a_record_a_credential_or_a_switch_is_verified,
    records_of_a_period_are_counted,
    every_change_of_a_credential_and_of_redaction_is_recorded,
    a_call_that_changes_nothing_is_not_recorded,
    chains_of_tenants_do_not_mix,
    racing_changes_make_one_chain_without_gaps,
    pages_of_a_chain_follow_each_other,
    the_stored_head_is_the_last_record,
    an_expected_head_of_the_chain_is_found,
    an_expected_head_that_never_existed_is_not_found,
];

fn switch(number: u128, entity: Entity, expected: Option<Activity>, to: Activity) -> Switch {
    let from = expected.unwrap_or(entity.row().default_active);
    let actor = SwitchActor::Embedder;
    Switch {
        expected,
        record: SwitchRecord { id: SwitchId::from_bits(number), switched_at: from_micros(5), actor, entity, from, to },
    }
}

/// The first records of acme.
async fn log(stores: &TestStores) -> Vec<AuditRecord> {
    stores.audit_service(None).page(&acme(), 0).await.unwrap()
}

/// Verifies the chain of acme, which must contain the expected head.
async fn verify_acme(stores: &TestStores, expected_head: Option<ChainHead>) -> Verification {
    let scope = VerificationScope {
        tenant: Some(acme()),
        expected_heads: expected_head.map(|head| (acme(), vec![head])).into_iter().collect(),
        ..VerificationScope::default()
    };
    stores.audit_service(None).verify(&scope).await.unwrap().remove(0)
}

/// Creates credentials. Each adds one record.
async fn create_credentials(stores: &TestStores, numbers: std::ops::Range<u128>) {
    for number in numbers {
        stores.credentials.insert(&credential(acme(), number)).await.unwrap();
    }
}

async fn a_tenant_without_changes_has_no_chain(stores: TestStores) {
    assert!(stores.audit.tenants().await.unwrap().is_empty());
    assert_eq!(stores.audit.head(&acme()).await.unwrap(), None);
    assert!(!stores.audit.has_records_beyond(&acme(), 0).await.unwrap());
    assert!(stores.audit.records(&acme(), 0, 10).await.unwrap().is_empty());
    let found = verify_acme(&stores, None).await;
    assert_eq!((found.head, found.is_intact()), (ChainHead::START, true));
}

async fn every_tenant_with_a_record_a_credential_or_a_switch_is_verified(stores: TestStores) {
    create_credentials(&stores, 1..2).await;
    let switch_on = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(stores.redaction.set(&globex(), &switch_on).await.unwrap(), CommitOutcome::Committed);
    assert_eq!(stores.audit.tenants().await.unwrap(), [acme(), globex()]);
    assert_eq!(stores.audit_service(None).verify(&VerificationScope::default()).await.unwrap().len(), 2);
}

async fn records_of_a_period_are_counted(stores: TestStores) {
    create_credentials(&stores, 1..2).await;
    let id = credential(acme(), 1).id;
    assert!(stores.credentials.rotate(&id, &digest(7), from_micros(50), from_micros(4_000)).await.unwrap());
    assert!(stores.credentials.revoke(&id, from_micros(5_000)).await.unwrap());
    let count = async |from: Option<i64>, until: Option<i64>| {
        let period = Period { from: from.map(from_micros), until: until.map(from_micros) };
        let found = stores
            .audit_service(None)
            .verify(&VerificationScope { period, ..VerificationScope::default() })
            .await
            .unwrap()
            .remove(0);
        (found.head.sequence, found.records_in_period)
    };
    assert_eq!(count(None, None).await, (3, 3));
    assert_eq!(count(Some(4_000), Some(5_000)).await, (3, 1));
    assert_eq!(count(Some(4_001), None).await, (3, 1));
}

async fn every_change_of_a_credential_and_of_redaction_is_recorded(stores: TestStores) {
    create_credentials(&stores, 1..2).await;
    let id = credential(acme(), 1).id;
    assert!(stores.credentials.rotate(&id, &digest(7), from_micros(50), from_micros(40)).await.unwrap());
    assert!(stores.credentials.revoke(&id, from_micros(60)).await.unwrap());
    let switch_on = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(stores.redaction.set(&acme(), &switch_on).await.unwrap(), CommitOutcome::Committed);

    let log = log(&stores).await;
    let changes: Vec<_> =
        log.iter().map(|record| (record.entry.action.clone(), record.entry.subject.as_str())).collect();
    assert_eq!(
        changes,
        [
            (AuditAction::CredentialCreated, id.as_str()),
            (AuditAction::CredentialRotated, id.as_str()),
            (AuditAction::CredentialRevoked, id.as_str()),
            (AuditAction::EntitySwitched, "EMAIL"),
        ]
    );
    let details = log.last().map(|record| record.entry.details.as_str());
    assert_eq!(details, Some("inactive to active, by the embedding service"));
    assert_eq!(
        log.iter().map(|record| record.entry.at).collect::<Vec<_>>(),
        [from_micros(3_000), from_micros(40), from_micros(60), from_micros(5)]
    );
}

async fn a_call_that_changes_nothing_is_not_recorded(stores: TestStores) {
    let unknown = ApiId::new(acme(), 9);
    assert!(!stores.credentials.rotate(&unknown, &digest(1), from_micros(1), from_micros(1)).await.unwrap());
    assert!(!stores.credentials.revoke(&unknown, from_micros(1)).await.unwrap());
    let late = switch(1, Entity::EMAIL, Some(Activity::On), Activity::Off);
    assert_eq!(stores.redaction.set(&acme(), &late).await.unwrap(), CommitOutcome::PreconditionFailed);
    create_credentials(&stores, 1..2).await;
    for _ in 0..2 {
        assert!(stores.credentials.revoke(&credential(acme(), 1).id, from_micros(2)).await.unwrap());
    }
    assert_eq!(log(&stores).await.len(), 2);
}

async fn chains_of_tenants_do_not_mix(stores: TestStores) {
    create_credentials(&stores, 1..3).await;
    stores.credentials.insert(&credential(globex(), 1)).await.unwrap();
    let found = stores.audit_service(None).verify(&VerificationScope::default()).await.unwrap();
    assert!(found.iter().all(Verification::is_intact));
    let lengths: Vec<_> = found.into_iter().map(|found| (found.tenant, found.head.sequence)).collect();
    assert_eq!(lengths, [(acme(), 2), (globex(), 1)]);
}

async fn racing_changes_make_one_chain_without_gaps(stores: TestStores) {
    let (barrier, mut changes) = (Arc::new(Barrier::new(16)), JoinSet::new());
    for number in 0..16 {
        let (stores, barrier) = (stores.clone(), Arc::clone(&barrier));
        changes.spawn(async move {
            barrier.wait().await;
            stores.credentials.insert(&credential(acme(), number)).await.unwrap();
        });
    }
    changes.join_all().await;
    let found = verify_acme(&stores, None).await;
    assert_eq!((found.head.sequence, found.findings), (16, vec![]));
}

async fn pages_of_a_chain_follow_each_other(stores: TestStores) {
    create_credentials(&stores, 1..6).await;
    let page = async |after, limit| {
        let records = stores.audit.records(&acme(), after, limit).await.unwrap();
        records.into_iter().map(|record| record.sequence).collect::<Vec<_>>()
    };
    assert_eq!(
        [page(0, 2).await, page(2, 2).await, page(4, 2).await, page(5, 2).await],
        [vec![1, 2], vec![3, 4], vec![5], vec![]]
    );
}

async fn the_stored_head_is_the_last_record(stores: TestStores) {
    create_credentials(&stores, 1..4).await;
    let last = log(&stores).await.pop().unwrap();
    let found = stores.audit.head(&acme()).await.unwrap().unwrap();
    assert_eq!((found.head, found.signature), (ChainHead { sequence: 3, hash: last.hash }, None));
    let has_records_beyond = async |last| stores.audit.has_records_beyond(&acme(), last).await.unwrap();
    assert_eq!(
        [has_records_beyond(0).await, has_records_beyond(2).await, has_records_beyond(3).await],
        [true, true, false]
    );
}

async fn an_expected_head_of_the_chain_is_found(stores: TestStores) {
    create_credentials(&stores, 1..3).await;
    let expected_head = verify_acme(&stores, None).await.head;
    create_credentials(&stores, 3..5).await;
    let found = verify_acme(&stores, Some(expected_head)).await;
    assert_eq!((found.head.sequence, found.last_expected_sequence, found.findings), (4, Some(2), vec![]));
}

async fn an_expected_head_that_never_existed_is_not_found(stores: TestStores) {
    create_credentials(&stores, 1..3).await;
    let findings = async |sequence| verify_acme(&stores, Some(ChainHead { sequence, hash: [9; 32] })).await.findings;
    let broken = |sequence, fault| vec![Finding::Chain(ChainBreak { sequence, fault })];
    assert_eq!(findings(1).await, broken(1, ChainFault::ExpectedHeadMismatch));
    assert_eq!(findings(5).await, broken(5, ChainFault::Missing));
}
