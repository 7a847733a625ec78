//! What every audit log does, and what the stores that add to it owe it.

use std::sync::Arc;

use parlance_domain::{
    access::ApiId,
    audit::{Action, Break, Fault, Finding, Head, Period, Record, Scope, Verification},
    redaction::{Activity, Commit, Entity, Switch, SwitchId, SwitchRecord, SwitchedBy},
};
use support::{
    fixtures::{acme, at, credential, digest, globex},
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_tenant_without_changes_has_no_chain,
    every_tenant_with_a_record_a_credential_or_a_switch_is_verified,
    records_of_a_period_are_counted,
    every_change_of_a_credential_and_of_redaction_is_recorded,
    what_changes_nothing_is_not_recorded,
    chains_of_tenants_do_not_mix,
    racing_changes_make_one_chain_without_gaps,
    pages_of_a_chain_follow_each_other,
    the_head_that_is_kept_is_the_last_record,
    a_head_that_was_filed_is_found_again,
    a_head_that_was_never_there_is_not_found,
];

fn switch(number: u128, entity: Entity, presumes: Option<Activity>, to: Activity) -> Switch {
    let from = presumes.unwrap_or(entity.row().default_active);
    let by = SwitchedBy::Embedder;
    Switch { presumes, record: SwitchRecord { id: SwitchId::from_bits(number), at: at(5), by, entity, from, to } }
}

/// The first records of acme.
async fn log(stores: &Stores) -> Vec<Record> {
    stores.audit(None).page(&acme(), 0).await.unwrap()
}

/// What is found of acme, whose chain must hold this head.
async fn verified(stores: &Stores, filed: Option<Head>) -> Verification {
    let scope = Scope {
        tenant: Some(acme()),
        filed: filed.map(|head| (acme(), vec![head])).into_iter().collect(),
        ..Scope::default()
    };
    stores.audit(None).verify(&scope).await.unwrap().remove(0)
}

/// Issues credentials, each of which is one record.
async fn issue(stores: &Stores, numbers: std::ops::Range<u128>) {
    for number in numbers {
        stores.credentials.insert(&credential(acme(), number)).await.unwrap();
    }
}

async fn a_tenant_without_changes_has_no_chain(stores: Stores) {
    assert!(stores.audit.tenants().await.unwrap().is_empty());
    assert_eq!(stores.audit.head(&acme()).await.unwrap(), None);
    assert!(!stores.audit.has_beyond(&acme(), 0).await.unwrap());
    assert!(stores.audit.records(&acme(), 0, 10).await.unwrap().is_empty());
    let found = verified(&stores, None).await;
    assert_eq!((found.head, found.is_intact()), (Head::START, true));
}

async fn every_tenant_with_a_record_a_credential_or_a_switch_is_verified(stores: Stores) {
    issue(&stores, 1..2).await;
    let thrown = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(stores.redaction.set(&globex(), &thrown).await.unwrap(), Commit::Committed);
    assert_eq!(stores.audit.tenants().await.unwrap(), [acme(), globex()]);
    assert_eq!(stores.audit(None).verify(&Scope::default()).await.unwrap().len(), 2);
}

async fn records_of_a_period_are_counted(stores: Stores) {
    issue(&stores, 1..2).await;
    let id = credential(acme(), 1).id;
    assert!(stores.credentials.rotate(&id, &digest(7), at(50), at(4_000)).await.unwrap());
    assert!(stores.credentials.revoke(&id, at(5_000)).await.unwrap());
    let count = async |from: Option<i64>, until: Option<i64>| {
        let period = Period { from: from.map(at), until: until.map(at) };
        let found = stores.audit(None).verify(&Scope { period, ..Scope::default() }).await.unwrap().remove(0);
        (found.head.sequence, found.in_period)
    };
    assert_eq!(count(None, None).await, (3, 3));
    assert_eq!(count(Some(4_000), Some(5_000)).await, (3, 1));
    assert_eq!(count(Some(4_001), None).await, (3, 1));
}

