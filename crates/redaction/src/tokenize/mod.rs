//! One pass over the text: cuts it into tokens, looks each word up once, and notes which kinds of thing it saw, so that
//! a text without anything of interest is done after this pass.

pub(crate) mod fold;
pub(crate) mod lexicon;
mod placing;
mod prose;
pub(crate) mod search_hint;
pub(crate) mod token;
mod word;
pub(crate) mod words;

use fold::{CLASS, Class, Folded};
use token::Stretch;
pub(crate) use token::{Gap, Kind, Store, Token, Tokens, narrow};

/// What the pass saw, beside the word flags of [`words::flag`].
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing seen")]
pub(crate) struct Seen {
    /// Every word flag of the text.
    pub(crate) words: u32,
    /// Any decimal digit.
    pub(crate) digits: bool,
    /// Any '@'.
    pub(crate) at: bool,
    /// A '.' or ':' right between two words or digits.
    pub(crate) inner_mark: bool,
    /// Five dashes, as before `BEGIN`.
    pub(crate) dashes: bool,
    /// A piece too long for prose.
    pub(crate) long_piece: bool,
    /// Digits or marks inside a word, where they may stand for letters.
    pub(crate) disguise: bool,
    /// The same letter three times in a word of no list.
    pub(crate) triple: bool,
    /// Two capitals at the start of a word of no list.
    pub(crate) capitals: bool,
    /// Where the masks are.
    masks: Stretch,
    /// Where the digits are.
    numerals: Stretch,
}

/// A text cut into tokens.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'t> {
    tokens: Tokens<'t>,
    pub(crate) seen: Seen,
}

/// Bytes of a word that is looked up once its letters are folded.
const LONGEST_FOLDED: usize = 48;
/// So many letters and digits in one piece are no word of prose. A power of two: of lengths that are put together bit by bit
/// one has so many where the whole has.
pub(crate) const LONG_PIECE: usize = 16;
const _: () = assert!(LONG_PIECE.is_power_of_two());

struct Cutter<'t, 's> {
    text: &'t str,
    bytes: &'t [u8],
    store: &'s mut Store,
    seen: Seen,
    gap: Gap,
    /// Where the piece without a space began.
    piece: usize,
    /// The words in place that are to be looked at closer, a bit each.
    doubts: u64,
}

impl<'t> Scan<'t> {
    /// Cuts a text, in the room that a store has for its tokens. Texts of 4 GiB and more are read up to that size.
    #[inline]
    pub(crate) fn of(text: &'t str, store: &'t mut Store) -> Self {
        store.clear();
        let mut limit = text.len().min(u32::MAX as usize - 16);
        while !text.is_char_boundary(limit) {
            limit -= 1;
        }
        let text = &text[..limit];
        let bytes = text.as_bytes();
        let (seen, gap) = (Seen::default(), Gap::Paragraph);
        let mut cutter = Cutter { text, bytes, store, seen, gap, piece: 0, doubts: 0 };
        cutter.cut();
        cutter.settle_doubts();
        let Cutter { seen, store, .. } = cutter;
        store.close();
        let said = seen.words & words::flag::NUMBER != 0;
        Self { tokens: Tokens::new(text, store.all(), seen.masks, seen.numerals, said), seen }
    }

    /// The text with its tokens.
    pub(crate) fn tokens(&self) -> Tokens<'t> {
        self.tokens
    }

    /// Whether the text holds a digit or a word of a number.
    pub(crate) fn is_numeric(&self) -> bool {
        self.seen.digits || self.seen.words & words::flag::NUMBER != 0
    }
}

impl Cutter<'_, '_> {
    fn cut(&mut self) {
        let mut at = 0;
        while let Some(byte) = self.bytes.get(at) {
            at = match CLASS[*byte as usize] {
                Class::Letter => self.word(at),
                Class::Space => self.space(at),
                Class::Digit => self.digits(at),
                Class::Mark => self.mark(at, *byte),
                Class::Line => {
                    self.line();
                    at + 1
                }
                Class::Star => self.stars(at),
                Class::Wide => self.wide(at),
            };
            // What follows is most often one space, which is not worth a round of its own.
            if let Some([b' ', next, ..]) = self.bytes.get(at..)
                && CLASS[*next as usize] != Class::Space
            {
                self.gap = self.gap.max(Gap::Space);
                at += 1;
            }
        }
    }

    fn run(&self, from: usize, class: Class) -> usize {
        let mut at = from + 1;
        while self.bytes.get(at).is_some_and(|b| CLASS[*b as usize] == class) {
            at += 1;
        }
        at
    }

