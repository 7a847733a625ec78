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
        Compression, DayRange, ExportCheckpoint, Feed, FeedPeriod, FeedProduction, FeedSink, FeedWriteError,
        FileEncoding, FileFormat, FileName, FileWriter, Hour, Interval, IntervalLength, ManifestUpdate,
    },
};
use support::{database::TestDatabase, feeds::TestFeedStore, fixtures::acme, service::NoopProductionObserver};

use crate::feed_production::{ExportFixture, first_day, first_day_at, messages, second_day_close};

/// A sink over a directory that fails at one step of some periods, as if its process were killed there. The sink leaves
/// the half-written file of that step behind.
struct KillingSink {
    killed_at: usize,
    steps: AtomicUsize,
    feeds: ObjectFeeds,
    /// The periods whose steps are counted, and their directories.
    periods: Vec<(FeedPeriod, PathBuf)>,
}

impl KillingSink {
    /// A sink into this output that is killed at this step of these periods together.
    fn new(output: &TestFeedStore, killed_at: usize, periods: &[FeedPeriod]) -> Self {
        let with_folder = |period: &FeedPeriod| (period.clone(), output.period_directory(&acme(), period).unwrap());
        let periods = periods.iter().map(with_folder).collect();
        Self { killed_at, steps: AtomicUsize::new(0), feeds: output.feeds.clone(), periods }
    }

    /// Counts one step, and fails if the process is killed at it.
    fn count_step(&self, period: &FeedPeriod) -> Result<(), StoreError> {
        let killed = self.folder(period).is_some() && self.steps.fetch_add(1, Ordering::Relaxed) + 1 == self.killed_at;
        if killed { Err(StoreError::new(StoreErrorKind::Unavailable, "killed")) } else { Ok(()) }
    }

    /// Counts one step that writes `file`. Leaves a half-written file if the process is killed at it.
    fn count_write(&self, period: &FeedPeriod, file: &str) -> Result<(), StoreError> {
        self.count_step(period).inspect_err(|_| self.leave_partial_file(period, file))
    }

    fn folder(&self, period: &FeedPeriod) -> Option<&PathBuf> {
        self.periods.iter().find(|(counted, _)| counted == period).map(|(_, folder)| folder)
    }

    fn leave_partial_file(&self, period: &FeedPeriod, file: &str) {
        let folder = self.folder(period).unwrap();
        fs::create_dir_all(folder).unwrap();
        let paths = (1..).map(|number| folder.join(format!("{file}#{number}")));
        fs::write(paths.into_iter().find(|path| !path.exists()).unwrap(), "half").unwrap();
    }
}

#[async_trait]
impl FeedSink for KillingSink {
    async fn count_files(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        self.feeds.count_files(tenant).await
    }

    async fn remove_tenant(&self, tenant: &TenantId) -> Result<u64, StoreError> {
        self.feeds.remove_tenant(tenant).await
    }

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

    async fn publish(&self, tenant: &TenantId, period: &FeedPeriod, files: &[FileName]) -> Result<(), FeedWriteError> {
        self.count_step(period)?;
        self.feeds.publish(tenant, period, files).await
    }

    async fn complete(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        update: &ManifestUpdate,
    ) -> Result<(), FeedWriteError> {
        self.count_write(period, "_manifest.json")?;
        self.feeds.complete(tenant, period, update).await?;
        Ok(self
            .count_write(period, "_SUCCESS")
            .inspect_err(|_| fs::remove_file(self.folder(period).unwrap().join("_SUCCESS")).unwrap())?)
    }

    async fn save_incomplete(
        &self,
        tenant: &TenantId,
        period: &FeedPeriod,
        update: &ManifestUpdate,
    ) -> Result<(), FeedWriteError> {
        self.count_write(period, "_manifest.json")?;
        self.feeds.save_incomplete(tenant, period, update).await
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
        let sink = Arc::new(KillingSink::new(&self.output, step, std::slice::from_ref(&self.period)));
        let store_and_sink = (Arc::new(self.output.feeds.clone()) as _, sink as _);
        let run = self.fixture.production_into(store_and_sink, second_day_close(), Compression::None);
        run.produce(&acme(), self.formats, DayRange::default(), &NoopProductionObserver).await.is_err()
    }

    /// The names of the files of the period in a format, in order.
    fn file_names(&self, feed: Feed, format: FileFormat) -> Vec<String> {
        file_names(&self.output, &feed.dataset(format).period(self.period.interval))
    }
}

