//! Profanity: listed words and phrases, also with repeated letters or look-alikes for letters.

use super::flags;
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::Entity;
use crate::span::DetectionReason;
use crate::tables::profanity::PROFANITY;
use crate::tokenize::lexicon::{self, SLOT_COUNT, const_substr, word_id};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TextFeatures, Token, TokenKind, Tokens};
use std::iter;

/// Maximum words of a phrase, and its maximum bytes.
const MAX_PHRASE_WORDS: usize = 5;
const MAX_PHRASE_BYTES: usize = 40;

/// Looks at every word.
#[inline(never)]
pub(crate) fn detect(tokens: &Tokens<'_>, features: &TextFeatures, out: &mut Candidates) {
    if !out.is_any_active(Entity::PROFANITY.bit()) {
        return;
    }
    let in_disguise = features.has_leetspeak || features.has_triple_letter;
    let mut from = 0;
    while let Some(at) = next_suspect(tokens, from, in_disguise, features.has_triple_letter) {
        from = at + 1;
        let token = tokens.at(at);
        let listed_flags = flags(token) & LISTED_FLAGS;
        let leads = listed_flags & flag::PROFANITY_HEAD != 0 && may_lead(tokens, at);
        let after = if leads { phrase_end(tokens, at) } else { None };
        let after = after.or((listed_flags & flag::PROFANITY != 0).then_some(at + 1));
        let is_suspect = || in_disguise && may_be_disguised(token, tokens.at(at + 1), features.has_triple_letter);
        let after = after.or_else(|| if is_suspect() { disguised_end(tokens, at) } else { None });
        if let Some(after) = after {
            out.push_fully_masked(
                token.start,
                tokens.before(after).end,
                Entity::PROFANITY,
                DetectionReason::WordList,
                EvidenceRank::Shape,
            );
        }
    }
}

/// Flags of listed words and of first words of phrases.
const LISTED_FLAGS: u32 = flag::PROFANITY | flag::PROFANITY_HEAD;

/// The next token from `from` on that may begin profanity.
fn next_suspect(tokens: &Tokens<'_>, from: usize, in_disguise: bool, triple: bool) -> Option<usize> {
    let rest = tokens.as_slice().get(from..)?;
    let found = if in_disguise {
        let nexts = rest.iter().skip(1).chain(iter::once(&Token::EDGE));
        let is_suspect = |(token, next): (&Token, &Token)| {
            (token.flags & LISTED_FLAGS != 0) | may_be_disguised(*token, *next, triple)
        };
        rest.iter().zip(nexts).position(is_suspect)
    } else {
        rest.iter().position(|token| token.flags & LISTED_FLAGS != 0)
    };
    found.map(|skipped| from + skipped)
}

/// The token after the longest listed phrase that begins at a token.
fn phrase_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let mut joined = [0; MAX_PHRASE_BYTES];
    let (mut length, mut best, mut at) = (0, None, first);
    while at < first + 2 * MAX_PHRASE_WORDS {
        let token = tokens.at(at);
        if token.is_mark(b'-') && token.byte_len() == 1 {
            at += 1;
            continue;
        }
        if !token.is_alphanumeric() || at > first && token.gap > Gap::Space || is_in_no_phrase(token) {
            break;
        }
        let text = tokens.str(token).as_bytes();
        let end = length + usize::from(length > 0) + text.len();
        if end > MAX_PHRASE_BYTES {
            break;
        }
        if length > 0 {
            joined[length] = b' ';
            length += 1;
        }
        joined[length..end].copy_from_slice(text);
        joined[length..end].make_ascii_lowercase();
        length = end;
        at += 1;
        if at == first + 1 {
            continue;
        }
        if !may_continue(joined[0], text) {
            break;
        }
        let words = &joined[..length];
        let (from, to) = ENTRIES_BY_INITIAL[usize::from(joined[0]) % ENTRIES_BY_INITIAL.len()];
        let entries = PROFANITY.get(from..to).unwrap_or_default();
        let place = entries.partition_point(|entry| entry.as_bytes() < words);
        match entries.get(place) {
            Some(entry) if entry.as_bytes() == words => best = Some(at),
            Some(entry) if entry.as_bytes().starts_with(words) => {}
            Some(_) | None => break,
        }
    }
    best
}

/// The words of the lexicon that are second in a phrase, one bit each.
static SECOND_WORDS: [u64; SLOT_COUNT / 64] = {
    let mut second = [0; SLOT_COUNT / 64];
    let mut at = 0;
    while at < PROFANITY.len() {
        if let Some(word) = second_word(PROFANITY[at]) {
            let place = word_id(word) as usize;
            second[place / 64] |= 1 << (place % 64);
        }
        at += 1;
    }
    second
};

/// The second word of a phrase, if it has only letters.
const fn second_word(phrase: &str) -> Option<&str> {
    let bytes = phrase.as_bytes();
    let mut from = 0;
    while from < bytes.len() && bytes[from] != b' ' {
        from += 1;
    }
    from += 1;
    let mut to = from;
    while to < bytes.len() && bytes[to].is_ascii_alphabetic() {
        to += 1;
    }
    if to > from && (to == bytes.len() || bytes[to] == b' ') { Some(const_substr(phrase, from, to)) } else { None }
}

/// Whether the token after the first word of a phrase is second in a phrase, or is no word.
fn may_lead(tokens: &Tokens<'_>, first: usize) -> bool {
    let next = tokens.at(first + 1);
    let place = usize::from(next.slot()) % SLOT_COUNT;
    next.kind != TokenKind::Word || next.gap <= Gap::Space && SECOND_WORDS[place / 64] >> (place % 64) & 1 != 0
}

