//! Keys by the prefix that their provider gives them.

use crate::tables::issued_keys::{ISSUED_KEYS, Issued};

/// Bytes of the longest key that a piece begins with; `None` where it begins with none.
pub(super) fn issued(piece: &str) -> Option<usize> {
    let initial = *piece.as_bytes().first()?;
    let from = ISSUED_KEYS.partition_point(|key| key.prefix.as_bytes()[0] < initial);
    let alike = ISSUED_KEYS[from..].iter().take_while(|key| key.prefix.as_bytes()[0] == initial);
    alike.filter_map(|key| length(piece, key)).max()
}

/// Bytes of the key of a provider that a piece begins with.
fn length(piece: &str, key: &Issued) -> Option<usize> {
    let rest = piece.strip_prefix(key.prefix)?.as_bytes();
    let count = rest.iter().position(|b| !key.alphabet.has(*b)).unwrap_or(rest.len());
    let ends = rest.get(count).is_none_or(|b| !b.is_ascii_alphanumeric());
    (ends && (key.least..=key.most).contains(&count)).then_some(key.prefix.len() + count)
}
