//! Stores of feeds under test, and feeds to write into them.

use std::{path::PathBuf, sync::Arc};

use object_store::{ObjectStore, ObjectStoreExt, memory::InMemory, path::Path};
use parlance_adapters_objects::ObjectFeeds;
use parlance_domain::{
    access::TenantId,
    feed::{
        Cell, Compression, Dataset, Day, Feed, FeedPeriod, FeedSink, FeedStore, FileEncoding, FileFormat, FileName,
        Manifest, ManifestUpdate, RevisionInputs, WrittenFile,
    },
    time::Timestamp,
};
use tempfile::TempDir;

use crate::s3;

/// A store of feeds, with direct access to its objects.
pub struct TestFeedStore {
    /// The store under test.
    pub feeds: ObjectFeeds,
    /// The same objects.
    pub objects: Arc<dyn ObjectStore>,
    directory: Option<TempDir>,
}

impl TestFeedStore {
    /// A store in memory.
    #[must_use]
    pub fn in_memory() -> Self {
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        Self { feeds: ObjectFeeds::from_store(Arc::clone(&objects)), objects, directory: None }
    }

    /// A store in a directory.
    #[must_use]
    pub fn in_directory() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let feeds = ObjectFeeds::open(&format!("file://{}", directory.path().display())).unwrap();
        let objects = object_store::local::LocalFileSystem::new_with_prefix(directory.path()).unwrap();
        Self { feeds, objects: Arc::new(objects), directory: Some(directory) }
    }

    /// A store in a bucket of an S3 server; `None` if there is no server.
    pub async fn in_bucket() -> Option<Self> {
        let (_, store) = s3::create_bucket().await?;
        let store = Arc::new(store);
        Some(Self { feeds: ObjectFeeds::from_bucket(Arc::clone(&store)), objects: store, directory: None })
    }

    /// The same feeds as another process has them open.
    #[must_use]
    pub fn open_again(&self) -> ObjectFeeds {
        match &self.directory {
            Some(directory) => ObjectFeeds::open(&format!("file://{}", directory.path().display())).unwrap(),
            None => self.feeds.clone(),
        }
    }

    /// The directory of a period; `None` if the store is not a directory.
    #[must_use]
    pub fn period_directory(&self, tenant: &TenantId, period: &FeedPeriod) -> Option<PathBuf> {
        let Dataset { feed, version, format } = &period.dataset;
        let dataset = Path::from_iter([tenant.as_str(), feed.as_str(), &version.prefixed(), &format.prefixed()]);
        let hour = period.interval.hour.map(|hour| format!("/{}", hour.prefixed())).unwrap_or_default();
        let path = format!("{dataset}/dt={}{hour}", period.interval.day);
        Some(self.directory.as_ref()?.path().join(path))
    }

    /// Writes an object at a path, as another producer does.
    pub async fn put_object(&self, path: &str, content: &str) {
        self.objects.put(&Path::from(path), content.to_owned().into()).await.unwrap();
    }

    /// The bytes of an object.
    pub async fn get_object(&self, path: &str) -> Vec<u8> {
        self.objects.get(&Path::from(path)).await.unwrap().bytes().await.unwrap().to_vec()
    }

    /// Writes an unpublished file of vocabulary changes with these phrases.
    pub async fn write_file(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        name: &str,
        phrases: &[&str],
    ) -> WrittenFile {
        let file = FileName::parse(name).unwrap();
        let mut writer =
            self.feeds.create_file(tenant, period, &file, &file_encoding(Compression::None)).await.unwrap();
        writer.write(&phrases.iter().map(|phrase| row(phrase)).collect::<Vec<_>>()).await.unwrap();
        writer.finish().await.unwrap()
    }

    /// Writes a complete period with one file.
    pub async fn complete_period(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        revision: u32,
        phrase: &str,
    ) -> Manifest {
        let file = self.write_file(tenant, period, &format!("part-r{revision}.jsonl"), &[phrase]).await;
        self.feeds.publish(tenant, period, std::slice::from_ref(&file.path.name)).await.unwrap();
        let manifest = Manifest { inputs: revision_inputs(revision), hourly: false, files: vec![file] };
        let expected = self.feeds.manifest(tenant, period).await.unwrap();
        let update = ManifestUpdate { expected, manifest: manifest.clone() };
        self.feeds.complete(tenant, period, &update).await.unwrap();
        self.feeds.clean(tenant, period).await.unwrap();
        manifest
    }
}

/// The encoding of vocabulary changes as JSON Lines.
#[must_use]
pub fn file_encoding(compression: Compression) -> FileEncoding {
    FileEncoding { format: FileFormat::JsonLines, compression, columns: Feed::VocabularyChanges.columns() }
}

/// A row of vocabulary changes with this phrase.
#[must_use]
pub fn row(phrase: &str) -> Vec<Cell<'_>> {
    vec![
        Cell::Text("A1"),
        Cell::Text("added"),
        Cell::Text(phrase),
        Cell::ListOfTexts(vec!["I triple E"]),
        Cell::DateTime(Timestamp::from_micros(1_769_851_800_250_000).unwrap()),
    ]
}

/// The inputs of a revision.
#[must_use]
pub fn revision_inputs(revision: u32) -> RevisionInputs {
    RevisionInputs {
        revision,
        watermark: Timestamp::from_micros(1_769_999_999_000_000).unwrap(),
        late_changes: 0,
        masked_with: None,
        compression: Compression::None,
    }
}

/// The dataset of vocabulary changes as JSON Lines.
#[must_use]
pub fn vocabulary_changes_dataset() -> Dataset {
    Feed::VocabularyChanges.dataset(FileFormat::JsonLines)
}

/// Parses a day.
#[must_use]
pub fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}
