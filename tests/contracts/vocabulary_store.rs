//! Contract of vocabulary stores.

use std::sync::Arc;

use parlance_domain::{
    access::TenantId,
    id::VocabularyEntryId,
    vocabulary::{
        Alternative, Capacity, Cursor, InsertOutcome, PageSize, Phrase, RemoveOutcome, SoundsLike, VocabularyEntry,
        VocabularyPage,
    },
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, from_micros, globex, vocabulary_entry},
    stores::TestStores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    an_inserted_entry_is_read_back_unchanged,
    an_entry_without_alternatives_is_read_back,
    texts_are_read_back_byte_for_byte,
    a_missing_entry_is_neither_found_nor_removed,
    a_taken_phrase_is_not_inserted_again,
    phrases_are_compared_byte_for_byte,
    a_removed_entry_is_gone_and_its_phrase_is_free,
    exactly_one_of_concurrent_removals_succeeds,
    forty_concurrent_insertions_for_ten_free_slots_refuse_exactly_thirty,
    exactly_one_of_concurrent_insertions_of_a_phrase_succeeds,
    a_removal_frees_one_slot,
    a_taken_phrase_is_reported_before_a_full_vocabulary,
    concurrent_insertions_and_removals_all_complete,
    a_tenant_does_not_see_another_tenants_entries,
    a_tenant_does_not_remove_another_tenants_entries,
    a_full_vocabulary_does_not_limit_another_tenant,
];

async fn try_insert(stores: &TestStores, tenant: &TenantId, entry: &VocabularyEntry) -> InsertOutcome {
    stores.vocabularies.insert(tenant, entry, Capacity::PER_TENANT, None).await.unwrap()
}

pub(crate) async fn insert(stores: &TestStores, entry: VocabularyEntry) -> VocabularyEntry {
    assert_eq!(try_insert(stores, &acme(), &entry).await, InsertOutcome::Inserted);
    entry
}

/// Inserts the entries with these numbers for acme.
pub(crate) async fn insert_numbered(stores: &TestStores, numbers: impl IntoIterator<Item = u128>) {
    for number in numbers {
        insert(stores, numbered_entry(number)).await;
    }
}

pub(crate) fn numbered_entry(number: u128) -> VocabularyEntry {
    vocabulary_entry(number, &format!("phrase {number}"))
}

pub(crate) fn entry_id(number: u128) -> VocabularyEntryId {
    VocabularyEntryId::from_bits(number)
}

async fn find(stores: &TestStores, tenant: &TenantId, number: u128) -> Option<VocabularyEntry> {
    stores.vocabularies.find(tenant, &entry_id(number)).await.unwrap()
}

pub(crate) async fn remove(stores: &TestStores, tenant: &TenantId, number: u128) -> RemoveOutcome {
    stores.vocabularies.remove(tenant, &entry_id(number), from_micros(6)).await.unwrap()
}

pub(crate) async fn page_of_tenant(
    stores: &TestStores,
    tenant: &TenantId,
    cursor: Option<&Cursor>,
    size: u64,
) -> VocabularyPage {
    stores.vocabularies.page(tenant, cursor, PageSize::new(size).unwrap()).await.unwrap()
}

pub(crate) async fn page(stores: &TestStores, cursor: Option<&Cursor>, size: u64) -> VocabularyPage {
    page_of_tenant(stores, &acme(), cursor, size).await
}

/// The numbers of a page's entries.
pub(crate) fn numbers(page: &VocabularyPage) -> Vec<u128> {
    let number = |entry: &VocabularyEntry| entry.phrase.as_str().trim_start_matches("phrase ").parse().unwrap();
    page.entries.iter().map(number).collect()
}

/// Runs one task for each number concurrently. Returns how many of the outcomes are the expected one.
async fn race<T, F>(numbers: impl IntoIterator<Item = u128>, expected: T, run: impl Fn(u128) -> F) -> usize
where
    T: PartialEq + Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let runs: Vec<_> = numbers.into_iter().map(run).collect();
    let barrier = Arc::new(Barrier::new(runs.len()));
    let mut racers = JoinSet::new();
    for run in runs {
        let barrier = Arc::clone(&barrier);
        racers.spawn(async move {
            barrier.wait().await;
            run.await
        });
    }
    racers.join_all().await.into_iter().filter(|outcome| *outcome == expected).count()
}