    #[inline]
    fn push(&mut self, start: usize, end: usize, kind: Kind, code: u16, flags: u32) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if gap != Gap::None {
            self.piece = start;
        }
        self.seen.long_piece |= end - self.piece >= LONG_PIECE;
        self.make_room();
        self.store.push(Token { start: place(start), end: place(end), flags, code, kind, gap });
    }

    fn digits(&mut self, start: usize) -> usize {
        let mut end = start + word::digits(self.bytes, start);
        if end == start + 8 && self.bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end = self.run(end, Class::Digit);
        }
        self.add_digits(start, end, end - start);
        end
    }

    fn add_digits(&mut self, start: usize, end: usize, count: usize) {
        self.seen.digits = true;
        self.seen.disguise |= start > 0 && self.bytes[start - 1].is_ascii_alphabetic();
        if self.gap != Gap::None || !self.continues(Kind::Digits, start, end, count) {
            self.seen.numerals.note(place(self.store.len()));
            self.push(start, end, Kind::Digits, u16::try_from(count).unwrap_or(u16::MAX), 0);
        }
    }

    /// Lengthens the last token where only characters that show nothing, or another script's, lie between.
    fn continues(&mut self, kind: Kind, start: usize, end: usize, count: usize) -> bool {
        let text = self.text;
        if kind == Kind::Word {
            self.settle_doubts();
        }
        let Some(last) = self.store.last_mut().filter(|t| t.kind == kind) else { return false };
        last.end = place(end);
        last.code = match kind {
            Kind::Digits => last.code.saturating_add(u16::try_from(count).unwrap_or(u16::MAX)),
            Kind::Word if end - last.start as usize > LONGEST_FOLDED => 0,
            Kind::Word => word::folded(&text[last.start as usize..end.max(start)]),
            Kind::Mark | Kind::Mask | Kind::Edge => last.code,
        };
        if kind == Kind::Word {
            last.flags = lexicon::entry(last.code).flags;
            self.seen.words |= last.flags;
        }
        true
    }

    fn space(&mut self, start: usize) -> usize {
        let end = self.run(start, Class::Space);
        let wide = end - start > 1 || self.bytes[start] == b'\t';
        self.gap = self.gap.max(if wide { Gap::Wide } else { Gap::Space });
        end
    }

    fn line(&mut self) {
        self.gap = if self.gap >= Gap::Line { Gap::Paragraph } else { Gap::Line };
    }

    fn mark(&mut self, start: usize, byte: u8) -> usize {
        let mut end = start + 1;
        while self.bytes.get(end) == Some(&byte) {
            end += 1;
        }
        let seen = &mut self.seen;
        match byte {
            b'@' => {
                seen.at = true;
                seen.disguise |= self.gap == Gap::None && end == start + 1;
            }
            b'$' | b'!' => seen.disguise |= self.bytes.get(end).is_some_and(u8::is_ascii_alphabetic),
            b'.' => {
                seen.inner_mark |= self.gap == Gap::None
                    && end == start + 1
                    && self.bytes.get(end).is_some_and(|b| !b.is_ascii_whitespace());
            }
            b':' => {
                seen.inner_mark |= end == start + 2
                    || self.gap == Gap::None && self.bytes.get(end).is_some_and(|b| !b.is_ascii_whitespace());
            }
            b'-' => {
                seen.dashes |= end - start >= 5;
                seen.inner_mark |= self.bytes.get(start + 3) == Some(&b'-');
            }
            _ => {}
        }
        self.push(start, end, Kind::Mark, u16::from(byte), 0);
        end
    }

    fn stars(&mut self, start: usize) -> usize {
        let end = self.run(start, Class::Star);
        self.seen.masks.note(place(self.store.len()));
        self.push(start, end, Kind::Mask, 0, 0);
        end
    }

    fn wide(&mut self, start: usize) -> usize {
        let Some(c) = self.text.get(start..).and_then(|t| t.chars().next()) else { return start + 1 };
        let end = start + c.len_utf8();
        match fold::fold(c) {
            Folded::Space => self.gap = self.gap.max(Gap::Space),
            Folded::Line => self.line(),
            Folded::Nothing => {}
            Folded::Digit(_) => self.add_digits(start, end, 1),
            Folded::Mark(mark) => self.push(start, end, Kind::Mark, u16::from(mark), 0),
            Folded::Letter => {
                if self.gap != Gap::None || !self.continues(Kind::Word, start, end, 0) {
                    self.push(start, end, Kind::Word, 0, 0);
                }
            }
        }
        end
    }
}

#[expect(clippy::cast_possible_truncation, reason = "texts are read up to 4 GiB only")]
const fn place(at: usize) -> u32 {
    at as u32
}
