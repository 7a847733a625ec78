//! What every store of vocabularies does.

use std::sync::Arc;

use parlance_domain::{
    access::TenantId,
    id::VocabularyId,
    vocabulary::{
        Admission, Alternative, Capacity, Cursor, PageSize, Phrase, Removal, SoundsLike, Vocabulary, VocabularyPage,
    },
};
use support::{
    fixtures::{AWKWARD_TEXTS, acme, at, globex, vocabulary},
    stores::Stores,
};
use tokio::{sync::Barrier, task::JoinSet};

contract![
    an_admitted_entry_comes_back_as_it_was,
    an_entry_without_alternatives_comes_back,
    texts_come_back_byte_for_byte,
    what_was_never_admitted_is_neither_found_nor_removed,
    a_taken_phrase_is_not_admitted_again,
    phrases_are_told_apart_byte_for_byte,
    a_removed_entry_is_gone_and_its_phrase_free,
    of_concurrent_removals_exactly_one_removes,
    forty_racers_for_the_last_ten_places_leave_exactly_thirty_outside,
    of_concurrent_admissions_of_one_phrase_exactly_one_is_admitted,
    a_removal_makes_room_for_one_more,
    a_taken_phrase_is_told_before_a_full_vocabulary,
    admissions_and_removals_at_once_all_land,
    a_tenant_sees_none_of_anothers_entries,
    a_tenant_removes_none_of_anothers_entries,
    a_full_vocabulary_leaves_another_tenants_its_room,
];

async fn admit(stores: &Stores, tenant: &TenantId, entry: &Vocabulary) -> Admission {
    stores.vocabularies.admit(tenant, entry, Capacity::PER_TENANT, None).await.unwrap()
}

pub(crate) async fn admitted(stores: &Stores, entry: Vocabulary) -> Vocabulary {
    assert_eq!(admit(stores, &acme(), &entry).await, Admission::Admitted);
    entry
}

/// Gives acme the entries of these numbers.
pub(crate) async fn fill(stores: &Stores, numbers: impl IntoIterator<Item = u128>) {
    for number in numbers {
        admitted(stores, numbered(number)).await;
    }
}

pub(crate) fn numbered(number: u128) -> Vocabulary {
    vocabulary(number, &format!("phrase {number}"))
}

pub(crate) fn id(number: u128) -> VocabularyId {
    VocabularyId::from_bits(number)
}

async fn find(stores: &Stores, tenant: &TenantId, number: u128) -> Option<Vocabulary> {
    stores.vocabularies.find(tenant, &id(number)).await.unwrap()
}

pub(crate) async fn remove(stores: &Stores, tenant: &TenantId, number: u128) -> Removal {
    stores.vocabularies.remove(tenant, &id(number), at(6)).await.unwrap()
}

pub(crate) async fn page_of(stores: &Stores, tenant: &TenantId, cursor: Option<&Cursor>, size: u64) -> VocabularyPage {
    stores.vocabularies.page(tenant, cursor, PageSize::new(size).unwrap()).await.unwrap()
}

pub(crate) async fn page(stores: &Stores, cursor: Option<&Cursor>, size: u64) -> VocabularyPage {
    page_of(stores, &acme(), cursor, size).await
}

/// The numbers of a page's entries.
pub(crate) fn numbers(page: &VocabularyPage) -> Vec<u128> {
    let number = |entry: &Vocabulary| entry.phrase.as_str().trim_start_matches("phrase ").parse().unwrap();
    page.entries.iter().map(number).collect()
}

/// Runs one task for each number, all at once, and counts the outcomes that are the one looked for.
async fn race<T, F>(numbers: impl IntoIterator<Item = u128>, looked_for: T, run: impl Fn(u128) -> F) -> usize
where
    T: PartialEq + Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let runs: Vec<_> = numbers.into_iter().map(run).collect();
    let start = Arc::new(Barrier::new(runs.len()));
    let mut racers = JoinSet::new();
    for run in runs {
        let start = Arc::clone(&start);
        racers.spawn(async move {
            start.wait().await;
            run.await
        });
    }
    racers.join_all().await.into_iter().filter(|outcome| *outcome == looked_for).count()
}

async fn an_admitted_entry_comes_back_as_it_was(stores: Stores) {
    let entry = admitted(&stores, vocabulary(1, "IEEE")).await;
    assert_eq!(find(&stores, &acme(), 1).await.as_ref(), Some(&entry));
    assert_eq!(page(&stores, None, 1).await.entries, [entry]);
}

async fn an_entry_without_alternatives_comes_back(stores: Stores) {
    let bare = Vocabulary { sounds_like: SoundsLike::default(), ..vocabulary(1, "IEEE") };
    let bare = admitted(&stores, bare).await;
    assert_eq!(find(&stores, &acme(), 1).await, Some(bare));
}

async fn texts_come_back_byte_for_byte(stores: Stores) {
    let longest = "🦀".repeat(100);
    for (number, text) in (1..).zip(AWKWARD_TEXTS.into_iter().chain([longest.as_str()])) {
        let short: String = text.chars().take(40).collect();
        let alternatives = vec![Alternative::parse(short).unwrap(); 5];
        let sounds_like = SoundsLike::new(alternatives).unwrap();
        let sent = admitted(&stores, Vocabulary { sounds_like, ..vocabulary(number, text) }).await;
        assert_eq!(find(&stores, &acme(), number).await, Some(sent));
    }
}

async fn what_was_never_admitted_is_neither_found_nor_removed(stores: Stores) {
    fill(&stores, [1]).await;
    assert_eq!(find(&stores, &acme(), 2).await, None);
    assert_eq!(remove(&stores, &acme(), 2).await, Removal::Absent);
    assert_eq!(numbers(&page(&stores, None, 10).await), [1]);
}

