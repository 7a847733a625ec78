//! What every store of redaction switches does.

use std::sync::Arc;

use parlance_domain::{
    access::ApiId,
    redaction::{
        Activity, Approval, Approver, ChangeReference, Commit, Entity, Flags, Switch, SwitchId, SwitchRecord,
        SwitchedBy,
    },
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, at, globex},
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    a_tenant_that_never_switched_has_said_nothing,
    a_switch_comes_back_with_its_record,
    every_author_of_a_switch_comes_back,
    texts_of_an_approval_come_back_byte_for_byte,
    every_entity_can_be_switched_on_and_off,
    a_switch_that_presumes_what_no_longer_holds_writes_nothing,
    a_switch_thrown_twice_lands_once,
    of_racing_switches_one_is_committed,
    switches_of_different_entities_do_not_hinder_each_other,
    records_are_ordered_by_time_and_then_by_id,
    a_later_switch_leaves_earlier_records_as_they_were,
    a_tenant_sees_none_of_anothers_switches,
];

fn switch(number: u128, entity: Entity, presumes: Option<Activity>, to: Activity) -> Switch {
    let from = presumes.unwrap_or(entity.row().default_active);
    let by = SwitchedBy::Credential(ApiId::new(acme(), 5));
    let at = at(i64::try_from(number).unwrap() * 1_000);
    Switch { presumes, record: SwitchRecord { id: SwitchId::from_bits(number), at, by, entity, from, to } }
}

fn approval(reference: &str) -> SwitchedBy {
    let approver = |name| Approver::restore(name).unwrap();
    let reference = ChangeReference::restore(reference).unwrap();
    SwitchedBy::Approvers(Approval::new(reference, approver("Ada"), approver("Grace 🦀")).unwrap())
}

async fn set(stores: &Stores, switch: &Switch) -> Commit {
    stores.redaction.set(&acme(), switch).await.unwrap()
}

async fn log(stores: &Stores) -> Vec<SwitchRecord> {
    stores.redaction.log(&acme()).await.unwrap()
}

async fn a_tenant_that_never_switched_has_said_nothing(stores: Stores) {
    assert_eq!(stores.redaction.flags(&acme()).await.unwrap(), Flags::none());
    assert_eq!(log(&stores).await, []);
}

async fn a_switch_comes_back_with_its_record(stores: Stores) {
    let on = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(set(&stores, &on).await, Commit::Committed);
    let flags = stores.redaction.flags(&acme()).await.unwrap();
    assert_eq!((flags.get(Entity::EMAIL), flags.get(Entity::DOB)), (Some(Activity::On), None));
    assert_eq!(log(&stores).await, [on.record]);
}

async fn every_author_of_a_switch_comes_back(stores: Stores) {
    let mut thrown = Vec::new();
    let authors = [SwitchedBy::Embedder, SwitchedBy::Credential(ApiId::new(acme(), 9)), approval("CHG-1")];
    for (number, (entity, by)) in (1..).zip([Entity::EMAIL, Entity::DOB, Entity::CVV].into_iter().zip(authors)) {
        let mut switch = switch(number, entity, None, Activity::Off);
        switch.record.by = by;
        assert_eq!(set(&stores, &switch).await, Commit::Committed);
        thrown.push(switch.record);
    }
    assert_eq!(log(&stores).await, thrown);
}

async fn texts_of_an_approval_come_back_byte_for_byte(stores: Stores) {
    let mut thrown = Vec::new();
    for (number, (entity, text)) in (1..).zip(Entity::ALL.into_iter().zip(AWKWARD_TEXTS)) {
        let mut switch = switch(number, entity, None, Activity::Off);
        switch.record.by = approval(text);
        assert_eq!(set(&stores, &switch).await, Commit::Committed);
        thrown.push(switch.record);
    }
    assert_eq!(log(&stores).await, thrown);
}

async fn every_entity_can_be_switched_on_and_off(stores: Stores) {
    for (number, entity) in (1..).zip(Entity::ALL) {
        assert_eq!(set(&stores, &switch(number * 2, entity, None, Activity::On)).await, Commit::Committed);
        let off = switch(number * 2 + 1, entity, Some(Activity::On), Activity::Off);
        assert_eq!(set(&stores, &off).await, Commit::Committed);
    }
    assert!(stores.redaction.flags(&acme()).await.unwrap().active().is_empty());
    assert_eq!(log(&stores).await.len(), Entity::ALL.len() * 2);
}

