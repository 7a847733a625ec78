//! Contract of feed sinks for the files of a whole tenant, in memory, in a directory and in a bucket.

use parlance_domain::feed::{FeedSink, FeedStore};
use support::{
    feeds::TestFeedStore,
    fixtures::{acme, globex},
};

use crate::feed_store::january;

feed_contract![
    a_tenant_without_files_has_nothing_to_remove,
    every_file_of_a_tenant_is_removed_whichever_program_wrote_it,
    the_files_of_another_tenant_stay_byte_for_byte,
];

async fn a_tenant_without_files_has_nothing_to_remove(store: TestFeedStore) {
    assert_eq!(store.feeds.count_files(&acme()).await.unwrap(), 0);
    assert_eq!(store.feeds.remove_tenant(&acme()).await.unwrap(), 0);
}

async fn every_file_of_a_tenant_is_removed_whichever_program_wrote_it(store: TestFeedStore) {
    store.complete_period(&acme(), &january(1), 1, "text").await;
    store.write_file(&acme(), &january(2), "part-0.jsonl", &["unpublished"]).await;
    store.put_object("acme/other/version=7/format=avro/dt=2026-01-01/part-0.avro", "of another program").await;
    let count = store.feeds.count_files(&acme()).await.unwrap();
    assert!(count >= 5, "{count}");
    assert_eq!(store.feeds.remove_tenant(&acme()).await.unwrap(), count);
    assert!(store.feeds.feeds(&acme()).await.unwrap().is_empty());
    assert_eq!(store.feeds.count_files(&acme()).await.unwrap(), 0);
    assert_eq!(store.feeds.remove_tenant(&acme()).await.unwrap(), 0);
}

async fn the_files_of_another_tenant_stay_byte_for_byte(store: TestFeedStore) {
    store.complete_period(&acme(), &january(1), 1, "text").await;
    let manifest = store.complete_period(&globex(), &january(1), 1, "text").await;
    let path = format!("globex/vocabulary_changes/version=1/format=jsonl/dt=2026-01-01/{}", manifest.files[0].path);
    let before = store.get_object(&path).await;
    store.feeds.remove_tenant(&acme()).await.unwrap();
    assert_eq!(store.get_object(&path).await, before);
    assert_eq!(store.feeds.manifest(&globex(), &january(1)).await.unwrap(), Some(manifest));
}
