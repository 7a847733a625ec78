//! Contract of feed sinks for manifests, in memory, in a directory and in a bucket: a manifest is replaced only if it is the
//! one that the writer has read.

use std::sync::Arc;

use parlance_domain::feed::{ExportCheckpoint, FeedSink, FeedStore, FeedWriteError, Manifest, ManifestUpdate};
use support::{
    feeds::{TestFeedStore, revision_inputs},
    fixtures::acme,
};
use tokio::task::JoinSet;

use crate::feed_store::january;

feed_contract![
    a_manifest_that_was_replaced_meanwhile_is_not_replaced_again,
    a_first_manifest_is_refused_if_there_is_one,
    a_manifest_of_a_period_without_one_is_not_replaced,
    a_manifest_that_is_stored_already_is_no_conflict,
    a_refused_completion_does_not_list_the_period,
    a_refused_incomplete_manifest_leaves_the_period_listed,
    manifests_and_checkpoints_of_several_days_are_in_the_order_of_the_days,
    one_of_several_first_completions_wins,
    one_of_several_completions_of_a_revision_wins,
];

/// A manifest without files. Its number of late changes names its writer.
fn manifest(revision: u32, writer: u64) -> Manifest {
    let mut inputs = revision_inputs(revision);
    inputs.late_changes = writer;
    Manifest { inputs, hourly: false, files: Vec::new() }
}

async fn complete(
    store: &TestFeedStore,
    expected: Option<&Manifest>,
    manifest: &Manifest,
) -> Result<(), FeedWriteError> {
    let update = ManifestUpdate { expected: expected.cloned(), manifest: manifest.clone() };
    store.feeds.complete(&acme(), &january(1), &update).await
}

async fn stored(store: &TestFeedStore) -> Option<Manifest> {
    store.feeds.manifest(&acme(), &january(1)).await.unwrap()
}

fn is_superseded(result: &Result<(), FeedWriteError>) -> bool {
    matches!(result, Err(FeedWriteError::Superseded))
}

async fn a_manifest_that_was_replaced_meanwhile_is_not_replaced_again(store: TestFeedStore) {
    let (first, second) = (manifest(1, 1), manifest(2, 1));
    complete(&store, None, &first).await.unwrap();
    complete(&store, Some(&first), &second).await.unwrap();
    assert!(is_superseded(&complete(&store, Some(&first), &manifest(2, 2)).await));
    assert_eq!(stored(&store).await, Some(second));
}

async fn a_first_manifest_is_refused_if_there_is_one(store: TestFeedStore) {
    complete(&store, None, &manifest(1, 1)).await.unwrap();
    assert!(is_superseded(&complete(&store, None, &manifest(1, 2)).await));
    assert_eq!(stored(&store).await, Some(manifest(1, 1)));
}

async fn a_manifest_of_a_period_without_one_is_not_replaced(store: TestFeedStore) {
    assert!(is_superseded(&complete(&store, Some(&manifest(1, 1)), &manifest(2, 1)).await));
    assert_eq!(stored(&store).await, None);
}

async fn a_manifest_that_is_stored_already_is_no_conflict(store: TestFeedStore) {
    complete(&store, None, &manifest(1, 1)).await.unwrap();
    complete(&store, None, &manifest(1, 1)).await.unwrap();
    complete(&store, Some(&manifest(1, 1)), &manifest(1, 1)).await.unwrap();
    assert_eq!(stored(&store).await, Some(manifest(1, 1)));
}

async fn a_refused_completion_does_not_list_the_period(store: TestFeedStore) {
    assert!(is_superseded(&complete(&store, Some(&manifest(1, 1)), &manifest(2, 1)).await));
    assert!(!store.feeds.is_complete(&acme(), &january(1)).await.unwrap());
}

async fn a_refused_incomplete_manifest_leaves_the_period_listed(store: TestFeedStore) {
    complete(&store, None, &manifest(1, 1)).await.unwrap();
    let update = ManifestUpdate { expected: None, manifest: manifest(1, 2) };
    assert!(is_superseded(&store.feeds.save_incomplete(&acme(), &january(1), &update).await));
    assert!(store.feeds.is_complete(&acme(), &january(1)).await.unwrap());
}

/// Completes the period at once from eight connections to the store. Returns the numbers of the winners.
async fn race(store: TestFeedStore, expected: Option<Manifest>) -> (Arc<TestFeedStore>, Vec<u64>) {
    let (store, mut writers) = (Arc::new(store), JoinSet::new());
    for writer in 1..=8 {
        let feeds = store.open_again();
        let update = ManifestUpdate { expected: expected.clone(), manifest: manifest(2, writer) };
        writers.spawn(async move { (writer, feeds.complete(&acme(), &january(1), &update).await) });
    }
    let mut winners = Vec::new();
    for (writer, result) in writers.join_all().await {
        assert!(result.is_ok() || is_superseded(&result), "{result:?}");
        winners.extend(result.is_ok().then_some(writer));
    }
    (store, winners)
}

async fn manifests_and_checkpoints_of_several_days_are_in_the_order_of_the_days(store: TestFeedStore) {
    let third = store.complete_period(&acme(), &january(3), 1, "c").await;
    let first = store.complete_period(&acme(), &january(1), 1, "a").await;
    let checkpoint = ExportCheckpoint::start(revision_inputs(7));
    store.feeds.save_checkpoint(&acme(), &january(2), &checkpoint).await.unwrap();
    let days = [3, 2, 1].map(january);
    assert_eq!(store.feeds.manifests(&acme(), &days).await.unwrap(), [Some(third), None, Some(first)]);
    assert_eq!(store.feeds.load_checkpoints(&acme(), &days).await.unwrap(), [None, Some(checkpoint), None]);
}

async fn one_of_several_first_completions_wins(store: TestFeedStore) {
    let (store, winners) = race(store, None).await;
    assert_eq!(winners.len(), 1, "{winners:?}");
    assert_eq!(stored(&store).await, Some(manifest(2, winners[0])));
}

async fn one_of_several_completions_of_a_revision_wins(store: TestFeedStore) {
    complete(&store, None, &manifest(1, 1)).await.unwrap();
    let (store, winners) = race(store, Some(manifest(1, 1))).await;
    assert_eq!(winners.len(), 1, "{winners:?}");
    assert_eq!(stored(&store).await, Some(manifest(2, winners[0])));
}
