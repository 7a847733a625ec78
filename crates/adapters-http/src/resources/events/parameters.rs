//! The query parameters that the operations on events share.

use std::time::Duration;

use parlance_domain::{
    event::{EventLimit, EventTypes, EventView},
    limits::EVENT_WAIT_MAX_SECONDS,
    text::Violation,
};

use crate::{
    errors::api_error::ApiError,
    extract::query::{Query, whole_number},
};

/// Which events a request asks for, wherever they begin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventSelection {
    /// The types, if the request names any.
    pub(crate) types: Option<EventTypes>,
    /// The view.
    pub(crate) view: EventView,
}

impl EventSelection {
    /// Reads `types` and `view`.
    ///
    /// # Errors
    /// 400 if a parameter is given twice or cannot be read.
    pub(crate) fn from_query(query: &Query<'_>) -> Result<Self, ApiError> {
        Ok(Self {
            types: query.parse("types", "enum", EventTypes::parse)?,
            view: query.parse("view", "enum", parse_view)?.unwrap_or_default(),
        })
    }
}

/// Parses the name of a view.
pub(crate) fn parse_view(word: &str) -> Result<EventView, &'static str> {
    EventView::parse(word).ok_or("must be immediate or settled")
}

/// Reads `limit`. The domain refuses a text that is no number as it refuses zero.
pub(crate) fn limit(query: &Query<'_>) -> Result<EventLimit, ApiError> {
    let parse = |text: &str| EventLimit::new(whole_number(text).unwrap_or_default());
    Ok(query.parse("limit", "limit", parse)?.unwrap_or_default())
}

/// Reads `wait`.
pub(crate) fn wait(query: &Query<'_>) -> Result<Duration, ApiError> {
    let seconds = query.check("wait", |text| {
        let valid = whole_number(text).filter(|seconds| *seconds <= EVENT_WAIT_MAX_SECONDS);
        valid.ok_or(Violation::Range(0, EVENT_WAIT_MAX_SECONDS))
    })?;
    Ok(Duration::from_secs(seconds.unwrap_or_default()))
}
