//! The errors of switching redaction entities.

use super::SwitchRefusal;
use crate::{access::PermissionDenied, error::StoreError};

/// The error of a switch, by a tenant or by the operator.
#[derive(Debug, thiserror::Error)]
pub enum SwitchError {
    /// The actor must not switch the entity.
    #[error(transparent)]
    Refused(#[from] SwitchRefusal),
    /// A store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The error of a switch by a caller.
#[derive(Debug, thiserror::Error)]
pub enum CallerSwitchError {
    /// The credential lacks a permission.
    #[error(transparent)]
    Denied(#[from] PermissionDenied),
    /// The switch failed.
    #[error(transparent)]
    Switch(#[from] SwitchError),
}
