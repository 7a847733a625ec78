//! Suggestions for misspelled words: the known word that was probably meant.

/// Minimum similarity of a suggested word, from 0 for none to 1 for the same word.
const MIN_SIMILARITY: f64 = 0.6;

/// Returns the known word that is most similar to `word`, if it is similar enough. Upper and lower case are the same.
pub(crate) fn nearest<'known>(word: &str, known: impl IntoIterator<Item = &'known str>) -> Option<&'known str> {
    let word = word.to_ascii_lowercase();
    let similarity = |known: &str| strsim::normalized_damerau_levenshtein(&word, &known.to_ascii_lowercase());
    let best = known.into_iter().max_by(|one, other| similarity(one).total_cmp(&similarity(other)))?;
    (similarity(best) >= MIN_SIMILARITY).then_some(best)
}

/// Returns the end of an error about `word`: `; did you mean …?`, or nothing without a suggestion.
pub(crate) fn did_you_mean<'known>(word: &str, known: impl IntoIterator<Item = &'known str>) -> String {
    nearest(word, known).map(|known| format!("; did you mean {known}?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_word_has_a_suggestion_and_an_unrelated_word_has_none() {
        let known = ["error", "warn", "info", "debug"];
        assert_eq!(nearest("inof", known), Some("info"));
        assert_eq!(nearest("WARNN", known), Some("warn"));
        assert_eq!(nearest("xyzzy", known), None);
        assert_eq!(
            (did_you_mean("inof", known), did_you_mean("", known)),
            ("; did you mean info?".to_owned(), String::new())
        );
    }
}
