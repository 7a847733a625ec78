//! Stores of feeds under test, and what is kept in them.

use std::{path::PathBuf, sync::Arc};

use object_store::{ObjectStore, ObjectStoreExt, memory::InMemory, path::Path};
use parlance_adapters_objects::ObjectFeeds;
use parlance_domain::{
    access::TenantId,
    feed::{
        Cell, Compression, Day, Feed, FeedDay, FeedSink, FeedTable, FileForm, FileName, Format, Manifest, Origin,
        WrittenFile,
    },
    time::Timestamp,
};
use tempfile::TempDir;

use crate::s3;

/// A store of feeds, with a way to its objects behind its back.
pub struct FeedHome {
    /// The store under test.
    pub feeds: ObjectFeeds,
    /// The same objects.
    pub objects: Arc<dyn ObjectStore>,
    directory: Option<TempDir>,
}

impl FeedHome {
    /// In memory.
    #[must_use]
    pub fn in_memory() -> Self {
        let objects: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        Self { feeds: ObjectFeeds::within(Arc::clone(&objects)), objects, directory: None }
    }

    /// In a directory.
    #[must_use]
    pub fn in_directory() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let feeds = ObjectFeeds::open(&format!("file://{}", directory.path().display())).unwrap();
        let objects = object_store::local::LocalFileSystem::new_with_prefix(directory.path()).unwrap();
        Self { feeds, objects: Arc::new(objects), directory: Some(directory) }
    }

    /// In a bucket of a real server, where there is one.
    pub async fn in_bucket() -> Option<Self> {
        let (_, store) = s3::bucket().await?;
        let store = Arc::new(store);
        Some(Self { feeds: ObjectFeeds::in_bucket(Arc::clone(&store)), objects: store, directory: None })
    }

    /// The folder of a day, where the store is a directory.
    #[must_use]
    pub fn folder(&self, tenant: &TenantId, day: &FeedDay) -> Option<PathBuf> {
        let FeedTable { feed, version, format } = &day.table;
        let table = Path::from_iter([tenant.as_str(), feed.as_str(), &version.prefixed(), &format.prefixed()]);
        let folder = format!("{table}/dt={}", day.day);
        Some(self.directory.as_ref()?.path().join(folder))
    }

    /// Puts an object where it says, as another producer does.
    pub async fn put(&self, path: &str, content: &str) {
        self.objects.put(&Path::from(path), content.to_owned().into()).await.unwrap();
    }

    /// The bytes of an object.
    pub async fn get(&self, path: &str) -> Vec<u8> {
        self.objects.get(&Path::from(path)).await.unwrap().bytes().await.unwrap().to_vec()
    }

    /// Writes a file of vocabulary changes with these phrases, which is not shown yet.
    pub async fn write(&self, tenant: &TenantId, day: &FeedDay, name: &str, phrases: &[&str]) -> WrittenFile {
        let file = FileName::parse(name).unwrap();
        let mut writer = self.feeds.begin(tenant, day, &file, &form(Compression::None)).await.unwrap();
        writer.write(&phrases.iter().map(|phrase| row(phrase)).collect::<Vec<_>>()).await.unwrap();
        writer.finish().await.unwrap()
    }

    /// Writes a day of one file and makes it complete.
    pub async fn complete(&self, tenant: &TenantId, day: &FeedDay, revision: u32, phrase: &str) -> Manifest {
        let file = self.write(tenant, day, &format!("part-r{revision}.jsonl"), &[phrase]).await;
        self.feeds.show(tenant, day, std::slice::from_ref(&file.name)).await.unwrap();
        let manifest = Manifest { origin: origin(revision), files: vec![file] };
        self.feeds.complete(tenant, day, &manifest).await.unwrap();
        self.feeds.tidy(tenant, day).await.unwrap();
        manifest
    }
}

/// JSON Lines of vocabulary changes.
#[must_use]
pub fn form(compression: Compression) -> FileForm {
    FileForm { format: Format::JsonLines, compression, columns: Feed::VocabularyChanges.columns() }
}

/// A row of vocabulary changes with this phrase.
#[must_use]
pub fn row(phrase: &str) -> Vec<Cell<'_>> {
    vec![
        Cell::Text("A1"),
        Cell::Text("added"),
        Cell::Text(phrase),
        Cell::Texts(vec!["I triple E"]),
        Cell::Moment(Timestamp::from_micros(1_769_851_800_250_000).unwrap()),
    ]
}

/// What a revision was made of.
#[must_use]
pub fn origin(revision: u32) -> Origin {
    Origin {
        revision,
        watermark: Timestamp::from_micros(1_769_999_999_000_000).unwrap(),
        late_changes: 0,
        masked_with: None,
        compression: Compression::None,
    }
}

/// Vocabulary changes as JSON Lines.
#[must_use]
pub fn table() -> FeedTable {
    Feed::VocabularyChanges.table(Format::JsonLines)
}

/// A day.
#[must_use]
pub fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}
