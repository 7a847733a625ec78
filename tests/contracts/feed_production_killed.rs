//! Tests that killed exports leave no files behind once a later export has finished, at whichever steps they are
//! killed.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use parlance_adapters_objects::ObjectFeeds;
use parlance_domain::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    feed::{
        Compression, DayRange, ExportCheckpoint, Feed, FeedPeriod, FeedSink, FileEncoding, FileFormat, FileName,
        FileWriter, Manifest,
    },
};
use support::{database::TestDatabase, feeds::TestFeedStore, fixtures::acme, service::NoopProductionObserver};

use crate::feed_production::{ExportFixture, first_day, first_day_at, second_day_close};

/// A sink over a directory that fails at one step of one period, as if its process were killed there. The sink leaves
/// the half-written file of that step behind.
struct KillingSink {
    killed_at: usize,
    steps: AtomicUsize,
    feeds: ObjectFeeds,
    period: FeedPeriod,
    folder: PathBuf,
}

impl KillingSink {
    /// Counts one step, and fails if the process is killed at it.
    fn count_step(&self, period: &FeedPeriod) -> Result<(), StoreError> {
        let killed = *period == self.period && self.steps.fetch_add(1, Ordering::Relaxed) + 1 == self.killed_at;
        if killed { Err(StoreError::new(StoreErrorKind::Unavailable, "killed")) } else { Ok(()) }
    }

    /// Counts one step that writes `file`. Leaves a half-written file if the process is killed at it.
    fn count_write(&self, period: &FeedPeriod, file: &str) -> Result<(), StoreError> {
        self.count_step(period).inspect_err(|_| self.leave_partial_file(file))
    }

    fn leave_partial_file(&self, file: &str) {
        fs::create_dir_all(&self.folder).unwrap();
        let paths = (1..).map(|number| self.folder.join(format!("{file}#{number}")));
        fs::write(paths.into_iter().find(|path| !path.exists()).unwrap(), "half").unwrap();
    }
}

#[async_trait]
impl FeedSink for KillingSink {
    async fn load_checkpoint(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
    ) -> Result<Option<ExportCheckpoint>, StoreError> {
        self.feeds.load_checkpoint(tenant, period).await
    }

    async fn save_checkpoint(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        checkpoint: &ExportCheckpoint,
    ) -> Result<(), StoreError> {
        self.count_write(period, "_progress.json")?;
        self.feeds.save_checkpoint(tenant, period, checkpoint).await
    }

    async fn create_file(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        file: &FileName,
        encoding: &FileEncoding,
    ) -> Result<Box<dyn FileWriter>, StoreError> {
        self.count_write(period, &format!("_{file}"))?;
        self.feeds.create_file(tenant, period, file, encoding).await
    }

    async fn publish(&self, tenant: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), StoreError> {
        self.count_step(period)?;
        self.feeds.publish(tenant, period, files).await
    }

    async fn complete(&self, tenant: &TenantId, period: &FeedPeriod, manifest: &Manifest) -> Result<(), StoreError> {
        self.count_write(period, "_manifest.json")?;
        self.feeds.complete(tenant, period, manifest).await?;
        self.count_write(period, "_SUCCESS").inspect_err(|_| fs::remove_file(self.folder.join("_SUCCESS")).unwrap())
    }

    async fn save_incomplete(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        manifest: &Manifest,
    ) -> Result<(), StoreError> {
        self.count_write(period, "_manifest.json")?;
        self.feeds.save_incomplete(tenant, period, manifest).await
    }

    async fn clean(&self, tenant: &TenantId, period: &FeedPeriod) -> Result<(), StoreError> {
        self.count_step(period)?;
        self.feeds.clean(tenant, period).await
    }

    async fn remove(&self, tenant: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), StoreError> {
        self.count_step(period)?;
        self.feeds.remove(tenant, period, files).await
    }
}

/// One period in an output directory, and the fixture that exports it, together with the same day in other formats.
struct ExportRun<'fixture> {
    fixture: &'fixture ExportFixture,
    output: TestFeedStore,
    period: FeedPeriod,
    formats: &'static [FileFormat],
}

impl ExportRun<'_> {
    /// Exports until the sink is killed at this step. Returns whether the export has such a step.
    async fn is_killed_at_step(&self, step: usize) -> bool {
        let folder = self.output.period_directory(&acme(), &self.period).unwrap();
        let (feeds, period) = (self.output.feeds.clone(), self.period.clone());
        let sink = Arc::new(KillingSink { killed_at: step, steps: AtomicUsize::new(0), feeds, period, folder });
        let store_and_sink = (Arc::new(self.output.feeds.clone()) as _, sink as _);
        let run = self.fixture.production_into(store_and_sink, second_day_close(), Compression::None);
        run.produce(&acme(), self.formats, DayRange::default(), &NoopProductionObserver).await.is_err()
    }

    /// The names of the files of the period in a format, in order.
    fn file_names(&self, feed: Feed, format: FileFormat) -> Vec<String> {
        let period = feed.dataset(format).period(self.period.day);
        let entries = fs::read_dir(self.output.period_directory(&acme(), &period).unwrap()).unwrap();
        let mut file_names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        file_names.sort();
        file_names
    }
}

/// Kills one export at a step of the last format and the next at another step, lets a third finish, and checks the files
/// that remain. Covers every pair of steps.
async fn assert_only_final_files_remain(feed: Feed, formats: &'static [FileFormat], expected_parts: usize) {
    let database = TestDatabase::sqlite();
    let fixture = ExportFixture::new(&database).await;
    fixture.append_message(1, "text", first_day_at(5)).await;
    let period = feed.dataset(*formats.last().unwrap()).period(first_day());
    for first_kill in 1.. {
        for second_kill in 1.. {
            let (output, period) = (TestFeedStore::in_directory(), period.clone());
            let run = ExportRun { fixture: &fixture, output, period, formats };
            if !run.is_killed_at_step(first_kill).await {
                assert!(first_kill > 1, "no export was killed");
                return;
            }
            let done = !run.is_killed_at_step(second_kill).await;
            assert!(!run.is_killed_at_step(usize::MAX).await);
            for format in formats {
                let (parts, other_files): (Vec<_>, _) =
                    run.file_names(feed, *format).into_iter().partition(|name| name.starts_with("part-"));
                assert_eq!(
                    other_files,
                    ["_SUCCESS", "_manifest.json"],
                    "killed at step {first_kill}, and then at step {second_kill}"
                );
                assert_eq!(parts.len(), expected_parts);
            }
            if done {
                break;
            }
        }
    }
}

#[tokio::test]
async fn exports_with_rows_that_are_killed_twice_leave_only_the_files_of_the_last_one() {
    assert_only_final_files_remain(Feed::Messages, &[FileFormat::JsonLines], 1).await;
}

#[tokio::test]
async fn exports_without_rows_that_are_killed_twice_leave_only_the_files_of_the_last_one() {
    assert_only_final_files_remain(Feed::RedactionChanges, &[FileFormat::JsonLines], 0).await;
}

#[tokio::test]
async fn exports_in_two_formats_that_are_killed_twice_leave_only_the_files_of_the_last_one() {
    assert_only_final_files_remain(Feed::Messages, &[FileFormat::JsonLines, FileFormat::Csv], 1).await;
}
