//! What every store of vocabularies does when its pages are walked.

use parlance_domain::vocabulary::{Cursor, Removal, VocabularyPage};
use support::{fixtures::acme, stores::Stores};

use crate::vocabulary_store::{fill, id, numbers, page, remove};

contract![
    an_empty_vocabulary_has_one_empty_page,
    a_walk_of_45_entries_has_the_same_pages_forth_and_back,
    pages_of_every_size_make_up_the_whole,
    a_cursor_is_exact_at_both_ends,
    an_entry_removed_during_a_walk_breaks_nothing,
    a_page_that_has_become_empty_leads_back,
];

/// Every page from the first to the last, and then from the last to the first.
async fn walk(stores: &Stores, size: u64) -> (Vec<VocabularyPage>, Vec<VocabularyPage>) {
    let (mut forth, mut back) = (vec![page(stores, None, size).await], Vec::new());
    while let Some(next) = &forth.last().unwrap().next {
        forth.push(page(stores, Some(&next.clone()), size).await);
        assert!(forth.len() <= 100, "a walk in pages of {size} does not end");
    }
    let mut at = forth.last().unwrap().clone();
    while let Some(previous) = at.previous.clone() {
        back.push(at);
        at = page(stores, Some(&previous), size).await;
        assert!(back.len() <= 100, "a walk back in pages of {size} does not end");
    }
    back.push(at);
    (forth, back)
}

async fn an_empty_vocabulary_has_one_empty_page(stores: Stores) {
    let empty = VocabularyPage { entries: Vec::new(), previous: None, next: None };
    for cursor in [None, Some(Cursor::From(id(5))), Some(Cursor::Before(id(5)))] {
        assert_eq!(page(&stores, cursor.as_ref(), 20).await, empty, "{cursor:?}");
    }
}

async fn a_walk_of_45_entries_has_the_same_pages_forth_and_back(stores: Stores) {
    fill(&stores, (1..=45).rev()).await;
    let (forth, mut back) = walk(&stores, 20).await;
    let expected = [1..=20, 21..=40, 41..=45].map(Vec::from_iter);
    assert_eq!(forth.iter().map(numbers).collect::<Vec<_>>(), expected);
    back.reverse();
    assert_eq!(back, forth);
}

async fn pages_of_every_size_make_up_the_whole(stores: Stores) {
    fill(&stores, 1..=9).await;
    for size in 1..=10 {
        let (forth, mut back) = walk(&stores, size).await;
        back.reverse();
        assert_eq!(back, forth, "pages of {size}");
        assert_eq!(forth.iter().flat_map(numbers).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>(), "pages of {size}");
        assert_eq!(forth.len(), 9_usize.div_ceil(usize::try_from(size).unwrap()), "pages of {size}");
    }
}

async fn a_cursor_is_exact_at_both_ends(stores: Stores) {
    fill(&stores, [10, 20, 30]).await;
    let cases: [(Cursor, &[u128], bool, bool); 8] = [
        (Cursor::From(id(0)), &[10, 20], false, true),
        (Cursor::From(id(10)), &[10, 20], false, true),
        (Cursor::From(id(15)), &[20, 30], true, false),
        (Cursor::From(id(31)), &[], true, false),
        (Cursor::Before(id(99)), &[20, 30], true, false),
        (Cursor::Before(id(30)), &[10, 20], false, true),
        (Cursor::Before(id(20)), &[10], false, true),
        (Cursor::Before(id(10)), &[], false, true),
    ];
    for (cursor, expected, preceded, followed) in cases {
        let page = page(&stores, Some(&cursor), 2).await;
        assert_eq!(numbers(&page), expected, "{cursor:?}");
        assert_eq!((page.previous.is_some(), page.next.is_some()), (preceded, followed), "{cursor:?}");
    }
}

async fn an_entry_removed_during_a_walk_breaks_nothing(stores: Stores) {
    fill(&stores, 1..=6).await;
    let first = page(&stores, None, 2).await;
    // The entry that the next page begins with, and the one that this page ends with.
    for number in [3, 2] {
        assert_eq!(remove(&stores, &acme(), number).await, Removal::Removed);
    }
    let second = page(&stores, first.next.as_ref(), 2).await;
    assert_eq!(numbers(&second), [4, 5]);
    let back = page(&stores, second.previous.as_ref(), 2).await;
    assert_eq!((numbers(&back), back.previous), (vec![1], None));
    assert_eq!(numbers(&page(&stores, back.next.as_ref(), 2).await), [4, 5]);
}

async fn a_page_that_has_become_empty_leads_back(stores: Stores) {
    fill(&stores, 1..=3).await;
    let first = page(&stores, None, 2).await;
    assert_eq!(remove(&stores, &acme(), 3).await, Removal::Removed);
    let empty = page(&stores, first.next.as_ref(), 2).await;
    assert_eq!((empty.entries.len(), &empty.next), (0, &None));
    assert_eq!(numbers(&page(&stores, empty.previous.as_ref(), 2).await), [1, 2]);
}
