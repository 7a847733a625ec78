//! What the words of tokens are: connectors, counts of digits, clauses, contractions, spoken marks.

use crate::masking::mask_tokens;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};

/// The word flags of a token; zero for a token that is not a word.
pub(crate) fn flags(token: Token) -> u32 {
    token.flags
}

/// Whether a token can come between a cue and its value.
pub(crate) fn is_connector(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    match token.kind {
        TokenKind::Word => {
            flags(token) & (flag::CONNECTOR | flag::FILLER | flag::AND) != 0
                || is_digit_count(tokens, at)
                || lexicon::is_foreign_connector(token.slot())
        }
        TokenKind::Mark => true,
        TokenKind::Digits => is_digit_count(tokens, at),
        TokenKind::Mask => mask_tokens::is_emphasis(tokens, at),
        TokenKind::Edge => false,
    }
}

/// Whether a token is a count of digits, like the "four" of "last four" and of "four digits".
pub(crate) fn is_digit_count(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    if !(token.kind == TokenKind::Digits && token.digit_count() <= 2 || flags(token) & flag::DIGIT != 0) {
        return false;
    }
    let (before, after) = (tokens.before(at), tokens.at(at + 1));
    is_one_of(tokens, before, &["last", "final", "first", "ending"])
        || after.gap <= Gap::Space && is_one_of(tokens, after, &["digit", "digits"])
}

/// Whether a token is one of these words, in any case.
pub(crate) fn is_one_of(tokens: &Tokens<'_>, token: Token, words: &[&str]) -> bool {
    token.kind == TokenKind::Word && is_among_bytes(tokens.bytes(token), words)
}

/// Whether a text is one of these words, in any case.
pub(crate) fn is_among(text: &str, words: &[&str]) -> bool {
    is_among_bytes(text.as_bytes(), words)
}

/// Same as [`is_among`]. The length and the first letter, which nearly always differ, are compared first.
fn is_among_bytes(text: &[u8], words: &[&str]) -> bool {
    /// The bit in which the two cases of a letter differ.
    const CASE: u8 = 0x20;
    let first = |text: &[u8]| text.first().map_or(0, |first| first | CASE);
    let first_of_text = first(text);
    words
        .iter()
        .map(|word| word.as_bytes())
        .any(|word| text.len() == word.len() && first_of_text == first(word) && text.eq_ignore_ascii_case(word))
}

/// Words in the order of their first letters, with the lengths that they have. Both tell most other words apart without a
/// comparison.
pub(crate) struct WordList {
    words: &'static [&'static str],
    /// For each first byte without its case, the lengths of the words that begin with it, one bit each.
    lengths: [u32; FIRST_BYTES],
    /// The indices of the words, ordered by first byte without its case.
    order: [u8; MAX_LISTED],
    /// For each first byte without its case, the first of its words in that order; at last the number of words.
    starts: [u8; FIRST_BYTES + 1],
}

/// Number of first bytes that [`WordList`] tells apart.
const FIRST_BYTES: usize = 32;
/// Maximum words of a [`WordList`].
const MAX_LISTED: usize = 255;

