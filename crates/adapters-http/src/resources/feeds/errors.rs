//! The responses to the errors of the operations on feeds.

use parlance_domain::feed::{DatasetError, DownloadError, FeedFileError, PeriodError};

use crate::errors::api_error::{ApiError, RefusalKind};

/// Converts an error of listing what is in a feed. `pointer` is the part of the request that names what is listed.
pub(super) fn dataset_error_at(pointer: &'static str) -> impl FnOnce(DatasetError) -> ApiError {
    move |error| match error {
        DatasetError::NotFound => ApiError::not_found(pointer, &error),
        DatasetError::Store(error) => error.into(),
    }
}

impl From<PeriodError> for ApiError {
    fn from(error: PeriodError) -> Self {
        match error {
            PeriodError::NotFound => Self::not_found("/date", &error),
            PeriodError::Store(error) => error.into(),
        }
    }
}

impl From<DownloadError> for ApiError {
    fn from(error: DownloadError) -> Self {
        match error {
            DownloadError::InvalidTicket => Self::refused(RefusalKind::Unauthenticated),
            DownloadError::File(error) => file_error_at("query:fileName")(error),
        }
    }
}

/// Converts an error of locating or reading a file. `pointer` is the part of the request that names the file.
pub(super) fn file_error_at(pointer: &'static str) -> impl FnOnce(FeedFileError) -> ApiError {
    move |error| match error {
        FeedFileError::NoPeriod | FeedFileError::NoFile => ApiError::not_found(pointer, &error),
        FeedFileError::Store(error) => error.into(),
    }
}
