//! Tests of redaction switches and of the cache of active entities.

use std::sync::Arc;

use mockall::Sequence;
use parlance_domain::{
    access::{ApiId, Caller, Permissions},
    redaction::{
        ActiveEntityCache, Activity, Approval, Approver, ChangeReference, CommitOutcome, ComplianceSwitches, Entity,
        Flags, MockRedactionStore, RedactionEntities, RedactionStore, SwitchActor, SwitchError, SwitchOutcome,
        SwitchRefusal,
    },
};
use pollster::block_on;

use super::{ManualClock, at, caller, clock, ids, tenant, verified_credential};

fn entities(store: MockRedactionStore) -> (RedactionEntities, ActiveEntityCache) {
    let store: Arc<dyn RedactionStore> = Arc::new(store);
    let active = ActiveEntityCache::new(Arc::clone(&store), Arc::new(ManualClock::default()));
    (RedactionEntities::new(store, active.clone(), ids(), clock(100)), active)
}

fn flags_with(entity: Entity, activity: Activity) -> Flags {
    let mut flags = Flags::none();
    flags.set(entity, activity);
    flags
}

fn approval() -> Approval {
    let approver = |name| Approver::parse(name).unwrap();
    Approval::new(ChangeReference::parse("CHG-1").unwrap(), approver("Ada"), approver("Grace")).unwrap()
}

#[test]
fn a_list_has_all_entities_or_those_with_one_activity() {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(flags_with(Entity::EMAIL, Activity::On)));
    let (entities, _) = entities(store);
    let reader = caller();
    let list = |only| block_on(entities.list(&reader, only)).unwrap();
    assert_eq!(list(None).len(), Entity::ALL.len());
    let (on, off) = (list(Some(Activity::On)), list(Some(Activity::Off)));
    assert_eq!(on.len() + off.len(), Entity::ALL.len());
    assert!(on.iter().any(|entry| entry.entity == Entity::EMAIL));
    assert!(off.iter().any(|entry| entry.entity == Entity::DOB));
}

#[test]
fn a_switch_records_the_credential_of_the_caller() {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(Flags::none()));
    store
        .expect_set()
        .withf(|tenant, switch| {
            let by = SwitchActor::Credential(ApiId::new(tenant.clone(), 5));
            switch.record.actor == by && switch.record.switched_at == at(100) && switch.record.entity == Entity::EMAIL
        })
        .return_once(|_, _| Ok(CommitOutcome::Committed));
    let writer = Caller::with_credential(verified_credential(5), Permissions::all()).authorize().unwrap();
    let switched = block_on(entities(store).0.switch(&writer, Entity::EMAIL, Activity::On)).unwrap();
    assert_eq!((switched.entity, switched.activity), (Entity::EMAIL, Activity::On));
}

#[test]
fn a_switch_that_conflicts_with_another_is_decided_again() {
    let mut store = MockRedactionStore::new();
    let mut order = Sequence::new();
    store.expect_flags().times(1).in_sequence(&mut order).return_once(|_| Ok(Flags::none()));
    store.expect_set().times(1).in_sequence(&mut order).return_once(|_, _| Ok(CommitOutcome::PreconditionFailed));
    store.expect_flags().times(1).in_sequence(&mut order).return_once(|_| Ok(flags_with(Entity::EMAIL, Activity::On)));
    let writer = caller();
    assert!(block_on(entities(store).0.switch(&writer, Entity::EMAIL, Activity::On)).is_ok());
}

#[test]
fn an_entity_under_compliance_control_is_not_written_for_a_tenant() {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(Flags::none()));
    store.expect_set().never();
    let writer = caller();
    let refused = block_on(entities(store).0.switch(&writer, Entity::CVV, Activity::On));
    assert!(matches!(refused, Err(SwitchError::Refused(SwitchRefusal::ComplianceControlled))));
}

#[test]
fn the_operator_switches_an_entity_under_compliance_control_with_an_approval() {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(Flags::none()));
    store
        .expect_set()
        .withf(|_, switch| switch.record.actor == SwitchActor::Approvers(approval()))
        .return_once(|_, _| Ok(CommitOutcome::Committed));
    let compliance = ComplianceSwitches::new(Arc::new(store), ids(), clock(100));
    let set = |to| block_on(compliance.set(&tenant(), Entity::CVV, to, approval())).unwrap();
    assert_eq!(set(Activity::Off), SwitchOutcome::Switched);
    assert_eq!(set(Activity::On), SwitchOutcome::Unchanged);
}

#[test]
fn an_active_set_is_read_once_and_again_after_a_switch() {
    let mut store = MockRedactionStore::new();
    let mut order = Sequence::new();
    store.expect_flags().times(2).in_sequence(&mut order).returning(|_| Ok(Flags::none()));
    store.expect_set().times(1).in_sequence(&mut order).return_once(|_, _| Ok(CommitOutcome::Committed));
    let on = flags_with(Entity::EMAIL, Activity::On);
    store.expect_flags().times(1).in_sequence(&mut order).return_once(move |_| Ok(on));
    let (entities, active) = entities(store);
    let is_on = || block_on(active.for_tenant(&tenant())).unwrap().contains(Entity::EMAIL);
    assert!(!is_on() && !is_on());
    let writer = caller();
    block_on(entities.switch(&writer, Entity::EMAIL, Activity::On)).unwrap();
    assert!(is_on() && is_on());
}

/// A cache over a store that expects `reads` reads, and its clock.
fn active_sets(reads: usize) -> (ActiveEntityCache, Arc<ManualClock>) {
    let mut store = MockRedactionStore::new();
    store.expect_flags().times(reads).returning(|_| Ok(Flags::none()));
    let time = Arc::new(ManualClock::default());
    (ActiveEntityCache::new(Arc::new(store), Arc::clone(&time) as Arc<_>), time)
}

#[test]
fn an_active_set_is_cached_for_30_seconds() {
    let (active, time) = active_sets(2);
    // Read at 0, cached at 29, read again at 30.
    for seconds in [0, 29, 1] {
        time.advance(seconds);
        assert!(block_on(active.for_tenant(&tenant())).is_ok());
    }
}

#[test]
fn the_caching_time_of_an_active_set_does_not_depend_on_the_time_of_day() {
    let (active, time) = active_sets(2);
    for (seconds, time_of_day) in [(0, 0), (29, 86_400), (1, -86_400)] {
        time.advance(seconds);
        time.set_time_of_day(time_of_day);
        assert!(block_on(active.for_tenant(&tenant())).is_ok());
    }
}
