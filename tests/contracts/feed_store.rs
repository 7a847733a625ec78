//! Contract of feed stores and feed sinks, in memory, in a directory and in a bucket.

use parlance_adapters_objects::ObjectFeeds;
use parlance_domain::{
    access::TenantId,
    feed::{
        ExportCheckpoint, FeedName, FeedPeriod, FeedSink, FeedStore, FileBytes, FileName, ManifestUpdate, RowCursor,
    },
    readiness::ReadinessProbe,
};
use support::{
    feeds::{TestFeedStore, day, file_encoding, revision_inputs, row, vocabulary_changes_dataset},
    fixtures::{AWKWARD_TEXTS, acme, from_micros, globex},
};

macro_rules! feed_contract {
    ($($case:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test] async fn $case() { super::$case(support::feeds::TestFeedStore::in_memory()).await; })+
        }

        mod directory {
            $(#[tokio::test] async fn $case() { super::$case(support::feeds::TestFeedStore::in_directory()).await; })+
        }

        mod bucket {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    let Some(store) = support::feeds::TestFeedStore::in_bucket().await else { return };
                    super::$case(store).await;
                }
            )+
        }
    };
}

feed_contract![
    a_tenant_without_feeds_has_none,
    rows_are_read_back_byte_for_byte,
    a_day_is_listed_once_it_is_complete_and_not_before,
    a_day_that_is_saved_as_incomplete_is_no_longer_marked_complete,
    days_are_listed_in_order,
    feeds_of_another_producer_are_listed,
    folders_and_files_with_other_names_are_ignored,
    a_file_is_not_found_before_it_is_published,
    a_partially_written_file_is_never_found,
    a_missing_file_cannot_be_published,
    a_file_can_be_published_twice,
    a_manifest_replaces_the_previous_one,
    a_checkpoint_is_stored_until_the_day_is_cleaned,
    unpublished_files_are_removed_when_the_day_is_cleaned,
    a_range_of_a_file_has_exactly_its_bytes,
    a_removed_file_is_gone,
    an_invalid_manifest_is_an_error,
    a_tenant_does_not_find_another_tenants_files,
    an_existing_store_is_reachable_with_and_without_content,
];

fn name(text: &str) -> FileName {
    FileName::parse(text).unwrap()
}

pub(crate) fn january(number: u32) -> FeedPeriod {
    vocabulary_changes_dataset().period(day(&format!("2026-01-{number:02}")))
}

async fn read_all(mut bytes: Box<dyn FileBytes>) -> Vec<u8> {
    let mut content = Vec::new();
    while let Some(next) = bytes.next().await.unwrap() {
        content.extend(next);
    }
    content
}

async fn content(store: &TestFeedStore, tenant: &TenantId, period: &FeedPeriod, file: &FileName) -> Option<Vec<u8>> {
    let bytes = store.feeds.stat(tenant, period, file).await.unwrap()?.bytes;
    let read = store.feeds.read(tenant, period, file, 0..bytes).await.unwrap()?;
    Some(read_all(read).await)
}

async fn a_tenant_without_feeds_has_none(store: TestFeedStore) {
    let feed = FeedName::parse("vocabulary_changes").unwrap();
    assert_eq!(store.feeds.feeds(&acme()).await.unwrap(), []);
    assert_eq!(store.feeds.versions(&acme(), &feed).await.unwrap(), []);
    assert_eq!(store.feeds.complete_days(&acme(), &vocabulary_changes_dataset()).await.unwrap(), []);
    assert_eq!(store.feeds.files(&acme(), &january(1)).await.unwrap(), []);
    assert_eq!(store.feeds.manifest(&acme(), &january(1)).await.unwrap(), None);
}

