//! The store of feeds as a replica reaches it: objects in memory, behind a network. Every object is a step of its own.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    feed::{
        Day, ExportCheckpoint, FeedName, FeedPeriod, FeedSink, FeedWriteError, FileEncoding, FileName, FileWriter,
        Manifest, ManifestUpdate, Rows, Sha256Hex, WrittenFile,
    },
};

use crate::{
    fault::Fault,
    feed_source::SimulatedSource,
    world::{SECOND, World},
};

/// How long a replica waits for the bucket.
pub(crate) const TIMEOUT: i64 = 5 * SECOND;

/// The rows of each file, as text.
type Files = BTreeMap<FileName, Vec<String>>;

/// The objects of a period.
#[derive(Default)]
pub(crate) struct PeriodObjects {
    unpublished: Files,
    published: Files,
    pub(crate) manifest: Option<Manifest>,
    pub(crate) is_marked: bool,
    checkpoint: Option<ExportCheckpoint>,
}

/// The bucket with the feeds. Clones share it.
#[derive(Clone)]
pub(crate) struct SimulatedFeeds {
    pub(crate) world: World,
    source: SimulatedSource,
    pub(crate) periods: Arc<Mutex<BTreeMap<(FeedName, Day), PeriodObjects>>>,
}

fn name(period: &FeedPeriod) -> String {
    format!("{} {}", period.dataset.feed, period.interval.day)
}

impl SimulatedFeeds {
    pub(crate) fn new(world: &World, source: &SimulatedSource) -> Self {
        Self { world: world.clone(), source: source.clone(), periods: Arc::default() }
    }

    /// Reads or changes the objects of a period.
    pub(crate) fn with<T>(&self, feed: &FeedName, day: Day, action: impl FnOnce(&mut PeriodObjects) -> T) -> T {
        action(self.periods.lock().unwrap().entry((feed.clone(), day)).or_default())
    }

    /// One request to the bucket. What is listed must be readable after it.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        period: &FeedPeriod,
        action: impl FnOnce(&World, &mut PeriodObjects) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let (feeds, period) = (self.clone(), period.clone());
        let effect = move || {
            let (feed, day) = (&period.dataset.feed, period.interval.day);
            feeds.with(feed, day, |objects| {
                let answer = action(&feeds.world, objects);
                feeds.check_listed(&period, objects);
                answer
            })
        };
        let answer = self.world.call(TIMEOUT, effect).await;
        answer.ok_or_else(|| StoreError::new(StoreErrorKind::Unavailable, "the simulated bucket gives no answer"))
    }

    /// A listed day has all files of its manifest, and they have all rows that the manifest counts.
    pub(crate) fn check_listed(&self, period: &FeedPeriod, objects: &PeriodObjects) {
        if !objects.is_marked {
            return;
        }
        let Some(manifest) = &objects.manifest else {
            return self.world.violate(format!("{} is listed without a manifest", name(period)));
        };
        let files = manifest.files.iter().map(|file| objects.published.get(&file.path.name));
        let Some(files) = files.collect::<Option<Vec<_>>>() else {
            let revision = manifest.inputs.revision;
            return self.world.violate(format!("{} is listed without files of revision {revision}", name(period)));
        };
        let rows: Vec<_> = files.into_iter().flatten().collect();
        let counted = manifest.inputs.late_changes;
        if let Some(missing) = self.source.missing_row(&period.dataset.feed, period.interval.day, counted, &rows) {
            self.world.violate(format!("{} is listed without row {missing}", name(period)));
        }
    }

    async fn put_manifest(&self, period: &FeedPeriod, update: &ManifestUpdate) -> Result<(), FeedWriteError> {
        let (what, update) = (name(period), update.clone());
        let compared = self.call(period, move |world, objects| {
            let ManifestUpdate { expected, manifest } = update;
            let new = (manifest.inputs.revision, manifest.inputs.late_changes);
            if objects.manifest != expected && !world.has(Fault::UnconditionalManifest) {
                let is_stored = objects.manifest.as_ref() == Some(&manifest);
                world.trace(|| format!("{what}: a manifest of revision {} is refused, unless {is_stored}", new.0));
                return is_stored.then_some(()).ok_or(FeedWriteError::Superseded);
            }
            world.trace(|| format!("{what}: the manifest is that of revision {}", new.0));
            let stored = objects.manifest.as_ref().map(|stored| (stored.inputs.revision, stored.inputs.late_changes));
            if let Some(stored) = stored.filter(|stored| *stored > new) {
                world.violate(format!("{what}: revision {} has replaced revision {}", new.0, stored.0));
            }
            objects.manifest = Some(manifest);
            Ok(())
        });
        compared.await?
    }

    async fn mark(&self, period: &FeedPeriod) -> Result<(), StoreError> {
        let what = name(period);
        self.call(period, move |world, objects| {
            world.trace(|| format!("{what} is listed"));
            objects.is_marked = true;
        })
        .await
    }

    async fn publish_one(&self, period: &FeedPeriod, file: &FileName) -> Result<(), FeedWriteError> {
        let (file, removes) = (file.clone(), self.world.has(Fault::RemovalBeforeManifest));
        let is_published = self
            .call(period, move |_, objects| {
                if removes {
                    objects.published.clear();
                }
                if let Some(rows) = objects.unpublished.remove(&file) {
                    objects.published.insert(file.clone(), rows);
                }
                objects.published.contains_key(&file)
            })
            .await?;
        is_published.then_some(()).ok_or(FeedWriteError::FileRemoved)
    }
}

