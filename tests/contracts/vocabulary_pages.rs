//! Contract of vocabulary stores: pages and cursors.

use parlance_domain::vocabulary::{Cursor, RemoveOutcome, VocabularyPage};
use support::{fixtures::acme, stores::TestStores};

use crate::vocabulary_store::{entry_id, insert_numbered, numbers, page, remove};

contract![
    an_empty_vocabulary_has_one_empty_page,
    forty_five_entries_have_the_same_pages_forward_and_backward,
    pages_of_every_size_cover_all_entries,
    a_cursor_is_exact_at_both_ends,
    entries_can_be_removed_between_pages,
    an_emptied_page_has_a_previous_page,
];

/// Reads every page from the first to the last, and then from the last to the first.
async fn walk(stores: &TestStores, size: u64) -> (Vec<VocabularyPage>, Vec<VocabularyPage>) {
    let (mut forward, mut backward) = (vec![page(stores, None, size).await], Vec::new());
    while let Some(next) = &forward.last().unwrap().next {
        forward.push(page(stores, Some(&next.clone()), size).await);
        assert!(forward.len() <= 100, "a walk in pages of {size} does not end");
    }
    let mut current = forward.last().unwrap().clone();
    while let Some(previous) = current.previous.clone() {
        backward.push(current);
        current = page(stores, Some(&previous), size).await;
        assert!(backward.len() <= 100, "a walk backward in pages of {size} does not end");
    }
    backward.push(current);
    (forward, backward)
}

async fn an_empty_vocabulary_has_one_empty_page(stores: TestStores) {
    let empty = VocabularyPage { entries: Vec::new(), previous: None, next: None };
    for cursor in [None, Some(Cursor::From(entry_id(5))), Some(Cursor::Before(entry_id(5)))] {
        assert_eq!(page(&stores, cursor.as_ref(), 20).await, empty, "{cursor:?}");
    }
}

async fn forty_five_entries_have_the_same_pages_forward_and_backward(stores: TestStores) {
    insert_numbered(&stores, (1..=45).rev()).await;
    let (forward, mut backward) = walk(&stores, 20).await;
    let expected = [1..=20, 21..=40, 41..=45].map(Vec::from_iter);
    assert_eq!(forward.iter().map(numbers).collect::<Vec<_>>(), expected);
    backward.reverse();
    assert_eq!(backward, forward);
}

async fn pages_of_every_size_cover_all_entries(stores: TestStores) {
    insert_numbered(&stores, 1..=9).await;
    for size in 1..=10 {
        let (forward, mut backward) = walk(&stores, size).await;
        backward.reverse();
        assert_eq!(backward, forward, "pages of {size}");
        assert_eq!(
            forward.iter().flat_map(numbers).collect::<Vec<_>>(),
            (1..=9).collect::<Vec<_>>(),
            "pages of {size}"
        );
        assert_eq!(forward.len(), 9_usize.div_ceil(usize::try_from(size).unwrap()), "pages of {size}");
    }
}

async fn a_cursor_is_exact_at_both_ends(stores: TestStores) {
    insert_numbered(&stores, [10, 20, 30]).await;
    let cases: [(Cursor, &[u128], bool, bool); 8] = [
        (Cursor::From(entry_id(0)), &[10, 20], false, true),
        (Cursor::From(entry_id(10)), &[10, 20], false, true),
        (Cursor::From(entry_id(15)), &[20, 30], true, false),
        (Cursor::From(entry_id(31)), &[], true, false),
        (Cursor::Before(entry_id(99)), &[20, 30], true, false),
        (Cursor::Before(entry_id(30)), &[10, 20], false, true),
        (Cursor::Before(entry_id(20)), &[10], false, true),
        (Cursor::Before(entry_id(10)), &[], false, true),
    ];
    for (cursor, expected, has_previous, has_next) in cases {
        let page = page(&stores, Some(&cursor), 2).await;
        assert_eq!(numbers(&page), expected, "{cursor:?}");
        assert_eq!((page.previous.is_some(), page.next.is_some()), (has_previous, has_next), "{cursor:?}");
    }
}

async fn entries_can_be_removed_between_pages(stores: TestStores) {
    insert_numbered(&stores, 1..=6).await;
    let first = page(&stores, None, 2).await;
    // The first entry of the next page, and the last entry of this page.
    for number in [3, 2] {
        assert_eq!(remove(&stores, &acme(), number).await, RemoveOutcome::Removed);
    }
    let second = page(&stores, first.next.as_ref(), 2).await;
    assert_eq!(numbers(&second), [4, 5]);
    let backward = page(&stores, second.previous.as_ref(), 2).await;
    assert_eq!((numbers(&backward), backward.previous), (vec![1], None));
    assert_eq!(numbers(&page(&stores, backward.next.as_ref(), 2).await), [4, 5]);
}

async fn an_emptied_page_has_a_previous_page(stores: TestStores) {
    insert_numbered(&stores, 1..=3).await;
    let first = page(&stores, None, 2).await;
    assert_eq!(remove(&stores, &acme(), 3).await, RemoveOutcome::Removed);
    let empty = page(&stores, first.next.as_ref(), 2).await;
    assert_eq!((empty.entries.len(), &empty.next), (0, &None));
    assert_eq!(numbers(&page(&stores, empty.previous.as_ref(), 2).await), [1, 2]);
}