async fn an_inserted_entry_is_read_back_unchanged(stores: TestStores) {
    let entry = insert(&stores, vocabulary_entry(1, "IEEE")).await;
    assert_eq!(find(&stores, &acme(), 1).await.as_ref(), Some(&entry));
    assert_eq!(page(&stores, None, 1).await.entries, [entry]);
}

async fn an_entry_without_alternatives_is_read_back(stores: TestStores) {
    let bare = VocabularyEntry { sounds_like: SoundsLike::default(), ..vocabulary_entry(1, "IEEE") };
    let bare = insert(&stores, bare).await;
    assert_eq!(find(&stores, &acme(), 1).await, Some(bare));
}

async fn texts_are_read_back_byte_for_byte(stores: TestStores) {
    let longest = "🦀".repeat(100);
    for (number, text) in (1..).zip(AWKWARD_TEXTS.into_iter().chain([longest.as_str()])) {
        let short: String = text.chars().take(40).collect();
        let alternatives = vec![Alternative::parse(short).unwrap(); 5];
        let sounds_like = SoundsLike::new(alternatives).unwrap();
        let sent = insert(&stores, VocabularyEntry { sounds_like, ..vocabulary_entry(number, text) }).await;
        assert_eq!(find(&stores, &acme(), number).await, Some(sent));
    }
}

async fn a_missing_entry_is_neither_found_nor_removed(stores: TestStores) {
    insert_numbered(&stores, [1]).await;
    assert_eq!(find(&stores, &acme(), 2).await, None);
    assert_eq!(remove(&stores, &acme(), 2).await, RemoveOutcome::NotFound);
    assert_eq!(numbers(&page(&stores, None, 10).await), [1]);
}

async fn a_taken_phrase_is_not_inserted_again(stores: TestStores) {
    let first = insert(&stores, vocabulary_entry(1, "IEEE")).await;
    assert_eq!(try_insert(&stores, &acme(), &vocabulary_entry(2, " IEEE ")).await, InsertOutcome::PhraseTaken);
    assert_eq!(page(&stores, None, 10).await.entries, [first]);
}

async fn phrases_are_compared_byte_for_byte(stores: TestStores) {
    for (number, phrase) in (1..).zip(["e\u{301}", "\u{e9}", "E\u{301}", "e", "a b", "a  b", "a\u{a0}b", "%", "_"]) {
        insert(&stores, vocabulary_entry(number, phrase)).await;
    }
}

async fn a_removed_entry_is_gone_and_its_phrase_is_free(stores: TestStores) {
    insert(&stores, vocabulary_entry(1, "IEEE")).await;
    assert_eq!(remove(&stores, &acme(), 1).await, RemoveOutcome::Removed);
    assert_eq!(remove(&stores, &acme(), 1).await, RemoveOutcome::NotFound);
    assert_eq!(find(&stores, &acme(), 1).await, None);
    insert(&stores, vocabulary_entry(2, "IEEE")).await;
}

async fn exactly_one_of_concurrent_removals_succeeds(stores: TestStores) {
    insert_numbered(&stores, [1]).await;
    let removals = race(1..=20, RemoveOutcome::Removed, |_| {
        let stores = stores.clone();
        async move { remove(&stores, &acme(), 1).await }
    });
    assert_eq!(removals.await, 1);
}

async fn forty_concurrent_insertions_for_ten_free_slots_refuse_exactly_thirty(stores: TestStores) {
    insert_numbered(&stores, 1..=190).await;
    let refused = race(201..=240, InsertOutcome::Full, |number| {
        let stores = stores.clone();
        async move { try_insert(&stores, &acme(), &numbered_entry(number)).await }
    });
    assert_eq!(refused.await, 30);
    let first = page(&stores, None, 100).await;
    let second = page(&stores, first.next.as_ref(), 100).await;
    assert_eq!((first.entries.len(), second.entries.len(), second.next), (100, 100, None));
}

