//! The tokenizer: one pass splits a text into tokens, looks up each word once and collects the features of the text.
//! For a text without features of interest, this pass is all the work.

pub(crate) mod affix;
pub(crate) mod fold;
pub(crate) mod foreign_words;
pub(crate) mod lexicon;
mod lexicon_builder;
mod lexicon_table;
pub(crate) mod near;
mod perfect_hash;
pub(crate) mod search_hint;
pub(crate) mod token;
mod word_runs;
mod word_scan;
pub(crate) mod words;
pub(crate) mod work;

use crate::card_floor::symbols::{self, look_alike};
use fold::{BYTE_CLASSES, ByteClass, FoldedChar};
use token::TokenRange;
pub(crate) use token::{Gap, Token, TokenBuffer, TokenKind, Tokens, saturating_u32};
pub(crate) use word_scan::load_sixteen;

/// The features of a text.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is one independent feature")]
pub(crate) struct TextFeatures {
    /// The flags of all words of the text, as in [`words::flag`].
    pub(crate) word_flags: u32,
    /// Any decimal digit.
    pub(crate) has_digits: bool,
    /// Any `@`.
    pub(crate) has_at_sign: bool,
    /// A `.`, `:` or `-` that may belong to an address: a URL, an e-mail, IP or MAC address.
    pub(crate) may_have_address_mark: bool,
    /// Five dashes in a row, as before `BEGIN`.
    pub(crate) has_dash_run: bool,
    /// A segment too long for prose.
    pub(crate) has_long_segment: bool,
    /// Digits or marks inside or before a word, where they may stand for letters.
    pub(crate) has_leetspeak: bool,
    /// Possibly the same letter three times in a row in a word outside the lexicon.
    pub(crate) has_triple_letter: bool,
    /// A capital as the second letter of a word outside the lexicon.
    pub(crate) has_second_capital: bool,
    /// A symbol that stands for digits, or a digit beside a letter that looks like a digit.
    pub(crate) may_have_folded_digits: bool,
    /// The range of the mask tokens.
    mask_tokens: TokenRange,
    /// The range of the digit tokens.
    digit_tokens: TokenRange,
}

/// A text with its tokens and features.
#[derive(Clone, Copy)]
pub(crate) struct TokenizedText<'t> {
    tokens: Tokens<'t>,
    pub(crate) features: TextFeatures,
}

/// Bytes of the longest word with characters outside ASCII that is folded and looked up.
const MAX_FOLDED_BYTES: usize = 48;
/// Bytes of a segment from which it is too long for prose. A segment is a run of characters without whitespace.
///
/// The value is a power of two, so that the bitwise OR of several lengths reaches it exactly if one of them does.
pub(crate) const LONG_SEGMENT: usize = 16;
const _: () = assert!(LONG_SEGMENT.is_power_of_two());

struct Tokenizer<'t, 's> {
    text: &'t str,
    bytes: &'t [u8],
    buffer: &'s mut TokenBuffer,
    features: TextFeatures,
    gap: Gap,
    /// First byte of the current segment.
    segment_start: usize,
    /// Inline tokens that are words outside the lexicon and unchecked, one bit each.
    unresolved_words: u64,
}

impl<'t> TokenizedText<'t> {
    /// Tokenizes a text into a buffer. Reads at most the first 4 GiB minus 17 bytes of a text.
    #[inline]
    pub(crate) fn new(text: &'t str, buffer: &'t mut TokenBuffer) -> Self {
        buffer.clear();
        let mut limit = text.len().min(u32::MAX as usize - 16);
        while !text.is_char_boundary(limit) {
            limit -= 1;
        }
        let text = &text[..limit];
        let bytes = text.as_bytes();
        let (features, gap) = (TextFeatures::default(), Gap::Paragraph);
        let mut tokenizer = Tokenizer { text, bytes, buffer, features, gap, segment_start: 0, unresolved_words: 0 };
        tokenizer.run_to_end();
        tokenizer.resolve_unknown_words();
        let Tokenizer { features, buffer, .. } = tokenizer;
        buffer.finish();
        let has_number_words = features.word_flags & words::flag::NUMBER != 0;
        Self {
            tokens: Tokens::new(text, buffer.as_slice(), features.mask_tokens, features.digit_tokens, has_number_words),
            features,
        }
    }

    /// The tokens of the text.
    pub(crate) fn tokens(&self) -> Tokens<'t> {
        self.tokens
    }

    /// Whether the text holds a digit or a number word.
    pub(crate) fn has_numbers(&self) -> bool {
        self.features.has_digits || self.features.word_flags & words::flag::NUMBER != 0
    }
}

impl Tokenizer<'_, '_> {
    fn run_to_end(&mut self) {
        let mut at = 0;
        while let Some(byte) = self.bytes.get(at) {
            at = match BYTE_CLASSES[*byte as usize] {
                ByteClass::Letter => self.read_word(at),
                ByteClass::Space => self.read_space(at),
                ByteClass::Digit => self.read_digits(at),
                ByteClass::Mark => self.read_mark(at, *byte),
                ByteClass::Line => {
                    self.read_line_break();
                    at + 1
                }
                ByteClass::Asterisk => self.read_mask(at),
                ByteClass::NonAscii => self.read_non_ascii(at),
            };
            // Most tokens are followed by one space; it needs no loop iteration of its own.
            if let Some([b' ', next, ..]) = self.bytes.get(at..)
                && BYTE_CLASSES[*next as usize] != ByteClass::Space
            {
                self.gap = self.gap.max(Gap::Space);
                at += 1;
            }
        }
    }

    fn class_run_end(&self, from: usize, class: ByteClass) -> usize {
        let mut at = from + 1;
        while self.bytes.get(at).is_some_and(|b| BYTE_CLASSES[*b as usize] == class) {
            at += 1;
        }
        at
    }

