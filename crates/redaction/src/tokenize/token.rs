//! Tokens and their buffer, which is inline for a message and on the heap only for a long text.

use super::work::count_step;
use std::ops::Range;

/// An offset or a length as the `u32` of tokens and candidates. Values beyond 4 GiB become `u32::MAX`.
pub(crate) fn saturating_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// Letters of any script.
    Word,
    /// Decimal digits of any script.
    Digits,
    /// One punctuation mark or symbol, repeated or not.
    Mark,
    /// Asterisks, as in a masked value.
    Mask,
    /// The position beyond either end of the text.
    Edge,
}

/// The whitespace between a token and the token before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Gap {
    None,
    Space,
    Wide,
    Line,
    Paragraph,
}

/// A token of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// First byte.
    pub(crate) start: u32,
    /// Byte after the last.
    pub(crate) end: u32,
    /// For a word: its flags, as in [`super::words::flag`]. For any other token: 0.
    pub(crate) flags: u32,
    /// Depends on the kind: see [`Self::slot`], [`Self::mark`] and [`Self::digit_count`].
    pub(super) payload: u16,
    pub(crate) kind: TokenKind,
    pub(crate) gap: Gap,
}

impl Token {
    pub(crate) const EDGE: Self =
        Self { start: 0, end: 0, flags: 0, payload: 0, kind: TokenKind::Edge, gap: Gap::Paragraph };

    /// The content of an unused slot of the buffer: all zeros, which are fast to write.
    const UNUSED: Self = Self { start: 0, end: 0, flags: 0, payload: 0, kind: TokenKind::Word, gap: Gap::None };

    /// Replaces the token. The fields are stored one by one: a copy from the stack would read all of them back at once,
    /// before the separate stores have completed.
    #[inline]
    pub(super) fn set(&mut self, token: Self) {
        self.start = token.start;
        self.end = token.end;
        self.flags = token.flags;
        self.payload = token.payload;
        self.kind = token.kind;
        self.gap = token.gap;
    }

    /// For a word: its slot in the lexicon, 0 if the lexicon does not have it. Arbitrary for other kinds.
    #[inline]
    pub(crate) fn slot(self) -> u16 {
        self.payload
    }

    /// For a mark: its ASCII code. Arbitrary for other kinds.
    #[inline]
    pub(crate) fn mark(self) -> u8 {
        let [mark, _] = self.payload.to_le_bytes();
        mark
    }

    /// For digits: how many there are, at most `u16::MAX`. Arbitrary for other kinds.
    #[inline]
    pub(crate) fn digit_count(self) -> u16 {
        self.payload
    }

    pub(crate) fn is_mark(self, mark: u8) -> bool {
        self.kind == TokenKind::Mark && self.payload == u16::from(mark)
    }

    pub(crate) fn is_alphanumeric(self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Digits)
    }

    pub(crate) fn byte_len(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Number of tokens that the buffer holds without the heap.
const INLINE_TOKENS: usize = 48;

/// The tokens of a text. They are inline for a message. For a long text, the inline tokens move to the heap each time
/// that the inline buffer is full.
pub(crate) struct TokenBuffer {
    inline: [Token; INLINE_TOKENS],
    /// Number of inline tokens.
    inline_len: usize,
    heap: Vec<Token>,
}

impl TokenBuffer {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { inline: [Token::UNUSED; INLINE_TOKENS], inline_len: 0, heap: Vec::new() }
    }

    /// Adds a token. The inline buffer must not be full.
    #[inline]
    pub(super) fn push(&mut self, token: Token) {
        if let Some(slot) = self.inline.get_mut(self.inline_len) {
            slot.set(token);
            self.inline_len += 1;
        }
    }

    /// Whether the inline buffer is full.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.inline_len >= INLINE_TOKENS
    }

    /// The number of inline tokens, and the unused slots after them.
    #[inline]
    pub(super) fn spare_mut(&mut self) -> (usize, &mut [Token]) {
        (self.inline_len, self.inline.get_mut(self.inline_len..).unwrap_or_default())
    }

    /// Adds the first `count` of the unused slots, which the caller has filled.
    #[inline]
    pub(super) fn advance(&mut self, count: usize) {
        self.inline_len += count;
    }

    /// An inline token.
    #[inline]
    pub(super) fn inline_mut(&mut self, at: usize) -> Option<&mut Token> {
        self.inline.get_mut(at)
    }

    /// Empties the buffer and keeps its heap allocation.
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
        self.inline_len = 0;
    }

    /// Moves the inline tokens to the heap.
    #[inline(never)]
    pub(super) fn spill(&mut self) {
        if self.heap.is_empty() {
            self.heap.reserve(4 * INLINE_TOKENS);
        }
        self.heap.extend_from_slice(&self.inline[..self.inline_len]);
        self.inline_len = 0;
    }

    /// Brings all tokens into one slice, after the last one is added.
    #[inline]
    pub(crate) fn finish(&mut self) {
        if !self.heap.is_empty() {
            self.spill();
        }
    }

    /// Number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.heap.len() + self.inline_len
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Token> {
        if self.inline_len == 0 { self.heap.last_mut() } else { self.inline[..self.inline_len].last_mut() }
    }

    /// The tokens. The slice is complete after [`TokenBuffer::finish`].
    pub(crate) fn as_slice(&self) -> &[Token] {
        if self.heap.is_empty() { &self.inline[..self.inline_len] } else { &self.heap }
    }
}

