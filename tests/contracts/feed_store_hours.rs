//! Contract of feed stores and feed sinks for hours, in memory, in a directory and in a bucket.

use parlance_domain::feed::{FeedSink, FeedStore, Hour, Manifest, ManifestUpdate};
use support::{
    feeds::{TestFeedStore, vocabulary_changes_dataset},
    fixtures::{acme, from_micros, globex},
};

use crate::feed_store::january;

feed_contract![
    hours_are_listed_once_they_are_complete_whether_or_not_their_day_is,
    the_manifest_of_an_hourly_day_names_the_files_of_its_hours,
];

fn hour(number: u8) -> Hour {
    Hour::from_number(number).unwrap()
}

async fn hours_are_listed_once_they_are_complete_whether_or_not_their_day_is(store: TestFeedStore) {
    for number in [7, 23, 0] {
        store.complete_period(&acme(), &january(1).hour(hour(number)), 1, "text").await;
    }
    let open = store.write_file(&acme(), &january(1).hour(hour(8)), "part-0.jsonl", &["text"]).await;
    store.feeds.publish(&acme(), &january(1).hour(hour(8)), &[open.path.name]).await.unwrap();
    store.put_object("acme/vocabulary_changes/version=1/format=jsonl/dt=2026-01-01/hr=9/_SUCCESS", "").await;
    let (dataset, day) = (vocabulary_changes_dataset(), january(1).interval.day);
    assert_eq!(store.feeds.complete_hours(&acme(), &dataset, day).await.unwrap(), [0, 7, 23].map(hour));
    assert!(store.feeds.complete_days(&acme(), &dataset).await.unwrap().is_empty());
    assert!(store.feeds.complete_hours(&globex(), &dataset, day).await.unwrap().is_empty());
    store.complete_period(&acme(), &january(1), 1, "text").await;
    assert_eq!(store.feeds.complete_hours(&acme(), &dataset, day).await.unwrap(), [0, 7, 23].map(hour));
}

async fn the_manifest_of_an_hourly_day_names_the_files_of_its_hours(store: TestFeedStore) {
    let manifest = store.complete_period(&acme(), &january(1).hour(hour(7)), 1, "text").await;
    let hours = vec![(january(1).hour(hour(7)).interval, manifest)];
    let sum = Manifest::sum(1, from_micros(1_769_999_999_000_000), 0, hours).unwrap();
    let update = ManifestUpdate { expected: None, manifest: sum.clone() };
    store.feeds.complete(&acme(), &january(1), &update).await.unwrap();
    assert_eq!(store.feeds.manifest(&acme(), &january(1)).await.unwrap(), Some(sum.clone()));
    assert_eq!(sum.files[0].path.to_string(), "hr=07/part-r1.jsonl");
    let directory = "acme/vocabulary_changes/version=1/format=jsonl/dt=2026-01-01";
    assert!(!store.get_object(&format!("{directory}/{}", sum.files[0].path)).await.is_empty());
}
