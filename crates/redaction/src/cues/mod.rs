//! Cues: phrases that name the entity of a value beside them, or exclude it.

mod access_code;
mod access_number;
mod birth_phrases;
mod code_number;
mod code_topic;
mod composed;
mod composed_heads;
mod cue;
mod cue_list;
mod cue_phrase;
mod date_time;
mod devices;
mod document_card;
mod failure_code;
mod grammar_heads;
mod keyed_code;
mod keypad;
mod lock_number;
mod measure;
mod number_labels;
mod number_phrases;
mod other_meaning;
mod phrase_list;
mod phrases;
mod purpose;
mod read_back;
mod record_phrases;
mod sole_code;
mod spelled;
mod taken_back;
mod thing_name;
mod topic;
mod topic_number;
mod unexplained;
mod word_set;
mod words;

pub(crate) use self::{
    code_number::CodeNumber,
    composed::{LAST_FOUR, is_bare_code},
    cue::Cue,
    cue_list::{Cues, may_have_word_cue},
    grammar_heads::{CODE_VERBS, GRAMMAR_HEADS},
    keypad::is_keyed,
    other_meaning::{has_other_meaning, is_of_thing},
    phrase_list::PHRASES,
    sole_code::sole_code,
    spelled::has_spelled_word,
    taken_back::names_number_before,
    topic::Topic,
    unexplained::{is_explained_number, is_round_or_year, means_something_else, unexplained_number},
};
use crate::entity::EntitySet;
use crate::tokenize::lexicon::{self, SLOT_COUNT, word_id};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, saturating_u32};
pub(crate) use cue_phrase::{CuePhrase, WORD_VALUED};

/// Words of the longest phrase.
const MAX_WORDS: usize = 5;
/// A phrase as the lexicon slots of its words.
#[derive(Clone, Copy)]
struct Pattern {
    entities: EntitySet,
    words: [u16; MAX_WORDS],
    length: u8,
    needs_connector: bool,
}
const NO_PATTERN: Pattern =
    Pattern { entities: EntitySet::empty(), words: [0; MAX_WORDS], length: 0, needs_connector: false };

/// The patterns of all phrases, ordered by first word, then longest first.
#[expect(clippy::large_const_arrays, reason = "read at compile time only")]
const PATTERNS: [Pattern; PHRASES.len()] = {
    let mut patterns = [NO_PATTERN; PHRASES.len()];
    let mut count = 0;
    while count < PHRASES.len() {
        let pattern = pattern(count);
        let mut at = count;
        while at > 0 && comes_before(&pattern, &patterns[at - 1]) {
            patterns[at] = patterns[at - 1];
            at -= 1;
        }
        patterns[at] = pattern;
        count += 1;
    }
    patterns
};

static PATTERN_TABLE: [Pattern; PHRASES.len()] = PATTERNS;

#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 65536 phrases")]
const fn index_u16(at: usize) -> u16 {
    at as u16
}

const fn comes_before(a: &Pattern, b: &Pattern) -> bool {
    a.words[0] < b.words[0] || a.words[0] == b.words[0] && a.length > b.length
}

const fn pattern(phrase: usize) -> Pattern {
    let CuePhrase { words, entities, needs_connector } = PHRASES[phrase];
    let (bytes, mut pattern) = (words.as_bytes(), Pattern { entities, needs_connector, ..NO_PATTERN });
    let (mut at, mut from) = (0, 0);
    while at <= bytes.len() {
        if at == bytes.len() || bytes[at] == b' ' {
            pattern.words[pattern.length as usize] = word_id(lexicon::const_substr(words, from, at));
            pattern.length += 1;
            from = at + 1;
        }
        at += 1;
    }
    pattern
}

