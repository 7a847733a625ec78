//! Which of several media types a caller likes best.

use std::cmp::Reverse;

use actix_web::{
    HttpRequest,
    http::header::{Accept, Header, Quality},
};

/// The number of the media type that the header `Accept` names with the greatest quality; none where it names none of them.
pub(crate) fn preferred(request: &HttpRequest, offered: &[&str]) -> Option<usize> {
    let mut liked = Accept::parse(request).map(|accept| accept.0).unwrap_or_default();
    liked.retain(|range| range.quality > Quality::ZERO);
    liked.sort_by_key(|range| Reverse(range.quality));
    liked.iter().find_map(|range| offered.iter().position(|media_type| range.item.essence_str() == *media_type))
}
