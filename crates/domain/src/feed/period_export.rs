//! The export of one period, that is, of one day or one hour of a feed in one format.
//!
//! The export writes unpublished files one after the other. After each finished file it saves a checkpoint with the
//! last row of the file. When all rows are written, it publishes the files, replaces the previous manifest, marks the
//! period as complete, and removes the files of the previous revision.
//!
//! A run that finds a checkpoint resumes after the last finished file, if the checkpoint has the same inputs and its
//! watermark is not earlier than the time at which the period closed. It discards any other checkpoint with its files: an
//! earlier watermark means that the finished files can lack rows. A period that is not closed gets a manifest
//! and no mark.
//!
//! Runs can overlap. Each manifest names the one that it replaces, and its revision is one greater. So once a revision is
//! stored, no run that was to write the same revision can complete, and the files that only such runs name can be removed.
//! Until then, no file of another run is removed.

use super::{
    Column, ExportCheckpoint, FeedPeriod, FeedSink, FeedStore, FeedWriteError, FileEncoding, FileFormat, FileName,
    FileWriter, Manifest, ManifestUpdate, PeriodOutcome, RecordBatch, RevisionInputs, RowCursor, Rows,
    manifest::file_names,
};
use crate::{access::TenantId, error::StoreError, id::Id, limits::FEED_FILE_MAX_ROWS};

/// A revision of a period that is to be written.
pub(super) struct Revision {
    pub(super) format: FileFormat,
    pub(super) period: FeedPeriod,
    pub(super) number: u32,
    /// The manifest of the previous revision.
    pub(super) replaced: Option<Manifest>,
}

/// The export of one period.
pub(super) struct PeriodExport<'run> {
    sink: &'run dyn FeedSink,
    tenant: &'run TenantId,
    revision: Revision,
    columns: &'static [Column],
    /// Part of the name of every file of this run, so that concurrent runs never write the same file.
    run_id: Id<()>,
    checkpoint: ExportCheckpoint,
    /// The number of files that an interrupted run wrote, which come first.
    resumed_files: usize,
    file: Option<OpenFile>,
}

/// A file that is being written.
struct OpenFile {
    writer: Box<dyn FileWriter>,
    rows: u64,
    last_row: Option<RowCursor>,
}

impl<'run> PeriodExport<'run> {
    /// Resumes an interrupted export with the same inputs, or starts an export.
    pub(super) async fn load_or_start(
        sink: &'run dyn FeedSink,
        tenant: &'run TenantId,
        columns: &'static [Column],
        run_id: Id<()>,
        revision: Revision,
        inputs: RevisionInputs,
    ) -> Result<Self, StoreError> {
        let period = &revision.period;
        let mut checkpoint = ExportCheckpoint::start(inputs);
        match sink.load_checkpoint(tenant, period).await? {
            Some(found) if is_resumable(&found, &checkpoint.inputs, period) => checkpoint = found,
            // The discarded run may still complete, so its files stay until this revision is stored.
            Some(discarded) => checkpoint.discard_files_of(discarded),
            None => {}
        }
        let resumed_files = checkpoint.files.len();
        Ok(Self { sink, tenant, revision, columns, run_id, checkpoint, resumed_files, file: None })
    }

    pub(super) fn period(&self) -> &FeedPeriod {
        &self.revision.period
    }

    /// The number of the revision.
    pub(super) fn number(&self) -> u32 {
        self.revision.number
    }

    /// Whether all rows are in finished files.
    pub(super) fn rows_complete(&self) -> bool {
        self.checkpoint.rows_complete
    }

    /// How far the finished files reach: whether they have all rows, and their last row.
    pub(super) fn position(&self) -> (bool, Option<&RowCursor>) {
        (self.checkpoint.rows_complete, self.checkpoint.cursor.as_ref())
    }

    /// The number of rows in finished files.
    pub(super) fn finished_rows(&self) -> u64 {
        self.checkpoint.files.iter().map(|file| file.rows).sum()
    }

