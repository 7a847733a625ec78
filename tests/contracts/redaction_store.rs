//! Contract of redaction stores.

use std::sync::Arc;

use parlance_domain::{
    access::ApiId,
    redaction::{
        Activity, Approval, Approver, ChangeReference, CommitOutcome, Entity, Flags, Switch, SwitchActor, SwitchId,
        SwitchRecord,
    },
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, from_micros, globex},
    stores::TestStores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_tenant_without_switches_has_no_flags,
    a_switch_is_read_back_with_its_record,
    every_actor_of_a_switch_is_read_back,
    texts_of_an_approval_are_read_back_byte_for_byte,
    every_entity_can_be_switched_on_and_off,
    a_switch_with_an_outdated_precondition_writes_nothing,
    a_repeated_switch_is_committed_once,
    exactly_one_of_racing_switches_is_committed,
    concurrent_switches_of_different_entities_are_all_committed,
    records_are_ordered_by_time_and_then_by_id,
    a_later_switch_leaves_earlier_records_unchanged,
    a_tenant_does_not_see_another_tenants_switches,
];

fn switch(number: u128, entity: Entity, expected: Option<Activity>, to: Activity) -> Switch {
    let from = expected.unwrap_or(entity.row().default_active);
    let actor = SwitchActor::Credential(ApiId::new(acme(), 5));
    let switched_at = from_micros(i64::try_from(number).unwrap() * 1_000);
    Switch { expected, record: SwitchRecord { id: SwitchId::from_bits(number), switched_at, actor, entity, from, to } }
}

fn approval(reference: &str) -> SwitchActor {
    let approver = |name| Approver::restore(name).unwrap();
    let reference = ChangeReference::restore(reference).unwrap();
    SwitchActor::Approvers(Approval::new(reference, approver("Ada"), approver("Grace 🦀")).unwrap())
}

async fn set(stores: &TestStores, switch: &Switch) -> CommitOutcome {
    stores.redaction.set(&acme(), switch).await.unwrap()
}

async fn log(stores: &TestStores) -> Vec<SwitchRecord> {
    stores.redaction.log(&acme()).await.unwrap()
}

async fn a_tenant_without_switches_has_no_flags(stores: TestStores) {
    assert_eq!(stores.redaction.flags(&acme()).await.unwrap(), Flags::none());
    assert_eq!(log(&stores).await, []);
}

async fn a_switch_is_read_back_with_its_record(stores: TestStores) {
    let on = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(set(&stores, &on).await, CommitOutcome::Committed);
    let flags = stores.redaction.flags(&acme()).await.unwrap();
    assert_eq!((flags.get(Entity::EMAIL), flags.get(Entity::DOB)), (Some(Activity::On), None));
    assert_eq!(log(&stores).await, [on.record]);
}

async fn every_actor_of_a_switch_is_read_back(stores: TestStores) {
    let mut records = Vec::new();
    let actors = [SwitchActor::Embedder, SwitchActor::Credential(ApiId::new(acme(), 9)), approval("CHG-1")];
    for (number, (entity, actor)) in (1..).zip([Entity::EMAIL, Entity::DOB, Entity::CVV].into_iter().zip(actors)) {
        let mut switch = switch(number, entity, None, Activity::Off);
        switch.record.actor = actor;
        assert_eq!(set(&stores, &switch).await, CommitOutcome::Committed);
        records.push(switch.record);
    }
    assert_eq!(log(&stores).await, records);
}

async fn texts_of_an_approval_are_read_back_byte_for_byte(stores: TestStores) {
    let mut records = Vec::new();
    for (number, (entity, text)) in (1..).zip(Entity::ALL.into_iter().zip(AWKWARD_TEXTS)) {
        let mut switch = switch(number, entity, None, Activity::Off);
        switch.record.actor = approval(text);
        assert_eq!(set(&stores, &switch).await, CommitOutcome::Committed);
        records.push(switch.record);
    }
    assert_eq!(log(&stores).await, records);
}

async fn every_entity_can_be_switched_on_and_off(stores: TestStores) {
    for (number, entity) in (1..).zip(Entity::ALL) {
        assert_eq!(set(&stores, &switch(number * 2, entity, None, Activity::On)).await, CommitOutcome::Committed);
        let off = switch(number * 2 + 1, entity, Some(Activity::On), Activity::Off);
        assert_eq!(set(&stores, &off).await, CommitOutcome::Committed);
    }
    assert!(stores.redaction.flags(&acme()).await.unwrap().active().is_empty());
    assert_eq!(log(&stores).await.len(), Entity::ALL.len() * 2);
}

