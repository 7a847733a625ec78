//! The parameters of pages in the order of identifiers, with cursors in both directions.

use actix_web::HttpRequest;
use parlance_domain::{
    id::Id,
    text::Violation,
    vocabulary::{Cursor, PageSize},
};

use super::query::{Query, whole_number};
use crate::errors::api_error::ApiError;

/// The cursor of a page, if there is one, and its size.
pub(crate) type PageParameters<Kind> = (Option<Cursor<Id<Kind>>>, PageSize);

/// Reads the cursor and the size of a page. A size that is left out is `default`.
///
/// # Errors
/// 400 if a parameter is invalid.
pub(crate) fn page_parameters<Kind>(
    request: &HttpRequest,
    default: PageSize,
) -> Result<PageParameters<Kind>, ApiError> {
    let query = Query::from_request(request)?;
    let size = query.parse("limit", "limit", parse_page_size)?.unwrap_or(default);
    Ok((query.parse("cursor", "cursor", decode_cursor)?, size))
}

/// Parses a page size. The domain refuses a text that is no number as it refuses zero.
fn parse_page_size(text: &str) -> Result<PageSize, Violation> {
    PageSize::new(whole_number(text).unwrap_or_default())
}

/// Encodes a cursor as text: a letter for the direction, then the identifier at the boundary of the page. Every text of
/// this form is a cursor, so the pattern in the OpenAPI description matches exactly the accepted cursors. A cursor also
/// has the form of an identifier (spec §2.3).
pub(crate) fn encode_cursor<Kind>(cursor: &Cursor<Id<Kind>>) -> String {
    match cursor {
        Cursor::From(id) => format!("F{id}"),
        Cursor::Before(id) => format!("B{id}"),
    }
}

/// Parses the text of a cursor.
///
/// # Errors
/// What the text must be.
pub(crate) fn decode_cursor<Kind>(text: &str) -> Result<Cursor<Id<Kind>>, &'static str> {
    let parse_id = |text: &str| Id::parse(text).ok();
    let from = text.strip_prefix('F').and_then(parse_id).map(Cursor::From);
    let before = || text.strip_prefix('B').and_then(parse_id).map(Cursor::Before);
    from.or_else(before).ok_or("must be a nextCursor or prevCursor from an earlier response")
}

#[cfg(test)]
mod tests {
    use parlance_domain::id::{VocabularyEntryId, VocabularyEntryKind};

    use super::*;

    #[test]
    fn a_cursor_round_trips_and_has_the_form_of_an_identifier() {
        for original in [Cursor::From(VocabularyEntryId::from_bits(9)), Cursor::Before(VocabularyEntryId::from_bits(9))]
        {
            let text = encode_cursor(&original);
            assert_eq!(decode_cursor(&text), Ok(original));
            assert!(VocabularyEntryId::parse(&text).is_ok());
        }
    }

    #[test]
    fn a_malformed_cursor_is_refused() {
        for text in ["", "F", "B", "A1", "f1", "Fa", "F-1", " F1", "F1 ", "FÉ"] {
            assert!(decode_cursor::<VocabularyEntryKind>(text).is_err(), "{text:?}");
        }
    }
}
