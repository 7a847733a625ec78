//! The port that counts masked values, and identifiers that cannot be masked.

use super::{Entity, IdentifierField};

/// Counts the masked values of stored messages and fields. It receives neither texts nor tenants.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait MaskingMeter: Send + Sync {
    /// Counts one value of a message that was masked as this entity. MUST NOT block: it is called within the request.
    fn record_masked(&self, entity: Entity);

    /// Counts one value of a name or of metadata that was masked as this entity. MUST NOT block: it is called within the
    /// request.
    fn record_masked_field(&self, entity: Entity);

    /// Counts one identifier that contains card data and was stored as it is. MUST NOT block: it is called within the
    /// request.
    fn count_sensitive_identifier(&self, field: IdentifierField);
}

/// A meter that counts nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopMaskingMeter;

impl MaskingMeter for NoopMaskingMeter {
    fn record_masked(&self, _: Entity) {}

    fn record_masked_field(&self, _: Entity) {}

    fn count_sensitive_identifier(&self, _: IdentifierField) {}
}
