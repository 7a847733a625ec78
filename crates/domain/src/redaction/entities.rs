//! The use cases of redaction entities: a tenant's own, and the operator's.

use std::sync::Arc;

use super::{
    ActiveSets, Activity, Approval, Commit, Entity, RedactionStore, SwitchId, SwitchRecord, SwitchedBy, switch,
};
use crate::{
    access::{Caller, Permission, TenantId},
    error::{Error, StoreError, StoreErrorKind},
    id::IdSource,
    time::Clock,
};

/// An entity, and whether it is active for a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RedactionEntity {
    /// What it is.
    pub entity: Entity,
    /// Whether it is active.
    pub activity: Activity,
}

/// Lists, finds and switches a tenant's entities (spec §4.9).
#[derive(Clone)]
pub struct RedactionEntities {
    active: ActiveSets,
    thrower: Thrower,
}

impl RedactionEntities {
    /// Works on this store, and drops what `active` remembers of a tenant as soon as a switch of it is thrown.
    #[must_use]
    pub fn new(
        store: Arc<dyn RedactionStore>,
        active: ActiveSets,
        ids: Arc<dyn IdSource>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { active, thrower: Thrower { store, ids, clock } }
    }

    /// The entities of the catalogue in its order: all, or those of one activity.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConfiguration`]; [`Error::Store`].
    pub async fn list(&self, caller: &Caller, only: Option<Activity>) -> Result<Vec<RedactionEntity>, Error> {
        let tenant = caller.permit(Permission::ReadConfiguration)?;
        let flags = self.thrower.store.flags(tenant).await?;
        let all = Entity::ALL.into_iter().map(|entity| RedactionEntity { entity, activity: flags.activity(entity) });
        Ok(all.filter(|found| only.is_none_or(|only| found.activity == only)).collect())
    }

    /// One entity.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::ReadConfiguration`]; [`Error::Store`].
    pub async fn find(&self, caller: &Caller, entity: Entity) -> Result<RedactionEntity, Error> {
        let tenant = caller.permit(Permission::ReadConfiguration)?;
        let flags = self.thrower.store.flags(tenant).await?;
        Ok(RedactionEntity { entity, activity: flags.activity(entity) })
    }

    /// Switches an entity, which takes effect here at once and elsewhere when what is remembered there has aged. A
    /// switch to what is in force changes nothing and leaves no record.
    ///
    /// # Errors
    /// [`Error::Denied`] without [`Permission::WriteConfiguration`]; [`Error::Switch`] where compliance controls the
    /// entity; [`Error::Store`].
    pub async fn switch(&self, caller: &Caller, entity: Entity, to: Activity) -> Result<RedactionEntity, Error> {
        let tenant = caller.permit(Permission::WriteConfiguration)?;
        let by = caller.credential().cloned().map_or(SwitchedBy::Embedder, SwitchedBy::Credential);
        let thrown = self.thrower.throw(tenant, entity, to, by).await;
        // Whether it landed is not known where the store fell silent, so what is remembered goes in any case.
        self.active.forget(tenant);
        let (Thrown::Switched | Thrown::Unchanged) = thrown?;
        Ok(RedactionEntity { entity, activity: to })
    }
}

/// The operator's side: switches what compliance controls. It takes no [`Caller`]: whoever runs it has the database.
#[derive(Clone)]
pub struct Compliance(Thrower);

/// What an operator's switch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "nothing may have been switched"]
pub enum Thrown {
    /// The entity was switched, and that is on record.
    Switched,
    /// It was so already: nothing was written.
    Unchanged,
}

impl Compliance {
    /// Works on this store.
    #[must_use]
    pub fn new(store: Arc<dyn RedactionStore>, ids: Arc<dyn IdSource>, clock: Arc<dyn Clock>) -> Self {
        Self(Thrower { store, ids, clock })
    }

    /// Switches an entity that compliance controls, on an approval. Servers that run follow when what they remember
    /// has aged.
    ///
    /// # Errors
    /// [`Error::Switch`] where the entity is the tenant's own to switch; [`Error::Store`].
    pub async fn set(
        &self,
        tenant: &TenantId,
        entity: Entity,
        to: Activity,
        approval: Approval,
    ) -> Result<Thrown, Error> {
        self.0.throw(tenant, entity, to, SwitchedBy::Approvers(approval)).await
    }

    /// Every switch of a tenant, by whomever, the oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn log(&self, tenant: &TenantId) -> Result<Vec<SwitchRecord>, Error> {
        Ok(self.0.store.log(tenant).await?)
    }
}

/// How often a switch is decided anew when others throw the same one.
const ATTEMPTS: usize = 8;

/// Throws switches: reads, decides, writes, and decides again where another came first.
#[derive(Clone)]
struct Thrower {
    store: Arc<dyn RedactionStore>,
    ids: Arc<dyn IdSource>,
    clock: Arc<dyn Clock>,
}

impl Thrower {
    async fn throw(&self, tenant: &TenantId, entity: Entity, to: Activity, by: SwitchedBy) -> Result<Thrown, Error> {
        for _ in 0..ATTEMPTS {
            let flags = self.store.flags(tenant).await?;
            let at = self.clock.now();
            let id = SwitchId::from_bits(self.ids.next(at));
            let Some(switch) = switch(&flags, entity, to, by.clone(), id, at)? else { return Ok(Thrown::Unchanged) };
            if self.store.set(tenant, &switch).await? == Commit::Committed {
                return Ok(Thrown::Switched);
            }
        }
        Err(StoreError::new(StoreErrorKind::Unavailable, "others kept throwing the same switch").into())
    }
}
