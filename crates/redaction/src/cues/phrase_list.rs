//! The list of all cue phrases.

use super::birth_phrases::BIRTH_PHRASES;
use super::cue_phrase::CuePhrase;
use super::number_phrases::NUMBER_PHRASES;
use super::phrases::GENERAL_PHRASES;
use super::record_phrases::RECORD_PHRASES;

/// Every cue phrase. At each word the longest match counts.
#[expect(clippy::large_const_arrays, reason = "read at compile time only")]
pub(crate) const PHRASES: [CuePhrase; PHRASE_COUNT] = {
    let mut phrases = [NUMBER_PHRASES[0]; PHRASE_COUNT];
    let mut at = 0;
    let mut lists = [GENERAL_PHRASES, NUMBER_PHRASES, RECORD_PHRASES, BIRTH_PHRASES].as_slice();
    while let [list, rest @ ..] = lists {
        let mut nth = 0;
        while nth < list.len() {
            phrases[at] = list[nth];
            at += 1;
            nth += 1;
        }
        lists = rest;
    }
    phrases
};

const PHRASE_COUNT: usize = GENERAL_PHRASES.len() + NUMBER_PHRASES.len() + RECORD_PHRASES.len() + BIRTH_PHRASES.len();

#[cfg(test)]
mod tests {
    use super::PHRASES;
    use std::collections::BTreeSet;

    #[test]
    fn no_phrase_is_listed_twice() {
        let distinct: BTreeSet<_> = PHRASES.iter().map(|phrase| phrase.words).collect();
        assert_eq!(distinct.len(), PHRASES.len());
    }
}
