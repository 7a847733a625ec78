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

use super::{
    Column, ExportCheckpoint, FeedPeriod, FeedSink, FileEncoding, FileFormat, FileName, FileWriter, Manifest,
    PeriodOutcome, RecordBatch, RevisionInputs, RowCursor, Rows, WrittenFile,
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
        let mut checkpoint = ExportCheckpoint {
            inputs,
            files: Vec::new(),
            cursor: None,
            rows_complete: false,
            replaced_files: Vec::new(),
        };
        match sink.load_checkpoint(tenant, period).await? {
            Some(found) if is_resumable(&found, &checkpoint.inputs, period) => checkpoint = found,
            Some(discarded) => {
                // The discarded run may have been killed after its files became the current revision.
                let current = revision.replaced.as_ref().map(|manifest| file_names(&manifest.files));
                let mut unused = file_names(&discarded.files);
                unused.retain(|name| !current.as_ref().is_some_and(|current| current.contains(name)));
                sink.remove(tenant, period, &unused).await?;
                checkpoint.replaced_files = discarded.replaced_files;
            }
            None => {}
        }
        Ok(Self { sink, tenant, revision, columns, run_id, checkpoint, file: None })
    }

    pub(super) fn period(&self) -> &FeedPeriod {
        &self.revision.period
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
            return self.finish_file(file).await;
        }
        self.file = Some(file);
        Ok(())
    }

    /// Records that all rows are written.
    pub(super) async fn finish_rows(&mut self) -> Result<(), StoreError> {
        if let Some(file) = self.file.take() {
            self.finish_file(file).await?;
        }
        self.checkpoint.rows_complete = true;
        let replaced = self.revision.replaced.as_ref();
        self.checkpoint.replaced_files.extend(replaced.map(|previous| file_names(&previous.files)).unwrap_or_default());
        // A period without rows needs a checkpoint too: a later run that finds the period complete cleans up only if a
        // checkpoint exists.
        self.sink.save_checkpoint(self.tenant, &self.revision.period, &self.checkpoint).await
    }

    /// Publishes the finished files as the period. The checkpoint stays for [`clean_up`](Self::clean_up).
    pub(super) async fn publish(&mut self) -> Result<PeriodOutcome, StoreError> {
        let manifest = self.manifest();
        let Self { sink, tenant, checkpoint, .. } = self;
        let period = &self.revision.period;
        sink.publish(tenant, period, &file_names(&checkpoint.files)).await?;
        let complete = period.interval.is_closed(manifest.inputs.watermark);
        if complete {
            sink.complete(tenant, period, &manifest).await?;
        } else {
            sink.save_incomplete(tenant, period, &manifest).await?;
        }
        let revision = manifest.inputs.revision;
        Ok(PeriodOutcome::Written { revision, rows: manifest.rows(), bytes: manifest.bytes(), complete })
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

    async fn finish_file(&mut self, file: OpenFile) -> Result<(), StoreError> {
        self.checkpoint.files.push(file.writer.finish().await?);
        self.checkpoint.cursor = file.last_row;
        self.sink.save_checkpoint(self.tenant, &self.revision.period, &self.checkpoint).await
    }
}

/// Removes the leftovers of a complete period: files of the previous revision, unpublished files and the checkpoint.
pub(super) async fn clean_up(
    sink: &dyn FeedSink,
    tenant: &TenantId,
    period: &FeedPeriod,
    manifest: &Manifest,
    checkpoint: &ExportCheckpoint,
) -> Result<(), StoreError> {
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

/// The names of the files that are directly in the directory of their period. Files of hours belong to their hours.
pub(super) fn file_names(files: &[WrittenFile]) -> Vec<FileName> {
    let own = files.iter().filter(|file| file.path.hour.is_none());
    own.map(|file| file.path.name.clone()).collect()
}
