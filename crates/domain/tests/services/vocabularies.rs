use std::sync::Arc;

use parlance_domain::{
    access::Permission,
    error::{Conflict, Error, Resource},
    id::VocabularyId,
    vocabulary::{
        Admission, Alternative, Capacity, CollisionKind, Cursor, MockVocabularyStore, PageSize, Phrase, Removal,
        SoundsLike, Vocabularies, Vocabulary, VocabularyPage,
    },
};
use pollster::block_on;

use super::{at, caller, clock, ids};

const READ: &[Permission] = &[Permission::ReadConfiguration];
const WRITE: &[Permission] = &[Permission::WriteConfiguration];

fn vocabularies(store: MockVocabularyStore) -> Vocabularies {
    Vocabularies::new(Arc::new(store), ids(), clock(100))
}

fn phrase(text: &str) -> Phrase {
    Phrase::parse(text).unwrap()
}

fn sounds_like(texts: &[&str]) -> SoundsLike {
    SoundsLike::new(texts.iter().map(|text| Alternative::parse(*text).unwrap()).collect()).unwrap()
}

fn entry(bits: u128, text: &str, alternatives: &[&str]) -> Vocabulary {
    let (phrase, sounds_like) = (phrase(text), sounds_like(alternatives));
    Vocabulary { id: VocabularyId::from_bits(bits), phrase, sounds_like, created_at: at(100) }
}

fn store_that_answers(admission: Admission) -> MockVocabularyStore {
    let mut store = MockVocabularyStore::new();
    store.expect_admit().return_once(move |_, _, _, _| Ok(admission));
    store
}

fn created(store: MockVocabularyStore) -> Result<Vocabulary, Error> {
    block_on(vocabularies(store).create(&caller(WRITE), phrase("IEEE"), sounds_like(&["I triple E"])))
}

#[test]
fn a_new_entry_gets_a_fresh_id_and_the_services_time_and_is_held_to_the_capacity_of_its_tenant() {
    let expected = entry(7, "IEEE", &["I triple E"]);
    let mut store = MockVocabularyStore::new();
    let sent = expected.clone();
    store
        .expect_admit()
        .withf(move |tenant, entry, capacity, _| {
            tenant.as_str() == "acme" && *entry == sent && *capacity == Capacity::PER_TENANT
        })
        .return_once(|_, _, _, _| Ok(Admission::Admitted));
    assert_eq!(created(store).unwrap(), expected);
}

#[test]
fn a_full_vocabulary_is_told_with_its_limit() {
    let refusal = created(store_that_answers(Admission::Full)).unwrap_err();
    assert!(matches!(refusal, Error::Full(Capacity::PER_TENANT)) && refusal.to_string().contains("200"), "{refusal}");
}

#[test]
fn a_taken_phrase_is_a_conflict() {
    let refusal = created(store_that_answers(Admission::PhraseTaken));
    assert!(matches!(refusal, Err(Error::Conflict(Conflict::PhraseTaken))));
}

#[test]
fn a_page_is_the_one_that_was_asked_for() {
    let cursor = Cursor::From(VocabularyId::from_bits(9));
    let page = VocabularyPage { entries: vec![entry(9, "nine", &[])], previous: None, next: None };
    let mut store = MockVocabularyStore::new();
    let (asked, answered) = (cursor.clone(), page.clone());
    store
        .expect_page()
        .withf(move |_, cursor, size| *cursor == Some(&asked) && size.get() == 3)
        .return_once(|_, _, _| Ok(answered));
    let found = block_on(vocabularies(store).list(&caller(READ), Some(&cursor), PageSize::new(3).unwrap()));
    assert_eq!(found.unwrap(), page);
}

#[test]
fn an_entry_that_is_not_there_can_be_neither_found_nor_removed() {
    let mut store = MockVocabularyStore::new();
    store.expect_find().return_once(|_, _| Ok(None));
    store.expect_remove().withf(|_, _, now| *now == at(100)).return_once(|_, _, _| Ok(Removal::Absent));
    let (vocabularies, id) = (vocabularies(store), VocabularyId::from_bits(1));
    let found = block_on(vocabularies.find(&caller(READ), &id));
    assert!(matches!(found, Err(Error::Missing(Resource::Vocabulary))));
    let removed = block_on(vocabularies.remove(&caller(WRITE), &id));
    assert!(matches!(removed, Err(Error::Missing(Resource::Vocabulary))));
}

#[test]
fn an_entry_is_validated_against_every_page_and_nothing_is_stored() {
    let cursor = Cursor::From(VocabularyId::from_bits(2));
    let mut store = MockVocabularyStore::new();
    let next = Some(cursor.clone());
    store
        .expect_page()
        .withf(|_, cursor, size| cursor.is_none() && *size == PageSize::MAX)
        .return_once(|_, _, _| Ok(VocabularyPage { entries: vec![entry(1, "one", &[])], previous: None, next }));
    store
        .expect_page()
        .withf(move |_, asked, _| *asked == Some(&cursor))
        .return_once(|_, _, _| Ok(VocabularyPage { entries: vec![entry(2, "IEEE", &[])], previous: None, next: None }));
    let (phrase, sounds_like) = (phrase("ieee"), SoundsLike::default());
    let found = block_on(vocabularies(store).validate(&caller(READ), &phrase, &sounds_like)).unwrap();
    let kinds: Vec<_> = found.into_iter().map(|collision| collision.kind).collect();
    assert_eq!(kinds, [CollisionKind::PhraseOf(VocabularyId::from_bits(2))]);
}

#[test]
fn without_the_permission_the_store_is_not_asked() {
    let vocabularies = vocabularies(MockVocabularyStore::new());
    let id = VocabularyId::from_bits(1);
    let (reader, writer) = (caller(READ), caller(WRITE));
    let new = vocabularies.create(&reader, phrase("IEEE"), SoundsLike::default());
    assert!(matches!(block_on(new), Err(Error::Denied(_))));
    assert!(matches!(block_on(vocabularies.remove(&reader, &id)), Err(Error::Denied(_))));
    assert!(matches!(block_on(vocabularies.find(&writer, &id)), Err(Error::Denied(_))));
    assert!(matches!(block_on(vocabularies.list(&writer, None, PageSize::MAX)), Err(Error::Denied(_))));
    let (phrase, sounds_like) = (phrase("IEEE"), SoundsLike::default());
    assert!(matches!(block_on(vocabularies.validate(&writer, &phrase, &sounds_like)), Err(Error::Denied(_))));
}