#[async_trait]
impl FeedSink for SimulatedFeeds {
    async fn count_files(&self, _: &TenantId) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn remove_tenant(&self, _: &TenantId) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn load_checkpoint(&self, _: &TenantId, period: &FeedPeriod) -> Result<Option<ExportCheckpoint>, StoreError> {
        self.call(period, |_, objects| objects.checkpoint.clone()).await
    }

    async fn save_checkpoint(
        &self,
        _: &TenantId,
        period: &FeedPeriod,
        checkpoint: &ExportCheckpoint,
    ) -> Result<(), StoreError> {
        let checkpoint = Some(checkpoint.clone());
        self.call(period, move |_, objects| objects.checkpoint = checkpoint).await
    }

    async fn create_file(
        &self,
        _: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
        _: &FileEncoding,
    ) -> Result<Box<dyn FileWriter>, StoreError> {
        Ok(Box::new(Writer { feeds: self.clone(), period: period.clone(), file: file.clone(), rows: Vec::new() }))
    }

    async fn publish(&self, _: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), FeedWriteError> {
        if self.world.has(Fault::ManifestBeforeFiles) {
            return Ok(());
        }
        for file in files {
            self.publish_one(period, file).await?;
        }
        Ok(())
    }

    async fn complete(&self, _: &TenantId, period: &FeedPeriod, update: &ManifestUpdate) -> Result<(), FeedWriteError> {
        self.put_manifest(period, update).await?;
        self.mark(period).await?;
        if self.world.has(Fault::ManifestBeforeFiles) {
            for file in &update.manifest.files {
                self.publish_one(period, &file.path.name).await?;
            }
        }
        Ok(())
    }

    async fn save_incomplete(&self, _: &TenantId, _: &FeedPeriod, _: &ManifestUpdate) -> Result<(), FeedWriteError> {
        unreachable!("the days of the simulation are closed")
    }

    async fn clean(&self, _: &TenantId, period: &FeedPeriod) -> Result<(), StoreError> {
        self.call(period, |_, objects| objects.unpublished.clear()).await?;
        self.call(period, |_, objects| objects.checkpoint = None).await
    }

    async fn remove(&self, _: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), StoreError> {
        for file in files {
            let file = file.clone();
            let what = name(period);
            self.call(period, move |world, objects| {
                world.trace(|| format!("{what}: {file} is removed"));
                objects.published.remove(&file);
                objects.unpublished.remove(&file);
            })
            .await?;
        }
        Ok(())
    }
}

/// A file whose rows become visible together.
struct Writer {
    feeds: SimulatedFeeds,
    period: FeedPeriod,
    file: FileName,
    rows: Vec<String>,
}

#[async_trait]
impl FileWriter for Writer {
    async fn write(&mut self, rows: &dyn Rows) -> Result<(), StoreError> {
        self.feeds.world.step().await;
        rows.for_each_row(&mut |cells| {
            self.rows.push(format!("{cells:?}"));
            Ok(())
        })
    }

    async fn finish(self: Box<Self>) -> Result<WrittenFile, StoreError> {
        let Self { feeds, period, file, rows } = *self;
        let (path, count) = (file.clone().into(), rows.len() as u64);
        feeds.call(&period, move |_, objects| drop(objects.unpublished.insert(file, rows))).await?;
        Ok(WrittenFile { path, rows: count, bytes: count, sha256: Sha256Hex::parse(&"0".repeat(64)).unwrap() })
    }
}
