//! Finds, for a block of days, the complete periods that need no work. A run checks many of them, so it asks for the manifests and
//! for the checkpoints of all at once.

use super::{
    FeedPeriod, IntervalAction, Manifest,
    plan::{IntervalState, plan_interval},
    production_context::ProductionContext,
};
use crate::{access::TenantId, error::StoreError};

/// A complete period, with the number of its late changes.
pub(super) struct CompletePeriod {
    pub(super) period: FeedPeriod,
    pub(super) late_changes: u64,
}

/// Periods with a manifest that is up to date and without the checkpoint of an export, with their revisions.
#[derive(Default)]
pub(super) struct CurrentPeriods(Vec<(FeedPeriod, u32)>);

impl CurrentPeriods {
    /// Those of these periods that need no work.
    pub(super) async fn among(
        context: &ProductionContext,
        tenant: &TenantId,
        complete: Vec<CompletePeriod>,
    ) -> Result<Self, StoreError> {
        if complete.is_empty() {
            return Ok(Self::default());
        }
        let periods: Vec<_> = complete.iter().map(|complete| complete.period.clone()).collect();
        let manifests = context.store.manifests(tenant, &periods).await?;
        let found = complete.into_iter().zip(manifests).filter_map(|(complete, manifest)| {
            let manifest = manifest.filter(|manifest| complete.is_current(manifest))?;
            Some((complete.period, manifest.inputs.revision))
        });
        let current: Vec<_> = found.collect();
        let periods: Vec<_> = current.iter().map(|(period, _)| period.clone()).collect();
        let checkpoints = context.sink.load_checkpoints(tenant, &periods).await?;
        let without_checkpoint = current.into_iter().zip(checkpoints).filter(|(_, checkpoint)| checkpoint.is_none());
        Ok(Self(without_checkpoint.map(|(current, _)| current).collect()))
    }

    /// The revision of a period, if it needs no work.
    pub(super) fn revision(&self, period: &FeedPeriod) -> Option<u32> {
        self.0.iter().find(|(current, _)| current == period).map(|(_, revision)| *revision)
    }
}

impl CompletePeriod {
    /// Whether nothing is to be written with this manifest.
    fn is_current(&self, manifest: &Manifest) -> bool {
        let state = IntervalState {
            interval: self.period.interval,
            complete: true,
            manifest: Some(manifest),
            late_changes: self.late_changes,
        };
        plan_interval(state) == IntervalAction::Skip
    }
}
