//! Profanity: whole words and phrases of the list, also with letters repeated or replaced by look-alikes.

use super::flags;
use crate::candidate::{Candidates, Proof};
use crate::entity::Entity;
use crate::span::Reason;
use crate::tables::profanity::PROFANITY;
use crate::tokenize::lexicon::{self, PLACES, id_of, slice};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Seen, Token, Tokens};
use std::iter;

/// Tokens of a phrase at most, and bytes of it.
const WORDS: usize = 5;
const BYTES: usize = 40;

/// Looks at every word.
#[inline(never)]
pub(crate) fn detect(tokens: &Tokens<'_>, seen: &Seen, out: &mut Candidates) {
    if !out.wants(Entity::PROFANITY.bit()) {
        return;
    }
    let in_disguise = seen.disguise || seen.triple;
    let mut from = 0;
    while let Some(at) = next(tokens, from, in_disguise, seen.triple) {
        from = at + 1;
        let token = tokens.at(at);
        let known = flags(token) & KNOWN;
        let leads = known & flag::PROFANE_HEAD != 0 && may_lead(tokens, at);
        let after = if leads { phrase(tokens, at) } else { None };
        let after = after.or((known & flag::PROFANE != 0).then_some(at + 1));
        let veiled = || in_disguise && may_be_disguised(token, tokens.at(at + 1), seen.triple);
        let after = after.or_else(|| if veiled() { disguised(tokens, at) } else { None });
        if let Some(after) = after {
            out.whole(token.start, tokens.before(after).end, Entity::PROFANITY, Reason::WordList, Proof::Shape);
        }
    }
}

/// Words of the list and first words of its phrases.
const KNOWN: u32 = flag::PROFANE | flag::PROFANE_HEAD;

/// The first token from one on that is worth a look.
fn next(tokens: &Tokens<'_>, from: usize, in_disguise: bool, triple: bool) -> Option<usize> {
    let rest = tokens.all().get(from..)?;
    let found = if in_disguise {
        let nexts = rest.iter().skip(1).chain(iter::once(&Token::EDGE));
        let worth =
            |(token, next): (&Token, &Token)| (token.flags & KNOWN != 0) | may_be_disguised(*token, *next, triple);
        rest.iter().zip(nexts).position(worth)
    } else {
        rest.iter().position(|token| token.flags & KNOWN != 0)
    };
    found.map(|skipped| from + skipped)
}

/// The token after the longest listed phrase that begins at a token.
fn phrase(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let mut joined = [0; BYTES];
    let (mut length, mut best, mut at) = (0, None, first);
    while at < first + 2 * WORDS {
        let token = tokens.at(at);
        if token.is_mark(b'-') && token.bytes() == 1 {
            at += 1;
            continue;
        }
        if !token.is_value() || at > first && token.gap > Gap::Space || is_in_no_phrase(token) {
            break;
        }
        let text = tokens.str(token).as_bytes();
        let end = length + usize::from(length > 0) + text.len();
        if end > BYTES {
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
        if !may_go_on(joined[0], text) {
            break;
        }
        let words = &joined[..length];
        let (from, to) = ALIKE[usize::from(joined[0]) % ALIKE.len()];
        let alike = PROFANITY.get(from..to).unwrap_or_default();
        let place = alike.partition_point(|entry| entry.as_bytes() < words);
        match alike.get(place) {
            Some(entry) if entry.as_bytes() == words => best = Some(at),
            Some(entry) if entry.as_bytes().starts_with(words) => {}
            Some(_) | None => break,
        }
    }
    best
}

/// The words of the lexicon that come second in a phrase, one bit each.
static SECOND: [u64; PLACES / 64] = {
    let mut second = [0; PLACES / 64];
    let mut at = 0;
    while at < PROFANITY.len() {
        if let Some(word) = second_word(PROFANITY[at]) {
            let place = id_of(word) as usize;
            second[place / 64] |= 1 << (place % 64);
        }
        at += 1;
    }
    second
};

/// The second word of a phrase, if it is all letters.
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
    if to > from && (to == bytes.len() || bytes[to] == b' ') { Some(slice(phrase, from, to)) } else { None }
}