async fn a_switch_that_presumes_what_no_longer_holds_writes_nothing(stores: Stores) {
    for presumes in [Some(Activity::On), Some(Activity::Off)] {
        assert_eq!(set(&stores, &switch(1, Entity::EMAIL, presumes, Activity::On)).await, Commit::Superseded);
    }
    assert_eq!(log(&stores).await, []);
    let on = switch(2, Entity::EMAIL, None, Activity::On);
    assert_eq!(set(&stores, &on).await, Commit::Committed);
    let late = switch(3, Entity::EMAIL, Some(Activity::Off), Activity::On);
    assert_eq!(set(&stores, &late).await, Commit::Superseded);
    assert_eq!(log(&stores).await, [on.record]);
}

async fn a_switch_thrown_twice_lands_once(stores: Stores) {
    let on = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(set(&stores, &on).await, Commit::Committed);
    assert_eq!(set(&stores, &on).await, Commit::Superseded);
    assert_eq!(log(&stores).await, [on.record]);
}

/// Throws these at once and counts those that land.
async fn throw_at_once(stores: &Stores, switches: Vec<Switch>) -> usize {
    let start = Arc::new(Barrier::new(switches.len()));
    let mut racers = JoinSet::new();
    for switch in switches {
        let (store, start) = (Arc::clone(&stores.redaction), Arc::clone(&start));
        racers.spawn(async move {
            start.wait().await;
            store.set(&acme(), &switch).await.unwrap()
        });
    }
    racers.join_all().await.into_iter().filter(|outcome| *outcome == Commit::Committed).count()
}

async fn of_racing_switches_one_is_committed(stores: Stores) {
    let racing =
        |numbers: std::ops::Range<u128>, presumes, to| numbers.map(|n| switch(n, Entity::SSN, presumes, to)).collect();
    assert_eq!(throw_at_once(&stores, racing(1..17, None, Activity::Off)).await, 1);
    assert_eq!(throw_at_once(&stores, racing(17..33, Some(Activity::Off), Activity::On)).await, 1);
    assert_eq!(log(&stores).await.iter().map(|record| record.to).collect::<Vec<_>>(), [Activity::Off, Activity::On]);
}

async fn switches_of_different_entities_do_not_hinder_each_other(stores: Stores) {
    let entities = Entity::ALL.into_iter().take(16);
    let switches: Vec<_> = (1..).zip(entities).map(|(n, entity)| switch(n, entity, None, Activity::On)).collect();
    assert_eq!(throw_at_once(&stores, switches).await, 16);
}

async fn records_are_ordered_by_time_and_then_by_id(stores: Stores) {
    let times = [(3, 7_000), (9, 5_000), (2, 7_000), (1, -4), (4, 5_000)];
    for ((number, micros), entity) in times.into_iter().zip(Entity::ALL) {
        let mut switch = switch(number, entity, None, Activity::On);
        switch.record.at = at(micros);
        assert_eq!(set(&stores, &switch).await, Commit::Committed);
    }
    let ids: Vec<_> = log(&stores).await.into_iter().map(|record| record.id).collect();
    assert_eq!(ids, [1, 4, 9, 2, 3].map(SwitchId::from_bits));
}

async fn a_later_switch_leaves_earlier_records_as_they_were(stores: Stores) {
    let mut thrown = Vec::new();
    let mut presumes = None;
    for (number, to) in (1..).zip([Activity::On, Activity::Off, Activity::On, Activity::Off]) {
        let switch = switch(number, Entity::EMAIL, presumes, to);
        assert_eq!(set(&stores, &switch).await, Commit::Committed);
        presumes = Some(to);
        thrown.push(switch.record);
        assert_eq!(log(&stores).await, thrown);
    }
}

async fn a_tenant_sees_none_of_anothers_switches(stores: Stores) {
    let own = switch(1, Entity::EMAIL, None, Activity::On);
    assert_eq!(set(&stores, &own).await, Commit::Committed);
    assert_eq!(stores.redaction.flags(&globex()).await.unwrap(), Flags::none());
    assert_eq!(stores.redaction.log(&globex()).await.unwrap(), []);
    assert_eq!(stores.redaction.set(&globex(), &own).await.unwrap(), Commit::Committed);
    assert_eq!(log(&stores).await, [own.record]);
}
