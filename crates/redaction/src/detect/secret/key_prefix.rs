//! Keys with the prefix of their provider.

use crate::tables::issued_keys::{ISSUED_KEYS, KeyFormat};

/// The bytes of the longest key that a segment begins with; `None` if it begins with none.
pub(crate) fn prefixed_key_length(segment: &str) -> Option<usize> {
    let initial = *segment.as_bytes().first()?;
    let from = ISSUED_KEYS.partition_point(|key| key.prefix.as_bytes()[0] < initial);
    let keys = ISSUED_KEYS[from..].iter().take_while(|key| key.prefix.as_bytes()[0] == initial);
    keys.filter_map(|key| key_length(segment, key)).max()
}

/// The bytes of the key of one provider that a segment begins with.
fn key_length(segment: &str, key: &KeyFormat) -> Option<usize> {
    let rest = segment.strip_prefix(key.prefix)?.as_bytes();
    let count = rest.iter().position(|b| !key.alphabet.contains(*b)).unwrap_or(rest.len());
    let ends = rest.get(count).is_none_or(|b| !b.is_ascii_alphanumeric());
    (ends && (key.min_length..=key.max_length).contains(&count)).then_some(key.prefix.len() + count)
}