/// For each lexicon slot: the index of the first pattern that begins with its word, plus one; 0 if there is none.
static FIRST_BY_WORD: [u16; SLOT_COUNT] = {
    let mut indices = [0; SLOT_COUNT];
    let mut at = PATTERNS.len();
    while at > 0 {
        at -= 1;
        indices[PATTERNS[at].words[0] as usize] = index_u16(at) + 1;
    }
    indices
};

/// For each lexicon slot: the index of the pattern of its word alone, plus one; 0 if there is none.
static SINGLE_WORD_PATTERNS: [u16; SLOT_COUNT] = {
    let mut indices = [0; SLOT_COUNT];
    let mut at = PATTERNS.len();
    while at > 0 {
        at -= 1;
        if PATTERNS[at].length == 1 {
            indices[PATTERNS[at].words[0] as usize] = index_u16(at) + 1;
        }
    }
    indices
};

/// The index of the first pattern that begins with a token, plus one; 0 if there is none.
#[inline]
fn first_pattern(token: Token) -> u16 {
    if token.kind == TokenKind::Word && token.slot() != 0 {
        FIRST_BY_WORD[usize::from(token.slot()) % SLOT_COUNT]
    } else {
        0
    }
}

/// The longest cue that begins at a token.
fn cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let spelled = if spelled::may_begin(tokens, at) { spelled_cue_at(tokens, at) } else { None };
    let composed =
        || composed::cue_at(tokens, at).or_else(|| keypad::cue_at(tokens, at)).or_else(|| keypad::dial_cue(tokens, at));
    let by_purpose = || purpose::cue_at(tokens, at);
    spelled
        .or_else(|| access_code::cue_at(tokens, at))
        .or_else(composed)
        .or_else(by_purpose)
        .or_else(|| listed_cue_at(tokens, at))
}

/// Whether the words of a cue are a cue whatever follows them: "pin", and not the "it's" of "it's 4821".
pub(crate) fn names_by_words(tokens: &Tokens<'_>, cue: &Cue) -> bool {
    cue_at(tokens, cue.first_token as usize).is_some_and(|named| named.entities.intersects(cue.entities))
}

/// The cue by the grammar of the words before a number that begins at a token: "i typed 4821", "did you say 123". Each of
/// these cues needs a number as long as a code, and most numbers are not: they are told apart first.
fn cue_before_number(tokens: &Tokens<'_>, number: usize) -> Option<Cue> {
    let long_code = code_number::up_to_nine_digits(tokens, number)?;
    let code = long_code.without_long();
    let from = number.saturating_sub(MAX_WORDS_BEFORE_NUMBER);
    let cue_at = |at: usize| read_back::cue_at(tokens, at).or_else(|| keyed_code::cue_at(tokens, at));
    let by_verb =
        code.and_then(|_| (from..number).rev().find_map(cue_at)).filter(|cue| cue.end_token as usize == number);
    by_verb
        .or_else(|| cue_before_code(tokens, &code?))
        .or_else(|| topic_number::cue_before(tokens, number))
        .or_else(|| lock_number::cue_before(tokens, &long_code))
}

/// The cue by the grammar of the words around a number as long as a code.
fn cue_before_code(tokens: &Tokens<'_>, code: &CodeNumber) -> Option<Cue> {
    read_back::result_cue(tokens, code)
        .or_else(|| access_number::cue_before(tokens, code))
        .or_else(|| access_code::keyed_cue(tokens, code))
        .or_else(|| code_topic::cue_before(tokens, code))
}

/// Tokens from the word that makes such a cue to the number.
const MAX_WORDS_BEFORE_NUMBER: usize = 4;

