//! The wire types of erased conversations.

use parlance_domain::privacy::{ErasedConversation, ErasurePage, ErasurePageLimit};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    errors::api_error::ApiError,
    extract::query::{Query, whole_number},
};

/// An erased conversation.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErasureView {
    /// The service's id of the conversation.
    #[schema(format = "id")]
    conversation_id: String,
    /// When it was erased.
    #[schema(format = DateTime)]
    erased_at: String,
}

/// A page of erased conversations.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErasuresView {
    /// In the order of their erasure. An empty list shows that nothing was erased since.
    erasures: Vec<ErasureView>,
    /// The `after` of the next page, also where nothing follows yet.
    #[schema(format = "erasure-cursor")]
    next_cursor: String,
}

impl From<ErasedConversation> for ErasureView {
    fn from(erased: ErasedConversation) -> Self {
        Self { conversation_id: erased.conversation.to_string(), erased_at: erased.erased_at.to_string() }
    }
}

impl From<ErasurePage> for ErasuresView {
    fn from(page: ErasurePage) -> Self {
        let next_cursor = page.next.to_string();
        Self { erasures: page.erasures.into_iter().map(ErasureView::from).collect(), next_cursor }
    }
}

/// Reads `after`, the number of a record; 0 if it is left out.
///
/// # Errors
/// 400 if it is given twice or is not a cursor.
pub(crate) fn after(query: &Query<'_>) -> Result<u64, ApiError> {
    let parse = |text: &str| {
        // Numbers are positive 64-bit integers in the database.
        let number = whole_number(text).filter(|number| text.len() <= 18 && number.to_string() == text);
        number.ok_or("must be a nextCursor from an earlier response")
    };
    Ok(query.parse("after", "cursor", parse)?.unwrap_or_default())
}

/// Reads `limit`. The domain refuses a text that is no number as it refuses zero.
///
/// # Errors
/// 400 if it is given twice or is out of its range.
pub(crate) fn limit(query: &Query<'_>) -> Result<ErasurePageLimit, ApiError> {
    let parse = |text: &str| ErasurePageLimit::new(whole_number(text).unwrap_or_default());
    Ok(query.check("limit", parse)?.unwrap_or_default())
}