impl WordList {
    #[expect(clippy::cast_possible_truncation, reason = "a list has at most 255 words")]
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        assert!(words.len() <= MAX_LISTED);
        let (mut lengths, mut order, mut starts) = ([0; FIRST_BYTES], [0; MAX_LISTED], [0; FIRST_BYTES + 1]);
        let (mut first, mut count) = (0, 0);
        while first < FIRST_BYTES {
            starts[first] = count as u8;
            let mut at = 0;
            while at < words.len() {
                if words[at].as_bytes()[0] as usize % FIRST_BYTES == first {
                    lengths[first] |= 1 << (words[at].len() % 32);
                    order[count] = at as u8;
                    count += 1;
                }
                at += 1;
            }
            first += 1;
        }
        starts[FIRST_BYTES] = count as u8;
        Self { words, lengths, order, starts }
    }

    /// The words.
    pub(crate) fn words(&self) -> &'static [&'static str] {
        self.words
    }

    /// Whether a token is one of the words, in any case.
    #[inline]
    pub(crate) fn has(&self, tokens: &Tokens<'_>, token: Token) -> bool {
        token.kind == TokenKind::Word && self.contains_bytes(tokens.bytes(token))
    }

    /// Whether a text is one of the words, in any case.
    #[inline]
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.contains_bytes(text.as_bytes())
    }

    #[inline]
    fn contains_bytes(&self, text: &[u8]) -> bool {
        let first = usize::from(text.first().copied().unwrap_or_default()) % FIRST_BYTES;
        self.lengths[first] >> (text.len() % 32) & 1 != 0 && self.compare(first, text)
    }

    /// Whether a text is one of the words with this first byte.
    fn compare(&self, first: usize, text: &[u8]) -> bool {
        let range = usize::from(self.starts[first])..usize::from(self.starts[first + 1]);
        let indices = self.order.get(range).unwrap_or_default();
        indices.iter().any(|at| self.words[usize::from(*at)].as_bytes().eq_ignore_ascii_case(text))
    }
}

/// The words of several lists, for a [`WordList`] of all of them.
pub(crate) const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let (mut words, mut count, mut list) = ([""; N], 0, 0);
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            words[count] = lists[list][at];
            count += 1;
            at += 1;
        }
        list += 1;
    }
    assert!(count == N);
    words
}

/// Maximum words of a clause between a cue and its value.
const MAX_CLAUSE_WORDS: usize = 6;

/// The token after a clause such as "I use is" or "for my account is", if one begins at `first`.
pub(crate) fn clause_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    const OPENING: [&str; 9] = ["for", "to", "on", "of", "i", "we", "you", "that", "they"];
    if !is_one_of(tokens, tokens.at(first), &OPENING) {
        return None;
    }
    let is_clause_word = |at: &usize| {
        let token = tokens.at(*at);
        token.kind == TokenKind::Word && token.gap <= Gap::Space && flags(token) & flag::COPULA == 0
    };
    let end = (first..=first + MAX_CLAUSE_WORDS).find(|at| !is_clause_word(at))?;
    (flags(tokens.at(end)) & flag::COPULA != 0 && tokens.at(end).gap <= Gap::Space).then_some(end + 1)
}

/// Whether a contraction or possessive such as "didn't" or "dog's" begins at a token. No value has this form.
pub(crate) fn is_contraction(tokens: &Tokens<'_>, first: usize) -> bool {
    const ENDINGS: [&str; 7] = ["t", "s", "re", "ve", "ll", "d", "m"];
    let (word, mark, ending) = (tokens.at(first), tokens.at(first + 1), tokens.at(first + 2));
    word.kind == TokenKind::Word
        && mark.is_mark(b'\'')
        && mark.gap == Gap::None
        && ending.gap == Gap::None
        && tokens.at(first + 3).gap != Gap::None
        && is_one_of(tokens, ending, &ENDINGS)
}

/// The token after the marker of a list item at the start of a message: "1) 4111".
pub(crate) fn list_marker_end(tokens: &Tokens<'_>) -> usize {
    let (count, mark) = (tokens.at(0), tokens.at(1));
    let is_mark = mark.gap == Gap::None && (mark.is_mark(b')') || mark.is_mark(b'.')) && tokens.at(2).gap == Gap::Space;
    if is_mark && count.kind == TokenKind::Digits && count.digit_count() == 1 { 2 } else { 0 }
}

/// Whether a token is the spoken word for a mark.
pub(super) fn is_spoken(token: Token, mark: u8) -> bool {
    token.kind == TokenKind::Word && flags(token) & flag::SPOKEN_MARK != 0 && lexicon::entry(token.slot()).value == mark
}