    #[inline]
    fn push(&mut self, start: usize, end: usize, kind: TokenKind, payload: u16, flags: u32) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if gap != Gap::None {
            self.segment_start = start;
        }
        self.features.has_long_segment |= end - self.segment_start >= LONG_SEGMENT;
        self.reserve();
        self.buffer.push(Token { start: offset_u32(start), end: offset_u32(end), flags, payload, kind, gap });
    }

    fn read_digits(&mut self, start: usize) -> usize {
        let mut end = start + word_scan::count_digits(self.bytes, start);
        if end == start + 8 && self.bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end = self.class_run_end(end, ByteClass::Digit);
        }
        self.add_digits(start, end, end - start);
        end
    }

    fn add_digits(&mut self, start: usize, end: usize, count: usize) {
        self.features.has_digits = true;
        self.features.has_leetspeak |= start > 0 && self.bytes[start - 1].is_ascii_alphabetic();
        let looks_like_digit = |at: usize| self.bytes.get(at).is_some_and(|byte| look_alike(*byte).is_some());
        self.features.may_have_folded_digits |= looks_like_digit(end) || looks_like_digit(start.wrapping_sub(1));
        if self.gap != Gap::None || !self.extend_last(TokenKind::Digits, start, end, count) {
            self.features.digit_tokens.extend_to(offset_u32(self.buffer.len()));
            self.push(start, end, TokenKind::Digits, u16::try_from(count).unwrap_or(u16::MAX), 0);
        }
    }

    /// Extends the last token by `start..end` if it has this kind; false otherwise. Ignorable characters may lie
    /// between.
    fn extend_last(&mut self, kind: TokenKind, start: usize, end: usize, count: usize) -> bool {
        let text = self.text;
        if kind == TokenKind::Word {
            self.resolve_unknown_words();
        }
        let Some(last) = self.buffer.last_mut().filter(|t| t.kind == kind) else { return false };
        last.end = offset_u32(end);
        last.payload = match kind {
            TokenKind::Digits => last.payload.saturating_add(u16::try_from(count).unwrap_or(u16::MAX)),
            TokenKind::Word if end - last.start as usize > MAX_FOLDED_BYTES => 0,
            TokenKind::Word => word_scan::find_folded(&text[last.start as usize..end.max(start)]),
            TokenKind::Mark | TokenKind::Mask | TokenKind::Edge => last.payload,
        };
        if kind == TokenKind::Word {
            last.flags = lexicon::entry(last.payload).flags;
            self.features.word_flags |= last.flags;
        }
        true
    }

    fn read_space(&mut self, start: usize) -> usize {
        let end = self.class_run_end(start, ByteClass::Space);
        let wide = end - start > 1 || self.bytes[start] == b'\t';
        self.gap = self.gap.max(if wide { Gap::Wide } else { Gap::Space });
        end
    }

    fn read_line_break(&mut self) {
        self.gap = if self.gap >= Gap::Line { Gap::Paragraph } else { Gap::Line };
    }

    fn read_mark(&mut self, start: usize, byte: u8) -> usize {
        let mut end = start + 1;
        while self.bytes.get(end) == Some(&byte) {
            end += 1;
        }
        let features = &mut self.features;
        match byte {
            b'@' => {
                features.has_at_sign = true;
                features.has_leetspeak |= self.gap == Gap::None && end == start + 1;
            }
            b'$' | b'!' => features.has_leetspeak |= self.bytes.get(end).is_some_and(u8::is_ascii_alphabetic),
            b'.' => {
                features.may_have_address_mark |= self.gap == Gap::None
                    && end == start + 1
                    && self.bytes.get(end).is_some_and(|b| !b.is_ascii_whitespace());
            }
            b':' => {
                features.may_have_address_mark |= end == start + 2
                    || self.gap == Gap::None && self.bytes.get(end).is_some_and(|b| !b.is_ascii_whitespace());
            }
            b'-' => {
                features.has_dash_run |= end - start >= 5;
                features.may_have_address_mark |= self.bytes.get(start + 3) == Some(&b'-');
            }
            _ => {}
        }
        self.push(start, end, TokenKind::Mark, u16::from(byte), 0);
        end
    }

    fn read_mask(&mut self, start: usize) -> usize {
        let end = self.class_run_end(start, ByteClass::Asterisk);
        self.features.mask_tokens.extend_to(offset_u32(self.buffer.len()));
        self.push(start, end, TokenKind::Mask, 0, 0);
        end
    }

    fn read_non_ascii(&mut self, start: usize) -> usize {
        let Some(c) = self.text.get(start..).and_then(|t| t.chars().next()) else { return start + 1 };
        let end = start + c.len_utf8();
        match fold::fold(c) {
            FoldedChar::Space => self.gap = self.gap.max(Gap::Space),
            FoldedChar::Line => self.read_line_break(),
            FoldedChar::Ignorable => {}
            FoldedChar::Digit(_) => self.add_digits(start, end, 1),
            FoldedChar::Mark(mark) => self.push(start, end, TokenKind::Mark, u16::from(mark), 0),
            FoldedChar::Letter => {
                self.features.may_have_folded_digits |= symbols::may_be_number(c);
                if self.gap != Gap::None || !self.extend_last(TokenKind::Word, start, end, 0) {
                    let slot = word_scan::find_folded(&self.text[start..end]);
                    let flags = lexicon::entry(slot).flags;
                    self.features.word_flags |= flags;
                    self.push(start, end, TokenKind::Word, slot, flags);
                }
            }
        }
        end
    }
}

#[expect(clippy::cast_possible_truncation, reason = "texts are read up to 4 GiB")]
const fn offset_u32(at: usize) -> u32 {
    at as u32
}