/// Whether what follows the first word of a phrase is one that comes second in some phrase, or no word.
fn may_lead(tokens: &Tokens<'_>, first: usize) -> bool {
    let next = tokens.at(first + 1);
    let place = usize::from(next.code) % PLACES;
    next.kind != Kind::Word || next.gap <= Gap::Space && SECOND[place / 64] >> (place % 64) & 1 != 0
}

/// For each first letter of a phrase the first letters of its later words, one bit each.
static LATER: [u128; 128] = {
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

/// For each first letter where the entries of the list that begin with it are, from and to.
static ALIKE: [(usize, usize); 128] = {
    let mut alike = [(0, 0); 128];
    let mut at = 0;
    while at < PROFANITY.len() {
        let (from, to) = &mut alike[PROFANITY[at].as_bytes()[0] as usize];
        if *to == 0 {
            *from = at;
        }
        *to = at + 1;
        at += 1;
    }
    alike
};

/// Whether some phrase that begins with a letter has a later word that begins as this one does.
fn may_go_on(first: u8, word: &[u8]) -> bool {
    let later = LATER.get(usize::from(first)).copied().unwrap_or(0);
    word.first().is_some_and(|byte| byte.is_ascii() && later >> byte.to_ascii_lowercase() & 1 != 0)
}

/// Whether a token is a word that the lexicon, which has every word of every phrase, does not have.
fn is_in_no_phrase(token: Token) -> bool {
    token.kind == Kind::Word && token.code == 0
}

/// Letters of a word at least and at most that is looked at in disguise.
const SHORTEST: usize = 3;
const LONGEST: usize = 16;

/// Whether what stands right behind a word looks like a letter, or the word may have one three times in a row.
#[expect(clippy::needless_bitwise_bool, reason = "no processor foresees a branch on the kind of a token")]
fn may_be_disguised(token: Token, next: Token, triple: bool) -> bool {
    (token.kind == Kind::Word) & (is_alike(next) | triple & (token.code == 0))
}

/// Whether a token is digits or a mark that may stand for the next letter of a word.
#[expect(clippy::needless_bitwise_bool, reason = "no processor foresees a branch on the kind of a token")]
fn is_alike(token: Token) -> bool {
    const MARKS: u64 = 1 << (b'@' - 32) | 1 << (b'$' - 32) | 1 << (b'!' - 32);
    let mark = token.code.wrapping_sub(32);
    let alike = (token.kind == Kind::Mark) & (mark < 64) & (MARKS >> (mark & 63) & 1 != 0);
    (token.gap == Gap::None) & ((token.kind == Kind::Digits) | alike)
}

/// The token after a listed word written with look-alikes ("sh1t") or letters repeated ("shiiit").
fn disguised(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    let token = tokens.at(first);
    if token.gap == Gap::None && first > 0 && tokens.before(first).kind != Kind::Mark {
        return None;
    }
    let mixed = is_alike(tokens.at(first + 1));
    let repeats = || {
        tokens
            .str(token)
            .as_bytes()
            .windows(3)
            .any(|w| w[0].eq_ignore_ascii_case(&w[1]) && w[1].eq_ignore_ascii_case(&w[2]))
    };
    if !mixed && (token.bytes() > 2 * LONGEST || !repeats()) {
        return None;
    }
    let mut after = first + 1;
    while mixed && after < first + 8 && tokens.at(after).gap == Gap::None && tokens.at(after).kind != Kind::Edge {
        after += 1;
    }
    let raw = tokens.between(token.start, tokens.before(after).end).trim_end_matches(['!', '.', ',', '?']);
    (listed(raw, false) || listed(raw, true)).then_some(after)
}

/// Whether a word is listed once look-alikes are letters, with repeated letters as one or as they are.
fn listed(raw: &str, squeeze: bool) -> bool {
    let mut letters = [0; LONGEST];
    let mut length = 0;
    for byte in raw.bytes() {
        let letter = LETTERS[usize::from(byte)];
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
    length >= SHORTEST && lexicon::entry(lexicon::look_up(&letters[..length], 0, length)).flags & flag::PROFANE != 0
}

/// For each byte the small letter that it is or looks like; 0 where it is none.
#[expect(clippy::cast_possible_truncation, reason = "the bytes are those of ASCII")]
static LETTERS: [u8; 256] = {
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
