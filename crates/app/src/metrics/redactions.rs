//! Metrics of redaction.

use std::sync::Arc;

use parlance_domain::redaction::{Entity, IdentifierField, MaskingMeter, locked_entities};
use prometheus_client::{
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};

use super::labels::Labels;

/// Counts masked values, and identifiers that cannot be masked.
#[derive(Clone)]
pub(crate) struct RedactionMetrics {
    messages: Arc<[(Entity, Counter)]>,
    fields: Arc<[(Entity, Counter)]>,
    identifiers: Arc<[(&'static str, Counter)]>,
}

impl RedactionMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let counters = || Family::<Labels<1>, Counter>::default();
        let (messages, fields, identifiers) = (counters(), counters(), counters());
        registry.register("redactions", "Spans masked in stored messages, by entity", messages.clone());
        let help = "Spans masked in stored names and metadata values, by entity";
        registry.register("field_redactions", help, fields.clone());
        let help = "Stored identifiers that contain card data, by kind";
        registry.register("sensitive_identifiers", help, identifiers.clone());
        let of_kind = |kind| (kind, identifiers.get_or_create_owned(&[("kind", kind)]));
        Self {
            messages: by_entity(&messages, Entity::ALL),
            fields: by_entity(&fields, locked_entities().iter()),
            identifiers: IdentifierField::KINDS.map(of_kind).into(),
        }
    }
}

fn by_entity(
    family: &Family<Labels<1>, Counter>,
    entities: impl IntoIterator<Item = Entity>,
) -> Arc<[(Entity, Counter)]> {
    let counter = |entity: Entity| (entity, family.get_or_create_owned(&[("entity", entity.label())]));
    entities.into_iter().map(counter).collect()
}

fn count<K: PartialEq>(counters: &[(K, Counter)], key: &K) {
    if let Some((_, counter)) = counters.iter().find(|(counted, _)| counted == key) {
        counter.inc();
    }
}

impl MaskingMeter for RedactionMetrics {
    fn record_masked(&self, entity: Entity) {
        count(&self.messages, &entity);
    }

    fn record_masked_field(&self, entity: Entity) {
        count(&self.fields, &entity);
    }

    fn count_sensitive_identifier(&self, field: IdentifierField) {
        count(&self.identifiers, &field.kind());
    }
}