/// The names in the directory of a period, in order.
fn file_names(output: &TestFeedStore, period: &FeedPeriod) -> Vec<String> {
    let entries = fs::read_dir(output.period_directory(&acme(), period).unwrap()).unwrap();
    let mut file_names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    file_names.sort();
    file_names
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

/// A production by hours, as this interval closes, that is killed at this step of these periods together.
fn hourly_production(fixture: &ExportFixture, step: usize, periods: &[FeedPeriod], at: Interval) -> FeedProduction {
    let sink = Arc::new(KillingSink::new(&fixture.output, step, periods));
    let store = Arc::new(fixture.output.feeds.clone());
    let production = fixture.production_into((store as _, sink as _), at.closes_at(), Compression::None);
    production.with_intervals(IntervalLength::Hour)
}

/// Exports a closed day until the sink is killed at this step of its first hour or of it. Returns whether it was.
async fn is_hourly_export_killed(fixture: &ExportFixture, step: usize) -> bool {
    let day = messages(first_day());
    let periods = [day.hour(Hour::all().next().unwrap()), day];
    let run = hourly_production(fixture, step, &periods, first_day().into());
    run.produce(&acme(), &[FileFormat::JsonLines], DayRange::default(), &NoopProductionObserver).await.is_err()
}

/// Whether each file that the manifest of the day names exists, if the day is complete.
async fn assert_listed_files_exist(fixture: &ExportFixture, day: &FeedPeriod) {
    let folder = fixture.output.period_directory(&acme(), day).unwrap();
    for file in fixture.manifest(day).await.into_iter().flat_map(|manifest| manifest.files) {
        assert!(folder.join(file.path.to_string()).exists(), "{}", file.path);
    }
}

#[tokio::test]
async fn a_killed_export_of_a_late_hour_removes_no_file_of_its_day_and_the_next_one_leaves_only_the_last_files() {
    let database = TestDatabase::sqlite();
    let fixture = ExportFixture::new(&database).await;
    let (day, first_hour) = (messages(first_day()), Hour::all().next().unwrap());
    for messages in 1.. {
        fixture.append_message(messages, "text", first_day_at(5)).await;
        let killed = is_hourly_export_killed(&fixture, usize::try_from(messages).unwrap()).await;
        assert_listed_files_exist(&fixture, &day).await;
        // A second late change makes another revision of what the killed run left.
        fixture.append_message(1_000 + messages, "text", first_day_at(6)).await;
        assert!(!is_hourly_export_killed(&fixture, usize::MAX).await);
        assert_listed_files_exist(&fixture, &day).await;
        let manifest = fixture.manifest(&day).await.unwrap();
        assert_eq!((manifest.rows(), manifest.files.len()), (2 * u64::try_from(messages).unwrap(), 1));
        let hours = Hour::all().map(Hour::prefixed);
        let in_day: Vec<_> = ["_SUCCESS", "_manifest.json"].into_iter().map(str::to_owned).chain(hours).collect();
        assert_eq!(file_names(&fixture.output, &day), in_day, "killed at step {messages}");
        let in_hour = file_names(&fixture.output, &day.hour(first_hour));
        let name = manifest.files[0].path.name.to_string();
        assert_eq!(in_hour, ["_SUCCESS", "_manifest.json", &name], "killed at step {messages}");
        if !killed {
            return assert!(messages > 8, "the export has fewer steps than expected");
        }
    }
}

/// Writes an open day again until the sink is killed at this step of an hour. Returns whether there is such a step.
async fn is_rewrite_killed(fixture: &ExportFixture, hour: &FeedPeriod, step: usize) -> bool {
    let run = hourly_production(fixture, step, std::slice::from_ref(hour), hour.interval);
    run.rewrite(&acme(), &[FileFormat::JsonLines], &NoopProductionObserver).await.is_err()
}

#[tokio::test]
async fn a_killed_rewrite_of_an_hour_of_an_open_day_leaves_only_the_last_files_after_the_next_one() {
    let database = TestDatabase::sqlite();
    let fixture = ExportFixture::new(&database).await;
    let hour = messages(first_day()).hour(Hour::all().next().unwrap());
    for messages in 1.. {
        fixture.append_message(messages, "text", first_day_at(5)).await;
        let killed = is_rewrite_killed(&fixture, &hour, usize::try_from(messages).unwrap()).await;
        assert!(!is_rewrite_killed(&fixture, &hour, usize::MAX).await);
        let files = fixture.manifest(&hour).await.unwrap().files;
        assert_eq!(files[0].rows, u64::try_from(messages).unwrap());
        let names = ["_SUCCESS", "_manifest.json", &files[0].path.name.to_string()];
        assert_eq!(file_names(&fixture.output, &hour), names, "killed at step {messages}");
        if !killed {
            return assert!(messages > 6, "the rewrite has fewer steps than expected");
        }
    }
}
