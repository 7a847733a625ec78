//! Tests of the vocabulary use cases.

use std::sync::Arc;

use parlance_domain::{
    id::VocabularyEntryId,
    vocabulary::{
        Alternative, Capacity, CollisionKind, CreateEntryError, Cursor, EntryError, InsertOutcome, MockVocabularyStore,
        PageSize, Phrase, RemoveOutcome, SoundsLike, Vocabularies, VocabularyEntry, VocabularyPage,
    },
};
use pollster::block_on;

use super::{at, caller, clock, ids};

fn vocabularies(store: MockVocabularyStore) -> Vocabularies {
    Vocabularies::new(Arc::new(store), ids(), clock(100))
}

fn phrase(text: &str) -> Phrase {
    Phrase::parse(text).unwrap()
}

fn sounds_like(texts: &[&str]) -> SoundsLike {
    SoundsLike::new(texts.iter().map(|text| Alternative::parse(*text).unwrap()).collect()).unwrap()
}

fn entry(bits: u128, text: &str, alternatives: &[&str]) -> VocabularyEntry {
    let (phrase, sounds_like) = (phrase(text), sounds_like(alternatives));
    VocabularyEntry { id: VocabularyEntryId::from_bits(bits), phrase, sounds_like, created_at: at(100) }
}

fn store_that_returns(admission: InsertOutcome) -> MockVocabularyStore {
    let mut store = MockVocabularyStore::new();
    store.expect_insert().return_once(move |_, _, _, _| Ok(admission));
    store
}

fn create(store: MockVocabularyStore) -> Result<VocabularyEntry, CreateEntryError> {
    block_on(vocabularies(store).create(&caller(), phrase("IEEE"), sounds_like(&["I triple E"]), None))
}

#[test]
fn a_new_entry_gets_a_fresh_id_the_services_time_and_the_capacity_limit() {
    let expected = entry(7, "IEEE", &["I triple E"]);
    let mut store = MockVocabularyStore::new();
    let expected_entry = expected.clone();
    store
        .expect_insert()
        .withf(move |tenant, entry, capacity, _| {
            tenant.as_str() == "acme" && *entry == expected_entry && *capacity == Capacity::PER_TENANT
        })
        .return_once(|_, _, _, _| Ok(InsertOutcome::Inserted));
    assert_eq!(create(store).unwrap(), expected);
}

#[test]
fn the_error_of_a_full_vocabulary_names_the_limit() {
    let refusal = create(store_that_returns(InsertOutcome::Full)).unwrap_err();
    assert!(
        matches!(refusal, CreateEntryError::Full(Capacity::PER_TENANT)) && refusal.to_string().contains("200"),
        "{refusal}"
    );
}

#[test]
fn a_taken_phrase_is_a_conflict() {
    let refusal = create(store_that_returns(InsertOutcome::PhraseTaken));
    assert!(matches!(refusal, Err(CreateEntryError::PhraseTaken)));
}

#[test]
fn a_list_returns_the_page_at_the_cursor() {
    let cursor = Cursor::From(VocabularyEntryId::from_bits(9));
    let page = VocabularyPage { entries: vec![entry(9, "nine", &[])], previous: None, next: None };
    let mut store = MockVocabularyStore::new();
    let (expected_cursor, stored_page) = (cursor.clone(), page.clone());
    store
        .expect_page()
        .withf(move |_, cursor, size| *cursor == Some(&expected_cursor) && size.get() == 3)
        .return_once(|_, _, _| Ok(stored_page));
    let found = block_on(vocabularies(store).list(&caller(), Some(&cursor), PageSize::new(3).unwrap()));
    assert_eq!(found.unwrap(), page);
}

#[test]
fn a_missing_entry_can_be_neither_found_nor_removed() {
    let mut store = MockVocabularyStore::new();
    store.expect_find().return_once(|_, _| Ok(None));
    store.expect_remove().withf(|_, _, now| *now == at(100)).return_once(|_, _, _| Ok(RemoveOutcome::NotFound));
    let (vocabularies, id) = (vocabularies(store), VocabularyEntryId::from_bits(1));
    let found = block_on(vocabularies.find(&caller(), &id));
    assert!(matches!(found, Err(EntryError::NotFound)));
    let removed = block_on(vocabularies.remove(&caller(), &id));
    assert!(matches!(removed, Err(EntryError::NotFound)));
}

#[test]
fn an_entry_is_validated_against_every_page_and_nothing_is_stored() {
    let cursor = Cursor::From(VocabularyEntryId::from_bits(2));
    let mut store = MockVocabularyStore::new();
    let next = Some(cursor.clone());
    store
        .expect_page()
        .withf(|_, cursor, size| cursor.is_none() && *size == PageSize::MAX)
        .return_once(|_, _, _| Ok(VocabularyPage { entries: vec![entry(1, "one", &[])], previous: None, next }));
    store
        .expect_page()
        .withf(move |_, requested, _| *requested == Some(&cursor))
        .return_once(|_, _, _| Ok(VocabularyPage { entries: vec![entry(2, "IEEE", &[])], previous: None, next: None }));
    let (phrase, sounds_like) = (phrase("ieee"), SoundsLike::default());
    let found = block_on(vocabularies(store).validate(&caller(), &phrase, &sounds_like)).unwrap();
    let kinds: Vec<_> = found.into_iter().map(|collision| collision.kind).collect();
    assert_eq!(kinds, [CollisionKind::MatchesPhrase(VocabularyEntryId::from_bits(2))]);
}
