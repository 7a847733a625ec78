//! Errors of a store, mapped to the errors of the domain.

use std::error::Error as StdError;

use object_store::Error;
use parlance_domain::error::{StoreError, StoreErrorKind};

use crate::error_summary::ErrorSummary;

/// A manifest or a checkpoint that cannot be parsed. The message names the kind of file, never its content.
#[derive(Debug, thiserror::Error)]
#[error("the {0} of a feed period cannot be parsed")]
pub(crate) struct InvalidMetadata(pub(crate) &'static str);

/// Maps an error of the store. Errors not known to be permanent are treated as transient.
pub(crate) fn store_error(error: Error) -> StoreError {
    let is_permanent = matches!(
        error,
        Error::NotSupported { .. }
            | Error::NotImplemented { .. }
            | Error::InvalidPath { .. }
            | Error::UnknownConfigurationKey { .. }
            | Error::NotFound { .. }
            | Error::AlreadyExists { .. }
    );
    let kind = if is_permanent { StoreErrorKind::Unexpected } else { StoreErrorKind::Unavailable };
    StoreError::new(kind, ErrorSummary::from(error))
}

/// Maps an error of the file system.
pub(crate) fn file_error(error: std::io::Error) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, error)
}

/// Maps an error of an encoder. Such an error is a defect, because the input was validated before.
pub(crate) fn encoding_error(error: impl Into<Box<dyn StdError + Send + Sync>>) -> StoreError {
    StoreError::new(StoreErrorKind::Unexpected, error)
}

/// Maps "not found" to `None`.
pub(crate) fn none_if_missing<T>(result: object_store::Result<T>) -> Result<Option<T>, StoreError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(store_error(error)),
    }
}
