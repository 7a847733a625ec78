//! Variants of a message for training: other words withheld, small letters, masked values.

use crate::examples::Example;
use crate::names::NameMaker;
use crate::random::Random;
use std::collections::HashMap;

/// Percent of the copies of a message in small letters.
const LOWER_CASE: usize = 12;
/// Percent of the copies of a message with every value masked.
const MASKED: usize = 6;
/// Percent of the names whose words are withheld.
const WITHHELD_NAMES: usize = 65;
/// Percent of the names that are treated as if no list had them.
const UNLISTED_NAMES: usize = 40;
/// Percent of the words of addresses that are withheld.
const WITHHELD_ADDRESS_WORDS: usize = 30;

/// Percent of the rare words outside values that are withheld.
const WITHHELD_OTHERS: usize = 40;
/// Percent of the names in the copies that are replaced by made-up ones.
const MADE_UP_NAMES: usize = 45;

/// A copy of a message. The first copy is the message itself.
pub(crate) fn vary(example: &Example, copy: usize, names: &NameMaker, random: &mut Random) -> Example {
    let mut varied = example.clone();
    if copy == 0 {
        return varied;
    }
    if random.chance(MADE_UP_NAMES) {
        names.replace(&mut varied, random);
    }
    if random.chance(MASKED) && !varied.all.is_empty() {
        mask(&mut varied);
    } else if random.chance(LOWER_CASE) {
        varied.text = varied.text.chars().map(lower).collect();
    }
    varied
}

/// The small letter of a letter, if it has as many bytes.
fn lower(letter: char) -> char {
    let small = letter.to_lowercase().next().unwrap_or(letter);
    if small.len_utf8() == letter.len_utf8() { small } else { letter }
}

/// Masks every value with one asterisk for each letter or digit, so that the tagger learns what stays around masks.
fn mask(example: &mut Example) {
    let inside = |at: usize| example.all.iter().any(|range| range.contains(&at));
    example.text = example
        .text
        .char_indices()
        .map(|(at, letter)| if letter.is_alphanumeric() && inside(at) { '*' } else { letter })
        .collect();
    example.values.clear();
    example.all.clear();
}

/// What is withheld of the values of a message.
pub(crate) struct Withheld {
    values: Vec<(bool, bool, bool)>,
    tokens: HashMap<(usize, usize), bool>,
    others: Vec<bool>,
}

impl Withheld {
    pub(crate) fn new(example: &Example, random: &mut Random) -> Self {
        let values: Vec<_> = example
            .values
            .iter()
            .map(|value| (value.is_address, random.chance(WITHHELD_NAMES), random.chance(UNLISTED_NAMES)))
            .collect();
        let tokens = (0..values.len()).flat_map(|value| (0..16).map(move |token| (value, token)));
        let tokens = tokens.map(|key| (key, random.chance(WITHHELD_ADDRESS_WORDS))).collect();
        let others = (0..64).map(|_| random.chance(WITHHELD_OTHERS)).collect();
        Self { values, tokens, others }
    }

    /// Whether the word and the lists of a token are withheld. `value` is the index of its value, if it has one.
    pub(crate) fn get(&self, value: Option<usize>, token: usize) -> (bool, bool) {
        let Some(value) = value else { return (self.others.get(token).copied().unwrap_or(false), false) };
        match self.values.get(value) {
            Some((true, ..)) => (self.tokens.get(&(value, token)).copied().unwrap_or(false), false),
            Some((false, word, lists)) => (*word, *lists),
            None => (false, false),
        }
    }
}