async fn a_switch_with_an_outdated_precondition_writes_nothing(stores: TestStores) {
    for expected in [Some(Activity::On), Some(Activity::Off)] {
        assert_eq!(
            set(&stores, &switch(1, Entity::EMAIL, expected, Activity::On)).await,
            CommitOutcome::PreconditionFailed
        );
    }
    assert_eq!(log(&stores).await, []);
    let on = switch(2, Entity::EMAIL, None, Activity::On);
    assert_eq!(set(&stores, &on).await, CommitOutcome::Committed);
    let late = switch(3, Entity::EMAIL, Some(Activity::Off), Activity::On);
    assert_eq!(set(&stores, &late).await, CommitOutcome::PreconditionFailed);
    assert_eq!(log(&stores).await, [on.record]);
}

async fn a_repeated_switch_is_committed_once(stores: TestStores) {
    let on = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(set(&stores, &on).await, CommitOutcome::Committed);
    assert_eq!(set(&stores, &on).await, CommitOutcome::PreconditionFailed);
    assert_eq!(log(&stores).await, [on.record]);
}

/// Stores the switches concurrently. Returns the number that were committed.
async fn commit_concurrently(stores: &TestStores, switches: Vec<Switch>) -> usize {
    let start = Arc::new(Barrier::new(switches.len()));
    let mut racers = JoinSet::new();
    for switch in switches {
        let (store, start) = (Arc::clone(&stores.redaction), Arc::clone(&start));
        racers.spawn(async move {
            start.wait().await;
            store.set(&acme(), &switch).await.unwrap()
        });
    }
    racers.join_all().await.into_iter().filter(|outcome| *outcome == CommitOutcome::Committed).count()
}

async fn exactly_one_of_racing_switches_is_committed(stores: TestStores) {
    let racing =
        |numbers: std::ops::Range<u128>, expected, to| numbers.map(|n| switch(n, Entity::SSN, expected, to)).collect();
    assert_eq!(commit_concurrently(&stores, racing(1..17, None, Activity::Off)).await, 1);
    assert_eq!(commit_concurrently(&stores, racing(17..33, Some(Activity::Off), Activity::On)).await, 1);
    assert_eq!(log(&stores).await.iter().map(|record| record.to).collect::<Vec<_>>(), [Activity::Off, Activity::On]);
}

async fn concurrent_switches_of_different_entities_are_all_committed(stores: TestStores) {
    let entities = Entity::ALL.into_iter().take(16);
    let switches: Vec<_> = (1..).zip(entities).map(|(n, entity)| switch(n, entity, None, Activity::On)).collect();
    assert_eq!(commit_concurrently(&stores, switches).await, 16);
}

async fn records_are_ordered_by_time_and_then_by_id(stores: TestStores) {
    let times = [(3, 7_000), (9, 5_000), (2, 7_000), (1, -4), (4, 5_000)];
    for ((number, micros), entity) in times.into_iter().zip(Entity::ALL) {
        let mut switch = switch(number, entity, None, Activity::On);
        switch.record.switched_at = from_micros(micros);
        assert_eq!(set(&stores, &switch).await, CommitOutcome::Committed);
    }
    let ids: Vec<_> = log(&stores).await.into_iter().map(|record| record.id).collect();
    assert_eq!(ids, [1, 4, 9, 2, 3].map(SwitchId::from_bits));
}

async fn a_later_switch_leaves_earlier_records_unchanged(stores: TestStores) {
    let mut records = Vec::new();
    let mut expected = None;
    for (number, to) in (1..).zip([Activity::On, Activity::Off, Activity::On, Activity::Off]) {
        let switch = switch(number, Entity::EMAIL, expected, to);
        assert_eq!(set(&stores, &switch).await, CommitOutcome::Committed);
        expected = Some(to);
        records.push(switch.record);
        assert_eq!(log(&stores).await, records);
    }
}

async fn a_tenant_does_not_see_another_tenants_switches(stores: TestStores) {
    let own = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(set(&stores, &own).await, CommitOutcome::Committed);
    assert_eq!(stores.redaction.flags(&globex()).await.unwrap(), Flags::none());
    assert_eq!(stores.redaction.log(&globex()).await.unwrap(), []);
    assert_eq!(stores.redaction.set(&globex(), &own).await.unwrap(), CommitOutcome::Committed);
    assert_eq!(log(&stores).await, [own.record]);
}