/// For each first letter of a phrase, the first letters of its later words, one bit each.
static LATER_INITIALS: [u128; 128] = {
    let mut later = [0; 128];
    let mut at = 0;
    while at < PROFANITY.len() {
        let phrase = PROFANITY[at].as_bytes();
        let mut place = 1;
        while place < phrase.len() {
            if phrase[place - 1] == b' ' {
                later[phrase[0] as usize] |= 1 << phrase[place];
            }
            place += 1;
        }
        at += 1;
    }
    later
};

/// For each first letter, the range of the list entries that begin with it.
static ENTRIES_BY_INITIAL: [(usize, usize); 128] = {
    let mut ranges = [(0, 0); 128];
    let mut at = 0;
    while at < PROFANITY.len() {
        let (from, to) = &mut ranges[PROFANITY[at].as_bytes()[0] as usize];
        if *to == 0 {
            *from = at;
        }
        *to = at + 1;
        at += 1;
    }
    ranges
};

/// Whether a phrase that begins with letter `first` has a later word that begins like this one.
fn may_continue(first: u8, word: &[u8]) -> bool {
    let later = LATER_INITIALS.get(usize::from(first)).copied().unwrap_or(0);
    word.first().is_some_and(|byte| byte.is_ascii() && later >> byte.to_ascii_lowercase() & 1 != 0)
}

/// Whether a token is a word in no phrase. The lexicon has every word of every phrase.
fn is_in_no_phrase(token: Token) -> bool {
    token.kind == TokenKind::Word && token.slot() == 0
}

/// Minimum and maximum letters of a disguised word.
const MIN_LETTERS: usize = 3;
const MAX_LETTERS: usize = 16;

/// Whether a look-alike follows a word without a gap, or the word may have a letter three times in a row.
fn may_be_disguised(token: Token, next: Token, triple: bool) -> bool {
    // Without `||` and `&&`: a branch on the kind of a token is unpredictable.
    (token.kind == TokenKind::Word) & (is_lookalike(next) | triple & (token.slot() == 0))
}

/// Whether a token is digits or a mark that can replace the next letter of a word.
#[expect(clippy::needless_bitwise_bool, reason = "a branch on the kind of a token is unpredictable")]
fn is_lookalike(token: Token) -> bool {
    const MARKS: u64 = 1 << (b'@' - 32) | 1 << (b'$' - 32) | 1 << (b'!' - 32);
    let mark = token.mark().wrapping_sub(32);
    let is_listed_mark = (token.kind == TokenKind::Mark) & (mark < 64) & (MARKS >> (mark & 63) & 1 != 0);
    (token.gap == Gap::None) & ((token.kind == TokenKind::Digits) | is_listed_mark)
}

/// The token after a listed word with look-alikes ("sh1t") or repeated letters ("shiiit").
fn disguised_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let token = tokens.at(first);
    if token.gap == Gap::None && first > 0 && tokens.before(first).kind != TokenKind::Mark {
        return None;
    }
    let mixed = is_lookalike(tokens.at(first + 1));
    let repeats = || {
        tokens
            .str(token)
            .as_bytes()
            .windows(3)
            .any(|w| w[0].eq_ignore_ascii_case(&w[1]) && w[1].eq_ignore_ascii_case(&w[2]))
    };
    if !mixed && (token.byte_len() > 2 * MAX_LETTERS || !repeats()) {
        return None;
    }
    let mut after = first + 1;
    while mixed && after < first + 8 && tokens.at(after).gap == Gap::None && tokens.at(after).kind != TokenKind::Edge {
        after += 1;
    }
    let raw = tokens.between(token.start, tokens.before(after).end).trim_end_matches(['!', '.', ',', '?']);
    (is_listed(raw, false) || is_listed(raw, true)).then_some(after)
}

/// Whether a word is listed after look-alikes are replaced by letters. `squeeze` reads repeated letters as one.
fn is_listed(raw: &str, squeeze: bool) -> bool {
    let mut letters = [0; MAX_LETTERS];
    let mut length = 0;
    for byte in raw.bytes() {
        let letter = LOOKALIKE_LETTERS[usize::from(byte)];
        if letter == 0 {
            return false;
        }
        if squeeze && length > 0 && letters[length - 1] == letter {
            continue;
        }
        let Some(slot) = letters.get_mut(length) else { return false };
        *slot = letter;
        length += 1;
    }
    length >= MIN_LETTERS
        && lexicon::entry(lexicon::look_up(&letters[..length], 0, length)).flags & flag::PROFANITY != 0
}

/// For each byte, the small letter that it is or looks like; 0 if there is none.
#[expect(clippy::cast_possible_truncation, reason = "the bytes are ASCII")]
static LOOKALIKE_LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let ascii = byte as u8;
        letters[byte] = match ascii {
            b'@' | b'4' => b'a',
            b'3' => b'e',
            b'1' | b'!' => b'i',
            b'0' => b'o',
            b'5' | b'$' => b's',
            letter if letter.is_ascii_alphabetic() => letter.to_ascii_lowercase(),
            _ => 0,
        };
        byte += 1;
    }
    letters
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lexicon_has_every_word_of_every_phrase() {
        let words = PROFANITY.iter().flat_map(|phrase| phrase.split(' '));
        let mut words = words.filter(|word| word.bytes().all(|b| b.is_ascii_alphabetic()));
        assert!(words.all(|word| lexicon::look_up(word.as_bytes(), 0, word.len()) != 0));
    }
}
