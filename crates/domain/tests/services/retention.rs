//! Tests of the use cases of retention.

use std::sync::Arc;

use mockall::predicate::{always, eq};
use parlance_domain::{
    conversation::{Metadata, MetadataCriteria},
    id::ConversationId,
    limits::RETENTION_PREVIEW_SECONDS,
    privacy::{
        ErasureCount, ErasureOutcome, IdentifierDigest, MockErasureStore, MockIdentifierDigester, MockRetentionStore,
        Retention, RetentionCandidate, RetentionDays, RetentionError, RetentionPreview, RetentionRule, RetentionRules,
        RetentionRuns, RetentionStep, StoredRetention,
    },
    redaction::Flags,
    time::SECONDS_PER_DAY,
};
use pollster::block_on;

use super::{at, authenticator, caller, clock, external_id, message_redaction::fields_with_flags, tenant};

/// The time of the tests, in seconds: a hundred days after 1970.
const NOW: i64 = 100 * SECONDS_PER_DAY;

fn rules(days: u64) -> RetentionRules {
    let rule = RetentionRule { metadata: MetadataCriteria::default(), days: RetentionDays::new(days).unwrap() };
    RetentionRules::new(vec![rule]).unwrap()
}

/// A conversation with two messages that was created on this day.
fn candidate(number: u128, day: i64) -> RetentionCandidate {
    RetentionCandidate {
        conversation: ConversationId::from_bits(number),
        external_id: external_id(&format!("call-{number}")),
        metadata: None,
        created_at: at(day * SECONDS_PER_DAY),
        last_message: None,
        messages: 2,
        is_held: false,
    }
}

fn retention(store: MockRetentionStore, seconds: i64) -> Retention {
    let fields = fields_with_flags(Flags::none());
    Retention::new(Arc::new(store), fields, Arc::new(authenticator()), clock(seconds))
}

/// A store that has these conversations in one page.
fn store_with(candidates: Vec<RetentionCandidate>) -> MockRetentionStore {
    let mut store = MockRetentionStore::new();
    store.expect_candidates().withf(|_, after, _, _| after.is_none()).return_once(move |_, _, _, _| Ok(candidates));
    store.expect_candidates().withf(|_, after, _, _| after.is_some()).returning(|_, _, _, _| Ok(Vec::new()));
    store
}

fn preview(store: MockRetentionStore, rules: &RetentionRules) -> RetentionPreview {
    block_on(retention(store, NOW).preview(&caller(), rules)).unwrap()
}

fn replace(seconds: i64, rules: &RetentionRules, token: Option<&str>) -> bool {
    let mut store = MockRetentionStore::new();
    store.expect_replace().with(eq(tenant()), eq(rules.clone()), always()).returning(|_, _, _| Ok(()));
    match block_on(retention(store, seconds).replace(&caller(), rules, token)) {
        Ok(_) => true,
        Err(RetentionError::PreviewRequired) => false,
        Err(RetentionError::Store(error)) => unreachable!("{error}"),
    }
}

#[test]
fn a_preview_counts_what_is_over_and_apart_from_it_what_is_held() {
    let on_hold = RetentionCandidate { is_held: true, ..candidate(3, 1) };
    let store = store_with(vec![candidate(1, 80), candidate(2, 85), on_hold, candidate(4, 95)]);
    let preview = preview(store, &rules(10));
    assert_eq!((preview.conversations, preview.messages, preview.on_hold), (2, 4, 1));
    assert_eq!(preview.oldest_day.unwrap().to_string(), "1970-03-22");
}

#[test]
fn a_preview_without_rules_reads_nothing() {
    let preview = preview(MockRetentionStore::new(), &RetentionRules::default());
    assert_eq!((preview.conversations, preview.oldest_day), (0, None));
}

#[test]
fn rules_are_replaced_with_the_token_of_their_preview() {
    let rules = rules(10);
    let token = preview(store_with(Vec::new()), &rules).token;
    assert!(replace(NOW, &rules, Some(&token)));
}

#[test]
fn a_card_number_in_a_rule_is_stored_masked_and_matches_masked_metadata() {
    let pairs = |value: &str| std::collections::BTreeMap::from([("card".to_owned(), value.to_owned())]);
    let rules = |value: &str| {
        let metadata = MetadataCriteria::parse(pairs(value)).unwrap();
        RetentionRules::new(vec![RetentionRule { metadata, days: RetentionDays::new(10).unwrap() }]).unwrap()
    };
    let stored = Metadata::parse(pairs("**** **** **** 1111")).unwrap();
    let matching = RetentionCandidate { metadata: Some(stored), ..candidate(1, 80) };
    let given = rules("4111 1111 1111 1111");
    let preview = preview(store_with(vec![matching]), &given);
    assert_eq!(preview.conversations, 1);
    let mut store = MockRetentionStore::new();
    store.expect_replace().with(eq(tenant()), eq(rules("**** **** **** 1111")), always()).returning(|_, _, _| Ok(()));
    let replaced = block_on(retention(store, NOW).replace(&caller(), &given, Some(&preview.token)));
    assert_eq!(replaced.unwrap(), rules("**** **** **** 1111"));
}

#[test]
fn a_token_is_valid_for_less_than_an_hour() {
    let rules = rules(10);
    let token = preview(store_with(Vec::new()), &rules).token;
    let accepted = |seconds| replace(NOW + seconds, &rules, Some(&token));
    assert_eq!((accepted(RETENTION_PREVIEW_SECONDS - 1), accepted(RETENTION_PREVIEW_SECONDS)), (true, false));
}