async fn a_taken_phrase_is_not_admitted_again(stores: Stores) {
    let first = admitted(&stores, vocabulary(1, "IEEE")).await;
    assert_eq!(admit(&stores, &acme(), &vocabulary(2, " IEEE ")).await, Admission::PhraseTaken);
    assert_eq!(page(&stores, None, 10).await.entries, [first]);
}

async fn phrases_are_told_apart_byte_for_byte(stores: Stores) {
    for (number, phrase) in (1..).zip(["e\u{301}", "\u{e9}", "E\u{301}", "e", "a b", "a  b", "a\u{a0}b", "%", "_"]) {
        admitted(&stores, vocabulary(number, phrase)).await;
    }
}

async fn a_removed_entry_is_gone_and_its_phrase_free(stores: Stores) {
    admitted(&stores, vocabulary(1, "IEEE")).await;
    assert_eq!(remove(&stores, &acme(), 1).await, Removal::Removed);
    assert_eq!(remove(&stores, &acme(), 1).await, Removal::Absent);
    assert_eq!(find(&stores, &acme(), 1).await, None);
    admitted(&stores, vocabulary(2, "IEEE")).await;
}

async fn of_concurrent_removals_exactly_one_removes(stores: Stores) {
    fill(&stores, [1]).await;
    let removals = race(1..=20, Removal::Removed, |_| {
        let stores = stores.clone();
        async move { remove(&stores, &acme(), 1).await }
    });
    assert_eq!(removals.await, 1);
}

async fn forty_racers_for_the_last_ten_places_leave_exactly_thirty_outside(stores: Stores) {
    fill(&stores, 1..=190).await;
    let outside = race(201..=240, Admission::Full, |number| {
        let stores = stores.clone();
        async move { admit(&stores, &acme(), &numbered(number)).await }
    });
    assert_eq!(outside.await, 30);
    let first = page(&stores, None, 100).await;
    let second = page(&stores, first.next.as_ref(), 100).await;
    assert_eq!((first.entries.len(), second.entries.len(), second.next), (100, 100, None));
}

async fn of_concurrent_admissions_of_one_phrase_exactly_one_is_admitted(stores: Stores) {
    let taken = race(1..=40, Admission::PhraseTaken, |number| {
        let stores = stores.clone();
        async move { admit(&stores, &acme(), &vocabulary(number, "IEEE")).await }
    });
    assert_eq!(taken.await, 39);
    assert_eq!(page(&stores, None, 10).await.entries.len(), 1);
}

async fn a_removal_makes_room_for_one_more(stores: Stores) {
    fill(&stores, 1..=200).await;
    assert_eq!(admit(&stores, &acme(), &numbered(201)).await, Admission::Full);
    assert_eq!(remove(&stores, &acme(), 7).await, Removal::Removed);
    assert_eq!(admit(&stores, &acme(), &numbered(201)).await, Admission::Admitted);
    assert_eq!(admit(&stores, &acme(), &numbered(202)).await, Admission::Full);
}

async fn a_taken_phrase_is_told_before_a_full_vocabulary(stores: Stores) {
    fill(&stores, 1..=200).await;
    let again = Vocabulary { id: id(201), ..numbered(3) };
    assert_eq!(admit(&stores, &acme(), &again).await, Admission::PhraseTaken);
}

async fn admissions_and_removals_at_once_all_land(stores: Stores) {
    fill(&stores, 1..=20).await;
    let done = race(1..=40, true, |number| {
        let stores = stores.clone();
        async move {
            // An entry goes while another comes with its phrase: whoever is first, nobody waits for ever.
            if number <= 20 {
                return remove(&stores, &acme(), number).await == Removal::Removed;
            }
            let phrase = Phrase::parse(format!("phrase {}", number - 20)).unwrap();
            admit(&stores, &acme(), &Vocabulary { phrase, ..numbered(number) }).await != Admission::Full
        }
    });
    assert_eq!(done.await, 40);
}

async fn a_tenant_sees_none_of_anothers_entries(stores: Stores) {
    let own = admitted(&stores, vocabulary(1, "IEEE")).await;
    assert_eq!(find(&stores, &globex(), 1).await, None);
    assert_eq!(page_of(&stores, &globex(), None, 10).await.entries, []);
    let others = Vocabulary { sounds_like: SoundsLike::default(), ..own.clone() };
    assert_eq!(admit(&stores, &globex(), &others).await, Admission::Admitted);
    assert_eq!(find(&stores, &acme(), 1).await, Some(own.clone()));
    let before_all = Cursor::From(id(0));
    assert_eq!(page_of(&stores, &globex(), Some(&before_all), 10).await.entries, [others]);
    assert_eq!(page(&stores, Some(&before_all), 10).await.entries, [own]);
    // Whether anything precedes or follows is told of the tenant's own entries only.
    assert_eq!(page_of(&stores, &globex(), Some(&Cursor::From(id(2))), 10).await.previous, Some(Cursor::Before(id(2))));
    assert_eq!(remove(&stores, &globex(), 1).await, Removal::Removed);
    assert_eq!(page_of(&stores, &globex(), Some(&Cursor::From(id(2))), 10).await.previous, None);
}

async fn a_tenant_removes_none_of_anothers_entries(stores: Stores) {
    fill(&stores, [1]).await;
    assert_eq!(remove(&stores, &globex(), 1).await, Removal::Absent);
    assert!(find(&stores, &acme(), 1).await.is_some());
}

async fn a_full_vocabulary_leaves_another_tenants_its_room(stores: Stores) {
    fill(&stores, 1..=200).await;
    assert_eq!(admit(&stores, &globex(), &numbered(201)).await, Admission::Admitted);
}
