//! Tests that a directory of feeds gives out nothing that a symbolic link leads to. Other programs write feeds there.
#![cfg(unix)]

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use parlance_domain::feed::{Day, FeedPeriod, FeedStore, FileName};
use support::{
    feeds::{TestFeedStore, vocabulary_changes_dataset},
    fixtures::acme,
};

fn period(day: &str) -> FeedPeriod {
    vocabulary_changes_dataset().period(Day::parse(day).unwrap())
}

fn own_period() -> FeedPeriod {
    period("2026-02-01")
}

/// A day that is behind a link.
fn linked_period() -> FeedPeriod {
    period("2026-02-02")
}

/// A complete day with the file `own` and the linked files `linked` and `_manifest.json`, and a linked day with the file `own`.
fn feeds_with_links() -> TestFeedStore {
    let feeds = TestFeedStore::in_directory();
    let directory = |period: &FeedPeriod| -> PathBuf { feeds.period_directory(&acme(), period).unwrap() };
    let outside = directory(&period("2026-02-03")).join("../../../../../outside");
    for day in [&directory(&own_period()), &outside] {
        fs::create_dir_all(day).unwrap();
        for file in ["_SUCCESS", "own"] {
            fs::write(day.join(file), "{}").unwrap();
        }
    }
    for file in ["linked", "_manifest.json"] {
        symlink(outside.join("own"), directory(&own_period()).join(file)).unwrap();
    }
    symlink(&outside, directory(&linked_period())).unwrap();
    feeds
}

/// Whether a file is found and can be read.
async fn is_served(store: &TestFeedStore, period: &FeedPeriod, file: &str) -> bool {
    let file = FileName::parse(file).unwrap();
    let found = store.feeds.stat(&acme(), period, &file).await.unwrap().is_some();
    let read = store.feeds.read(&acme(), period, &file, 0..1).await.unwrap().is_some();
    assert_eq!(found, read, "{file}");
    found
}

#[tokio::test]
async fn a_linked_file_is_neither_listed_nor_served() {
    let store = feeds_with_links();
    let files = store.feeds.files(&acme(), &own_period()).await.unwrap();
    assert_eq!(files.iter().map(|file| file.name.to_string()).collect::<Vec<_>>(), ["own"]);
    assert!(is_served(&store, &own_period(), "own").await);
    assert!(!is_served(&store, &own_period(), "linked").await);
}

#[tokio::test]
async fn a_linked_manifest_is_not_read() {
    assert_eq!(feeds_with_links().feeds.manifest(&acme(), &own_period()).await.unwrap(), None);
}

#[tokio::test]
async fn a_linked_day_is_neither_listed_nor_served() {
    let store = feeds_with_links();
    let days = store.feeds.complete_days(&acme(), &vocabulary_changes_dataset()).await.unwrap();
    assert_eq!(days, [own_period().interval.day]);
    assert!(store.feeds.files(&acme(), &linked_period()).await.unwrap().is_empty());
    assert!(!is_served(&store, &linked_period(), "own").await);
}
