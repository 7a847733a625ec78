//! Tests the cost of listing the days of a feed, as a number of calls to the object store.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use object_store::{
    CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore, ObjectStoreExt,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, memory::InMemory, path::Path,
};
use parlance_adapters_objects::ObjectFeeds;
use parlance_domain::feed::FeedStore;
use support::{feeds::vocabulary_changes_dataset, fixtures::acme};

/// An object store that counts the calls that read or list objects.
#[derive(Debug, Default)]
struct CountingStore {
    inner: InMemory,
    reads: AtomicUsize,
    folder_lists: AtomicUsize,
    full_lists: AtomicUsize,
}

impl fmt::Display for CountingStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("counting")
    }
}

#[async_trait]
impl ObjectStore for CountingStore {
    async fn put_opts(&self, path: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.inner.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(&self, path: &Path, options: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.inner.get_opts(path, options).await
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.full_lists.fetch_add(1, Ordering::Relaxed);
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.folder_lists.fetch_add(1, Ordering::Relaxed);
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

/// The calls that a list of 28 days makes: reads of an object, listings of a folder, and listings of all objects.
async fn cost(files: usize) -> (usize, usize, usize) {
    let store = Arc::new(CountingStore::default());
    for day in 1..=28 {
        let folder = format!("acme/vocabulary_changes/version=1/format=jsonl/dt=2026-02-{day:02}");
        for file in (0..files).map(|file| format!("part-{file}.jsonl")).chain(["_SUCCESS".to_owned()]) {
            store.put(&Path::from(format!("{folder}/{file}")), "".into()).await.unwrap();
        }
    }
    let listed = ObjectFeeds::from_store(Arc::clone(&store) as _)
        .complete_days(&acme(), &vocabulary_changes_dataset())
        .await
        .unwrap();
    assert_eq!(listed.len(), 28);
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    (count(&store.reads), count(&store.folder_lists), count(&store.full_lists))
}

#[tokio::test]
async fn a_list_of_days_reads_one_object_a_day_for_any_number_of_files() {
    assert_eq!(cost(1).await, (28, 1, 0));
    assert_eq!(cost(100).await, (28, 1, 0));
}
