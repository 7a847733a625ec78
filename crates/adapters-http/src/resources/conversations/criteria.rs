//! The query parameters of a list of conversations: criteria, limit and cursor.

use std::collections::BTreeMap;

use parlance_domain::{
    conversation::{
        ConversationCriteria, ConversationCursor, ConversationPageLimit, ConversationPosition, ListConversations,
        MetadataCriteria, Period,
    },
    id::ConversationId,
    text::{ExternalId, Violation},
    time::Timestamp,
};

use crate::{
    errors::api_error::ApiError,
    extract::query::{Query, invalid_parameter, whole_number},
};

/// What a request lists.
pub(crate) enum ListRequest {
    /// The conversation with this external identifier (spec §4.2).
    ByExternalId(ExternalId),
    /// A page of the conversations that meet criteria.
    ByCriteria(Box<ListConversations>),
}

/// The parameters whose presence asks for a page.
const PAGE_PARAMETERS: [&str; 8] = [
    "customerExternalId",
    "agentExternalId",
    "createdSince",
    "createdUntil",
    "updatedSince",
    "updatedUntil",
    "limit",
    "cursor",
];

/// What is wrong with a request without a criterion. The specification knows the criterion `externalId` only.
const NO_CRITERION: &str = "is missing, and so is every other criterion: give at least one of externalId, \
    customerExternalId, agentExternalId, metadata[key], createdSince, createdUntil, updatedSince and updatedUntil";

/// The name of the parameters of metadata, before the key in brackets.
const METADATA: &str = "metadata";

impl ListRequest {
    /// Parses the parameters of a request.
    ///
    /// # Errors
    /// 400 if a parameter is invalid, or if there is no criterion.
    pub(crate) fn from_query(query: &Query<'_>) -> Result<Self, ApiError> {
        let identifier = |name| query.check(name, |text| ExternalId::parse(text));
        let external_id = identifier("externalId")?;
        let asks_for_page = query.parameters().any(|(name, _)| is_page_parameter(name));
        match external_id {
            Some(external_id) if !asks_for_page => return Ok(Self::ByExternalId(external_id)),
            _ => {}
        }
        let criteria = ConversationCriteria {
            external_id,
            customer: identifier("customerExternalId")?,
            agent: identifier("agentExternalId")?,
            metadata: metadata_criteria(query)?,
            started: period(query, "createdSince", "createdUntil")?,
            updated: period(query, "updatedSince", "updatedUntil")?,
        };
        let limit = query.parse("limit", "limit", parse_limit)?.unwrap_or_default();
        let cursor = query.parse("cursor", "cursor", decode_cursor)?;
        if criteria.is_empty() {
            return Err(invalid_parameter("externalId", "required", NO_CRITERION));
        }
        Ok(Self::ByCriteria(Box::new(ListConversations { criteria, cursor, limit })))
    }
}

fn is_page_parameter(name: &str) -> bool {
    PAGE_PARAMETERS.contains(&name) || is_metadata(name)
}

fn is_metadata(name: &str) -> bool {
    name.strip_prefix(METADATA).is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
}

fn metadata_criteria(query: &Query<'_>) -> Result<MetadataCriteria, ApiError> {
    let mut pairs = BTreeMap::new();
    for (name, value) in query.parameters().filter(|(name, _)| is_metadata(name)) {
        let key = name.strip_prefix(METADATA).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
        // Two pairs of brackets are no key, but the form in which some programs write a nested value.
        let key = key
            .filter(|key| !key.contains("]["))
            .ok_or_else(|| invalid_parameter(METADATA, "pattern", "must have the form metadata[key]"))?;
        if pairs.insert(key.to_owned(), value.to_owned()).is_some() {
            return Err(invalid_parameter(METADATA, "unique", "must be given once for each key"));
        }
    }
    let invalid = |violation: Violation| invalid_parameter(METADATA, violation.rule(), violation.to_string());
    MetadataCriteria::parse(pairs).map_err(invalid)
}

fn period(query: &Query<'_>, since: &'static str, until: &'static str) -> Result<Period, ApiError> {
    let bound = |name| query.parse(name, "date_time", Timestamp::parse);
    Period::new(bound(since)?, bound(until)?).map_err(|error| invalid_parameter(until, "period", error.to_string()))
}

/// Parses a page limit. The domain refuses a text that is no number as it refuses zero.
fn parse_limit(text: &str) -> Result<ConversationPageLimit, Violation> {
    ConversationPageLimit::new(whole_number(text).unwrap_or_default())
}

/// Encodes a cursor as text: the timestamp in microseconds after `Timestamp::MIN`, the conversation id, and the digest of
/// the criteria, with dots between them.
pub(crate) fn encode_cursor(cursor: &ConversationCursor) -> String {
    let offset = cursor.after.started_at.as_micros() - Timestamp::MIN.as_micros();
    format!("{offset}.{}.{:016x}", cursor.after.id, cursor.criteria_digest)
}

fn decode_cursor(text: &str) -> Result<ConversationCursor, &'static str> {
    let decode = || {
        let [offset, id, digest] = *text.split('.').collect::<Vec<_>>() else { return None };
        let digits = (1..=18).contains(&offset.len()) && offset.bytes().all(|byte| byte.is_ascii_digit());
        let micros = offset.parse::<i64>().ok().filter(|_| digits)? + Timestamp::MIN.as_micros();
        let is_hex = digest.len() == 16 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let after = ConversationPosition {
            started_at: Timestamp::from_micros(micros).ok()?,
            id: ConversationId::parse(id).ok()?,
        };
        let criteria_digest = u64::from_str_radix(digest, 16).ok().filter(|_| is_hex)?;
        Some(ConversationCursor { after, criteria_digest })
    };
    decode().ok_or("must be a nextCursor from an earlier response")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back_as_it_was() {
        let after =
            ConversationPosition { started_at: Timestamp::from_micros(-5).unwrap(), id: ConversationId::from_bits(9) };
        for criteria_digest in [0, 1, u64::MAX] {
            let cursor = ConversationCursor { after: after.clone(), criteria_digest };
            assert_eq!(decode_cursor(&encode_cursor(&cursor)), Ok(cursor));
        }
    }

    #[test]
    fn a_malformed_cursor_is_refused() {
        let digest = "0123456789abcdef";
        for text in ["", "1", "1.A", "1.A.0", "1.A.0123456789ABCDEF", "1.A.+123456789abcdef"] {
            assert!(decode_cursor(text).is_err(), "{text}");
        }
        for start in ["1.a", ".A", "-1.A", "1.", "1.A.B", "1234567890123456789.A", "999999999999999999.A"] {
            assert!(decode_cursor(&format!("{start}.{digest}")).is_err(), "{start}");
        }
        assert!(decode_cursor(&format!("1.A.{digest}")).is_ok());
    }
}
