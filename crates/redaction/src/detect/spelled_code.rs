//! Codes spelled aloud after a cue, letter by letter and digit by digit: "b as in bravo", "q x r four eight two".

use super::code::{self, CODE_ENTITIES};
use super::{DetectorInput, WordList, cue_link, flags, is_connector, is_one_of, joined};
use crate::candidate::{Candidates, EvidenceRank};
use crate::entity::{Entity, EntitySet};
use crate::numbers;
use crate::span::DetectionReason;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, lexicon};

/// Entities whose values the registry defines by letters and digits.
const REGISTRY_ENTITIES: EntitySet = EntitySet::from_slice(&[
    Entity::UK_POSTCODE,
    Entity::CA_POSTAL_CODE,
    Entity::UK_NINO,
    Entity::UK_DRIVING_LICENCE,
    Entity::US_MEDICARE_ID,
]);
/// Entities that are spelled aloud.
pub(crate) const SPELLED_ENTITIES: EntitySet = CODE_ENTITIES.without(Entity::PASSWORD.bit()).or(REGISTRY_ENTITIES);
/// Maximum tokens between a cue and its code.
const MAX_CONNECTOR_TOKENS: usize = 8;
/// Maximum letters and digits of a code, and minimum letters of a code without digits.
const MAX_CODE_LENGTH: usize = 24;
const MIN_LETTERS: usize = 5;

/// The bit that marks a symbol as a letter.
const LETTER_BIT: u8 = 0x80;

/// A code read letter by letter.
struct SpelledCode {
    compact: [u8; MAX_CODE_LENGTH],
    length: usize,
    letters: usize,
    /// Token after the last letter or digit.
    after: usize,
}

/// Looks for a spelled code after every cue for one, and in an answer to an earlier question.
pub(crate) fn detect(input: &DetectorInput<'_, '_>, out: &mut Candidates) {
    for cue in input.cues() {
        let set = cue.entities.and(SPELLED_ENTITIES).and(out.active());
        if !set.is_empty()
            && let Some(first) = code_start(input.tokens, cue.end_token as usize, 0)
        {
            push(input, first, set, DetectionReason::Cue, out);
        }
    }
    let set = input.expected_entities.and(SPELLED_ENTITIES).and(out.active());
    if !set.is_empty()
        && let Some(first) = answer_start(input.tokens)
    {
        push(input, first, set, DetectionReason::EarlierCue, out);
    }
}

/// The first token of a code that only connectors and words with one of the flags `skipped` precede.
fn code_start(tokens: &Tokens<'_>, from: usize, skipped: u32) -> Option<usize> {
    for at in from..from + MAX_CONNECTOR_TOKENS {
        if symbol(tokens, at).is_some() {
            return Some(at);
        }
        let connects = is_connector(tokens, at)
            || flags(tokens.at(at)) & skipped != 0
            || tokens.before(at).is_mark(b'\'') && tokens.at(at).gap == Gap::None;
        if !connects || at > 0 && tokens.at(at).gap >= Gap::Paragraph {
            break;
        }
    }
    None
}

/// Letters and digits of the shortest code that is an answer whatever is said after it.
const MIN_ANSWER_LENGTH: usize = 5;

/// The first token of a spelled code that is the whole message, or that begins it and has letters and digits.
pub(crate) fn answer_start(tokens: &Tokens<'_>) -> Option<usize> {
    let first = code_start(tokens, 0, flag::STOPWORD)?;
    let code = read(tokens, first);
    let is_mixed = code.letters >= 2 && code.length > code.letters && code.length >= MIN_ANSWER_LENGTH;
    let is_answer = is_mixed || code.length >= 4 && cue_link::is_whole_message(tokens, first, code.after, false);
    (code.letters > 0 && is_answer).then_some(first)
}

fn push(input: &DetectorInput<'_, '_>, first: usize, set: EntitySet, reason: DetectionReason, out: &mut Candidates) {
    let tokens = input.tokens;
    let code = read(tokens, first);
    let digits = code.length - code.letters;
    if code.letters == 0 || digits == 0 && code.letters < MIN_LETTERS || flags(tokens.at(code.after)) & flag::UNIT != 0
    {
        return;
    }
    let compact = &code.compact[..code.length];
    let checked =
        |entity| input.identifiers.iter_with_length(code.length).any(|(i, e)| e == entity && (i.validator)(compact));
    let entity = set.iter().find(|e| REGISTRY_ENTITIES.contains(*e) && checked(*e));
    if let Some(entity) = entity.or_else(|| set.iter().find(|e| code::matches_length(*e, code.letters, digits))) {
        out.push_fully_masked(tokens.at(first).start, tokens.before(code.after).end, entity, reason, EvidenceRank::Cue);
    }
}