/// The longest cue of the list that begins at a token.
fn listed_cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let token = tokens.at(at);
    let from = usize::from(first_pattern(token)).checked_sub(1)?;
    let next = tokens.at(at + 1);
    // The "cc" of "6cc0757" is part of a code.
    if token.gap == Gap::None
        && next.gap == Gap::None
        && tokens.before(at).kind == TokenKind::Digits
        && next.kind == TokenKind::Digits
    {
        return None;
    }
    let exact = next.kind == TokenKind::Word && next.byte_len() > 1 && !ends_with_s(tokens, next);
    if next.kind == TokenKind::Edge || exact && next.flags & flag::CUE_TAIL == 0 {
        let single = usize::from(SINGLE_WORD_PATTERNS[usize::from(token.slot()) % SLOT_COUNT]).checked_sub(1)?;
        return Some(cue(at, at + 1, &PATTERN_TABLE[single]));
    }
    let mut patterns = PATTERN_TABLE[from..]
        .iter()
        .take_while(|p| p.words[0] == token.slot())
        .filter(|p| p.length == 1 || !(exact && p.words[1] != next.slot()));
    patterns.find_map(|p| matches(tokens, at + 1, p).map(|after| cue(at, after, p)))
}

/// The longest cue whose first word is spelled letter by letter from a token on: "s s n", "p.i.n. number".
fn spelled_cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    spelled::words_at(tokens, at).find_map(|(word, after)| {
        let from = usize::from(FIRST_BY_WORD[usize::from(word) % SLOT_COUNT]).checked_sub(1)?;
        let mut patterns = PATTERN_TABLE[from..].iter().take_while(|p| p.words[0] == word);
        patterns.find_map(|p| matches(tokens, after, p).map(|after| cue(at, after, p)))
    })
}

fn cue(first: usize, after: usize, pattern: &Pattern) -> Cue {
    Cue {
        first_token: saturating_u32(first),
        end_token: saturating_u32(after),
        entities: pattern.entities,
        needs_connector: pattern.needs_connector,
    }
}

fn ends_with_s(tokens: &Tokens<'_>, token: Token) -> bool {
    tokens.text.as_bytes().get((token.end as usize).wrapping_sub(1)) == Some(&b's')
}

/// The token after the pattern, if the tokens from `position` match its words after the first. Marks such as a dash or
/// apostrophe may separate its words.
fn matches(tokens: &Tokens<'_>, mut position: usize, pattern: &Pattern) -> Option<usize> {
    for word in &pattern.words[1..usize::from(pattern.length)] {
        let mut token = tokens.at(position);
        if token.kind == TokenKind::Mark && token.byte_len() == 1 && joins(token) {
            position += 1;
            token = tokens.at(position);
        }
        // "SS#" is "SS number".
        if token.is_mark(b'#') && *word == NUMBER_WORD && token.gap <= Gap::Space {
            position += 1;
            continue;
        }
        if let Some(after) = spelled::end_of_word(tokens, position, *word) {
            position = after;
            continue;
        }
        let plural = || token.kind == TokenKind::Word && is_plural(tokens, token, *word);
        let numeral = || token.kind == TokenKind::Digits && numeral_is(tokens, token, *word);
        if token.gap > Gap::Line || !(token.kind == TokenKind::Word && token.slot() == *word || plural() || numeral()) {
            return None;
        }
        position += 1;
    }
    Some(position)
}

const NUMBER_WORD: u16 = word_id("number");

fn joins(mark: Token) -> bool {
    matches!(mark.mark(), b'-' | b'_' | b'\'' | b'.' | b'/')
}

fn is_plural(tokens: &Tokens<'_>, token: Token, word: u16) -> bool {
    let text = tokens.str(token);
    text.strip_suffix('s').is_some_and(|stem| lexicon::look_up(stem.as_bytes(), 0, stem.len()) == word && word != 0)
}

/// Whether digits such as "4" match a number word such as "four".
fn numeral_is(tokens: &Tokens<'_>, token: Token, word: u16) -> bool {
    let entry = lexicon::entry(word);
    let digit = tokens.str(token).bytes().next().map_or(0, |b| b.wrapping_sub(b'0'));
    token.digit_count() == 1 && entry.flags & flag::DIGIT != 0 && entry.value == digit
}
