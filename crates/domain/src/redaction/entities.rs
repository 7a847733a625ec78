//! The use cases of redaction entities, for tenants and for the operator.

use std::sync::Arc;

use super::{
    ActiveEntityCache, Activity, Approval, CommitOutcome, Entity, RedactionStore, SwitchActor, SwitchError, SwitchId,
    SwitchRecord, decide_switch,
};
use crate::{
    access::{AuthorizedCaller, ReadConfiguration, TenantId, WriteConfiguration},
    error::{StoreError, StoreErrorKind},
    id::IdSource,
    time::Clock,
};

/// An entity with its activity for a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RedactionEntity {
    /// The entity.
    pub entity: Entity,
    /// Whether it is active.
    pub activity: Activity,
}

/// Lists, finds and switches a tenant's entities (spec §4.9).
#[derive(Clone)]
pub struct RedactionEntities {
    active: ActiveEntityCache,
    switches: SwitchService,
}

impl RedactionEntities {
    /// Reads and writes `store`, and invalidates the tenant in `active` after each switch.
    #[must_use]
    pub fn new(
        store: Arc<dyn RedactionStore>,
        active: ActiveEntityCache,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { active, switches: SwitchService { store, ids, clock } }
    }

    /// The entities in catalogue order: all of them, or only those with the activity `only`.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn list(
        &self,
        caller: &AuthorizedCaller<ReadConfiguration>,
        only: Option<Activity>,
    ) -> Result<Vec<RedactionEntity>, StoreError> {
        let tenant = caller.tenant();
        let flags = self.switches.store.flags(tenant).await?;
        let all = Entity::ALL.into_iter().map(|entity| RedactionEntity { entity, activity: flags.activity(entity) });
        Ok(all.filter(|entry| only.is_none_or(|only| entry.activity == only)).collect())
    }

    /// The activity of one entity.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn find(
        &self,
        caller: &AuthorizedCaller<ReadConfiguration>,
        entity: Entity,
    ) -> Result<RedactionEntity, StoreError> {
        let tenant = caller.tenant();
        let flags = self.switches.store.flags(tenant).await?;
        Ok(RedactionEntity { entity, activity: flags.activity(entity) })
    }

    /// Switches an entity. The switch takes effect in this process at once, and in other processes when their cached
    /// sets expire. A switch to the current activity changes nothing and leaves no record.
    ///
    /// # Errors
    /// [`SwitchError::Refused`] if the entity is under compliance control; [`SwitchError::Store`].
    pub async fn switch(
        &self,
        caller: &AuthorizedCaller<WriteConfiguration>,
        entity: Entity,
        to: Activity,
    ) -> Result<RedactionEntity, SwitchError> {
        let tenant = caller.tenant();
        let by = caller.credential().cloned().map_or(SwitchActor::Embedder, SwitchActor::Credential);
        let outcome = self.switches.apply(tenant, entity, to, by).await;
        // After a store error the outcome of the switch is unknown, so the cache entry is removed in any case.
        self.active.invalidate(tenant);
        let (SwitchOutcome::Switched | SwitchOutcome::Unchanged) = outcome?;
        Ok(RedactionEntity { entity, activity: to })
    }
}

/// Switches entities under compliance control, for the operator. It takes no [`AuthorizedCaller`]: access to the
/// database is the authorization.
#[derive(Clone)]
pub struct ComplianceSwitches(SwitchService);

/// The outcome of a switch by the operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "nothing may have been switched"]
pub enum SwitchOutcome {
    /// The entity was switched and the switch was recorded.
    Switched,
    /// The entity already had this activity. Nothing was written.
    Unchanged,
}

impl ComplianceSwitches {
    /// Reads and writes `store`.
    #[must_use]
    pub fn new(store: Arc<dyn RedactionStore>, ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self(SwitchService { store, ids, clock })
    }

    /// Switches an entity under compliance control, with an approval. Running servers apply the switch when their
    /// cached sets expire.
    ///
    /// # Errors
    /// [`SwitchError::Refused`] if the entity is not under compliance control; [`SwitchError::Store`].
    pub async fn set(
        &self,
        tenant: &TenantId,
        entity: Entity,
        to: Activity,
        approval: Approval,
    ) -> Result<SwitchOutcome, SwitchError> {
        self.0.apply(tenant, entity, to, SwitchActor::Approvers(approval)).await
    }

    /// Every switch of a tenant by any actor, oldest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, StoreError> {
        self.0.store.log(tenant).await
    }
}

/// The maximum number of attempts when concurrent switches of the same entity conflict.
const MAX_ATTEMPTS: usize = 8;

/// Switches entities with optimistic concurrency: it reads, decides and writes, and repeats this after a conflict.
#[derive(Clone)]
struct SwitchService {
    store: Arc<dyn RedactionStore>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl SwitchService {
    async fn apply(
        &self,
        tenant: &TenantId,
        entity: Entity,
        to: Activity,
        by: SwitchActor,
    ) -> Result<SwitchOutcome, SwitchError> {
        for _ in 0..MAX_ATTEMPTS {
            let flags = self.store.flags(tenant).await?;
            let at = self.clock.now();
            let id = SwitchId::from_bits(self.ids.next(at));
            let Some(switch) = decide_switch(&flags, entity, to, by.clone(), id, at)? else {
                return Ok(SwitchOutcome::Unchanged);
            };
            if self.store.set(tenant, &switch).await? == CommitOutcome::Committed {
                return Ok(SwitchOutcome::Switched);
            }
        }
        Err(StoreError::new(StoreErrorKind::Unavailable, "concurrent switches of the same entity kept conflicting")
            .into())
    }
}
