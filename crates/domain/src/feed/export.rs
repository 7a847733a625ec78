//! The export of one period. It can be killed at any time and resumed.
//!
//! The export writes unpublished files one after the other. After each finished file it saves a checkpoint with the
//! last row of the file. When all rows are written, it publishes the files, replaces the previous manifest, marks the
//! period as complete, and removes the files of the previous revision. A run that finds a checkpoint with the same
//! inputs resumes after the last finished file. It discards a checkpoint with other inputs. A day that is not closed
//! gets a manifest and no mark.

use super::{
    DayOutcome, ExportCheckpoint, Feed, FeedPeriod, FeedProduction, FeedSink, FileEncoding, FileFormat, FileName,
    Manifest, ProductionObserver, RevisionInputs, Rows, WrittenFile, plan::is_closed,
};
use crate::{access::TenantId, error::StoreError, id::Id, limits::FEED_FILE_MAX_ROWS};

/// The revision that is written.
pub(super) struct ExportSpec<'day> {
    pub(super) feed: Feed,
    pub(super) format: FileFormat,
    pub(super) period: &'day FeedPeriod,
    pub(super) revision: u32,
    pub(super) late_changes: u64,
}

/// The export of one period.
pub(super) struct PeriodExport<'run> {
    production: &'run FeedProduction,
    tenant: &'run TenantId,
    spec: ExportSpec<'run>,
    observer: &'run dyn ProductionObserver,
    /// Part of the name of every file of this run, so that concurrent runs never write the same file.
    run_id: Id<()>,
}

impl<'run> PeriodExport<'run> {
    pub(super) fn new(
        production: &'run FeedProduction,
        tenant: &'run TenantId,
        spec: ExportSpec<'run>,
        observer: &'run dyn ProductionObserver,
    ) -> Self {
        let run_id = Id::from_bits(production.ids.next(production.clock.now()));
        Self { production, tenant, spec, observer, run_id }
    }

    pub(super) async fn run(self, previous: Option<Manifest>) -> Result<DayOutcome, StoreError> {
        let (sink, period) = (&self.production.sink, self.spec.period);
        let mut checkpoint = self.load_or_start().await?;
        if !checkpoint.rows_complete {
            self.write_rows(&mut checkpoint).await?;
            checkpoint.rows_complete = true;
            checkpoint.replaced_files = previous.map(|previous| file_names(&previous.files)).unwrap_or_default();
            // A period without rows needs a checkpoint too: a later run that finds the period complete cleans up only
            // if a checkpoint exists.
            sink.save_checkpoint(self.tenant, period, &checkpoint).await?;
        }
        sink.publish(self.tenant, period, &file_names(&checkpoint.files)).await?;
        let manifest = Manifest { inputs: checkpoint.inputs.clone(), files: checkpoint.files.clone() };
        let complete = is_closed(period.day, manifest.inputs.watermark);
        if complete {
            sink.complete(self.tenant, period, &manifest).await?;
        } else {
            sink.save_incomplete(self.tenant, period, &manifest).await?;
        }
        clean_up(&**sink, self.tenant, period, &manifest, &checkpoint).await?;
        let revision = manifest.inputs.revision;
        Ok(DayOutcome::Written { revision, rows: manifest.rows(), bytes: manifest.bytes(), complete })
    }

    /// The checkpoint of an earlier run with the same inputs, or an empty one.
    async fn load_or_start(&self) -> Result<ExportCheckpoint, StoreError> {
        let inputs = self.inputs().await?;
        let (sink, period) = (&self.production.sink, self.spec.period);
        if let Some(checkpoint) = sink.load_checkpoint(self.tenant, period).await? {
            if has_same_inputs(&checkpoint.inputs, &inputs) && is_closed(period.day, checkpoint.inputs.watermark) {
                self.observer.rows_written(checkpoint.files.iter().map(|file| file.rows).sum());
                return Ok(checkpoint);
            }
            sink.remove(self.tenant, period, &file_names(&checkpoint.files)).await?;
        }
        Ok(ExportCheckpoint {
            inputs,
            files: Vec::new(),
            cursor: None,
            rows_complete: false,
            replaced_files: Vec::new(),
        })
    }

    async fn inputs(&self) -> Result<RevisionInputs, StoreError> {
        let watermark = self.production.clock.now();
        let masked_with = match self.spec.feed {
            Feed::Messages => Some(self.production.redaction.active_entities(self.tenant).await?),
            Feed::Conversations | Feed::VocabularyChanges | Feed::RedactionChanges => None,
        };
        let compression = self.spec.format.compression(self.production.compression);
        let ExportSpec { revision, late_changes, .. } = self.spec;
        Ok(RevisionInputs { revision, watermark, late_changes, masked_with, compression })
    }

    async fn write_rows(&self, checkpoint: &mut ExportCheckpoint) -> Result<(), StoreError> {
        let (source, period) = (&self.production.source, self.spec.period);
        let after = checkpoint.cursor.clone();
        let mut stream = source.records(self.tenant, self.spec.feed, period.day, after.as_ref()).await?;
        let mut records = stream.next().await?;
        while !records.is_empty() {
            let encoding = FileEncoding {
                format: self.spec.format,
                compression: checkpoint.inputs.compression,
                columns: self.spec.feed.columns(),
            };
            let name = self.file_name(checkpoint);
            let mut file = self.production.sink.create_file(self.tenant, period, &name, &encoding).await?;
            let mut rows = 0;
            while !records.is_empty() && rows < FEED_FILE_MAX_ROWS {
                let count = records.count() as u64;
                checkpoint.cursor = records.last_cursor();
                if let Some(active) = checkpoint.inputs.masked_with {
                    records.mask(&self.production.redaction, self.tenant, active).await?;
                }
                file.write(&records).await?;
                rows += count;
                self.observer.rows_written(count);
                records = stream.next().await?;
            }
            checkpoint.files.push(file.finish().await?);
            self.production.sink.save_checkpoint(self.tenant, period, checkpoint).await?;
        }
        Ok(())
    }

    /// A file name that no other revision and no other run uses, so that files of two runs or revisions never mix.
    fn file_name(&self, checkpoint: &ExportCheckpoint) -> FileName {
        let RevisionInputs { revision, compression, .. } = &checkpoint.inputs;
        let (format, suffix, run_id) = (self.spec.format.as_str(), compression.suffix(), &self.run_id);
        FileName::new_unchecked(&format!("part-r{revision:04}-{:05}-{run_id}.{format}{suffix}", checkpoint.files.len()))
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
    obsolete.retain(|name| !manifest.files.iter().any(|file| file.name == *name));
    sink.remove(tenant, period, &obsolete).await?;
    sink.clean(tenant, period).await
}

/// Whether two exports with these inputs write the same rows and bytes.
fn has_same_inputs(first: &RevisionInputs, second: &RevisionInputs) -> bool {
    let RevisionInputs { revision, watermark: _, late_changes, masked_with, compression } = first;
    *revision == second.revision
        && *late_changes == second.late_changes
        && *masked_with == second.masked_with
        && *compression == second.compression
}

fn file_names(files: &[WrittenFile]) -> Vec<FileName> {
    files.iter().map(|file| file.name.clone()).collect()
}
