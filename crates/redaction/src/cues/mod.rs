//! Cues: phrases that name the entity of a value beside them, or exclude it.

mod composed;
mod composed_heads;
mod cue;
mod cue_phrase;
mod devices;
mod document_card;
mod keypad;
mod number_phrases;
mod phrase_list;
mod phrases;
mod spelled;
mod words;

pub(crate) use self::{
    composed::is_bare_code, composed_heads::COMPOSED_CUE_HEADS, cue::Cue, devices::DEVICES, keypad::is_keyed,
    phrase_list::PHRASES, spelled::has_spelled_word,
};
use crate::entity::EntitySet;
use crate::tokenize::lexicon::{self, SLOT_COUNT, word_id};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens, saturating_u32};
pub(crate) use cue_phrase::{CuePhrase, WORD_VALUED};
use document_card::{begins_with_card, names_document};

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
    let token = tokens.at(at);
    let spelled = if spelled::may_begin(tokens, at) { spelled_cue_at(tokens, at) } else { None };
    let composed = || composed::cue_at(tokens, at).or_else(|| keypad::cue_at(tokens, at));
    if let Some(cue) = spelled.or_else(composed) {
        return Some(cue);
    }
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

/// Number of cues that are stored without the heap.
const INLINE_CUES: usize = 12;

/// The cues of a text, in order.
pub(crate) struct Cues {
    inline: [Cue; INLINE_CUES],
    /// Number of inline cues.
    inline_len: usize,
    heap: Vec<Cue>,
    next_token: usize,
}

impl Cues {
    pub(crate) fn new() -> Self {
        const NONE: Cue = Cue { first_token: 0, end_token: 0, entities: EntitySet::empty(), needs_connector: false };
        Self { inline: [NONE; INLINE_CUES], inline_len: 0, heap: Vec::new(), next_token: 0 }
    }

    /// Finds the cues of a text.
    #[inline]
    pub(crate) fn find_all(tokens: &Tokens<'_>) -> Self {
        let mut cues = Self::new();
        cues.read_to(tokens, tokens.len());
        cues
    }

    /// Finds the cues up to a token.
    pub(crate) fn read_to(&mut self, tokens: &Tokens<'_>, until: usize) {
        let until = until.min(tokens.len());
        while let Some(skipped) = tokens
            .as_slice()
            .get(self.next_token..until)
            .and_then(|rest| rest.iter().position(|t| t.flags & flag::CUE_HEAD != 0 || spelled::is_letter(*t)))
        {
            self.next_token += skipped;
            if let Some(cue) = cue_at(tokens, self.next_token) {
                self.next_token = cue.end_token as usize;
                if !self.extends_last(tokens, cue) {
                    self.push(cue);
                }
            } else {
                self.next_token += 1;
            }
        }
        self.next_token = self.next_token.max(until);
    }

    /// Whether a cue for a card follows the name of another document, whose card it then is: "Medicare card number". The
    /// name's cue is extended.
    fn extends_last(&mut self, tokens: &Tokens<'_>, cue: Cue) -> bool {
        let first = cue.first_token as usize;
        if !begins_with_card(tokens, first) {
            return false;
        }
        let last = if self.heap.is_empty() {
            self.inline.get_mut(..self.inline_len).and_then(<[Cue]>::last_mut)
        } else {
            self.heap.last_mut()
        };
        let Some(last) = last.filter(|last| last.end_token as usize == first && names_document(last)) else {
            return false;
        };
        last.end_token = cue.end_token;
        true
    }

    fn push(&mut self, mut cue: Cue) {
        // A cue that its grammar extends to the left begins after the cue before it.
        cue.first_token = cue.first_token.max(self.as_slice().last().map_or(0, |last| last.end_token));
        if let Some(slot) = self.inline.get_mut(self.inline_len).filter(|_| self.heap.is_empty()) {
            *slot = cue;
            self.inline_len += 1;
        } else {
            if self.heap.is_empty() {
                self.heap.extend_from_slice(&self.inline);
            }
            self.heap.push(cue);
        }
    }

    /// The cues in the order of the text.
    pub(crate) fn as_slice(&self) -> &[Cue] {
        if self.heap.is_empty() { &self.inline[..self.inline_len] } else { &self.heap }
    }
}
