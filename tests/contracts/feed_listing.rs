//! What a list of days costs: its calls of the store are counted, whatever a clock would say.

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
use support::{feeds::table, fixtures::acme};

/// A store that counts what is asked of it.
#[derive(Debug, Default)]
struct Counting {
    within: InMemory,
    looks: AtomicUsize,
    folders: AtomicUsize,
    walks: AtomicUsize,
}

impl fmt::Display for Counting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("counting")
    }
}

#[async_trait]
impl ObjectStore for Counting {
    async fn put_opts(&self, path: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.within.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(&self, path: &Path, options: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        self.within.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.within.get_opts(path, options).await
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.within.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.walks.fetch_add(1, Ordering::Relaxed);
        self.within.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.folders.fetch_add(1, Ordering::Relaxed);
        self.within.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.within.copy_opts(from, to, options).await
    }
}

/// How often a list of 28 days looks at an object, lists a folder, and walks all objects.
async fn cost(files: usize) -> (usize, usize, usize) {
    let store = Arc::new(Counting::default());
    for day in 1..=28 {
        let folder = format!("acme/vocabulary_changes/version=1/format=jsonl/dt=2026-02-{day:02}");
        for file in (0..files).map(|file| format!("part-{file}.jsonl")).chain(["_SUCCESS".to_owned()]) {
            store.put(&Path::from(format!("{folder}/{file}")), "".into()).await.unwrap();
        }
    }
    let listed = ObjectFeeds::within(Arc::clone(&store) as _).complete_days(&acme(), &table()).await.unwrap();
    assert_eq!(listed.len(), 28);
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    (count(&store.looks), count(&store.folders), count(&store.walks))
}

#[tokio::test]
async fn a_list_of_days_costs_one_look_a_day_however_many_files_there_are() {
    assert_eq!(cost(1).await, (28, 1, 0));
    assert_eq!(cost(100).await, (28, 1, 0));
}
