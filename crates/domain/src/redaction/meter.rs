//! The port that counts what is masked.

use super::Entity;

/// Counts what is masked in messages that are stored. It sees neither texts nor whose they are.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait MaskingMeter: Send + Sync {
    /// One more place was masked as this entity. MUST NOT wait for anything: it is called within the request.
    fn masked(&self, entity: Entity);
}

/// Counts nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unmetered;

impl MaskingMeter for Unmetered {
    fn masked(&self, _: Entity) {}
}
