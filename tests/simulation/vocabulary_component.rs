//! The transcription component of the simulation. It keeps the newest version of each vocabulary.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    limits::DELIVERY_TIMEOUT_SECONDS,
    vocabulary::delivery::{DeliveryError, DeliveryErrorKind, TranscriptionComponent, VocabularySnapshot},
};

use crate::{
    fault::Fault,
    world::{SECOND, World},
};

const TIMEOUT: i64 = DELIVERY_TIMEOUT_SECONDS.cast_signed() * SECOND;

/// The component. Clones share it.
#[derive(Clone)]
pub(crate) struct SimulatedComponent {
    world: World,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    received: BTreeMap<TenantId, VocabularySnapshot>,
    /// The newest version of each vocabulary that was ever received.
    newest: BTreeMap<TenantId, u64>,
    /// What each version of each vocabulary was when it was stored.
    expected: BTreeMap<(TenantId, u64), VocabularySnapshot>,
}

impl SimulatedComponent {
    pub(crate) fn new(world: &World) -> Self {
        Self { world: world.clone(), state: Arc::default() }
    }

    /// A vocabulary has a new version, which the component may receive.
    pub(crate) fn expect(&self, tenant: TenantId, snapshot: VocabularySnapshot) {
        self.state.lock().unwrap().expected.insert((tenant, snapshot.version), snapshot);
    }

    /// The version that the component has; 0 without one.
    pub(crate) fn version(&self, tenant: &TenantId) -> u64 {
        self.state.lock().unwrap().received.get(tenant).map_or(0, |snapshot| snapshot.version)
    }

    /// Whether the component has received this version or a later one, even if it has lost it since.
    pub(crate) fn has_received(&self, tenant: &TenantId, version: u64) -> bool {
        version <= self.state.lock().unwrap().newest.get(tenant).copied().unwrap_or_default()
    }

    /// The component loses all vocabularies, as one that is replaced does.
    pub(crate) fn lose_all(&self) {
        self.world.trace(|| "the component loses all vocabularies".to_owned());
        self.state.lock().unwrap().received.clear();
    }

    fn receive(&self, tenant: TenantId, snapshot: VocabularySnapshot) {
        let mut state = self.state.lock().unwrap();
        let (version, before) = (snapshot.version, state.received.get(&tenant).map_or(0, |known| known.version));
        if version < before && !self.world.has(Fault::UncheckedVersion) {
            self.world.trace(|| format!("the component discards version {version} of {tenant}"));
            return;
        }
        self.world.trace(|| format!("the component has version {version} of {tenant}"));
        if version < before {
            self.world.violate(format!("version {version} of {tenant} came after version {before}"));
        }
        if state.expected.get(&(tenant.clone(), version)) != Some(&snapshot) {
            self.world.violate(format!("version {version} of {tenant} has other entries than it was stored with"));
        }
        let newest = state.newest.entry(tenant.clone()).or_default();
        *newest = version.max(*newest);
        state.received.insert(tenant, snapshot);
    }
}

#[async_trait]
impl TranscriptionComponent for SimulatedComponent {
    async fn push(&self, tenant: &TenantId, snapshot: &VocabularySnapshot) -> Result<(), DeliveryError> {
        let failed = |kind: DeliveryErrorKind| DeliveryError::new(kind, "the simulated component");
        if self.world.happens(|chaos| chaos.refused) {
            return Err(failed(DeliveryErrorKind::Failed));
        }
        let (component, tenant, snapshot) = (self.clone(), tenant.clone(), snapshot.clone());
        let answer = self.world.call(TIMEOUT, move || component.receive(tenant, snapshot)).await;
        if answer.is_none() && self.world.has(Fault::PresumedSuccess) {
            return Ok(());
        }
        answer.ok_or_else(|| failed(DeliveryErrorKind::TimedOut))
    }
}
