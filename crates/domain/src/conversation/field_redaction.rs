//! The redaction of the fields of conversations: names and metadata values are masked, identifiers are checked.

use std::{collections::BTreeMap, sync::Arc};

use super::{Change, Conversation, Metadata, MetadataCriteria, Participant, UpsertRequest};
use crate::{
    access::TenantId,
    error::{StoreError, StoreErrorKind},
    redaction::{
        ActiveEntityCache, Entity, EntitySet, IdentifierCheck, IdentifierField, IdentifierPolicy, MaskedValue,
        MaskingMeter, SensitiveIdentifiers, mask_labelled_value,
    },
    text::{DisplayName, Violation},
};

/// The fields of conversations that are masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaskedFields {
    /// The display names of participants.
    pub names: bool,
    /// The values of metadata.
    pub metadata: bool,
}

impl Default for MaskedFields {
    /// All fields.
    fn default() -> Self {
        Self { names: true, metadata: true }
    }
}

/// Masks card data in names and metadata values, and applies the policy for identifiers.
///
/// Fields are masked for the active ones of the [locked entities](crate::redaction::locked_entities), when they are
/// stored and again when they are read. So values are masked too that were stored while an entity was not active.
#[derive(Clone)]
pub struct FieldRedaction {
    active_sets: ActiveEntityCache,
    masked: MaskedFields,
    identifiers: IdentifierCheck,
}

/// A request with masked fields, and what is counted once it is stored.
pub(super) struct RedactedRequest {
    pub(super) request: UpsertRequest,
    /// The entities that were found, one for each masked span.
    pub(super) found: Vec<Entity>,
    /// The identifiers that contain card data.
    pub(super) sensitive: Vec<IdentifierField>,
}

impl FieldRedaction {
    /// Masks all fields and allows every identifier. `active_sets` provides the active entities of each tenant.
    #[must_use]
    pub fn new(active_sets: ActiveEntityCache) -> Self {
        Self { active_sets, masked: MaskedFields::default(), identifiers: IdentifierCheck::default() }
    }

    /// Forgets which entities are active for a tenant. This affects everything that shares the cache.
    pub(crate) fn forget_active_entities(&self, tenant: &TenantId) {
        self.active_sets.invalidate(tenant);
    }

    /// Masks only these fields.
    #[must_use]
    pub fn with_masked_fields(self, masked: MaskedFields) -> Self {
        Self { masked, ..self }
    }

    /// Applies this policy to identifiers.
    #[must_use]
    pub fn with_identifiers(mut self, policy: IdentifierPolicy) -> Self {
        self.identifiers.policy = policy;
        self
    }

    /// The same redaction, counted by this meter.
    #[must_use]
    pub fn with_meter(mut self, meter: Arc<dyn MaskingMeter>) -> Self {
        self.identifiers.meter = meter;
        self
    }

    /// The entities that are masked in the fields of a tenant's conversations.
    pub(crate) async fn entities(&self, tenant: &TenantId) -> Result<EntitySet, StoreError> {
        Ok(self.identifiers.locked(self.active_sets.for_tenant(tenant).await?))
    }

    /// Masks the criteria on metadata values as stored values are masked. A criterion that is not masked would not match
    /// a masked value, and would find a value that reading does not show.
    pub(crate) fn mask_criteria(&self, criteria: &mut MetadataCriteria, entities: EntitySet) -> Result<(), StoreError> {
        self.mask_metadata(criteria.metadata_mut(), entities, &mut Vec::new())
    }

    /// Masks the fields of a conversation.
    pub(crate) fn mask_conversation(
        &self,
        conversation: &mut Conversation,
        entities: EntitySet,
    ) -> Result<(), StoreError> {
        let mut found = Vec::new();
        for participant in conversation.agent.iter_mut().chain([&mut conversation.customer]) {
            self.mask_participant(participant, entities, &mut found)?;
        }
        if let Some(metadata) = &mut conversation.metadata {
            self.mask_metadata(metadata, entities, &mut found)?;
        }
        Ok(())
    }