async fn rows_are_read_back_byte_for_byte(store: TestFeedStore) {
    let file = store.write_file(&acme(), &january(1), "part.jsonl", &AWKWARD_TEXTS).await;
    store.feeds.publish(&acme(), &january(1), std::slice::from_ref(&file.path.name)).await.unwrap();
    let content = content(&store, &acme(), &january(1), &file.path.name).await.unwrap();
    let lines = String::from_utf8(content).unwrap();
    let phrase = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["phrase"].clone();
    assert_eq!(lines.lines().map(phrase).collect::<Vec<_>>(), AWKWARD_TEXTS);
    assert_eq!((file.rows, file.bytes), (AWKWARD_TEXTS.len() as u64, lines.len() as u64));
}

async fn a_day_is_listed_once_it_is_complete_and_not_before(store: TestFeedStore) {
    let file = store.write_file(&acme(), &january(1), "part.jsonl", &["a"]).await;
    store.feeds.publish(&acme(), &january(1), &[file.path.name]).await.unwrap();
    assert_eq!(store.feeds.complete_days(&acme(), &vocabulary_changes_dataset()).await.unwrap(), []);
    assert!(!store.feeds.is_complete(&acme(), &january(1)).await.unwrap());
    store.complete_period(&acme(), &january(1), 1, "a").await;
    assert_eq!(
        store.feeds.complete_days(&acme(), &vocabulary_changes_dataset()).await.unwrap(),
        [january(1).interval.day]
    );
    assert!(store.feeds.is_complete(&acme(), &january(1)).await.unwrap());
}

async fn a_day_that_is_saved_as_incomplete_is_no_longer_marked_complete(store: TestFeedStore) {
    let complete = store.complete_period(&acme(), &january(1), 1, "a").await;
    assert_eq!(manifest_complete_member(&store).await, serde_json::Value::Bool(true));
    let mut manifest = complete.clone();
    manifest.inputs.watermark = january(1).interval.start();
    let update = ManifestUpdate { expected: Some(complete), manifest: manifest.clone() };
    store.feeds.save_incomplete(&acme(), &january(1), &update).await.unwrap();
    assert!(!store.feeds.is_complete(&acme(), &january(1)).await.unwrap());
    assert_eq!(store.feeds.manifest(&acme(), &january(1)).await.unwrap(), Some(manifest));
    assert_eq!(manifest_complete_member(&store).await, serde_json::Value::Bool(false));
}

/// The member `complete` of the manifest of 1 January.
async fn manifest_complete_member(store: &TestFeedStore) -> serde_json::Value {
    let path = "acme/vocabulary_changes/version=1/format=jsonl/dt=2026-01-01/_manifest.json";
    serde_json::from_slice::<serde_json::Value>(&store.get_object(path).await).unwrap()["complete"].clone()
}

async fn days_are_listed_in_order(store: TestFeedStore) {
    for number in [10, 2, 31, 1] {
        store.complete_period(&acme(), &january(number), 1, "a").await;
    }
    let listed = store.feeds.complete_days(&acme(), &vocabulary_changes_dataset()).await.unwrap();
    assert_eq!(listed, [1, 2, 10, 31].map(|number| january(number).interval.day));
}

async fn feeds_of_another_producer_are_listed(store: TestFeedStore) {
    store.put_object("acme/Calls/version=v2/format=orc/dt=2026-01-31/part-0.orc", "orc").await;
    store.put_object("acme/Calls/version=v2/format=orc/dt=2026-01-31/_SUCCESS", "").await;
    let feeds = store.feeds.feeds(&acme()).await.unwrap();
    let versions = store.feeds.versions(&acme(), &feeds[0]).await.unwrap();
    let formats = store.feeds.formats(&acme(), &feeds[0], &versions[0]).await.unwrap();
    assert_eq!((feeds[0].as_str(), versions[0].as_str(), formats[0].as_str()), ("Calls", "v2", "orc"));
    let dataset = parlance_domain::feed::Dataset {
        feed: feeds[0].clone(),
        version: versions[0].clone(),
        format: formats[0].clone(),
    };
    assert_eq!(store.feeds.complete_days(&acme(), &dataset).await.unwrap(), [day("2026-01-31")]);
    let files = store.feeds.files(&acme(), &dataset.period(day("2026-01-31"))).await.unwrap();
    assert_eq!(files.iter().map(|file| (file.name.as_str(), file.bytes)).collect::<Vec<_>>(), [("part-0.orc", 3)]);
}

