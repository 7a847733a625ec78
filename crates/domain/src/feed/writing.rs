//! How one day is written, so that it can be killed at any moment and gone on with.
//!
//! Files are written hidden, one after the other, and each that is whole is noted with the last row that it holds. Only
//! when no rows are left they are shown; then the manifest takes the place of the one before, the day is marked as
//! complete, and the files of the revision before are removed. A run that finds a note of the same origin goes on after
//! the last whole file; one of another origin it throws away. A day that is not over yet gets a manifest and no mark.

use super::{
    DayOutcome, Feed, FeedDay, FeedProduction, FeedSink, FileForm, FileName, Format, Manifest, Origin, ProductionWatch,
    Progress, Rows, WrittenFile, plan::is_over,
};
use crate::{access::TenantId, error::StoreError, id::Id, limits::FEED_FILE_MAX_ROWS};

/// What is to be written.
pub(super) struct Draft<'day> {
    pub(super) feed: Feed,
    pub(super) format: Format,
    pub(super) place: &'day FeedDay,
    pub(super) revision: u32,
    pub(super) late_changes: u64,
}

/// One day on its way into its files.
pub(super) struct DayWriting<'run> {
    production: &'run FeedProduction,
    tenant: &'run TenantId,
    draft: Draft<'run>,
    watch: &'run dyn ProductionWatch,
    /// In the name of every file of this run, so that two runs at once never write one file.
    mark: Id<()>,
}

impl<'run> DayWriting<'run> {
    pub(super) fn new(
        production: &'run FeedProduction,
        tenant: &'run TenantId,
        draft: Draft<'run>,
        watch: &'run dyn ProductionWatch,
    ) -> Self {
        let mark = Id::from_bits(production.ids.next(production.clock.now()));
        Self { production, tenant, draft, watch, mark }
    }

    pub(super) async fn run(self, replaced: Option<Manifest>) -> Result<DayOutcome, StoreError> {
        let (sink, place) = (&self.production.sink, self.draft.place);
        let mut progress = self.begin().await?;
        if !progress.all_rows {
            self.write_rows(&mut progress).await?;
            progress.all_rows = true;
            progress.replaces = replaced.map(|replaced| names(&replaced.files)).unwrap_or_default();
            // Of a day without rows too: while there is a note, a run that finds the day complete tidies it.
            sink.note(self.tenant, place, &progress).await?;
        }
        sink.show(self.tenant, place, &names(&progress.files)).await?;
        let manifest = Manifest { origin: progress.origin.clone(), files: progress.files.clone() };
        let complete = is_over(place.day, manifest.origin.watermark);
        if complete {
            sink.complete(self.tenant, place, &manifest).await?;
        } else {
            sink.save_unfinished(self.tenant, place, &manifest).await?;
        }
        clean_up(&**sink, self.tenant, place, &manifest, &progress).await?;
        let revision = manifest.origin.revision;
        Ok(DayOutcome::Written { revision, rows: manifest.rows(), bytes: manifest.bytes(), complete })
    }

    /// What another run noted, where it made the same; else a beginning.
    async fn begin(&self) -> Result<Progress, StoreError> {
        let origin = self.origin().await?;
        let (sink, place) = (&self.production.sink, self.draft.place);
        if let Some(noted) = sink.progress(self.tenant, place).await? {
            if is_same(&noted.origin, &origin) && is_over(place.day, noted.origin.watermark) {
                self.watch.rows(noted.files.iter().map(|file| file.rows).sum());
                return Ok(noted);
            }
            sink.remove(self.tenant, place, &names(&noted.files)).await?;
        }
        Ok(Progress { origin, files: Vec::new(), after: None, all_rows: false, replaces: Vec::new() })
    }

    async fn origin(&self) -> Result<Origin, StoreError> {
        let watermark = self.production.clock.now();
        let masked_with = match self.draft.feed {
            Feed::Messages => Some(self.production.masking.active(self.tenant).await?),
            Feed::Conversations | Feed::VocabularyChanges | Feed::RedactionChanges => None,
        };
        let compression = self.draft.format.compression(self.production.compression);
        let Draft { revision, late_changes, .. } = self.draft;
        Ok(Origin { revision, watermark, late_changes, masked_with, compression })
    }

    async fn write_rows(&self, progress: &mut Progress) -> Result<(), StoreError> {
        let (source, place) = (&self.production.source, self.draft.place);
        let after = progress.after.clone();
        let mut run = source.records(self.tenant, self.draft.feed, place.day, after.as_ref()).await?;
        let mut records = run.next().await?;
        while !records.is_empty() {
            let form = FileForm {
                format: self.draft.format,
                compression: progress.origin.compression,
                columns: self.draft.feed.columns(),
            };
            let name = self.file_name(progress);
            let mut file = self.production.sink.begin(self.tenant, place, &name, &form).await?;
            let mut rows = 0;
            while !records.is_empty() && rows < FEED_FILE_MAX_ROWS {
                let count = records.count() as u64;
                progress.after = records.last_place();
                if let Some(active) = progress.origin.masked_with {
                    records.mask(&self.production.masking, self.tenant, active).await?;
                }
                file.write(&records).await?;
                rows += count;
                self.watch.rows(count);
                records = run.next().await?;
            }
            progress.files.push(file.finish().await?);
            self.production.sink.note(self.tenant, place, progress).await?;
        }
        Ok(())
    }

    /// A name that no other revision and no other run has, so that files of two are never taken for one day's.
    fn file_name(&self, progress: &Progress) -> FileName {
        let Origin { revision, compression, .. } = &progress.origin;
        let (format, suffix, mark) = (self.draft.format.as_str(), compression.suffix(), &self.mark);
        FileName::of(&format!("part-r{revision:04}-{:05}-{mark}.{format}{suffix}", progress.files.len()))
    }
}

/// Removes what is no part of a complete day: files of the revision before, and what production noted.
pub(super) async fn clean_up(
    sink: &dyn FeedSink,
    tenant: &TenantId,
    place: &FeedDay,
    manifest: &Manifest,
    progress: &Progress,
) -> Result<(), StoreError> {
    let mut others = names(&progress.files);
    others.extend(progress.replaces.iter().cloned());
    others.retain(|name| !manifest.files.iter().any(|file| file.name == *name));
    sink.remove(tenant, place, &others).await?;
    sink.tidy(tenant, place).await
}

/// Whether two origins give the same rows and bytes.
fn is_same(one: &Origin, other: &Origin) -> bool {
    let Origin { revision, watermark: _, late_changes, masked_with, compression } = one;
    *revision == other.revision
        && *late_changes == other.late_changes
        && *masked_with == other.masked_with
        && *compression == other.compression
}

fn names(files: &[WrittenFile]) -> Vec<FileName> {
    files.iter().map(|file| file.name.clone()).collect()
}