async fn every_change_of_a_credential_and_of_redaction_is_recorded(stores: Stores) {
    issue(&stores, 1..2).await;
    let id = credential(acme(), 1).id;
    assert!(stores.credentials.rotate(&id, &digest(7), at(50), at(40)).await.unwrap());
    assert!(stores.credentials.revoke(&id, at(60)).await.unwrap());
    let thrown = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(stores.redaction.set(&acme(), &thrown).await.unwrap(), Commit::Committed);

    let log = log(&stores).await;
    let said: Vec<_> = log.iter().map(|record| (record.entry.action.clone(), record.entry.subject.as_str())).collect();
    assert_eq!(
        said,
        [
            (Action::CredentialCreated, id.as_str()),
            (Action::CredentialRotated, id.as_str()),
            (Action::CredentialRevoked, id.as_str()),
            (Action::EntitySwitched, "EMAIL"),
        ]
    );
    let details = log.last().map(|record| record.entry.details.as_str());
    assert_eq!(details, Some("inactive to active, by the embedding service"));
    assert_eq!(log.iter().map(|record| record.entry.at).collect::<Vec<_>>(), [at(3_000), at(40), at(60), at(5)]);
}

async fn what_changes_nothing_is_not_recorded(stores: Stores) {
    let unknown = ApiId::new(acme(), 9);
    assert!(!stores.credentials.rotate(&unknown, &digest(1), at(1), at(1)).await.unwrap());
    assert!(!stores.credentials.revoke(&unknown, at(1)).await.unwrap());
    let late = switch(1, Entity::EMAIL, Some(Activity::On), Activity::Off);
    assert_eq!(stores.redaction.set(&acme(), &late).await.unwrap(), Commit::Superseded);
    issue(&stores, 1..2).await;
    for _ in 0..2 {
        assert!(stores.credentials.revoke(&credential(acme(), 1).id, at(2)).await.unwrap());
    }
    assert_eq!(log(&stores).await.len(), 2);
}

async fn chains_of_tenants_do_not_mix(stores: Stores) {
    issue(&stores, 1..3).await;
    stores.credentials.insert(&credential(globex(), 1)).await.unwrap();
    let found = stores.audit(None).verify(&Scope::default()).await.unwrap();
    assert!(found.iter().all(Verification::is_intact));
    let lengths: Vec<_> = found.into_iter().map(|found| (found.tenant, found.head.sequence)).collect();
    assert_eq!(lengths, [(acme(), 2), (globex(), 1)]);
}

async fn racing_changes_make_one_chain_without_gaps(stores: Stores) {
    let (barrier, mut racing) = (Arc::new(Barrier::new(16)), JoinSet::new());
    for number in 0..16 {
        let (stores, barrier) = (stores.clone(), Arc::clone(&barrier));
        racing.spawn(async move {
            barrier.wait().await;
            stores.credentials.insert(&credential(acme(), number)).await.unwrap();
        });
    }
    racing.join_all().await;
    let found = verified(&stores, None).await;
    assert_eq!((found.head.sequence, found.findings), (16, vec![]));
}

async fn pages_of_a_chain_follow_each_other(stores: Stores) {
    issue(&stores, 1..6).await;
    let page = async |after, limit| {
        let records = stores.audit.records(&acme(), after, limit).await.unwrap();
        records.into_iter().map(|record| record.sequence).collect::<Vec<_>>()
    };
    assert_eq!(
        [page(0, 2).await, page(2, 2).await, page(4, 2).await, page(5, 2).await],
        [vec![1, 2], vec![3, 4], vec![5], vec![]]
    );
}

async fn the_head_that_is_kept_is_the_last_record(stores: Stores) {
    issue(&stores, 1..4).await;
    let last = log(&stores).await.pop().unwrap();
    let kept = stores.audit.head(&acme()).await.unwrap().unwrap();
    assert_eq!((kept.head, kept.signature), (Head { sequence: 3, hash: last.hash }, None));
    let beyond = async |last| stores.audit.has_beyond(&acme(), last).await.unwrap();
    assert_eq!([beyond(0).await, beyond(2).await, beyond(3).await], [true, true, false]);
}

async fn a_head_that_was_filed_is_found_again(stores: Stores) {
    issue(&stores, 1..3).await;
    let filed = verified(&stores, None).await.head;
    issue(&stores, 3..5).await;
    let found = verified(&stores, Some(filed)).await;
    assert_eq!((found.head.sequence, found.anchored, found.findings), (4, Some(2), vec![]));
}

async fn a_head_that_was_never_there_is_not_found(stores: Stores) {
    issue(&stores, 1..3).await;
    let findings = async |sequence| verified(&stores, Some(Head { sequence, hash: [9; 32] })).await.findings;
    let broken = |sequence, fault| vec![Finding::Chain(Break { sequence, fault })];
    assert_eq!(findings(1).await, broken(1, Fault::OtherThanFiled));
    assert_eq!(findings(5).await, broken(5, Fault::Missing));
}
