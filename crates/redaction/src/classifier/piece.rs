//! Pieces: the units that the classifier labels. A piece is what stands between two spaces, without the marks around it.
//! Words that a mark joins are pieces of their own ("pin:4821", "mother/father"); a code with marks in it is one piece.

use crate::tokenize::words::flag;
use crate::tokenize::{Gap, Token, TokenKind, Tokens};

/// The kind of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PieceKind {
    /// Letters and apostrophes.
    Word = 1,
    /// Digits only.
    Digits,
    /// A word that is a number.
    NumberWord,
    /// Letters and digits.
    LettersAndDigits,
    /// Letters, marks and perhaps digits.
    Mixed,
    /// One mark, repeated or not.
    Mark,
    /// Digits and marks.
    Grouped,
    /// Holds asterisks of a masked value.
    Masked,
}

impl PieceKind {
    /// Whether a piece of this kind is part of a number.
    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Digits | Self::NumberWord | Self::Grouped)
    }
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// First byte.
    pub(super) start: u32,
    /// Byte after the last.
    pub(super) end: u32,
    pub(super) kind: PieceKind,
    /// Number of digits.
    pub(super) digits: u16,
}

/// The pieces of a text, in order.
pub(super) fn pieces(tokens: &Tokens<'_>) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(tokens.len());
    for_each_piece(tokens, &mut |piece| pieces.push(piece));
    pieces
}

fn for_each_piece(tokens: &Tokens<'_>, out: &mut impl FnMut(Piece)) {
    let list = tokens.as_slice();
    let mut from = 0;
    while from < list.len() {
        let mut after = from + 1;
        while after < list.len() && list[after].gap == Gap::None {
            after += 1;
        }
        split_segment(&list[from..after], out);
        from = after;
    }
}

/// Splits what stands between two spaces.
fn split_segment(segment: &[Token], out: &mut impl FnMut(Piece)) {
    let first = segment.iter().position(|token| !is_opening(*token)).unwrap_or(segment.len());
    let after = segment.iter().rposition(|token| !is_closing(*token)).map_or(first, |at| at + 1).max(first);
    push_each(&segment[..first], out);
    let mut core = &segment[first..after];
    while let [name, mark, rest @ ..] = core
        && name.kind == TokenKind::Word
        && (mark.is_mark(b':') || mark.is_mark(b'='))
        && !rest.is_empty()
    {
        push_each(&core[..2], out);
        core = rest;
    }
    if core.iter().all(|token| token.kind == TokenKind::Word || is_joint(*token)) {
        push_words(core, out);
    } else if !core.is_empty() {
        out(whole(core));
    }
    push_each(&segment[after..], out);
}

/// Words with marks between them. An apostrophe belongs to its word.
fn push_words(core: &[Token], out: &mut impl FnMut(Piece)) {
    for part in core.chunk_by(|a, b| is_word_part(*a) && is_word_part(*b)) {
        if is_word_part(part[0]) { out(whole(part)) } else { push_each(part, out) }
    }
}

fn push_each(tokens: &[Token], out: &mut impl FnMut(Piece)) {
    for token in tokens {
        out(whole(std::slice::from_ref(token)));
    }
}

fn whole(tokens: &[Token]) -> Piece {
    let range = tokens[0].start..tokens[tokens.len() - 1].end;
    let digits = tokens.iter().filter(|token| token.kind == TokenKind::Digits).map(|token| token.digit_count());
    Piece { start: range.start, end: range.end, kind: kind(tokens), digits: digits.fold(0, u16::saturating_add) }
}

fn kind(tokens: &[Token]) -> PieceKind {
    let has = |kind| tokens.iter().any(|token| token.kind == kind);
    let (words, digits, marks) = (has(TokenKind::Word), has(TokenKind::Digits), has(TokenKind::Mark));
    if has(TokenKind::Mask) {
        return if words || digits || tokens.iter().any(|token| token.byte_len() > 1) {
            PieceKind::Masked
        } else {
            PieceKind::Mark
        };
    }
    match (words, digits, marks) {
        (true, false, false) if tokens.len() == 1 && tokens[0].flags & flag::NUMBER != 0 => PieceKind::NumberWord,
        (true, false, _) if tokens.iter().all(|token| is_word_part(*token)) => PieceKind::Word,
        (false, true, false) => PieceKind::Digits,
        (true, true, false) => PieceKind::LettersAndDigits,
        (true, _, _) => PieceKind::Mixed,
        (false, true, true) => PieceKind::Grouped,
        (false, false, _) => PieceKind::Mark,
    }
}

fn is_word_part(token: Token) -> bool {
    token.kind == TokenKind::Word || token.is_mark(b'\'')
}

/// Whether a mark joins two words.
fn is_joint(token: Token) -> bool {
    b"'-/,&+.".iter().any(|mark| token.is_mark(*mark))
}

fn is_opening(token: Token) -> bool {
    b"\"'([{<?`".iter().any(|mark| token.is_mark(*mark)) || is_single_asterisk(token)
}

fn is_closing(token: Token) -> bool {
    b".,;:?!)]}>\"'`".iter().any(|mark| token.is_mark(*mark)) || is_single_asterisk(token)
}

fn is_single_asterisk(token: Token) -> bool {
    token.kind == TokenKind::Mask && token.byte_len() == 1
}
