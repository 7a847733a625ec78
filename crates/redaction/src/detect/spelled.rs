//! Codes spelled aloud after a cue, letter by letter and digit by digit: "b as in bravo", "n for november", "alpha bravo
//! four two", "q x r four eight two".

use super::code::{self, CODES};
use super::{Page, announced, flags, links};
use crate::candidate::{Candidates, Proof};
use crate::entity::{Entity, EntitySet};
use crate::span::Reason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens, lexicon};

/// Entities whose values the registry knows by letters and digits.
const KNOWN: EntitySet = EntitySet::of(&[
    Entity::UK_POSTCODE,
    Entity::CA_POSTAL_CODE,
    Entity::UK_NINO,
    Entity::UK_DRIVING_LICENCE,
    Entity::US_MEDICARE_ID,
]);
/// Entities that are spelled aloud.
pub(crate) const SPELLED: EntitySet = CODES.without(Entity::PASSWORD.bit()).or(KNOWN);
/// Tokens between a cue and its code at most.
const LINKS: usize = 8;
/// Letters and digits of a code at most, and letters of one without digits at least.
const LONGEST: usize = 24;
const LETTERS: usize = 5;

/// What tells a letter from a number.
const LETTER: u8 = 0x80;

/// A code read letter by letter.
struct Code {
    compact: [u8; LONGEST],
    length: usize,
    letters: usize,
    /// Token after the last letter or digit.
    after: usize,
}

/// Looks for a spelled code after every cue for one, and in an answer to an earlier question.
pub(crate) fn detect(page: &Page<'_, '_>, out: &mut Candidates) {
    for cue in page.cues() {
        let set = cue.set.and(SPELLED).and(out.active());
        if !set.is_empty()
            && let Some(first) = begin(page.tokens, cue.after as usize, 0)
        {
            push(page, first, set, Reason::Cue, out);
        }
    }
    let set = page.armed.and(SPELLED).and(out.active());
    if !set.is_empty()
        && let Some(first) = may_answer(page.tokens)
    {
        push(page, first, set, Reason::EarlierCue, out);
    }
}

/// Where a code begins with nothing before it but links and words with the flags `idle`.
fn begin(tokens: &Tokens<'_>, from: usize, idle: u32) -> Option<usize> {
    for at in from..from + LINKS {
        if unit(tokens, at).is_some() {
            return Some(at);
        }
        let links = links(tokens, at)
            || flags(tokens.at(at)) & idle != 0
            || tokens.before(at).is_mark(b'\'') && tokens.at(at).gap == Gap::None;
        if !links || at > 0 && tokens.at(at).gap >= Gap::Paragraph {
            break;
        }
    }
    None
}

/// Where a message that is nothing but a spelled code has it.
pub(crate) fn may_answer(tokens: &Tokens<'_>) -> Option<usize> {
    let first = begin(tokens, 0, flag::PLAIN)?;
    let code = read(tokens, first);
    (code.letters > 0 && code.length >= 4 && announced::is_alone(tokens, first, code.after, false)).then_some(first)
}

fn push(page: &Page<'_, '_>, first: usize, set: EntitySet, reason: Reason, out: &mut Candidates) {
    let tokens = page.tokens;
    let code = read(tokens, first);
    let digits = code.length - code.letters;
    if code.letters == 0 || digits == 0 && code.letters < LETTERS || flags(tokens.at(code.after)) & flag::UNIT != 0 {
        return;
    }
    let compact = &code.compact[..code.length];
    let checked = |entity| page.known.of_length(code.length).any(|(i, e)| e == entity && (i.check)(compact));
    if let Some(entity) = set.iter().find(|e| code::fits(*e, code.letters, digits) || KNOWN.contains(*e) && checked(*e))
    {
        out.whole(tokens.at(first).start, tokens.before(code.after).end, entity, reason, Proof::Cue);
    }
}

fn read(tokens: &Tokens<'_>, first: usize) -> Code {
    let mut code = Code { compact: [0; LONGEST], length: 0, letters: 0, after: first };
    let mut at = first;
    while let Some((mut value, times, after)) = unit(tokens, at).filter(|u| code.length + u.1 <= LONGEST && u.2 > at) {
        if is_word_of_prose(tokens, at, after) {
            break;
        }
        for slot in code.compact[code.length..code.length + times].iter_mut().rev() {
            *slot = if value >= LETTER { (value - LETTER).to_ascii_uppercase() } else { b'0' + value % 10 };
            value = if value < LETTER && is_two_digits(tokens, at) { value / 10 } else { value };
            code.letters += usize::from(slot.is_ascii_alphabetic());
        }
        code.length += times;
        code.after = after;
        at = next(tokens, after);
    }
    code
}

