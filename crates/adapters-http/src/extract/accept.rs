//! Content negotiation by the header `Accept`.

use std::cmp::Reverse;

use actix_web::{
    HttpRequest,
    http::header::{Accept, Header, Quality},
};

/// The index in `offered` of the media type to which the header `Accept` gives the highest quality.
///
/// `None` if `Accept` names none of them. Wildcards such as `*/*` match nothing.
pub(crate) fn preferred_index(request: &HttpRequest, offered: &[&str]) -> Option<usize> {
    let mut ranges = Accept::parse(request).map(|accept| accept.0).unwrap_or_default();
    ranges.retain(|range| range.quality > Quality::ZERO);
    ranges.sort_by_key(|range| Reverse(range.quality));
    ranges.iter().find_map(|range| offered.iter().position(|media_type| range.item.essence_str() == *media_type))
}
