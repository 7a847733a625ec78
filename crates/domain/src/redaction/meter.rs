//! The port that counts masked values.

use super::Entity;

/// Counts the masked values of stored messages. It receives neither texts nor tenants.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait MaskingMeter: Send + Sync {
    /// Counts one value that was masked as this entity. MUST NOT block: it is called within the request.
    fn record_masked(&self, entity: Entity);
}

/// A meter that counts nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopMaskingMeter;

impl MaskingMeter for NoopMaskingMeter {
    fn record_masked(&self, _: Entity) {}
}
