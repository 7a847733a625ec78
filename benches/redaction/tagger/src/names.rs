//! Made-up names: words that resemble the names of the training texts, from chains of letters.

use crate::examples::Example;
use crate::random::Random;
use std::collections::BTreeMap;

/// Maximum letters of a made-up word.
const MAX_LETTERS: usize = 12;
/// The mark before and after a word in the chains.
const EDGE: char = ' ';

/// Makes words up.
pub(crate) struct NameMaker {
    /// The letters that follow two letters, each as often as it does.
    chains: BTreeMap<(char, char), Vec<char>>,
}

impl NameMaker {
    /// Learns from the names of these messages.
    pub(crate) fn new(examples: &[Example]) -> Self {
        let mut words: Vec<String> = Vec::new();
        for example in examples {
            for value in example.values.iter().filter(|value| !value.is_address) {
                let name = &example.text[value.bytes.clone()];
                words.extend(
                    name.split(|c: char| !c.is_alphabetic()).filter(|word| is_long(word)).map(str::to_lowercase),
                );
            }
        }
        words.sort_unstable();
        words.dedup();
        let mut chains: BTreeMap<_, Vec<char>> = BTreeMap::new();
        for word in words {
            let mut before = (EDGE, EDGE);
            for letter in word.chars().chain([EDGE]) {
                chains.entry(before).or_default().push(letter);
                before = (before.1, letter);
            }
        }
        Self { chains }
    }

    /// Replaces the long words of the names of a message. Names that are spelled stay.
    pub(crate) fn replace(&self, example: &mut Example, random: &mut Random) {
        let (mut text, mut done) = (String::new(), 0);
        let mut moved = Vec::new();
        let mut ranges: Vec<_> = example.all.clone();
        ranges.sort_by_key(|range| range.start);
        for range in ranges {
            if range.start < done {
                return;
            }
            text.push_str(&example.text[done..range.start]);
            let start = text.len();
            let value = &example.text[range.clone()];
            let is_name = example.values.iter().any(|value| value.bytes == range && !value.is_address);
            if is_name && !is_spelled(value) {
                self.push_name(value, &mut text, random)
            } else {
                text.push_str(value)
            }
            moved.push((range.clone(), start..text.len()));
            done = range.end;
        }
        text.push_str(&example.text[done..]);
        for range in example.values.iter_mut().map(|value| &mut value.bytes).chain(&mut example.all) {
            if let Some((_, new)) = moved.iter().find(|(old, _)| old == range) {
                *range = new.clone();
            }
        }
        example.text = text;
    }

    fn push_name(&self, name: &str, text: &mut String, random: &mut Random) {
        let mut word = String::new();
        for letter in name.chars().chain([EDGE]) {
            if letter.is_alphabetic() {
                word.push(letter);
                continue;
            }
            if is_long(&word) {
                text.push_str(&self.word_like(&word, random))
            } else {
                text.push_str(&word)
            }
            word.clear();
            text.push(letter);
        }
        text.pop();
    }

    /// A made-up word with the capitals of another.
    fn word_like(&self, model: &str, random: &mut Random) -> String {
        let mut word = String::new();
        let mut before = (EDGE, EDGE);
        while word.chars().count() < MAX_LETTERS {
            let Some(letters) = self.chains.get(&before) else { break };
            let letter = letters[random.below(letters.len())];
            if letter == EDGE {
                if word.chars().count() >= 3 {
                    break;
                }
                before = (EDGE, EDGE);
                word.clear();
                continue;
            }
            word.push(letter);
            before = (before.1, letter);
        }
        if model.chars().all(char::is_uppercase) {
            word.to_uppercase()
        } else if model.starts_with(char::is_uppercase) {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
        } else {
            word
        }
    }
}

fn is_long(word: &str) -> bool {
    word.chars().count() >= 3
}

/// Whether a name is spelled: it has two words of one letter.
fn is_spelled(name: &str) -> bool {
    name.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() == 1).count() >= 2
}