/// The range from the first to the last token of a kind.
#[derive(Clone, Copy, Default)]
pub(crate) struct TokenRange {
    first: u32,
    after: u32,
}

impl TokenRange {
    /// Extends the range to the next token of the kind.
    pub(crate) fn extend_to(&mut self, at: u32) {
        if self.after == 0 {
            self.first = at;
        }
        self.after = at + 1;
    }

    fn range(self) -> Range<usize> {
        self.first as usize..self.after as usize
    }
}

/// A text with its tokens.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'t> {
    pub(crate) text: &'t str,
    list: &'t [Token],
    mask_range: TokenRange,
    digit_range: TokenRange,
    /// Whether the text has number words.
    has_number_words: bool,
}

impl<'t> Tokens<'t> {
    /// A text with its tokens, the ranges of its masks and digits, and whether it has number words.
    pub(crate) fn new(
        text: &'t str,
        list: &'t [Token],
        mask_range: TokenRange,
        digit_range: TokenRange,
        has_number_words: bool,
    ) -> Self {
        Self { text, list, mask_range, digit_range, has_number_words }
    }

    /// Whether the tokens `from..=to` may include a mask. If this is false, they include none.
    pub(crate) fn may_have_mask(&self, from: usize, to: usize) -> bool {
        let masks = self.mask_range.range();
        masks.start <= to && from < masks.end
    }

    /// The range of all digit tokens.
    pub(crate) fn digit_range(&self) -> Range<usize> {
        self.digit_range.range()
    }

    /// The range of all digit tokens and number words.
    pub(crate) fn number_range(&self) -> Range<usize> {
        if self.has_number_words { 0..self.list.len() } else { self.digit_range.range() }
    }

    /// The tokens of [`Tokens::number_range`].
    pub(crate) fn number_tokens(&self) -> impl Iterator<Item = Token> {
        self.list.get(self.number_range()).unwrap_or_default().iter().copied()
    }

    pub(crate) fn as_slice(&self) -> &'t [Token] {
        self.list
    }

    /// The token at an index; [`Token::EDGE`] beyond the ends.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> Token {
        count_step();
        self.list.get(index).copied().unwrap_or(Token::EDGE)
    }

    /// The token before an index; [`Token::EDGE`] beyond the ends.
    #[inline]
    pub(crate) fn before(&self, index: usize) -> Token {
        count_step();
        self.list.get(index.wrapping_sub(1)).copied().unwrap_or(Token::EDGE)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The text of a token.
    pub(crate) fn str(&self, token: Token) -> &'t str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// The first token that begins at a byte or after it.
    pub(crate) fn first_from(&self, byte: u32) -> usize {
        self.list.partition_point(|token| token.start < byte)
    }

    /// The text of a token as bytes, which needs no test for the boundaries of characters.
    #[inline]
    pub(crate) fn bytes(&self, token: Token) -> &'t [u8] {
        self.text.as_bytes().get(token.start as usize..token.end as usize).unwrap_or_default()
    }

    /// The text between two bytes.
    pub(crate) fn between(&self, start: u32, end: u32) -> &'t str {
        count_step();
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
}