async fn exactly_one_of_concurrent_insertions_of_a_phrase_succeeds(stores: TestStores) {
    let refused = race(1..=40, InsertOutcome::PhraseTaken, |number| {
        let stores = stores.clone();
        async move { try_insert(&stores, &acme(), &vocabulary_entry(number, "IEEE")).await }
    });
    assert_eq!(refused.await, 39);
    assert_eq!(page(&stores, None, 10).await.entries.len(), 1);
}

async fn a_removal_frees_one_slot(stores: TestStores) {
    insert_numbered(&stores, 1..=200).await;
    assert_eq!(try_insert(&stores, &acme(), &numbered_entry(201)).await, InsertOutcome::Full);
    assert_eq!(remove(&stores, &acme(), 7).await, RemoveOutcome::Removed);
    assert_eq!(try_insert(&stores, &acme(), &numbered_entry(201)).await, InsertOutcome::Inserted);
    assert_eq!(try_insert(&stores, &acme(), &numbered_entry(202)).await, InsertOutcome::Full);
}

async fn a_taken_phrase_is_reported_before_a_full_vocabulary(stores: TestStores) {
    insert_numbered(&stores, 1..=200).await;
    let duplicate = VocabularyEntry { id: entry_id(201), ..numbered_entry(3) };
    assert_eq!(try_insert(&stores, &acme(), &duplicate).await, InsertOutcome::PhraseTaken);
}

async fn concurrent_insertions_and_removals_all_complete(stores: TestStores) {
    insert_numbered(&stores, 1..=20).await;
    let completed = race(1..=40, true, |number| {
        let stores = stores.clone();
        async move {
            // One task removes an entry while another task inserts its phrase. In either order, no task waits forever.
            if number <= 20 {
                return remove(&stores, &acme(), number).await == RemoveOutcome::Removed;
            }
            let phrase = Phrase::parse(format!("phrase {}", number - 20)).unwrap();
            try_insert(&stores, &acme(), &VocabularyEntry { phrase, ..numbered_entry(number) }).await
                != InsertOutcome::Full
        }
    });
    assert_eq!(completed.await, 40);
}

async fn a_tenant_does_not_see_another_tenants_entries(stores: TestStores) {
    let own = insert(&stores, vocabulary_entry(1, "IEEE")).await;
    assert_eq!(find(&stores, &globex(), 1).await, None);
    assert_eq!(page_of_tenant(&stores, &globex(), None, 10).await.entries, []);
    let others = VocabularyEntry { sounds_like: SoundsLike::default(), ..own.clone() };
    assert_eq!(try_insert(&stores, &globex(), &others).await, InsertOutcome::Inserted);
    assert_eq!(find(&stores, &acme(), 1).await, Some(own.clone()));
    let from_start = Cursor::From(entry_id(0));
    assert_eq!(page_of_tenant(&stores, &globex(), Some(&from_start), 10).await.entries, [others]);
    assert_eq!(page(&stores, Some(&from_start), 10).await.entries, [own]);
    // Only the tenant's own entries decide whether there is a previous or a next page.
    assert_eq!(
        page_of_tenant(&stores, &globex(), Some(&Cursor::From(entry_id(2))), 10).await.previous,
        Some(Cursor::Before(entry_id(2)))
    );
    assert_eq!(remove(&stores, &globex(), 1).await, RemoveOutcome::Removed);
    assert_eq!(page_of_tenant(&stores, &globex(), Some(&Cursor::From(entry_id(2))), 10).await.previous, None);
}

async fn a_tenant_does_not_remove_another_tenants_entries(stores: TestStores) {
    insert_numbered(&stores, [1]).await;
    assert_eq!(remove(&stores, &globex(), 1).await, RemoveOutcome::NotFound);
    assert!(find(&stores, &acme(), 1).await.is_some());
}

async fn a_full_vocabulary_does_not_limit_another_tenant(stores: TestStores) {
    insert_numbered(&stores, 1..=200).await;
    assert_eq!(try_insert(&stores, &globex(), &numbered_entry(201)).await, InsertOutcome::Inserted);
}