    /// The identifiers of a request that contain a value of a locked entity, if the policy allows them.
    pub(super) fn check_identifiers(
        &self,
        request: &UpsertRequest,
        entities: EntitySet,
    ) -> Result<Vec<IdentifierField>, FieldRefusal> {
        Ok(self.identifiers.check(identifiers_of(request), entities)?)
    }

    /// Checks the identifiers of a request, and masks its other fields.
    pub(super) fn redact_request(
        &self,
        mut request: UpsertRequest,
        entities: EntitySet,
    ) -> Result<RedactedRequest, FieldRefusal> {
        let sensitive = self.check_identifiers(&request, entities)?;
        let mut found = Vec::new();
        if let Change::Set(agent) = &mut request.agent {
            self.mask_participant(agent, entities, &mut found)?;
        }
        self.mask_participant(&mut request.customer, entities, &mut found)?;
        if let Change::Set(metadata) = &mut request.metadata {
            self.mask_metadata(metadata, entities, &mut found)?;
        }
        Ok(RedactedRequest { request, found, sensitive })
    }

    /// Counts what was stored.
    pub(super) fn count(&self, found: &[Entity], sensitive: &[IdentifierField]) {
        for entity in found {
            self.identifiers.meter.record_masked_field(*entity);
        }
        self.identifiers.count(sensitive);
    }

    fn mask_participant(
        &self,
        participant: &mut Participant,
        entities: EntitySet,
        found: &mut Vec<Entity>,
    ) -> Result<(), StoreError> {
        let Some(name) = participant.name.as_mut().filter(|_| self.masked.names) else { return Ok(()) };
        if let Some(masked) = mask_labelled_value(None, name.as_str(), entities) {
            *name = DisplayName::parse(take_text(masked, found)).map_err(unexpected)?;
        }
        Ok(())
    }

    fn mask_metadata(
        &self,
        metadata: &mut Metadata,
        entities: EntitySet,
        found: &mut Vec<Entity>,
    ) -> Result<(), StoreError> {
        if !self.masked.metadata {
            return Ok(());
        }
        let masked = metadata.pairs().iter().filter_map(|(key, value)| {
            let masked = mask_labelled_value(Some(key), value, entities)?;
            Some((key.clone(), take_text(masked, found)))
        });
        let masked: BTreeMap<_, _> = masked.collect();
        if !masked.is_empty() {
            let pairs = metadata.pairs().clone().into_iter().chain(masked).collect();
            *metadata = Metadata::parse(pairs).map_err(|broken| unexpected(broken.violation))?;
        }
        Ok(())
    }
}

/// Why the fields of a request are not stored.
#[derive(Debug, thiserror::Error)]
pub(super) enum FieldRefusal {
    #[error(transparent)]
    Identifiers(#[from] SensitiveIdentifiers),
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn identifiers_of(request: &UpsertRequest) -> impl Iterator<Item = (IdentifierField, &str)> {
    let agent = if let Change::Set(agent) = &request.agent { Some(agent.external_id.as_str()) } else { None };
    let metadata = if let Change::Set(metadata) = &request.metadata { Some(metadata) } else { None };
    let keys = metadata.into_iter().flat_map(|metadata| metadata.pairs().keys());
    [(IdentifierField::Conversation, request.external_id.as_str())]
        .into_iter()
        .chain(agent.map(|agent| (IdentifierField::Agent, agent)))
        .chain([(IdentifierField::Customer, request.customer.external_id.as_str())])
        .chain(keys.map(|key| (IdentifierField::MetadataKey, key.as_str())))
}

fn take_text(masked: MaskedValue, found: &mut Vec<Entity>) -> String {
    found.extend(masked.found);
    masked.text
}

/// The masks of the locked entities make no text longer and add no NUL.
fn unexpected(broken: Violation) -> StoreError {
    StoreError::new(StoreErrorKind::Unexpected, broken)
}
