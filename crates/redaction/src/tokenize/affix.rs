//! The beginnings and endings of words, in any case.

/// Whether a word begins with one of these texts.
pub(crate) fn begins_with(word: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|start| word.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// Whether a word ends with one of these texts.
pub(crate) fn ends_with(word: &str, endings: &[&str]) -> bool {
    let tail = |end: &str| word.len().checked_sub(end.len()).and_then(|from| word.get(from..));
    endings.iter().any(|end| tail(end).is_some_and(|tail| tail.eq_ignore_ascii_case(end)))
}
