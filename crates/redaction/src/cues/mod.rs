//! Cues: the words that say what the value beside them is, or is not.

mod phrases;

use crate::entity::{Entity, EntitySet};
use crate::tokenize::lexicon::{self, PLACES, id_of};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens, narrow};
pub(crate) use phrases::PHRASES;

/// Words that announce values of certain entities.
#[derive(Clone, Copy)]
pub(crate) struct Phrase {
    /// Lower-case words parted by one space.
    pub(crate) words: &'static str,
    /// What they announce; nothing: they say that the value is of no kind known here.
    pub(crate) set: EntitySet,
    /// Announces a value only where it is joined to it by "is", "number" and the like.
    pub(crate) shy: bool,
}

/// A cue found in a text.
#[derive(Clone, Copy)]
pub(crate) struct Cue {
    /// First token.
    pub(crate) first: u32,
    /// Token after the last.
    pub(crate) after: u32,
    pub(crate) set: EntitySet,
    pub(crate) shy: bool,
}

/// Entities whose values can be words.
pub(crate) const WORDY: EntitySet = EntitySet::of(&[
    Entity::PASSWORD,
    Entity::USERNAME,
    Entity::SECURITY_ANSWER,
    Entity::PERSON_NAME,
    Entity::BOOKING_REFERENCE,
    Entity::SWIFT_BIC,
    Entity::API_KEY,
]);

/// Words of a phrase at most.
const WORDS: usize = 5;

/// A phrase as the places of its words in the lexicon, with what it announces beside them.
#[derive(Clone, Copy)]
struct Pattern {
    set: EntitySet,
    words: [u16; WORDS],
    length: u8,
    shy: bool,
}

const NO_PATTERN: Pattern = Pattern { set: EntitySet::empty(), words: [0; WORDS], length: 0, shy: false };

/// The phrases as word places, ordered by their first word and, within it, the longest first.
#[expect(clippy::large_const_arrays, reason = "read by the compiler only")]
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

static ORDERED: [Pattern; PHRASES.len()] = PATTERNS;

#[expect(clippy::cast_possible_truncation, reason = "there are fewer phrases than that")]
const fn place(at: usize) -> u16 {
    at as u16
}

const fn comes_before(a: &Pattern, b: &Pattern) -> bool {
    a.words[0] < b.words[0] || a.words[0] == b.words[0] && a.length > b.length
}

const fn pattern(phrase: usize) -> Pattern {
    let Phrase { words, set, shy } = PHRASES[phrase];
    let (bytes, mut pattern) = (words.as_bytes(), Pattern { set, shy, ..NO_PATTERN });
    let (mut at, mut from) = (0, 0);
    while at <= bytes.len() {
        if at == bytes.len() || bytes[at] == b' ' {
            pattern.words[pattern.length as usize] = id_of(lexicon::slice(words, from, at));
            pattern.length += 1;
            from = at + 1;
        }
        at += 1;
    }
    pattern
}

/// For each word: the first pattern that begins with it, plus one.
static HEADS: [u16; PLACES] = {
    let mut heads = [0; PLACES];
    let mut at = PATTERNS.len();
    while at > 0 {
        at -= 1;
        heads[PATTERNS[at].words[0] as usize] = place(at) + 1;
    }
    heads
};

/// For each word: the first pattern that is this word alone, plus one.
static ALONE: [u16; PLACES] = {
    let mut alone = [0; PLACES];
    let mut at = PATTERNS.len();
    while at > 0 {
        at -= 1;
        if PATTERNS[at].length == 1 {
            alone[PATTERNS[at].words[0] as usize] = place(at) + 1;
        }
    }
    alone
};

/// The first pattern that begins with a token, plus one; 0 where none does.
#[inline]
fn head(token: Token) -> u16 {
    if token.kind == Kind::Word && token.code != 0 { HEADS[usize::from(token.code) % PLACES] } else { 0 }
}

/// The longest cue that begins at a token.
fn cue_at(tokens: &Tokens<'_>, at: usize) -> Option<Cue> {
    let token = tokens.at(at);
    let from = usize::from(head(token)).checked_sub(1)?;
    let next = tokens.at(at + 1);
    // The "cc" of "6cc0757" is a part of a code.
    if token.gap == Gap::None
        && next.gap == Gap::None
        && tokens.before(at).kind == Kind::Digits
        && next.kind == Kind::Digits
    {
        return None;
    }
    let sure = next.kind == Kind::Word && !ends_with_s(tokens, next);
    if next.kind == Kind::Edge || sure && next.flags & flag::IN_CUE == 0 {
        let alone = usize::from(ALONE[usize::from(token.code) % PLACES]).checked_sub(1)?;
        return Some(cue(at, at + 1, &ORDERED[alone]));
    }
    let mut same_head = ORDERED[from..]
        .iter()
        .take_while(|p| p.words[0] == token.code)
        .filter(|p| p.length == 1 || !(sure && p.words[1] != next.code));
    same_head.find_map(|p| matches(tokens, at, p).map(|after| cue(at, after, p)))
}