fn read(tokens: &Tokens<'_>, first: usize) -> SpelledCode {
    let mut code = SpelledCode { compact: [0; MAX_CODE_LENGTH], length: 0, letters: 0, after: first };
    let mut at = first;
    while let Some((mut value, times, after)) =
        symbol(tokens, at).filter(|u| code.length + u.1 <= MAX_CODE_LENGTH && u.2 > at)
    {
        if is_prose_word(tokens, at, after) {
            break;
        }
        for slot in code.compact[code.length..code.length + times].iter_mut().rev() {
            *slot = if value >= LETTER_BIT { (value - LETTER_BIT).to_ascii_uppercase() } else { b'0' + value % 10 };
            value = if value < LETTER_BIT && is_two_digits(tokens, at) { value / 10 } else { value };
            code.letters += usize::from(slot.is_ascii_alphabetic());
        }
        code.length += times;
        code.after = after;
        at = skip_fillers(tokens, after);
    }
    code
}

/// The token after what can be between two letters: fillers, a comma, a hyphen or a full stop.
pub(super) fn skip_fillers(tokens: &Tokens<'_>, mut at: usize) -> usize {
    for _ in 0..2 {
        let token = tokens.at(at);
        let is_separator = token.kind == TokenKind::Mark
            && token.byte_len() == 1
            && (token.is_mark(b',') || token.is_mark(b'-') || token.is_mark(b'.'));
        let is_spoken_separator =
            flags(token) & flag::SPOKEN_MARK != 0 && matches!(lexicon::entry(token.slot()).value, b'-' | b'/');
        if !(is_separator || is_spoken_separator || flags(token) & flag::FILLER != 0) || token.gap > Gap::Space {
            break;
        }
        at += 1;
    }
    at
}

/// The letter (as [`LETTER_BIT`] and its ASCII code) or the number below 100 at a token, the count of its letters or
/// digits, and the token after it.
pub(super) fn symbol(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize, usize)> {
    let token = tokens.at(at);
    if token.gap >= Gap::Line && at > 0 {
        return None;
    }
    if token.kind == TokenKind::Digits {
        return (token.digit_count() == 1)
            .then(|| (tokens.str(token).bytes().next().map_or(0, |b| b.wrapping_sub(b'0') % 10), 1, at + 1));
    }
    let entry = lexicon::entry(token.slot());
    let (follows, flags) = (tokens.at(at + 1), flags(token));
    if flags & SAID_WORDS == 0 && token.byte_len() > 1 {
        return symbol_of_word(tokens, at, token);
    }
    if flags & flag::REPEAT != 0 {
        // Two repeat words in a row ("double double") repeat nothing, so the recursion is one level deep.
        let repeatable = follows.gap == Gap::Space && self::flags(follows) & flag::REPEAT == 0;
        return (if repeatable { symbol(tokens, at + 1) } else { None })
            .filter(|u| u.1 == 1)
            .map(|u| (u.0, usize::from(entry.value), u.2));
    }
    if flags & (flag::DIGIT | flag::TEEN | flag::TENS) != 0
        && let Some((value, after)) = numbers::foreign_tens(tokens, at)
    {
        return Some((value, 2, after));
    }
    if flags & (flag::DIGIT | flag::OH) != 0 {
        return Some((entry.value, 1, at + 1));
    }
    if flags & flag::TENS != 0 {
        let joined = self::flags(follows) & flag::DIGIT != 0
            && lexicon::entry(follows.slot()).value > 0
            && follows.gap <= Gap::Space;
        let value = if joined { lexicon::entry(follows.slot()).value } else { 0 };
        return Some((entry.value + value, 2, at + 1 + usize::from(joined)));
    }
    if flags & flag::TEEN != 0 {
        return Some((entry.value, 2, at + 1));
    }
    letter(tokens, at, token)
}

/// Names of letters that are no words of a sentence, and the letters.
const NAMES: [&str; 14] =
    ["zed", "zee", "aitch", "haitch", "jay", "kay", "vee", "tee", "pee", "dee", "ess", "eff", "bee", "queue"];
const LETTERS: [u8; NAMES.len()] = *b"zzhhjkvtpdsfbq";
/// Words before a letter that say whether it is large.
const CASES: [&str; 7] = ["capital", "uppercase", "lowercase", "caps", "cap", "upper", "lower"];

const NAMES_AND_CASES: [&str; NAMES.len() + CASES.len()] = joined(&[&NAMES, &CASES]);
/// The words of [`NAMES`] and [`CASES`].
static SAID_NAMES: WordList = WordList::new(&NAMES_AND_CASES);

/// The letter after a word of [`CASES`].
fn cased_letter(tokens: &Tokens<'_>, at: usize) -> Option<(u8, usize, usize)> {
    // "upper case b"
    let letter_at = at + usize::from(is_one_of(tokens, tokens.at(at), &["case", "letter"]));
    let token = tokens.at(letter_at);
    if token.gap == Gap::Space { letter(tokens, letter_at, token) } else { None }
}

/// What a word stands for that is no number and of no spelling alphabet: "capital b", "zed", "elf" among German numbers.
fn symbol_of_word(tokens: &Tokens<'_>, at: usize, token: Token) -> Option<(u8, usize, usize)> {
    if !SAID_NAMES.has(tokens, token) {
        return numbers::ambiguous_number(tokens, at).map(|value| (value, if value < 10 { 1 } else { 2 }, at + 1));
    }
    let word = tokens.str(token);
    let Some(name) = NAMES.iter().position(|name| name.eq_ignore_ascii_case(word)) else {
        return cased_letter(tokens, at + 1);
    };
    let letter = LETTERS.get(name).filter(|_| !touches_letter(tokens, at))?;
    Some((LETTER_BIT + letter, 1, at + 1))
}

