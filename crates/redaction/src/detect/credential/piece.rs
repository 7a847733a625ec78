//! Pieces: the tokens of a text grouped into words of the grammar, cues and possible values.

use super::abbreviation::{abbreviation, is_contracted_verb, set_phrase};
use super::cue_extent::{is_compound_cue, is_cue, is_in_spelling};
use super::piece_kind::Content;
pub(super) use super::piece_kind::PieceKind;
use super::segment::{address_end, begins_secret, core_end, segment_end};
use super::shape::{Shape, shape, word_shape};
use super::unlisted_cue::is_unlisted_cue;
use super::word_class::{classes, grammar_classes, is_joined_number};
use super::word_list::{USER_WORDS, class};
use crate::cues::Cue;
use crate::detect::{WordList, flags, is_among};
use crate::entity::{Entity, EntitySet};
use crate::tokenize::words::flag;
use crate::tokenize::{Gap, TokenKind, Tokens, saturating_u32};

/// The entities that this detector finds.
pub(crate) const SECRETS: EntitySet =
    EntitySet::from_slice(&[Entity::PASSWORD, Entity::USERNAME, Entity::SECURITY_ANSWER]);

/// The words of [`USER_WORDS`].
static USER_WORD_LIST: WordList = WordList::new(USER_WORDS);

/// Letters of the shortest number that is written as one word and that no list has.
const MIN_JOINED_NUMBER: usize = 9;

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) first: u32,
    /// Token after the last.
    pub(super) after: u32,
    /// The bytes of the piece in the text.
    start: u32,
    end: u32,
    pub(super) kind: PieceKind,
    pub(super) classes: u32,
    pub(super) shape: Shape,
    /// The gap before the piece.
    pub(super) gap: Gap,
}

impl Piece {
    /// The piece beyond either end of a text.
    pub(super) const EDGE: Self = Self {
        first: 0,
        after: 0,
        start: 0,
        end: 0,
        kind: PieceKind::Mark(0),
        classes: 0,
        shape: Shape::None,
        gap: Gap::Paragraph,
    };

    pub(super) fn is(&self, classes: u32) -> bool {
        self.classes & classes != 0
    }

    pub(super) fn is_mark(&self, mark: u8) -> bool {
        self.kind == PieceKind::Mark(mark)
    }

    /// The entity of a cue for a secret.
    pub(super) fn cue(&self) -> Option<Entity> {
        if let PieceKind::Cue(entity) = self.kind { Some(entity) } else { None }
    }

    pub(super) fn is_edge(&self) -> bool {
        self.is_mark(0)
    }

    /// Whether the piece is a word outside every class, which can be a secret or a part of one.
    pub(super) fn is_content(&self) -> bool {
        self.classes == 0 && matches!(self.kind, PieceKind::Word)
    }
}

/// The pieces of a text, or of a part of it.
pub(super) struct Pieces<'a, 't> {
    pub(super) tokens: &'a Tokens<'t>,
    list: Vec<Piece>,
    /// The classes of all pieces.
    classes: u32,
}

impl<'a, 't> Pieces<'a, 't> {
    /// The pieces of a text with these cues.
    pub(super) fn new(tokens: &'a Tokens<'t>, cues: &[Cue]) -> Self {
        let mut pieces = Self { tokens, list: Vec::with_capacity(tokens.len()), classes: 0 };
        let (mut at, mut cues) = (0, cues);
        while at < tokens.len() {
            while let [cue, later @ ..] = cues
                && (cue.first_token as usize) < at
            {
                cues = later;
            }
            let piece = pieces.piece_at(at, cues.first());
            at = (piece.after as usize).max(at + 1);
            pieces.classes |= piece.classes;
            pieces.list.push(piece);
        }
        pieces
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether a piece of the text is in one of these classes.
    pub(super) fn has(&self, classes: u32) -> bool {
        self.classes & classes != 0
    }

    /// The piece at an index; [`Piece::EDGE`] beyond the ends.
    pub(super) fn at(&self, index: usize) -> Piece {
        self.list.get(index).copied().unwrap_or(Piece::EDGE)
    }

    /// The piece before an index; [`Piece::EDGE`] beyond the ends.
    pub(super) fn before(&self, index: usize) -> Piece {
        self.at(index.wrapping_sub(1))
    }

    /// The text of a piece.
    pub(super) fn str(&self, index: usize) -> &'t str {
        let piece = self.at(index);
        self.tokens.between(piece.start, piece.end)
    }