/// The token after what may lie between two letters: thinking aloud, a comma, a dash.
fn next(tokens: &Tokens<'_>, mut at: usize) -> usize {
    for _ in 0..2 {
        let token = tokens.at(at);
        let mark = token.kind == Kind::Mark
            && token.bytes() == 1
            && (token.is_mark(b',') || token.is_mark(b'-') || token.is_mark(b'.'));
        let said = flags(token) & flag::MARK != 0 && matches!(lexicon::entry(token.code).value, b'-' | b'/');
        if !(mark || said || flags(token) & flag::FILLER != 0) || token.gap > Gap::Space {
            break;
        }
        at += 1;
    }
    at
}

/// A letter (as [`LETTER`] and its ASCII code) or a number below 100 at a token, how many letters or digits it is, and the
/// token after it.
fn unit(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize, usize)> {
    let token = tokens.at(at);
    if token.gap >= Gap::Line && at > 0 {
        return None;
    }
    if token.kind == Kind::Digits {
        return (token.code == 1)
            .then(|| (tokens.str(token).bytes().next().map_or(0, |b| b.wrapping_sub(b'0') % 10), 1, at + 1));
    }
    let entry = lexicon::entry(token.code);
    let (follows, flags) = (tokens.at(at + 1), flags(token));
    if flags & flag::REPEAT != 0 {
        // "Double double" repeats nothing, however long it goes on.
        let repeatable = follows.gap == Gap::Space && self::flags(follows) & flag::REPEAT == 0;
        return (if repeatable { unit(tokens, at + 1) } else { None })
            .filter(|u| u.1 == 1)
            .map(|u| (u.0, usize::from(entry.value), u.2));
    }
    if flags & (flag::DIGIT | flag::OH) != 0 {
        return Some((entry.value, 1, at + 1));
    }
    if flags & flag::TENS != 0 {
        let joined = self::flags(follows) & flag::DIGIT != 0
            && lexicon::entry(follows.code).value > 0
            && follows.gap <= Gap::Space;
        let value = if joined { lexicon::entry(follows.code).value } else { 0 };
        return Some((entry.value + value, 2, at + 1 + usize::from(joined)));
    }
    if flags & flag::TEEN != 0 {
        return Some((entry.value, 2, at + 1));
    }
    letter(tokens, at, token)
}

/// A letter by itself, by its name in the spelling alphabet, or with a word that begins with it.
fn letter(tokens: &Tokens<'_>, at: usize, token: Token) -> Option<(u8, usize, usize)> {
    if flags(token) & flag::SPELLED != 0 {
        return Some((LETTER + lexicon::entry(token.code).value, 1, at + 1));
    }
    let touching =
        token.gap == Gap::None && at > 0 || tokens.at(at + 1).gap == Gap::None && tokens.at(at + 1).is_value();
    let byte = single(tokens, token).filter(|_| !touching)?;
    Some((LETTER + byte, 1, explained(tokens, at, byte).unwrap_or(at + 1)))
}

fn single(tokens: &Tokens<'_>, token: Token) -> Option<u8> {
    let byte = tokens.str(token).bytes().next().filter(|_| token.kind == Kind::Word && token.bytes() == 1)?;
    byte.is_ascii_alphabetic().then(|| byte.to_ascii_lowercase())
}

/// The token after the word that explains the letter at a token: "as in bravo", "for november", "like apple".
fn explained(tokens: &Tokens<'_>, at: usize, letter: u8) -> Option<usize> {
    let is = |place: usize, word: &str| {
        tokens.str(tokens.at(place)).eq_ignore_ascii_case(word) && tokens.at(place).gap == Gap::Space
    };
    let word = match () {
        () if is(at + 1, "as") && is(at + 2, "in") => at + 3,
        () if is(at + 1, "for") || is(at + 1, "like") => at + 2,
        () => return None,
    };
    let token = tokens.at(word);
    let begins = tokens.str(token).bytes().next().is_some_and(|b| b.eq_ignore_ascii_case(&letter));
    (token.kind == Kind::Word && token.gap == Gap::Space && token.bytes() > 1 && begins).then_some(word + 1)
}

/// The first token of an explained letter that ends before a token.
pub(super) fn explained_before(tokens: &Tokens<'_>, end: usize) -> Option<usize> {
    [3, 4].into_iter().filter_map(|length| end.checked_sub(length)).find(|first| {
        single(tokens, tokens.at(*first)).is_some_and(|letter| explained(tokens, *first, letter) == Some(end))
    })
}

fn is_two_digits(tokens: &Tokens<'_>, at: usize) -> bool {
    flags(tokens.at(at)) & (flag::TENS | flag::TEEN) != 0
}

/// Whether "a" and "i" are words of a sentence: something else than a letter or digit follows.
fn is_word_of_prose(tokens: &Tokens<'_>, at: usize, after: usize) -> bool {
    let token = tokens.at(at);
    let follows = next(tokens, after);
    after == at + 1
        && matches!(single(tokens, token), Some(b'a' | b'i'))
        && tokens.at(follows).kind == Kind::Word
        && unit(tokens, follows).is_none()
}
