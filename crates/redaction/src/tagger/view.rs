//! The tokens of a text with their attributes, which are computed on first use.

use super::attributes::{Attributes, EDGE_HASH, KIND_FILLER, Withheld, word_hash};
use super::per_token::PerToken;
use super::preceding::Preceding;
use super::word_class::WordClass;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// Maximum tokens of a text that can be the answer to a question.
pub(super) const MAX_ANSWER_TOKENS: usize = 24;

/// A question in an earlier message that the text may answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct AskedEntities {
    /// For the name of a person.
    pub(super) name: bool,
    /// For an address.
    pub(super) address: bool,
}

impl AskedEntities {
    /// How many there are.
    pub(super) const COUNT: usize = 4;

    /// The index of these entities, from 0.
    pub(super) fn index(self) -> usize {
        usize::from(self.name) | usize::from(self.address) << 1
    }
}

/// Tells what the tagger must not see of a token.
pub(super) type Withhold<'a> = &'a dyn Fn(usize) -> Withheld;

/// The tokens of a text with their attributes.
pub(super) struct View<'a, 't> {
    pub(super) tokens: &'a Tokens<'t>,
    pub(super) asked: AskedEntities,
    /// Whether the text has a word for a street near which an address can be.
    pub(super) has_street: bool,
    known: PerToken<Attributes>,
    /// The hashes of the tokens; 0 for those that are not computed yet.
    hashes: PerToken<u32>,
    /// What stands before each token and before the end, once it is counted.
    preceding: Option<PerToken<Preceding>>,
    withhold: Option<Withhold<'a>>,
}

impl<'a, 't> View<'a, 't> {
    pub(super) fn new(tokens: &'a Tokens<'t>, asked: AskedEntities, withhold: Option<Withhold<'a>>) -> Self {
        let known = PerToken::new(Attributes::UNKNOWN, tokens.len());
        let hashes = PerToken::new(0, tokens.len());
        Self { tokens, asked, has_street: false, known, hashes, preceding: None, withhold }
    }

    /// The attributes of a token; those of the edge beyond the ends.
    #[inline]
    pub(super) fn at(&mut self, at: usize) -> Attributes {
        match self.known.as_slice().get(at) {
            Some(known) if known.kind != 0 => *known,
            Some(_) => self.compute(at),
            None => Attributes::EDGE,
        }
    }

    #[inline(never)]
    fn compute(&mut self, at: usize) -> Attributes {
        let attributes = Attributes::new(self.tokens, self.tokens.at(at), self.withheld(at));
        if let Some(slot) = self.known.as_mut_slice().get_mut(at) {
            *slot = attributes;
        }
        attributes
    }

    fn withheld(&self, at: usize) -> Withheld {
        self.withhold.map_or_else(Withheld::default, |withhold| withhold(at))
    }

    /// The hash of a token; 0 if its word is withheld.
    #[inline]
    pub(super) fn hash(&mut self, at: usize) -> u32 {
        match self.hashes.as_slice().get(at) {
            Some(0) => self.compute_hash(at),
            Some(known) => *known,
            None => EDGE_HASH,
        }
    }

    #[inline(never)]
    fn compute_hash(&mut self, at: usize) -> u32 {
        let token = self.tokens.at(at);
        let hash =
            if token.kind == TokenKind::Word && self.withheld(at).word { 0 } else { word_hash(self.tokens, token) };
        if let Some(slot) = self.hashes.as_mut_slice().get_mut(at) {
            *slot = hash;
        }
        hash
    }

    /// What stands before each token, and at last what stands before the end of the text.
    #[inline]
    pub(super) fn preceding(&mut self) -> &[Preceding] {
        self.preceding.get_or_insert_with(|| Preceding::of_each(self.tokens)).as_slice()
    }

    /// The index of the token before another, without hesitations. Beyond the ends if there is none.
    pub(super) fn before(&mut self, at: usize) -> usize {
        let mut before = at.wrapping_sub(1);
        for _ in 0..MAX_FILLERS {
            if self.at(before).kind != KIND_FILLER {
                break;
            }
            before = before.wrapping_sub(1);
        }
        before
    }

    /// The index of the token after another, without hesitations. Beyond the ends if there is none.
    pub(super) fn after(&mut self, at: usize) -> usize {
        let mut after = at.wrapping_add(1);
        for _ in 0..MAX_FILLERS {
            if self.at(after).kind != KIND_FILLER {
                break;
            }
            after = after.wrapping_add(1);
        }
        after
    }

    /// The class of a token.
    pub(super) fn class(&mut self, at: usize) -> WordClass {
        self.at(at).class
    }

    /// Where a token stands in its line and sentence.
    pub(super) fn position(&self, at: usize) -> Position {
        let (token, before) = (self.tokens.at(at), self.tokens.before(at));
        if before.kind == TokenKind::Edge {
            Position::Text
        } else if token.gap >= Gap::Line {
            Position::Line
        } else if is_sentence_end(before) && token.gap != Gap::None {
            Position::Sentence
        } else if before.is_mark(b':') || before.is_mark(b'-') && token.gap != Gap::None {
            Position::Field
        } else {
            Position::Inside
        }
    }
}

/// Maximum hesitations in a row that are passed over.
const MAX_FILLERS: usize = 2;

fn is_sentence_end(mark: Token) -> bool {
    [b'.', b'?', b'!'].iter().any(|end| mark.is_mark(*end))
}

/// Where a token stands in its line and sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Position {
    /// At the beginning of the text.
    Text,
    /// At the beginning of a line.
    Line,
    /// At the beginning of a sentence.
    Sentence,
    /// After a colon or a dash.
    Field,
    /// Elsewhere.
    Inside,
}
