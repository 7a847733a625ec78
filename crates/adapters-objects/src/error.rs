//! What a store says, in the domain's terms.

use std::error::Error as StdError;

use object_store::Error;
use parlance_domain::error::{StoreError, StoreErrorKind};

use crate::refusal::Refusal;

/// A file of the store that is not what it must be. Names what it is, never what it holds.
#[derive(Debug, thiserror::Error)]
#[error("the {0} of a day cannot be read")]
pub(crate) struct BrokenNote(pub(crate) &'static str);

/// The failure of a store. Whether it passes is not always said: what is not known not to is taken to.
pub(crate) fn failed(error: Error) -> StoreError {
    let lasts = matches!(
        error,
        Error::NotSupported { .. }
            | Error::NotImplemented { .. }
            | Error::InvalidPath { .. }
            | Error::UnknownConfigurationKey { .. }
            | Error::NotFound { .. }
            | Error::AlreadyExists { .. }
    );
    let kind = if lasts { StoreErrorKind::Unexpected } else { StoreErrorKind::Unavailable };
    StoreError::new(kind, Refusal::from(error))
}

/// The failure of an encoder: a defect, for what it is given was checked.
pub(crate) fn not_encoded(error: impl Into<Box<dyn StdError + Send + Sync>>) -> StoreError {
    StoreError::new(StoreErrorKind::Unexpected, error)
}

/// What was found, or nothing where there is nothing.
pub(crate) fn found<T>(outcome: object_store::Result<T>) -> Result<Option<T>, StoreError> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(failed(error)),
    }
}