/// The letter that a value of [`symbol`] stands for, in upper case; `None` for a number.
pub(super) fn spelled_letter(value: u8) -> Option<u8> {
    value.checked_sub(LETTER_BIT).map(|letter| letter.to_ascii_uppercase())
}

/// A single letter, the name of a letter in the spelling alphabet, or a letter with a word that begins with it.
fn letter(tokens: &Tokens<'_>, at: usize, token: Token) -> Option<(u8, usize, usize)> {
    if flags(token) & flag::SPELLING_ALPHABET != 0 {
        return Some((LETTER_BIT + lexicon::entry(token.slot()).value, 1, at + 1));
    }
    let Some(byte) = single_letter(tokens, token) else { return symbol_of_word(tokens, at, token) };
    let is_x_ray =
        byte == b'x' && tokens.at(at + 1).is_mark(b'-') && tokens.str(tokens.at(at + 2)).eq_ignore_ascii_case("ray");
    if is_x_ray {
        return Some((LETTER_BIT + b'x', 1, at + 3));
    }
    let end = || explanation_end(tokens, at, byte).unwrap_or(at + 1);
    (!touches_letter(tokens, at)).then(|| (LETTER_BIT + byte, 1, end()))
}

/// Whether something touches the word at a token on the left, or a letter or digit on the right, as in "c'est".
fn touches_letter(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    let is_elided = next.is_mark(b'\'') && tokens.at(at + 2).gap == Gap::None;
    tokens.at(at).gap == Gap::None && at > 0 || next.gap == Gap::None && (next.is_alphanumeric() || is_elided)
}

fn single_letter(tokens: &Tokens<'_>, token: Token) -> Option<u8> {
    let byte = tokens.str(token).bytes().next().filter(|_| token.kind == TokenKind::Word && token.byte_len() == 1)?;
    byte.is_ascii_alphabetic().then(|| byte.to_ascii_lowercase())
}

/// Words that stand for letters and digits said aloud, or between them.
pub(super) const SAID_WORDS: u32 = flag::NUMBER | flag::SPELLING_ALPHABET | flag::REPEAT | flag::FILLER | flag::OH;
/// Words that join a letter to the word that explains it.
const EXPLANATION_LINKS: [&str; 9] = ["for", "like", "in", "as", "de", "come", "como", "comme", "wie"];

/// Whether a token of letters said aloud, of which token `first` is the first, joins a letter to its explanation or may be that:
/// the "in" and the "boy" of "b as in boy".
pub(super) fn is_explanation(tokens: &Tokens<'_>, at: usize, first: usize) -> bool {
    let is_link = |token: Token| is_one_of(tokens, token, &EXPLANATION_LINKS);
    is_link(tokens.at(at)) || at > first && is_link(tokens.before(at))
}

/// The token after the word that explains the letter at a token: "as in bravo", "for november", "like apple".
fn explanation_end(tokens: &Tokens<'_>, at: usize, letter: u8) -> Option<usize> {
    let is = |place: usize, word: &str| {
        tokens.str(tokens.at(place)).eq_ignore_ascii_case(word) && tokens.at(place).gap == Gap::Space
    };
    let word = match () {
        () if is(at + 1, "as") && is(at + 2, "in") => at + 3,
        () if EXPLANATION_LINKS.iter().any(|link| is(at + 1, link)) => at + 2,
        // "b bravo"
        () if flags(tokens.at(at + 1)) & flag::SPELLING_ALPHABET != 0 => at + 1,
        () => return None,
    };
    let token = tokens.at(word);
    let begins = tokens.str(token).bytes().next().is_some_and(|b| b.eq_ignore_ascii_case(&letter));
    (token.kind == TokenKind::Word && token.gap == Gap::Space && token.byte_len() > 1 && begins).then_some(word + 1)
}

/// The first token of an explained letter that ends before token `end`.
pub(super) fn explained_letter_start(tokens: &Tokens<'_>, end: usize) -> Option<usize> {
    [3, 4].into_iter().filter_map(|length| end.checked_sub(length)).find(|first| {
        single_letter(tokens, tokens.at(*first))
            .is_some_and(|letter| explanation_end(tokens, *first, letter) == Some(end))
    })
}

fn is_two_digits(tokens: &Tokens<'_>, at: usize) -> bool {
    flags(tokens.at(at)) & (flag::TENS | flag::TEEN) != 0
}

/// Whether a token is the word "a" or "i" of a sentence: another word than a letter or digit follows.
pub(super) fn is_prose_word(tokens: &Tokens<'_>, at: usize, after: usize) -> bool {
    let token = tokens.at(at);
    let follows = skip_fillers(tokens, after);
    after == at + 1
        && matches!(single_letter(tokens, token), Some(b'a' | b'i'))
        && tokens.at(follows).kind == TokenKind::Word
        && symbol(tokens, follows).is_none()
}