    /// Whether a piece is one of these words.
    pub(super) fn is_word(&self, index: usize, words: &[&str]) -> bool {
        let Some(piece) = self.list.get(index) else { return false };
        is_among(self.tokens.between(piece.start, piece.end), words)
    }

    /// Whether a piece is a word of a list.
    pub(super) fn is_in(&self, index: usize, words: &WordList) -> bool {
        self.list.get(index).is_some_and(|piece| words.contains(self.tokens.between(piece.start, piece.end)))
    }

    fn piece_at(&self, at: usize, cue: Option<&Cue>) -> Piece {
        let read = || if is_lone_word(self.tokens, at) { self.lone_word(at) } else { self.segment(at) };
        let Content { after, kind, classes, shape } = self.cue_at(at, cue).unwrap_or_else(read);
        let token = self.tokens.at(at);
        Piece {
            first: saturating_u32(at),
            after: saturating_u32(after),
            start: token.start,
            end: self.tokens.before(after).end,
            kind,
            classes,
            shape,
            gap: token.gap,
        }
    }

    /// The cue that begins at a token, or a compound word that ends in it.
    fn cue_at(&self, at: usize, cue: Option<&Cue>) -> Option<Content> {
        let (tokens, cue) = (self.tokens, cue?);
        let after = cue.end_token as usize;
        if cue.first_token as usize == at && is_cue(tokens, cue) && !is_in_spelling(tokens, cue) {
            return Some(Content::plain(after, cue_kind(cue), classes(tokens, tokens.at(at))));
        }
        is_compound_cue(tokens, at, cue).then(|| Content::plain(after, cue_kind(cue), 0))
    }

    /// A word that no other token touches, or only a comma after it. Most words are such, and need fewer tests.
    fn lone_word(&self, at: usize) -> Content {
        let tokens = self.tokens;
        if let Some(classes) = grammar_classes(tokens, tokens.at(at)) {
            return Content::plain(at + 1, PieceKind::Word, classes);
        }
        if let Some(name) = name_of_secret(tokens, at) {
            return name;
        }
        if let Some((after, kind, classes)) = set_phrase(tokens, at) {
            return Content::plain(after, kind, classes);
        }
        let (kind, classes) = self.kind(at, at + 1);
        let shape = if kind == PieceKind::Letter { Shape::None } else { word_shape(tokens, at, classes) };
        Content { after: at + 1, kind, classes, shape }
    }

    /// The piece that begins at a token: a mark, a mask, or the first part of a segment.
    fn segment(&self, at: usize) -> Content {
        let tokens = self.tokens;
        let token = tokens.at(at);
        let end = segment_end(tokens, at);
        if let Some(name) = name_of_secret(tokens, at) {
            return name;
        }
        if let Some((after, kind, classes)) = abbreviation(tokens, at).or_else(|| set_phrase(tokens, at)) {
            return Content::plain(after, kind, classes);
        }
        match token.kind {
            TokenKind::Mask if token.byte_len() <= 2 => return Content::plain(at + 1, PieceKind::Mark(b'*'), 0),
            TokenKind::Mask => return Content::plain(at + 1, PieceKind::Mask, 0),
            TokenKind::Mark if is_contracted_verb(tokens, at) => {
                return Content::plain(at + 2, PieceKind::Word, class::COPULA);
            }
            TokenKind::Mark if !begins_secret(tokens, at) => {
                return Content::plain(at + 1, PieceKind::Mark(token.mark()), 0);
            }
            TokenKind::Word | TokenKind::Digits | TokenKind::Mark | TokenKind::Edge => {}
        }
        let is_single_word = token.kind == TokenKind::Word && end == at + 1 && tokens.at(end).kind != TokenKind::Mark;
        if !is_single_word && let Some(after) = address_end(tokens, at, end) {
            return Content::plain(after, PieceKind::Address, 0);
        }
        let after = if is_single_word { end } else { core_end(tokens, at, end) };
        let (kind, classes) = self.kind(at, after);
        let shape = match kind {
            PieceKind::Letter => Shape::None,
            PieceKind::Word | PieceKind::Number if after == at + 1 && token.kind == TokenKind::Word => {
                word_shape(tokens, at, classes)
            }
            PieceKind::Word
            | PieceKind::Number
            | PieceKind::Segment
            | PieceKind::Cue(_)
            | PieceKind::OtherCue
            | PieceKind::Mark(_)
            | PieceKind::Address
            | PieceKind::Mask => shape(tokens, at, after),
        };
        Content { after, kind, classes, shape }
    }