async fn folders_and_files_with_other_names_are_ignored(store: TestFeedStore) {
    store.complete_period(&acme(), &january(1), 1, "a").await;
    let folder = "acme/vocabulary_changes/version=1/format=jsonl";
    for path in ["dt=2026-02-30/_SUCCESS", "2026-01-02/_SUCCESS", "dt=2026-01-01/.part.crc", "dt=2026-01-01/_started"] {
        store.put_object(&format!("{folder}/{path}"), "").await;
    }
    store.put_object("acme/vocabulary_changes/1/format=jsonl/dt=2026-01-01/_SUCCESS", "").await;
    assert_eq!(
        store.feeds.complete_days(&acme(), &vocabulary_changes_dataset()).await.unwrap(),
        [january(1).interval.day]
    );
    assert_eq!(store.feeds.files(&acme(), &january(1)).await.unwrap().len(), 1);
    assert_eq!(
        store.feeds.versions(&acme(), &vocabulary_changes_dataset().feed).await.unwrap(),
        [vocabulary_changes_dataset().version]
    );
}

async fn a_file_is_not_found_before_it_is_published(store: TestFeedStore) {
    let file = store.write_file(&acme(), &january(1), "part.jsonl", &["a"]).await;
    assert_eq!(store.feeds.files(&acme(), &january(1)).await.unwrap(), []);
    assert_eq!(store.feeds.stat(&acme(), &january(1), &file.path.name).await.unwrap(), None);
    assert!(store.feeds.read(&acme(), &january(1), &file.path.name, 0..1).await.unwrap().is_none());
}

async fn a_partially_written_file_is_never_found(store: TestFeedStore) {
    let encoding = file_encoding(parlance_domain::feed::Compression::None);
    let mut writer = store.feeds.create_file(&acme(), &january(1), &name("part.jsonl"), &encoding).await.unwrap();
    // More bytes than one part of an upload holds.
    writer.write(&vec![row(&"a".repeat(9_000_000)), row("b")]).await.unwrap();
    drop(writer);
    assert!(store.feeds.publish(&acme(), &january(1), &[name("part.jsonl")]).await.is_err());
    assert_eq!(store.feeds.files(&acme(), &january(1)).await.unwrap(), []);
}

async fn a_missing_file_cannot_be_published(store: TestFeedStore) {
    assert!(store.feeds.publish(&acme(), &january(1), &[name("part.jsonl")]).await.is_err());
}

async fn a_file_can_be_published_twice(store: TestFeedStore) {
    let file = store.write_file(&acme(), &january(1), "part.jsonl", &["a"]).await;
    for _ in 0..2 {
        store.feeds.publish(&acme(), &january(1), std::slice::from_ref(&file.path.name)).await.unwrap();
    }
    assert_eq!(store.feeds.files(&acme(), &january(1)).await.unwrap().len(), 1);
}

async fn a_manifest_replaces_the_previous_one(store: TestFeedStore) {
    store.complete_period(&acme(), &january(1), 1, "a").await;
    let second = store.complete_period(&acme(), &january(1), 2, "b").await;
    assert_eq!(store.feeds.manifest(&acme(), &january(1)).await.unwrap(), Some(second));
}

async fn a_checkpoint_is_stored_until_the_day_is_cleaned(store: TestFeedStore) {
    let file = store.write_file(&acme(), &january(1), "part.jsonl", &["a"]).await;
    let after = Some(RowCursor { timestamp: from_micros(1_769_851_800_250_001), key: "A1 added".to_owned() });
    let checkpoint = ExportCheckpoint {
        inputs: revision_inputs(1),
        files: vec![file],
        cursor: after,
        rows_complete: false,
        replaced_files: vec![name("part-r1.jsonl")],
    };
    store.feeds.save_checkpoint(&acme(), &january(1), &checkpoint).await.unwrap();
    assert_eq!(store.feeds.load_checkpoint(&acme(), &january(1)).await.unwrap(), Some(checkpoint));
    store.complete_period(&acme(), &january(1), 1, "a").await;
    assert_eq!(store.feeds.load_checkpoint(&acme(), &january(1)).await.unwrap(), None);
}

