//! The export of one day or one hour of a feed, in one pass for all formats that need it. It can be killed at any time and resumed.
//!
//! The export reads each batch of records once, masks it once, and passes it to the [`PeriodExport`] of each format. What the
//! formats ask of the store before and after the rows, they ask at the same time, because a bucket answers late.
//! Formats that a killed run left at different rows share no pass: each pass resumes the formats that are at one row.

use futures_util::future::try_join_all;

use super::{
    Feed, FeedWriteError, Interval, PeriodOutcome, ProductionObserver, RevisionInputs, Rows,
    period_export::{PeriodExport, Revision},
    production_context::ProductionContext,
};
use crate::{access::TenantId, error::StoreError, id::Id, redaction::EntitySet, sync::yield_to_runtime};

/// The export of one day or one hour of a feed.
pub(super) struct IntervalExport<'run> {
    pub(super) context: &'run ProductionContext,
    pub(super) tenant: &'run TenantId,
    pub(super) observer: &'run dyn ProductionObserver,
    pub(super) feed: Feed,
    pub(super) interval: Interval,
    pub(super) late_changes: u64,
    /// Whether the files of previous revisions and the checkpoints stay.
    pub(super) keeps_replaced: bool,
}

impl IntervalExport<'_> {
    /// Writes these revisions, one for each format.
    ///
    /// If another run has written one format meanwhile, the others that have all rows are published all the same: either they
    /// are the newest, or their files are removed. So no file that this run gave up is left with rows that were erased.
    pub(super) async fn run(&self, revisions: Vec<Revision>) -> Result<(), FeedWriteError> {
        self.observer.export_started(self.tenant, self.feed, self.interval, self.total_rows(revisions.len()).await?);
        let masked_with = match self.feed {
            Feed::Messages => Some(self.context.redaction.active_entities(self.tenant).await?),
            Feed::Conversations => Some(self.context.fields.entities(self.tenant).await?),
            Feed::VocabularyChanges | Feed::RedactionChanges => None,
        };
        let mut exports = self.load_or_start(revisions, masked_with).await?;
        exports.sort_by(|first, second| first.position().cmp(&second.position()));
        for exports in exports.chunk_by_mut(|first, second| first.position() == second.position()) {
            if exports.iter().any(|export| !export.rows_complete()) {
                self.write_rows(exports, masked_with).await?;
            }
            self.publish_all(exports).await?;
        }
        Ok(())
    }

    /// Publishes exports one after another, because the observer counts one revision at a time. Then removes the leftovers of
    /// those that are published.
    async fn publish_all(&self, exports: &mut [PeriodExport<'_>]) -> Result<(), FeedWriteError> {
        let (mut published, mut result) = (Vec::new(), Ok(()));
        for export in exports {
            match self.publish(export).await {
                Ok(outcome) => published.push((export, outcome)),
                Err(FeedWriteError::Superseded) => result = Err(FeedWriteError::Superseded),
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        if !self.keeps_replaced {
            try_join_all(published.iter_mut().map(|(export, _)| export.clean_up())).await?;
        }
        for (export, outcome) in published {
            self.observer.export_finished(self.tenant, export.period(), outcome);
        }
        result
    }

    async fn publish(&self, export: &mut PeriodExport<'_>) -> Result<PeriodOutcome, FeedWriteError> {
        self.observer.before_publication(self.tenant, export.period(), export.number()).await?;
        export.publish(&*self.context.store).await
    }

    /// The number of rows of all formats together, if the observer wants it.
    async fn total_rows(&self, formats: usize) -> Result<Option<u64>, StoreError> {
        if !self.observer.wants_row_count() {
            return Ok(None);
        }
        let rows = self.context.source.count(self.tenant, self.feed, self.interval).await?;
        Ok(Some(rows.saturating_mul(formats as u64)))
    }

    async fn load_or_start(
        &self,
        revisions: Vec<Revision>,
        masked_with: Option<EntitySet>,
    ) -> Result<Vec<PeriodExport<'_>>, StoreError> {
        let watermark = self.context.clock.now();
        let run_id = Id::from_bits(self.context.ids.next(watermark));
        let exports = revisions.into_iter().map(|revision| {
            let inputs = RevisionInputs {
                revision: revision.number,
                watermark,
                late_changes: self.late_changes,
                masked_with,
                compression: revision.format.compression(self.context.compression),
            };
            let (sink, columns) = (&*self.context.sink, self.feed.columns());
            PeriodExport::load_or_start(sink, self.tenant, columns, run_id.clone(), revision, inputs)
        });
        let exports = try_join_all(exports).await?;
        for export in &exports {
            self.observer.rows_written(export.finished_rows());
        }
        Ok(exports)
    }

    /// Writes the rows after the common position of these exports. Reads and masks each batch once.
    async fn write_rows(
        &self,
        exports: &mut [PeriodExport<'_>],
        masked_with: Option<EntitySet>,
    ) -> Result<(), StoreError> {
        let after = exports.first().and_then(|export| export.position().1.cloned());
        let mut stream = self.context.source.records(self.tenant, self.feed, self.interval, after.as_ref()).await?;
        loop {
            let mut records = stream.next().await?;
            if records.is_empty() {
                break;
            }
            if let Some(active) = masked_with {
                records.mask(&self.context.redaction, self.tenant, active).await?;
                records.mask_fields(&self.context.fields, active)?;
            }
            for export in &mut *exports {
                export.write(&records).await?;
                self.observer.rows_written(records.count() as u64);
            }
            // Encoding never waits while the source is faster, so without this call nothing could end an export before its
            // day ends.
            yield_to_runtime().await;
        }
        try_join_all(exports.iter_mut().map(PeriodExport::finish_rows)).await?;
        Ok(())
    }
}
