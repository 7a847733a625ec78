use std::sync::Arc;

use mockall::Sequence;
use parlance_domain::{
    access::{ApiId, Caller, Permission, Permissions},
    error::Error,
    redaction::{
        ActiveSets, Activity, Approval, Approver, ChangeReference, Commit, Compliance, Entity, Flags,
        MockRedactionStore, RedactionEntities, RedactionStore, SwitchRefusal, SwitchedBy, Thrown,
    },
};
use pollster::block_on;

use super::{HandSetClock, at, caller, clock, ids, tenant};

fn entities(store: MockRedactionStore) -> (RedactionEntities, ActiveSets) {
    let store: Arc<dyn RedactionStore> = Arc::new(store);
    let active = ActiveSets::new(Arc::clone(&store), Arc::new(HandSetClock::default()));
    (RedactionEntities::new(store, active.clone(), ids(), clock(100)), active)
}

fn said(entity: Entity, activity: Activity) -> Flags {
    let mut flags = Flags::none();
    flags.set(entity, activity);
    flags
}

fn approval() -> Approval {
    let approver = |name| Approver::parse(name).unwrap();
    Approval::new(ChangeReference::parse("CHG-1").unwrap(), approver("Ada"), approver("Grace")).unwrap()
}

#[test]
fn a_list_shows_every_entity_or_those_of_one_activity() {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(said(Entity::EMAIL, Activity::On)));
    let (entities, _) = entities(store);
    let reader = caller(&[Permission::ReadConfiguration]);
    let list = |only| block_on(entities.list(&reader, only)).unwrap();
    assert_eq!(list(None).len(), Entity::ALL.len());
    let (on, off) = (list(Some(Activity::On)), list(Some(Activity::Off)));
    assert_eq!(on.len() + off.len(), Entity::ALL.len());
    assert!(on.iter().any(|found| found.entity == Entity::EMAIL));
    assert!(off.iter().any(|found| found.entity == Entity::DOB));
}

#[test]
fn without_the_permission_the_store_is_not_asked() {
    let (entities, _) = entities(MockRedactionStore::new());
    let reader = caller(&[Permission::ReadConfiguration, Permission::WriteConversations]);
    let writer = caller(&[Permission::WriteConfiguration]);
    assert!(matches!(block_on(entities.list(&writer, None)), Err(Error::Denied(_))));
    assert!(matches!(block_on(entities.find(&writer, Entity::EMAIL)), Err(Error::Denied(_))));
    assert!(matches!(block_on(entities.switch(&reader, Entity::EMAIL, Activity::On)), Err(Error::Denied(_))));
}

#[test]
fn a_switch_records_the_credential_that_threw_it() {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(Flags::none()));
    store
        .expect_set()
        .withf(|tenant, switch| {
            let by = SwitchedBy::Credential(ApiId::new(tenant.clone(), 5));
            switch.record.by == by && switch.record.at == at(100) && switch.record.entity == Entity::EMAIL
        })
        .return_once(|_, _| Ok(Commit::Committed));
    let writer = Caller::with_credential(ApiId::new(tenant(), 5), Permissions::all());
    let switched = block_on(entities(store).0.switch(&writer, Entity::EMAIL, Activity::On)).unwrap();
    assert_eq!((switched.entity, switched.activity), (Entity::EMAIL, Activity::On));
}

#[test]
fn a_switch_that_another_overtook_is_decided_anew() {
    let mut store = MockRedactionStore::new();
    let mut order = Sequence::new();
    store.expect_flags().times(1).in_sequence(&mut order).return_once(|_| Ok(Flags::none()));
    store.expect_set().times(1).in_sequence(&mut order).return_once(|_, _| Ok(Commit::Superseded));
    store.expect_flags().times(1).in_sequence(&mut order).return_once(|_| Ok(said(Entity::EMAIL, Activity::On)));
    let writer = caller(&[Permission::WriteConfiguration]);
    assert!(block_on(entities(store).0.switch(&writer, Entity::EMAIL, Activity::On)).is_ok());
}

#[test]
fn what_compliance_controls_is_not_written() {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(Flags::none()));
    store.expect_set().never();
    let writer = caller(&[Permission::WriteConfiguration]);
    let refused = block_on(entities(store).0.switch(&writer, Entity::CVV, Activity::On));
    assert!(matches!(refused, Err(Error::Switch(SwitchRefusal::ComplianceControlled))));
}

#[test]
fn the_operator_switches_what_compliance_controls_on_an_approval() {
    let mut store = MockRedactionStore::new();
    store.expect_flags().returning(|_| Ok(Flags::none()));
    store
        .expect_set()
        .withf(|_, switch| switch.record.by == SwitchedBy::Approvers(approval()))
        .return_once(|_, _| Ok(Commit::Committed));
    let compliance = Compliance::new(Arc::new(store), ids(), clock(100));
    let set = |to| block_on(compliance.set(&tenant(), Entity::CVV, to, approval())).unwrap();
    assert_eq!(set(Activity::Off), Thrown::Switched);
    assert_eq!(set(Activity::On), Thrown::Unchanged);
}

#[test]
fn an_active_set_is_read_once_and_again_after_a_switch() {
    let mut store = MockRedactionStore::new();
    let mut order = Sequence::new();
    store.expect_flags().times(2).in_sequence(&mut order).returning(|_| Ok(Flags::none()));
    store.expect_set().times(1).in_sequence(&mut order).return_once(|_, _| Ok(Commit::Committed));
    let on = said(Entity::EMAIL, Activity::On);
    store.expect_flags().times(1).in_sequence(&mut order).return_once(move |_| Ok(on));
    let (entities, active) = entities(store);
    let is_on = || block_on(active.of(&tenant())).unwrap().contains(Entity::EMAIL);
    assert!(!is_on() && !is_on());
    let writer = caller(&[Permission::WriteConfiguration]);
    block_on(entities.switch(&writer, Entity::EMAIL, Activity::On)).unwrap();
    assert!(is_on() && is_on());
}

/// Active sets of a store that expects to be asked so often, and the clock that they measure by.
fn active_sets(reads: usize) -> (ActiveSets, Arc<HandSetClock>) {
    let mut store = MockRedactionStore::new();
    store.expect_flags().times(reads).returning(|_| Ok(Flags::none()));
    let time = Arc::new(HandSetClock::default());
    (ActiveSets::new(Arc::new(store), Arc::clone(&time) as Arc<_>), time)
}

#[test]
fn an_active_set_is_trusted_for_thirty_seconds() {
    let (active, time) = active_sets(2);
    // Read at 0, trusted at 29, read again at 30.
    for seconds in [0, 29, 1] {
        time.pass(seconds);
        assert!(block_on(active.of(&tenant())).is_ok());
    }
}

#[test]
fn an_active_set_is_trusted_no_longer_or_shorter_though_the_time_of_day_is_set() {
    let (active, time) = active_sets(2);
    for (seconds, time_of_day) in [(0, 0), (29, 86_400), (1, -86_400)] {
        time.pass(seconds);
        time.set(time_of_day);
        assert!(block_on(active.of(&tenant())).is_ok());
    }
}