async fn unpublished_files_are_removed_when_the_day_is_cleaned(store: TestFeedStore) {
    store.write_file(&acme(), &january(1), "part-lost.jsonl", &["a"]).await;
    store.complete_period(&acme(), &january(1), 1, "a").await;
    assert!(store.feeds.publish(&acme(), &january(1), &[name("part-lost.jsonl")]).await.is_err());
}

async fn a_range_of_a_file_has_exactly_its_bytes(store: TestFeedStore) {
    let manifest = store.complete_period(&acme(), &january(1), 1, "a").await;
    let file = &manifest.files[0];
    let whole = content(&store, &acme(), &january(1), &file.path.name).await.unwrap();
    for (first, last) in [(0, 1), (3, 9), (file.bytes - 1, file.bytes), (4, 4)] {
        let part = store.feeds.read(&acme(), &january(1), &file.path.name, first..last).await.unwrap().unwrap();
        let (first, last) = (usize::try_from(first).unwrap(), usize::try_from(last).unwrap());
        assert_eq!(read_all(part).await, whole[first..last]);
    }
}

async fn a_removed_file_is_gone(store: TestFeedStore) {
    let manifest = store.complete_period(&acme(), &january(1), 1, "a").await;
    let file = manifest.files[0].path.name.clone();
    for _ in 0..2 {
        store.feeds.remove(&acme(), &january(1), &[file.clone(), name("never-there")]).await.unwrap();
    }
    assert_eq!(store.feeds.files(&acme(), &january(1)).await.unwrap(), []);
}

async fn an_invalid_manifest_is_an_error(store: TestFeedStore) {
    store.complete_period(&acme(), &january(1), 1, "a").await;
    for invalid in ["", "{}", "{\"files\":[]}", "not json"] {
        store.put_object("acme/vocabulary_changes/version=1/format=jsonl/dt=2026-01-01/_manifest.json", invalid).await;
        let error = store.feeds.manifest(&acme(), &january(1)).await.unwrap_err();
        assert_eq!(error.kind(), parlance_domain::error::StoreErrorKind::Corrupt, "{invalid}");
    }
}

async fn a_tenant_does_not_find_another_tenants_files(store: TestFeedStore) {
    let manifest = store.complete_period(&globex(), &january(1), 1, "a").await;
    let file = &manifest.files[0].path.name;
    assert_eq!(store.feeds.feeds(&acme()).await.unwrap(), []);
    assert_eq!(store.feeds.complete_days(&acme(), &vocabulary_changes_dataset()).await.unwrap(), []);
    assert_eq!(store.feeds.stat(&acme(), &january(1), file).await.unwrap(), None);
    assert_eq!(store.feeds.manifest(&acme(), &january(1)).await.unwrap(), None);
    store.feeds.remove(&acme(), &january(1), std::slice::from_ref(file)).await.unwrap();
    assert!(content(&store, &globex(), &january(1), file).await.is_some());
}

async fn an_existing_store_is_reachable_with_and_without_content(store: TestFeedStore) {
    assert!(store.feeds.check().await.is_ok());
    store.complete_period(&acme(), &january(1), 1, "a").await;
    assert!(store.feeds.check().await.is_ok());
}

#[tokio::test]
async fn a_directory_is_reachable_if_it_can_be_created_and_unreachable_otherwise() {
    let directory = tempfile::tempdir().unwrap();
    let feeds = ObjectFeeds::open(&format!("file://{}/feeds", directory.path().display())).unwrap();
    assert!(feeds.check().await.is_ok());
    std::fs::write(directory.path().join("feeds"), "no directory").unwrap();
    assert!(feeds.check().await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_bucket_is_unreachable() {
    let Some(missing) = support::s3::open_bucket("never-made") else { return };
    assert!(ObjectFeeds::from_bucket(std::sync::Arc::new(missing)).check().await.is_err());
}
