//! A constant hash table from words to classes, one bit for each class. Case and accents of a word are ignored.

use super::word_set::{HashedWord, hash};
use crate::tokenize::lexicon::{SLOT_COUNT, const_substr, has_typos, word_id};
use crate::tokenize::{TokenKind, Tokens, fold};

/// Maximum letters of a word in a table.
const MAX_LETTERS: usize = 24;

/// A word in small letters without accents, which several tables can look up.
pub(crate) struct FoldedWord {
    letters: [u8; MAX_LETTERS],
    length: usize,
    hash: usize,
}

impl FoldedWord {
    /// Folds a word; `None` if no table can have it.
    pub(crate) fn new(word: &str) -> Option<Self> {
        let mut folded = Self { letters: [0; MAX_LETTERS], length: 0, hash: 0 };
        if word.is_ascii() {
            folded.letters.get_mut(..word.len())?.copy_from_slice(word.as_bytes());
            folded.letters.make_ascii_lowercase();
            folded.length = word.len();
        } else {
            for c in word.chars() {
                folded.push(c)?;
            }
        }
        folded.hash = hash(folded.letters.get(..folded.length)?) as usize;
        Some(folded)
    }

    /// Adds a letter; two for "ß".
    fn push(&mut self, c: char) -> Option<()> {
        let letter = match c {
            'ß' => b's',
            _ if c.is_ascii() => c.to_ascii_lowercase() as u8,
            _ => fold::strip_accent(c)?,
        };
        for _ in 0..if c == 'ß' { 2 } else { 1 } {
            *self.letters.get_mut(self.length)? = letter;
            self.length += 1;
        }
        Some(())
    }
}

/// A word with its classes.
#[derive(Clone, Copy)]
struct Entry {
    word: &'static str,
    classes: u64,
}

/// Open addressing with linear probing. A free slot has an empty word.
pub(crate) struct ClassTable<const SLOTS: usize>([Entry; SLOTS]);

impl<const SLOTS: usize> ClassTable<SLOTS> {
    /// The words of groups, each with its classes. Words are in small letters without accents, separated by one space.
    pub(crate) const fn build(groups: &[(u64, &'static str)]) -> Self {
        let mut table = Self([Entry { word: "", classes: 0 }; SLOTS]);
        let (mut group, mut count) = (0, 0);
        while group < groups.len() {
            count += table.insert(groups[group].0, groups[group].1);
            group += 1;
        }
        assert!(2 * count < SLOTS + SLOTS / 2);
        table
    }

    /// Same as [`Self::build`], for classes of fewer bits.
    pub(crate) const fn build_narrow(groups: &[(u32, &'static str)]) -> Self {
        let mut table = Self([Entry { word: "", classes: 0 }; SLOTS]);
        let (mut group, mut count) = (0, 0);
        while group < groups.len() {
            count += table.insert(groups[group].0 as u64, groups[group].1);
            group += 1;
        }
        assert!(2 * count < SLOTS + SLOTS / 2);
        table
    }

    /// Adds the words of a group. Returns the number of words that are new.
    const fn insert(&mut self, classes: u64, words: &'static str) -> usize {
        let bytes = words.as_bytes();
        let (mut at, mut from, mut count) = (0, 0, 0);
        while at <= bytes.len() {
            if at == bytes.len() || bytes[at] == b' ' {
                let word = const_substr(words, from, at);
                let mut slot = hash(word.as_bytes()) as usize % SLOTS;
                while !self.0[slot].word.is_empty() && !is_same(self.0[slot].word, word) {
                    slot = (slot + 1) % SLOTS;
                }
                count += self.0[slot].word.is_empty() as usize;
                self.0[slot] = Entry { word, classes: self.0[slot].classes | classes };
                from = at + 1;
            }
            at += 1;
        }
        count
    }

    /// The classes of a word; 0 if the table does not have it.
    pub(crate) fn classes(&self, word: &str) -> u64 {
        FoldedWord::new(word).map_or(0, |word| self.classes_of(&word))
    }

    /// The classes of a folded word; 0 if the table does not have it.
    pub(crate) fn classes_of(&self, word: &FoldedWord) -> u64 {
        self.look_up(word.letters.get(..word.length).unwrap_or_default(), word.hash)
    }

    /// The classes of a word in small letters without accents; 0 if the table does not have it.
    pub(crate) fn classes_of_hashed(&self, word: HashedWord<'_>) -> u64 {
        self.look_up(word.bytes(), word.hash() as usize)
    }

    /// The classes of a word in small letters without accents.
    fn look_up(&self, word: &[u8], hash: usize) -> u64 {
        let mut slot = hash % SLOTS;
        while let Some(entry) = self.0.get(slot).filter(|entry| !entry.word.is_empty()) {
            if entry.word.as_bytes() == word {
                return entry.classes;
            }
            slot = (slot + 1) % SLOTS;
        }
        0
    }
}

/// A [`ClassTable`] for the words of tokens. It has the classes of the words of the lexicon by their slots, so that most
/// words need no hash.
pub(crate) struct TokenClasses<const SLOTS: usize> {
    table: ClassTable<SLOTS>,
    /// The place of a word in the table, by its slot in the lexicon; [`ABSENT`] for a word that the table does not have.
    by_slot: [u16; SLOT_COUNT],
}

const ABSENT: u16 = u16::MAX;
/// A slot that does not tell which word a token is.
const SHARED: u16 = u16::MAX - 1;

impl<const SLOTS: usize> TokenClasses<SLOTS> {
    /// Same as [`ClassTable::build`].
    #[expect(clippy::cast_possible_truncation, reason = "slots have 16 bits")]
    pub(crate) const fn build(groups: &[(u64, &'static str)]) -> Self {
        let table = ClassTable::build(groups);
        assert!(SLOTS < SHARED as usize);
        let (mut by_slot, mut at) = ([ABSENT; SLOT_COUNT], 0);
        while at < SLOTS {
            by_slot[word_id(table.0[at].word) as usize] = at as u16;
            at += 1;
        }
        at = 0;
        while at < SLOT_COUNT {
            if at == 0 || has_typos(at as u16) {
                by_slot[at] = SHARED;
            }
            at += 1;
        }
        Self { table, by_slot }
    }

    /// The classes of a token; 0 if it is no word.
    #[inline]
    pub(crate) fn classes_at(&self, tokens: &Tokens<'_>, at: usize) -> u64 {
        let token = tokens.at(at);
        if token.kind != TokenKind::Word {
            return 0;
        }
        let place = self.by_slot[usize::from(token.slot()) % SLOT_COUNT];
        if place == SHARED || !tokens.bytes(token).is_ascii() {
            return self.table.classes(tokens.str(token));
        }
        self.table.0.get(usize::from(place)).map_or(0, |entry| entry.classes)
    }
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::{TokenBuffer, TokenizedText};

    static TABLE: TokenClasses<64> = TokenClasses::build(&[(1, "locker gate number passcode"), (2, "gate tur zzyzx")]);

    #[test]
    fn a_token_has_the_classes_of_its_word_whether_the_lexicon_has_it_or_not() {
        let mut buffer = TokenBuffer::new();
        let text = "the GATE nubmer, locker 12: Zzyzx passcode, Tür passcodes number";
        let tokens = TokenizedText::new(text, &mut buffer).tokens();
        for (at, token) in tokens.as_slice().iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Word) {
            let word = tokens.str(*token);
            assert_eq!(TABLE.classes_at(&tokens, at), TABLE.table.classes(word), "{word}");
        }
    }
}
