//! The detectors, one file a family. Each reads the tokens and hands candidates over.

pub(crate) mod announced;
pub(crate) mod card;
pub(crate) mod code;
pub(crate) mod date;
pub(crate) mod date_words;
pub(crate) mod disguised_email;
pub(crate) mod fit;
pub(crate) mod identifier;
pub(crate) mod internet;
pub(crate) mod name;
pub(crate) mod number;
pub(crate) mod phone;
pub(crate) mod place;
pub(crate) mod profanity;
pub(crate) mod said_address;
pub(crate) mod said_ip;
pub(crate) mod secret;
pub(crate) mod spelled;
pub(crate) mod track;
pub(crate) mod word_value;

use crate::cues::Cue;
use crate::entity::{Entity, EntitySet};
use crate::masking::mask_tokens;
use crate::registry::lookup::Known;
use crate::tokenize::search_hint::Bookmark;
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Kind, Token, Tokens};
use std::cell::OnceCell;

/// What the detectors know of a text besides its tokens.
pub(crate) struct Page<'a, 't> {
    pub(crate) tokens: &'a Tokens<'t>,
    cues: &'a [Cue],
    /// Whether the text holds a word that begins a cue for an age.
    pub(crate) aged: bool,
    names_age: OnceCell<bool>,
    bookmark: Bookmark,
    /// What an earlier message asked for.
    pub(crate) armed: EntitySet,
    /// That, and what the cues of the text name.
    pub(crate) named: EntitySet,
    /// The identifiers of the registry that are looked for.
    pub(crate) known: Known,
    /// Whether the text holds a month in letters.
    dated: bool,
    dates: OnceCell<date_words::Dates>,
}

impl<'a, 't> Page<'a, 't> {
    /// A page of tokens with these words among them, with the cues of the text.
    pub(crate) fn new(tokens: &'a Tokens<'t>, words: u32, cues: &'a [Cue], armed: EntitySet, known: Known) -> Self {
        let (names_age, dates, bookmark) = (OnceCell::new(), OnceCell::new(), Bookmark::default());
        let has = |word: u32| words & word != 0;
        let named = cues.iter().fold(armed, |named, cue| named.or(cue.set));
        Self {
            tokens,
            named,
            cues,
            aged: has(flag::AGED),
            names_age,
            bookmark,
            armed,
            known,
            dated: has(flag::MONTH),
            dates,
        }
    }

    /// The dates with a month in letters; none in a text without numbers.
    pub(crate) fn dates(&self) -> &date_words::Dates {
        let find = || if self.dated { date_words::find(self.tokens) } else { date_words::Dates::default() };
        self.dates.get_or_init(find)
    }

    /// The cues of the text.
    pub(crate) fn cues(&self) -> &[Cue] {
        self.cues
    }

    /// Whether one of the cues is for an age. Asked of each short number, and answered once for all.
    pub(crate) fn names_age(&self) -> bool {
        let any = || self.cues().iter().any(|cue| cue.set.contains(Entity::AGE));
        self.aged && *self.names_age.get_or_init(any)
    }

    /// How many of the cues come before a place in the text.
    pub(crate) fn cues_before(&self, comes_before: impl Fn(&Cue) -> bool) -> usize {
        self.bookmark.seek(self.cues(), comes_before)
    }
}

/// Word flags of a token; none for anything but a word.
pub(crate) fn flags(token: Token) -> u32 {
    token.flags
}

/// Whether a token may stand between a cue and its value.
pub(crate) fn links(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    match token.kind {
        Kind::Word => flags(token) & (flag::LINK | flag::FILLER | flag::AND) != 0 || is_tail_count(tokens, at),
        Kind::Mark => true,
        Kind::Digits => is_tail_count(tokens, at),
        Kind::Mask => mask_tokens::is_emphasis(tokens, at),
        Kind::Edge => false,
    }
}

/// Whether a token is the "four" of "last four".
pub(crate) fn is_tail_count(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    if !(token.kind == Kind::Digits && token.code <= 2 || flags(token) & flag::DIGIT != 0) {
        return false;
    }
    let (before, after) = (tokens.before(at), tokens.at(at + 1));
    is_one_of(tokens, before, &["last", "final", "first", "ending"])
        || after.gap <= Gap::Space && is_one_of(tokens, after, &["digit", "digits"])
}

/// Whether a token is one of these words, in whatever case.
pub(crate) fn is_one_of(tokens: &Tokens<'_>, token: Token, words: &[&str]) -> bool {
    let text = || tokens.str(token);
    token.kind == Kind::Word
        && words.iter().any(|word| word.len() == token.bytes() && word.eq_ignore_ascii_case(text()))
}

/// Words of a clause between a cue and its value at most.
const CLAUSE: usize = 6;

/// The token after "I use is", "for my account is", where such a clause begins at a token.
pub(crate) fn clause_end(tokens: &Tokens<'_>, first: usize) -> Option<usize> {
    const OPENING: [&str; 9] = ["for", "to", "on", "of", "i", "we", "you", "that", "they"];
    if !is_one_of(tokens, tokens.at(first), &OPENING) {
        return None;
    }
    let goes_on = |at: &usize| {
        let token = tokens.at(*at);
        token.kind == Kind::Word && token.gap <= Gap::Space && flags(token) & flag::IS == 0
    };
    let end = (first..=first + CLAUSE).find(|at| !goes_on(at))?;
    (flags(tokens.at(end)) & flag::IS != 0 && tokens.at(end).gap <= Gap::Space).then_some(end + 1)
}

/// "didn't", "dog's": no word that is a value ends so.
pub(crate) fn is_shortened(tokens: &Tokens<'_>, first: usize) -> bool {
    const ENDINGS: [&str; 7] = ["t", "s", "re", "ve", "ll", "d", "m"];
    let (word, mark, ending) = (tokens.at(first), tokens.at(first + 1), tokens.at(first + 2));
    word.kind == Kind::Word
        && mark.is_mark(b'\'')
        && mark.gap == Gap::None
        && ending.gap == Gap::None
        && tokens.at(first + 3).gap != Gap::None
        && is_one_of(tokens, ending, &ENDINGS)
}
