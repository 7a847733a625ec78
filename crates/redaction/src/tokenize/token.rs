//! The pieces a text is cut into, and where they are kept: in place for a message, on the heap only for long texts.

use std::ops::Range;

/// A place or a length as tokens and candidates keep it. Of a text beyond 4 GiB the greatest stands for all further ones.
pub(crate) fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Letters.
    Word,
    /// Decimal digits of any script.
    Digits,
    /// One mark, repeated or not.
    Mark,
    /// Asterisks: something masked.
    Mask,
    /// Beyond the text's ends.
    Edge,
}

/// What lies between a token and the one before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Gap {
    None,
    Space,
    Wide,
    Line,
    Paragraph,
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// First byte.
    pub(crate) start: u32,
    /// Byte after the last.
    pub(crate) end: u32,
    /// For a word: its flags, as [`super::words::flag`] has them; none for anything else.
    pub(crate) flags: u32,
    /// For a word: its place in the lexicon (0: not in it). For a mark: the ASCII mark. For digits: how many.
    pub(crate) code: u16,
    pub(crate) kind: Kind,
    pub(crate) gap: Gap,
}

impl Token {
    pub(crate) const EDGE: Self = Self { start: 0, end: 0, flags: 0, code: 0, kind: Kind::Edge, gap: Gap::Paragraph };

    /// What a place of the store holds before a token is put there: noughts, which are quick to write.
    const UNUSED: Self = Self { start: 0, end: 0, flags: 0, code: 0, kind: Kind::Word, gap: Gap::None };

    /// Becomes another token. The fields are stored one by one: put together on the stack first, they would be read back as
    /// a whole before the processor has them together.
    #[inline]
    pub(super) fn set(&mut self, token: Self) {
        self.start = token.start;
        self.end = token.end;
        self.flags = token.flags;
        self.code = token.code;
        self.kind = token.kind;
        self.gap = token.gap;
    }

    pub(crate) fn is_mark(self, mark: u8) -> bool {
        self.kind == Kind::Mark && self.code == u16::from(mark)
    }

    pub(crate) fn is_value(self) -> bool {
        matches!(self.kind, Kind::Word | Kind::Digits)
    }

    pub(crate) fn bytes(self) -> usize {
        (self.end - self.start) as usize
    }
}

/// How many tokens are kept without touching the heap.
const IN_PLACE: usize = 48;

/// Where the tokens of a text are kept: in place for a message; those of a long text go to the heap each time that the place
/// is full.
pub(crate) struct Store {
    place: [Token; IN_PLACE],
    /// Tokens in place, those on the heap not counted.
    count: usize,
    heap: Vec<Token>,
}

impl Store {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { place: [Token::UNUSED; IN_PLACE], count: 0, heap: Vec::new() }
    }

    /// Adds a token. There must be room in place.
    #[inline]
    pub(super) fn push(&mut self, token: Token) {
        if let Some(slot) = self.place.get_mut(self.count) {
            slot.set(token);
            self.count += 1;
        }
    }

    /// Whether there is no room in place.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.count >= IN_PLACE
    }

    /// The room in place, and how many tokens are before it.
    #[inline]
    pub(super) fn room(&mut self) -> (usize, &mut [Token]) {
        (self.count, self.place.get_mut(self.count..).unwrap_or_default())
    }

    /// Takes so many tokens that were put into the room.
    #[inline]
    pub(super) fn take(&mut self, count: usize) {
        self.count += count;
    }

    /// A token in place.
    #[inline]
    pub(super) fn in_place(&mut self, at: usize) -> Option<&mut Token> {
        self.place.get_mut(at)
    }

    /// Makes the store empty and keeps its room on the heap.
    pub(crate) fn clear(&mut self) {
        self.heap.clear();
        self.count = 0;
    }

    /// Makes room in place.
    #[inline(never)]
    pub(super) fn spill(&mut self) {
        if self.heap.is_empty() {
            self.heap.reserve(4 * IN_PLACE);
        }
        self.heap.extend_from_slice(&self.place[..self.count]);
        self.count = 0;
    }

    /// Brings the tokens together once all are there.
    #[inline]
    pub(crate) fn close(&mut self) {
        if !self.heap.is_empty() {
            self.spill();
        }
    }

    /// How many tokens there are.
    pub(crate) fn len(&self) -> usize {
        self.heap.len() + self.count
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Token> {
        if self.count == 0 { self.heap.last_mut() } else { self.place[..self.count].last_mut() }
    }

    /// The tokens; all of them once the store is closed.
    pub(crate) fn all(&self) -> &[Token] {
        if self.heap.is_empty() { &self.place[..self.count] } else { &self.heap }
    }
}

/// Where in a text tokens of a kind are: from the first to the one after the last.
#[derive(Clone, Copy, Default)]
pub(crate) struct Stretch {
    first: u32,
    after: u32,
}

impl Stretch {
    /// Notes the next token of the kind.
    pub(crate) fn note(&mut self, at: u32) {
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
    masks: Stretch,
    digits: Stretch,
    /// Whether there are words of a number.
    said: bool,
}

impl<'t> Tokens<'t> {
    /// A text with its tokens, and where in it masks, digits, and words of a number are.
    pub(crate) fn new(text: &'t str, list: &'t [Token], masks: Stretch, digits: Stretch, said: bool) -> Self {
        Self { text, list, masks, digits, said }
    }

    /// Whether a mask may be among the tokens `from..=to`; there is none where this is false.
    pub(crate) fn may_be_masked(&self, from: usize, to: usize) -> bool {
        let masks = self.masks.range();
        masks.start <= to && from < masks.end
    }

    /// Where all digits are.
    pub(crate) fn digits(&self) -> Range<usize> {
        self.digits.range()
    }

    /// Where all digits and words of a number are.
    pub(crate) fn numbers(&self) -> Range<usize> {
        if self.said { 0..self.list.len() } else { self.digits.range() }
    }

    /// The tokens from the first digit or word of a number to the last.
    pub(crate) fn of_numbers(&self) -> impl Iterator<Item = Token> {
        self.list.get(self.numbers()).unwrap_or_default().iter().copied()
    }

    pub(crate) fn all(&self) -> &'t [Token] {
        self.list
    }

    /// The token at a place; [`Token::EDGE`] beyond the ends.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> Token {
        self.list.get(place).copied().unwrap_or(Token::EDGE)
    }

    /// The token before a place.
    #[inline]
    pub(crate) fn before(&self, place: usize) -> Token {
        self.list.get(place.wrapping_sub(1)).copied().unwrap_or(Token::EDGE)
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The text of a token.
    pub(crate) fn str(&self, token: Token) -> &'t str {
        self.text.get(token.start as usize..token.end as usize).unwrap_or("")
    }

    /// The text between two bytes.
    pub(crate) fn between(&self, start: u32, end: u32) -> &'t str {
        self.text.get(start as usize..end as usize).unwrap_or("")
    }
}
