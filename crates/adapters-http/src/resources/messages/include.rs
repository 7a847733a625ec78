//! The query parameter `include`: optional members of messages.

use std::ops::Range;

use parlance_domain::{message::Message, redaction::Entity};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::query::{Query, invalid_parameter},
};

/// The optional members that a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Include {
    /// None.
    #[default]
    Nothing,
    /// The masked ranges of each text.
    Redactions,
}

impl Include {
    /// Parses the parameter of a request whose response is JSON or has another format.
    ///
    /// # Errors
    /// 400 if the value is unknown, or if the format has no place for the member.
    pub(crate) fn from_query(query: &Query<'_>, is_json: bool) -> Result<Self, ApiError> {
        let include = query.parse("include", "enum", Self::parse)?.unwrap_or_default();
        if include != Self::Nothing && !is_json {
            return Err(invalid_parameter("include", "json_only", "must not be given with a format other than JSON"));
        }
        Ok(include)
    }

    fn parse(word: &str) -> Result<Self, &'static str> {
        if word == "redactions" { Ok(Self::Redactions) } else { Err("must be redactions") }
    }
}

/// The optional members of messages as the description names them.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum IncludeWord {
    Redactions,
}

/// A masked range of a text.
#[derive(Serialize, ToSchema)]
pub(crate) struct RedactionView {
    /// The first character, counted in Unicode scalar values of the text.
    start: usize,
    /// The character after the last one. Characters that stay readable belong to the range.
    end: usize,
    /// The label of the entity.
    #[schema(value_type = String, pattern = "^[A-Z0-9_]+$")]
    entity: &'static str,
}

/// The masked ranges of a message.
pub(crate) fn redaction_views(message: &Message) -> Vec<RedactionView> {
    let ranges = message.redactions.ranges_in(message.text.as_str());
    ranges.into_iter().map(|range| RedactionView::new(range.start..range.end, range.finding)).collect()
}

impl RedactionView {
    pub(crate) fn new(range: Range<usize>, entity: Entity) -> Self {
        Self { start: range.start, end: range.end, entity: entity.label() }
    }
}