    /// The kind and the classes of the tokens `at..after`.
    fn kind(&self, at: usize, after: usize) -> (PieceKind, u32) {
        let token = self.tokens.at(at);
        if token.kind == TokenKind::Word && after == at + 1 {
            let classes = classes(self.tokens, token);
            let is_number = flags(token) & (flag::NUMBER | flag::HUGE) != 0
                || classes & class::NUMBER != 0 && flags(token) & flag::FILLER == 0
                || token.byte_len() >= MIN_JOINED_NUMBER
                    && token.slot() == 0
                    && is_joined_number(self.tokens.str(token));
            let kind = match () {
                () if is_one_letter(self.tokens.str(token)) => PieceKind::Letter,
                () if is_number && flags(token) & flag::OH == 0 => PieceKind::Number,
                () => PieceKind::Word,
            };
            return (kind, classes);
        }
        if token.kind == TokenKind::Word && after == at + 3 && self.tokens.at(at + 1).is_mark(b'\'') {
            let is_possessive = self.tokens.at(at + 2).byte_len() <= 2;
            return (PieceKind::Word, if is_possessive { class::OTHER } else { classes(self.tokens, token) });
        }
        // "soixante-neuf", "twenty-one"
        let is_number_word = |at: usize| {
            let token = self.tokens.at(at);
            flags(token) & flag::NUMBER != 0 || classes(self.tokens, token) & class::NUMBER != 0
        };
        let is_compound = (at..after).all(|at| self.tokens.at(at).is_mark(b'-') || is_number_word(at));
        if is_compound {
            return (PieceKind::Number, 0);
        }
        let is_number = (at..after).all(|at| self.tokens.at(at).kind == TokenKind::Digits);
        (if is_number { PieceKind::Number } else { PieceKind::Segment }, 0)
    }
}

/// A word for a user name or a password that is no cue of the text.
fn name_of_secret(tokens: &Tokens<'_>, at: usize) -> Option<Content> {
    let (token, next) = (tokens.at(at), tokens.at(at + 1));
    if token.kind == TokenKind::Word && USER_WORD_LIST.contains(tokens.str(token)) && !next.is_mark(b'_') {
        return Some(Content::plain(at + 1, PieceKind::Cue(Entity::USERNAME), class::WEAK_CUE));
    }
    let is_password = next.gap != Gap::None && is_unlisted_cue(tokens, at);
    is_password.then(|| Content::plain(at + 1, PieceKind::Cue(Entity::PASSWORD), 0))
}

/// Whether no token touches the word at a token but a comma after it.
fn is_lone_word(tokens: &Tokens<'_>, at: usize) -> bool {
    let next = tokens.at(at + 1);
    let is_apart = if next.kind == TokenKind::Mark {
        next.is_mark(b',') && next.gap == Gap::None && tokens.at(at + 2).gap != Gap::None
    } else {
        next.gap != Gap::None
    };
    tokens.at(at).kind == TokenKind::Word && is_apart
}

fn is_one_letter(word: &str) -> bool {
    word.chars().next().is_none_or(|letter| letter.len_utf8() == word.len())
}

fn cue_kind(cue: &Cue) -> PieceKind {
    cue.entities.and(SECRETS).iter().next().map_or(PieceKind::OtherCue, PieceKind::Cue)
}
