//! That of a production that is killed nothing is left once another has ended, whatever it was doing and however often.

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
        Compression, DayRange, Feed, FeedDay, FeedSink, FileForm, FileName, FileWriter, Format, Manifest, Progress,
    },
};
use support::{database::TestDatabase, feeds::FeedHome, fixtures::acme, service::Unwatched};

use crate::feed_production::{Home, first, later, on};

/// Writes into a directory until its process is killed at a step of one day, of which it leaves what was half-written.
struct KilledAt {
    step: usize,
    steps: AtomicUsize,
    feeds: ObjectFeeds,
    day: FeedDay,
    folder: PathBuf,
}

impl KilledAt {
    /// Takes one step.
    fn step(&self, day: &FeedDay) -> Result<(), StoreError> {
        let killed = *day == self.day && self.steps.fetch_add(1, Ordering::Relaxed) + 1 == self.step;
        if killed { Err(StoreError::new(StoreErrorKind::Unavailable, "killed")) } else { Ok(()) }
    }

    /// Takes one step, which writes a file of this name.
    fn step_of(&self, day: &FeedDay, file: &str) -> Result<(), StoreError> {
        self.step(day).inspect_err(|_| self.leave_half(file))
    }

    fn leave_half(&self, file: &str) {
        fs::create_dir_all(&self.folder).unwrap();
        let halves = (1..).map(|number| self.folder.join(format!("{file}#{number}")));
        fs::write(halves.into_iter().find(|half| !half.exists()).unwrap(), "half").unwrap();
    }
}

#[async_trait]
impl FeedSink for KilledAt {
    async fn progress(&self, tenant: &TenantId, day: &FeedDay) -> Result<Option<Progress>, StoreError> {
        self.feeds.progress(tenant, day).await
    }

    async fn note(&self, tenant: &TenantId, day: &FeedDay, progress: &Progress) -> Result<(), StoreError> {
        self.step_of(day, "_progress.json")?;
        self.feeds.note(tenant, day, progress).await
    }

    async fn begin(
        &self,
        tenant: &TenantId,
        day: &FeedDay,
        file: &FileName,
        form: &FileForm,
    ) -> Result<Box<dyn FileWriter>, StoreError> {
        self.step_of(day, &format!("_{file}"))?;
        self.feeds.begin(tenant, day, file, form).await
    }

    async fn show(&self, tenant: &TenantId, day: &FeedDay, files: &[FileName]) -> Result<(), StoreError> {
        self.step(day)?;
        self.feeds.show(tenant, day, files).await
    }

    async fn complete(&self, tenant: &TenantId, day: &FeedDay, manifest: &Manifest) -> Result<(), StoreError> {
        self.step_of(day, "_manifest.json")?;
        self.feeds.complete(tenant, day, manifest).await?;
        self.step_of(day, "_SUCCESS").inspect_err(|_| fs::remove_file(self.folder.join("_SUCCESS")).unwrap())
    }

    async fn save_unfinished(&self, tenant: &TenantId, day: &FeedDay, manifest: &Manifest) -> Result<(), StoreError> {
        self.step_of(day, "_manifest.json")?;
        self.feeds.save_unfinished(tenant, day, manifest).await
    }

    async fn tidy(&self, tenant: &TenantId, day: &FeedDay) -> Result<(), StoreError> {
        self.step(day)?;
        self.feeds.tidy(tenant, day).await
    }

    async fn remove(&self, tenant: &TenantId, day: &FeedDay, files: &[FileName]) -> Result<(), StoreError> {
        self.step(day)?;
        self.feeds.remove(tenant, day, files).await
    }
}

/// A day's place among the feeds, and who produces it.
struct Production<'home> {
    home: &'home Home,
    kept: FeedHome,
    day: FeedDay,
}

impl Production<'_> {
    /// Runs until it is killed at this step, and tells whether there was such a step.
    async fn is_killed_at(&self, step: usize) -> bool {
        let folder = self.kept.folder(&acme(), &self.day).unwrap();
        let (feeds, day) = (self.kept.feeds.clone(), self.day.clone());
        let sink = Arc::new(KilledAt { step, steps: AtomicUsize::new(0), feeds, day, folder });
        let kept = (Arc::new(self.kept.feeds.clone()) as _, sink as _);
        let production = self.home.production_into(kept, later(), Compression::None);
        production.produce(&acme(), &[Format::JsonLines], DayRange::default(), &Unwatched).await.is_err()
    }

    /// What there is of the day.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.kept.folder(&acme(), &self.day).unwrap()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Kills a run at a step and the next at another, lets one end, and holds what there is then.
async fn hold_to(feed: Feed, shown: usize) {
    let database = TestDatabase::sqlite();
    let home = Home::of(&database).await;
    home.say(1, "text", on(5)).await;
    let day = feed.table(Format::JsonLines).on(first());
    for once in 1.. {
        for again in 1.. {
            let production = Production { home: &home, kept: FeedHome::in_directory(), day: day.clone() };
            if !production.is_killed_at(once).await {
                assert!(once > 1, "no run was killed");
                return;
            }
            let done = !production.is_killed_at(again).await;
            assert!(!production.is_killed_at(usize::MAX).await);
            let (parts, others): (Vec<_>, _) =
                production.names().into_iter().partition(|name| name.starts_with("part-"));
            assert_eq!(others, ["_SUCCESS", "_manifest.json"], "killed at step {once}, and then at step {again}");
            assert_eq!(parts.len(), shown);
            if done {
                break;
            }
        }
    }
}

#[tokio::test]
async fn of_a_day_with_rows_that_is_killed_twice_nothing_is_left_but_what_belongs_to_it() {
    hold_to(Feed::Messages, 1).await;
}

#[tokio::test]
async fn of_a_day_without_rows_that_is_killed_twice_nothing_is_left_but_what_belongs_to_it() {
    hold_to(Feed::RedactionChanges, 0).await;
}