fn cue(first: usize, after: usize, pattern: &Pattern) -> Cue {
    Cue { first: narrow(first), after: narrow(after), set: pattern.set, shy: pattern.shy }
}

fn ends_with_s(tokens: &Tokens<'_>, token: Token) -> bool {
    tokens.text.as_bytes().get((token.end as usize).wrapping_sub(1)) == Some(&b's')
}

/// The token after the pattern, where it stands at a token. Marks such as a dash or apostrophe may lie between its words.
fn matches(tokens: &Tokens<'_>, at: usize, pattern: &Pattern) -> Option<usize> {
    let mut place = at + 1;
    for word in &pattern.words[1..usize::from(pattern.length)] {
        let mut token = tokens.at(place);
        if token.kind == Kind::Mark && token.bytes() == 1 && joins(token) {
            place += 1;
            token = tokens.at(place);
        }
        let plural = || token.kind == Kind::Word && is_plural(tokens, token, *word);
        let numeral = || token.kind == Kind::Digits && numeral_is(tokens, token, *word);
        if token.gap > Gap::Line || !(token.kind == Kind::Word && token.code == *word || plural() || numeral()) {
            return None;
        }
        place += 1;
    }
    Some(place)
}

fn joins(mark: Token) -> bool {
    matches!(u8::try_from(mark.code), Ok(b'-' | b'_' | b'\'' | b'.' | b'/'))
}

fn is_plural(tokens: &Tokens<'_>, token: Token, word: u16) -> bool {
    let text = tokens.str(token);
    text.strip_suffix('s').is_some_and(|stem| lexicon::look_up(stem.as_bytes(), 0, stem.len()) == word && word != 0)
}

/// "4" for "four".
fn numeral_is(tokens: &Tokens<'_>, token: Token, word: u16) -> bool {
    let entry = lexicon::entry(word);
    let digit = tokens.str(token).bytes().next().map_or(0, |b| b.wrapping_sub(b'0'));
    token.code == 1 && entry.flags & flag::DIGIT != 0 && entry.value == digit
}

/// Cues that are kept without touching the heap.
const IN_PLACE: usize = 12;

/// The cues of a text, in order.
pub(crate) struct Cues {
    place: [Cue; IN_PLACE],
    /// Cues in place, those on the heap not counted.
    count: usize,
    heap: Vec<Cue>,
    next: usize,
}

impl Cues {
    pub(crate) fn new() -> Self {
        const NONE: Cue = Cue { first: 0, after: 0, set: EntitySet::empty(), shy: false };
        Self { place: [NONE; IN_PLACE], count: 0, heap: Vec::new(), next: 0 }
    }

    /// The cues of a text.
    #[inline]
    pub(crate) fn of(tokens: &Tokens<'_>) -> Self {
        let mut cues = Self::new();
        cues.read_to(tokens, tokens.len());
        cues
    }

    /// Reads cues up to a token.
    pub(crate) fn read_to(&mut self, tokens: &Tokens<'_>, until: usize) {
        let until = until.min(tokens.len());
        while let Some(skipped) =
            tokens.all().get(self.next..until).and_then(|rest| rest.iter().position(|t| t.flags & flag::CUE != 0))
        {
            self.next += skipped;
            if let Some(cue) = cue_at(tokens, self.next) {
                self.next = cue.after as usize;
                self.keep(cue);
            } else {
                self.next += 1;
            }
        }
        self.next = self.next.max(until);
    }

    fn keep(&mut self, cue: Cue) {
        if let Some(slot) = self.place.get_mut(self.count).filter(|_| self.heap.is_empty()) {
            *slot = cue;
            self.count += 1;
        } else {
            if self.heap.is_empty() {
                self.heap.extend_from_slice(&self.place);
            }
            self.heap.push(cue);
        }
    }

    /// The cues in the order of the text.
    pub(crate) fn all(&self) -> &[Cue] {
        if self.heap.is_empty() { &self.place[..self.count] } else { &self.heap }
    }
}

#[cfg(test)]
mod tests {
    use super::PHRASES;
    use std::collections::BTreeSet;

    #[test]
    fn no_phrase_is_listed_twice() {
        let distinct: BTreeSet<_> = PHRASES.iter().map(|phrase| phrase.words).collect();
        assert_eq!(distinct.len(), PHRASES.len());
    }
}
