//! Contract of stores of retention rules.

use std::collections::BTreeMap;

use parlance_domain::{
    access::TenantId,
    audit::{AuditEntry, HeldSubject},
    conversation::{Conversation, MetadataCriteria},
    message::AppendOutcome,
    privacy::{
        CandidatePosition, Hold, HoldId, HoldOutcome, HoldSubject, PrivacyReference, RetentionCandidate, RetentionDays,
        RetentionRule, RetentionRules, StoredRetention,
    },
    time::Timestamp,
};
use support::{
    fixtures::{acme, bare_conversation, conversation, from_micros, globex, message},
    stores::TestStores,
};

contract![
    a_tenant_begins_without_rules,
    rules_are_read_as_they_were_stored,
    a_replacement_leaves_nothing_of_earlier_rules,
    each_replacement_has_a_greater_revision_and_one_audit_entry,
    rules_of_another_tenant_are_not_read,
    a_candidate_has_the_metadata_and_the_times_of_its_conversation,
    a_message_counts_with_the_earlier_of_sending_and_arrival,
    candidates_are_read_page_by_page_in_the_order_of_creation,
    candidates_that_were_created_later_are_left_out,
    candidates_of_another_tenant_are_left_out,
    a_candidate_is_held_by_its_id_and_by_its_customer,
    a_run_is_due_after_each_replacement_until_it_is_recorded,
    a_run_is_due_again_after_its_time,
    the_end_of_an_outdated_run_is_not_recorded,
];

fn rule(pairs: &[(&str, &str)], days: u64) -> RetentionRule {
    let pairs: BTreeMap<_, _> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    RetentionRule { metadata: MetadataCriteria::parse(pairs).unwrap(), days: RetentionDays::new(days).unwrap() }
}

async fn replace(stores: &TestStores, tenant: &TenantId, rules: Vec<RetentionRule>) -> StoredRetention {
    let rules = RetentionRules::new(rules).unwrap();
    let entry = AuditEntry::retention_changed(tenant, &rules, None, from_micros(4));
    stores.retention.replace(tenant, &rules, entry).await.unwrap();
    stores.retention.retention(tenant).await.unwrap()
}

async fn create(stores: &TestStores, number: u128, created_at: i64) -> Conversation {
    let created = conversation(number, &format!("call-{number}"));
    stores.create_conversation(&acme(), &created, from_micros(created_at)).await;
    created
}

async fn candidates(stores: &TestStores, tenant: &TenantId) -> Vec<RetentionCandidate> {
    stores.retention.candidates(tenant, None, Timestamp::MAX, 100).await.unwrap()
}

async fn a_tenant_begins_without_rules(stores: TestStores) {
    assert_eq!(stores.retention.retention(&acme()).await.unwrap(), StoredRetention::default());
}

async fn rules_are_read_as_they_were_stored(stores: TestStores) {
    let rules = vec![rule(&[("team", "\"north\"\n"), ("channel", "")], 36_500), rule(&[], 1), rule(&[], 1)];
    let saved = replace(&stores, &acme(), rules.clone()).await;
    assert_eq!(saved.rules.as_slice(), rules);
}

async fn a_replacement_leaves_nothing_of_earlier_rules(stores: TestStores) {
    replace(&stores, &acme(), vec![rule(&[], 1), rule(&[], 2)]).await;
    assert_eq!(replace(&stores, &acme(), vec![rule(&[], 3)]).await.rules.as_slice(), [rule(&[], 3)]);
    assert_eq!(replace(&stores, &acme(), Vec::new()).await.rules.as_slice(), []);
}

async fn each_replacement_has_a_greater_revision_and_one_audit_entry(stores: TestStores) {
    let first = replace(&stores, &acme(), vec![rule(&[], 1)]).await;
    let second = replace(&stores, &acme(), vec![rule(&[], 1)]).await;
    assert!(first.revision > 0 && second.revision > first.revision);
    let records = stores.audit.records(&acme(), 0, 10).await.unwrap();
    assert!(records.len() == 2 && records.iter().all(|record| record.entry.action.as_str() == "retention.changed"));
}

async fn rules_of_another_tenant_are_not_read(stores: TestStores) {
    replace(&stores, &globex(), vec![rule(&[], 1)]).await;
    assert_eq!(stores.retention.retention(&acme()).await.unwrap(), StoredRetention::default());
}

async fn a_candidate_has_the_metadata_and_the_times_of_its_conversation(stores: TestStores) {
    let created = create(&stores, 1, 70).await;
    let bare = bare_conversation(2, "call-2");
    stores.create_conversation(&acme(), &bare, from_micros(80)).await;
    let expected = |of: &Conversation, created_at| RetentionCandidate {
        conversation: of.id.clone(),
        external_id: of.external_id.clone(),
        metadata: of.metadata.clone(),
        created_at: from_micros(created_at),
        last_message: None,
        messages: 0,
        is_held: false,
    };
    let expected = [expected(&created, 70), expected(&bare, 80)];
    assert_eq!(candidates(&stores, &acme()).await, expected);
    assert_eq!(stores.retention.candidate(&acme(), &bare.id).await.unwrap().as_ref(), expected.last());
}