    /// Appends records. Finishes the file if it has reached the maximum number of rows.
    pub(super) async fn write(&mut self, records: &RecordBatch) -> Result<(), StoreError> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => OpenFile { writer: self.create_file().await?, rows: 0, last_row: None },
        };
        file.writer.write(records).await?;
        file.rows += records.count() as u64;
        file.last_row = records.last_cursor();
        if file.rows >= FEED_FILE_MAX_ROWS {
            self.close_file(file).await?;
            return self.save_checkpoint().await;
        }
        self.file = Some(file);
        Ok(())
    }

    /// Records that all rows are written.
    pub(super) async fn finish_rows(&mut self) -> Result<(), StoreError> {
        if let Some(file) = self.file.take() {
            self.close_file(file).await?;
        }
        self.checkpoint.rows_complete = true;
        let replaced = self.revision.replaced.as_ref();
        self.checkpoint.replaced_files.extend(replaced.map(|previous| file_names(&previous.files)).unwrap_or_default());
        // A period without rows needs a checkpoint too: a later run that finds the period complete cleans up only if a
        // checkpoint exists.
        self.save_checkpoint().await
    }

    /// Publishes the finished files as the period. The checkpoint stays for [`clean_up`](Self::clean_up).
    ///
    /// If another run has written the period meanwhile, the files of this run are removed. If another run has removed a
    /// file of this one, the next run writes the period from its first row.
    pub(super) async fn publish(&mut self, store: &dyn FeedStore) -> Result<PeriodOutcome, FeedWriteError> {
        let result = self.replace_manifest().await;
        match result {
            Err(FeedWriteError::Superseded) => self.remove_own_files(store).await?,
            Err(FeedWriteError::FileRemoved) => self.restart_next_time().await?,
            Ok(_) | Err(FeedWriteError::Store(_)) => {}
        }
        result
    }

    async fn replace_manifest(&mut self) -> Result<PeriodOutcome, FeedWriteError> {
        let (sink, tenant, period) = (self.sink, self.tenant, &self.revision.period);
        let update = ManifestUpdate { expected: self.revision.replaced.clone(), manifest: self.manifest() };
        sink.publish(tenant, period, &file_names(&self.checkpoint.files)).await?;
        let complete = period.interval.is_closed(update.manifest.inputs.watermark);
        if complete {
            sink.complete(tenant, period, &update).await?;
        } else {
            sink.save_incomplete(tenant, period, &update).await?;
        }
        let ManifestUpdate { manifest, .. } = update;
        let revision = manifest.inputs.revision;
        Ok(PeriodOutcome::Written { revision, rows: manifest.rows(), bytes: manifest.bytes(), complete })
    }

    /// Removes the files that this run wrote, except those with which another run has completed the period.
    async fn remove_own_files(&mut self, store: &dyn FeedStore) -> Result<(), StoreError> {
        let period = &self.revision.period;
        let Some(current) = store.manifest(self.tenant, period).await? else { return Ok(()) };
        let mut own = file_names(self.checkpoint.files.get(self.resumed_files..).unwrap_or_default());
        own.retain(|name| !file_names(&current.files).contains(name));
        self.sink.remove(self.tenant, period, &own).await
    }

    /// Saves a checkpoint without files. With the files of this one, each run that resumes it would fail again.
    async fn restart_next_time(&mut self) -> Result<(), StoreError> {
        let inputs = self.checkpoint.inputs.clone();
        let mut checkpoint = ExportCheckpoint::start(inputs);
        checkpoint.discard_files_of(self.checkpoint.clone());
        self.sink.save_checkpoint(self.tenant, &self.revision.period, &checkpoint).await
    }

    /// Removes the leftovers of the published period.
    pub(super) async fn clean_up(&mut self) -> Result<(), StoreError> {
        let manifest = self.manifest();
        clean_up(self.sink, self.tenant, &self.revision.period, &manifest, &self.checkpoint).await
    }

    fn manifest(&self) -> Manifest {
        Manifest { inputs: self.checkpoint.inputs.clone(), hourly: false, files: self.checkpoint.files.clone() }
    }

    async fn create_file(&mut self) -> Result<Box<dyn FileWriter>, StoreError> {
        let (format, compression) = (self.revision.format, self.checkpoint.inputs.compression);
        let encoding = FileEncoding { format, compression, columns: self.columns };
        let name = self.next_file_name();
        self.sink.create_file(self.tenant, &self.revision.period, &name, &encoding).await
    }

    /// A file name that no other revision and no other run uses, so that files of two runs or revisions never mix.
    fn next_file_name(&self) -> FileName {
        let RevisionInputs { revision, compression, .. } = &self.checkpoint.inputs;
        let (format, suffix, run_id) = (self.revision.format.as_str(), compression.suffix(), &self.run_id);
        let number = self.checkpoint.files.len();
        FileName::new_unchecked(&format!("part-r{revision:04}-{number:05}-{run_id}.{format}{suffix}"))
    }

    /// Finishes a file, and adds it to the checkpoint, which is to be saved next.
    async fn close_file(&mut self, file: OpenFile) -> Result<(), StoreError> {
        self.checkpoint.files.push(file.writer.finish().await?);
        self.checkpoint.cursor = file.last_row;
        Ok(())
    }

    async fn save_checkpoint(&mut self) -> Result<(), StoreError> {
        self.sink.save_checkpoint(self.tenant, &self.revision.period, &self.checkpoint).await
    }
}

/// Removes the leftovers of a complete period: files of the previous revision, unpublished files and the checkpoint.
/// A checkpoint of a later revision is of a run that may still complete, so it stays with its files.
pub(super) async fn clean_up(
    sink: &dyn FeedSink,
    tenant: &TenantId,
    period: &FeedPeriod,
    manifest: &Manifest,
    checkpoint: &ExportCheckpoint,
) -> Result<(), StoreError> {
    if checkpoint.inputs.revision > manifest.inputs.revision {
        return Ok(());
    }
    let mut obsolete = file_names(&checkpoint.files);
    obsolete.extend(checkpoint.replaced_files.iter().cloned());
    obsolete.retain(|name| !file_names(&manifest.files).contains(name));
    sink.remove(tenant, period, &obsolete).await?;
    sink.clean(tenant, period).await
}

/// Whether the finished files of a checkpoint hold the rows and bytes that an export with these inputs would write.
fn is_resumable(checkpoint: &ExportCheckpoint, inputs: &RevisionInputs, period: &FeedPeriod) -> bool {
    let RevisionInputs { revision, watermark, late_changes, masked_with, compression } = &checkpoint.inputs;
    *revision == inputs.revision
        && period.interval.is_closed(*watermark)
        && *late_changes == inputs.late_changes
        && *masked_with == inputs.masked_with
        && *compression == inputs.compression
}
