//! The error of switching redaction entities.

use super::SwitchRefusal;
use crate::error::StoreError;

/// The error of a switch, by a caller or by the operator.
#[derive(Debug, thiserror::Error)]
pub enum SwitchError {
    /// The actor must not switch the entity.
    #[error(transparent)]
    Refused(#[from] SwitchRefusal),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
