//! The complete periods of a block of days that need no work. A run looks at many of them after each erasure, so it asks the
//! store for all of a block at once.

use super::{
    FeedPeriod, IntervalAction, Manifest,
    plan::{IntervalState, plan_interval},
    production_context::ProductionContext,
};
use crate::{access::TenantId, error::StoreError};

/// A complete period that a run checks.
pub(super) struct CheckedPeriod {
    pub(super) period: FeedPeriod,
    pub(super) late_changes: u64,
}

/// Periods that are up to date and hold nothing that an interrupted run left, with their revisions.
#[derive(Default)]
pub(super) struct CurrentPeriods(Vec<(FeedPeriod, u32)>);

impl CurrentPeriods {
    /// Looks at complete periods.
    pub(super) async fn among(
        context: &ProductionContext,
        tenant: &TenantId,
        checked: Vec<CheckedPeriod>,
    ) -> Result<Self, StoreError> {
        if checked.is_empty() {
            return Ok(Self::default());
        }
        let periods: Vec<_> = checked.iter().map(|checked| checked.period.clone()).collect();
        let manifests = context.store.manifests(tenant, &periods).await?;
        let current: Vec<_> = checked
            .into_iter()
            .zip(manifests)
            .filter_map(|(checked, manifest)| {
                manifest
                    .filter(|manifest| checked.is_current(manifest))
                    .map(|manifest| (checked.period, manifest.inputs.revision))
            })
            .collect();
        let periods: Vec<_> = current.iter().map(|(period, _)| period.clone()).collect();
        let checkpoints = context.sink.load_checkpoints(tenant, &periods).await?;
        let clean = current.into_iter().zip(checkpoints).filter(|(_, checkpoint)| checkpoint.is_none());
        Ok(Self(clean.map(|(current, _)| current).collect()))
    }

    /// The revision of a period, if it needs no work.
    pub(super) fn revision(&self, period: &FeedPeriod) -> Option<u32> {
        self.0.iter().find(|(current, _)| current == period).map(|(_, revision)| *revision)
    }
}

impl CheckedPeriod {
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