#[test]
fn a_token_with_a_later_time_is_refused() {
    let rules = rules(10);
    let token = preview(store_with(Vec::new()), &rules).token;
    let (expiry, code) = token.split_once('.').unwrap();
    let later = format!("{}.{code}", expiry.parse::<i64>().unwrap() + 1);
    assert!(!replace(NOW, &rules, Some(&later)));
}

#[test]
fn other_rules_than_those_of_the_preview_are_refused() {
    let token = preview(store_with(Vec::new()), &rules(10)).token;
    assert!(!replace(NOW, &rules(9), Some(&token)));
}

#[test]
fn rules_without_a_token_are_refused() {
    for token in [None, Some(""), Some("x"), Some("1.ff"), Some(".")] {
        assert!(!replace(NOW, &RetentionRules::default(), token), "{token:?}");
    }
}

fn stored(revision: u64) -> StoredRetention {
    StoredRetention { rules: rules(10), revision }
}

fn runs(store: MockRetentionStore, erasures: MockErasureStore) -> RetentionRuns {
    let mut digester = MockIdentifierDigester::new();
    digester.expect_conversation_digest().returning(|_, _| Ok(IdentifierDigest([5; 32])));
    RetentionRuns::new(Arc::new(store), Arc::new(erasures), Arc::new(digester), clock(NOW))
}

/// Takes steps until the run ends, and returns the end and the number of erased conversations.
fn run(runs: &RetentionRuns) -> (RetentionStep, u64) {
    let mut run = block_on(runs.begin(tenant())).unwrap();
    loop {
        let step = block_on(runs.step(&mut run)).unwrap();
        if step != RetentionStep::Continues {
            return (step, run.erased());
        }
    }
}

/// Erasures that have this outcome, each with an audit entry that names retention.
fn erasures(outcome: ErasureOutcome, times: usize) -> MockErasureStore {
    let mut erasures = MockErasureStore::new();
    let is_expected = |details: &str| details == "by retention after 10 days";
    erasures
        .expect_erase()
        .withf(move |owner, _, entry| *owner == tenant() && is_expected(&entry.details))
        .times(times)
        .returning(move |_, _, _| Ok(outcome));
    erasures
}

#[test]
fn a_run_erases_what_is_over_and_skips_what_is_held() {
    let on_hold = RetentionCandidate { is_held: true, ..candidate(3, 1) };
    let mut store = store_with(vec![candidate(1, 80), candidate(2, 90), on_hold, candidate(4, 95)]);
    store.expect_retention().returning(|_| Ok(stored(7)));
    store
        .expect_candidate()
        .returning(|_, id| Ok([candidate(1, 80), candidate(2, 90)].into_iter().find(|it| it.conversation == *id)));
    store.expect_record_run().with(eq(tenant()), eq(7), eq(at(NOW))).once().returning(|_, _, _| Ok(()));
    let erasures = erasures(ErasureOutcome::Erased(ErasureCount { messages: 2 }), 2);
    assert_eq!(run(&runs(store, erasures)), (RetentionStep::Finished, 2));
}

#[test]
fn a_conversation_with_a_message_since_the_page_was_read_is_kept() {
    let mut store = store_with(vec![candidate(1, 80)]);
    store.expect_retention().returning(|_| Ok(stored(7)));
    let changed = RetentionCandidate { last_message: Some(at(NOW)), ..candidate(1, 80) };
    store.expect_candidate().return_once(move |_, _| Ok(Some(changed)));
    store.expect_record_run().returning(|_, _, _| Ok(()));
    assert_eq!(run(&runs(store, MockErasureStore::new())), (RetentionStep::Finished, 0));
}

#[test]
fn a_conversation_that_is_held_or_erased_meanwhile_does_not_end_the_run() {
    for outcome in [ErasureOutcome::Held, ErasureOutcome::NoConversation] {
        let mut store = store_with(vec![candidate(1, 80)]);
        store.expect_retention().returning(|_| Ok(stored(7)));
        store.expect_candidate().return_once(|_, _| Ok(Some(candidate(1, 80))));
        store.expect_record_run().returning(|_, _, _| Ok(()));
        assert_eq!(run(&runs(store, erasures(outcome, 1))), (RetentionStep::Finished, 0));
    }
}

#[test]
fn a_run_ends_where_its_rules_were_replaced() {
    let mut store = store_with(vec![candidate(1, 80)]);
    let mut revisions = 7..;
    store.expect_retention().returning(move |_| Ok(stored(revisions.next().unwrap())));
    assert_eq!(run(&runs(store, MockErasureStore::new())), (RetentionStep::Outdated, 0));
}

#[test]
fn a_run_without_rules_is_recorded_as_complete() {
    let mut store = MockRetentionStore::new();
    store.expect_retention().returning(|_| Ok(StoredRetention { rules: RetentionRules::default(), revision: 3 }));
    store.expect_record_run().with(eq(tenant()), eq(3), always()).once().returning(|_, _, _| Ok(()));
    assert_eq!(run(&runs(store, MockErasureStore::new())), (RetentionStep::Finished, 0));
}

#[test]
fn a_run_is_due_a_day_after_the_last_one_began() {
    let mut store = MockRetentionStore::new();
    store.expect_due().with(eq(at(NOW - SECONDS_PER_DAY))).once().returning(|_| Ok(vec![tenant()]));
    assert_eq!(block_on(runs(store, MockErasureStore::new()).due()).unwrap(), [tenant()]);
}