async fn a_message_counts_with_the_earlier_of_sending_and_arrival(stores: TestStores) {
    let created = create(&stores, 1, 1).await;
    let (sent_late, sent_early) = (from_micros(9_000), from_micros(300));
    for (number, sent_at, created_at) in [(1, sent_late, from_micros(200)), (2, sent_early, from_micros(5_000))] {
        let message = parlance_domain::message::Message { created_at, ..message(number, &created.id, sent_at) };
        assert_eq!(stores.messages.append(&acme(), &message).await.unwrap(), AppendOutcome::Appended);
    }
    let candidate = stores.retention.candidate(&acme(), &created.id).await.unwrap().unwrap();
    assert_eq!((candidate.last_message, candidate.messages), (Some(from_micros(300)), 2));
}

async fn candidates_are_read_page_by_page_in_the_order_of_creation(stores: TestStores) {
    for (number, created_at) in [(1, 30), (2, 10), (3, 20), (4, 20)] {
        create(&stores, number, created_at).await;
    }
    let (mut read, mut after) = (Vec::new(), None::<CandidatePosition>);
    loop {
        let page = stores.retention.candidates(&acme(), after.as_ref(), Timestamp::MAX, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(last.into());
        read.extend(page.into_iter().map(|candidate| candidate.external_id.as_str().to_owned()));
    }
    assert_eq!(read, ["call-2", "call-3", "call-4", "call-1"]);
}

async fn candidates_that_were_created_later_are_left_out(stores: TestStores) {
    create(&stores, 1, 10).await;
    create(&stores, 2, 11).await;
    let read = stores.retention.candidates(&acme(), None, from_micros(10), 100).await.unwrap();
    assert_eq!(read.len(), 1);
}

async fn candidates_of_another_tenant_are_left_out(stores: TestStores) {
    let created = create(&stores, 1, 10).await;
    assert_eq!(candidates(&stores, &globex()).await, []);
    assert_eq!(stores.retention.candidate(&globex(), &created.id).await.unwrap(), None);
}

async fn a_candidate_is_held_by_its_id_and_by_its_customer(stores: TestStores) {
    let created = create(&stores, 1, 10).await;
    let other = bare_conversation(2, "call-2");
    stores.create_conversation(&acme(), &other, from_micros(20)).await;
    let mut on_hold = Vec::new();
    for subject in [HoldSubject::Conversation(other.id), HoldSubject::Customer(created.customer.external_id.clone())] {
        let reference = PrivacyReference::parse("Case 17").unwrap();
        let hold = Hold { id: HoldId::from_bits(1), subject, reference, created_at: from_micros(7) };
        let entry =
            AuditEntry::hold_placed(&hold.id, &HeldSubject::Conversation(created.id.clone()), None, hold.created_at);
        assert_eq!(stores.holds.place(&acme(), &hold, entry).await.unwrap(), HoldOutcome::Placed);
        on_hold.push(
            candidates(&stores, &acme()).await.into_iter().map(|candidate| candidate.is_held).collect::<Vec<_>>(),
        );
        let entry = AuditEntry::hold_released(&hold.id, None, hold.created_at);
        assert!(stores.holds.release(&acme(), &hold.id, entry).await.unwrap());
    }
    let same_customer = created.customer.external_id == bare_conversation(2, "call-2").customer.external_id;
    assert_eq!(on_hold, [vec![false, true], vec![true, same_customer]]);
}

async fn a_run_is_due_after_each_replacement_until_it_is_recorded(stores: TestStores) {
    assert_eq!(stores.retention.due(Timestamp::MIN).await.unwrap(), []);
    for _ in 0..2 {
        let saved = replace(&stores, &acme(), vec![rule(&[], 1)]).await;
        assert_eq!(stores.retention.due(Timestamp::MIN).await.unwrap(), [acme()]);
        stores.retention.record_run(&acme(), saved.revision, from_micros(50)).await.unwrap();
        assert_eq!(stores.retention.due(Timestamp::MIN).await.unwrap(), []);
    }
}

async fn a_run_is_due_again_after_its_time(stores: TestStores) {
    let saved = replace(&stores, &acme(), vec![rule(&[], 1)]).await;
    stores.retention.record_run(&acme(), saved.revision, from_micros(50)).await.unwrap();
    assert_eq!(stores.retention.due(from_micros(49)).await.unwrap(), []);
    assert_eq!(stores.retention.due(from_micros(50)).await.unwrap(), [acme()]);
}

async fn the_end_of_an_outdated_run_is_not_recorded(stores: TestStores) {
    let outdated = replace(&stores, &acme(), vec![rule(&[], 1)]).await;
    replace(&stores, &acme(), vec![rule(&[], 2)]).await;
    stores.retention.record_run(&acme(), outdated.revision, from_micros(50)).await.unwrap();
    assert_eq!(stores.retention.due(Timestamp::MIN).await.unwrap(), [acme()]);
}
