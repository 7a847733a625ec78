//! Tokenizing of runs of ASCII words that are separated by single spaces.

use super::token::Token;
use super::{ByteClass, Gap, LONG_SEGMENT, TokenKind, Tokenizer, offset_u32, word_scan};

impl Tokenizer<'_, '_> {
    #[inline]
    pub(super) fn read_word(&mut self, start: usize) -> usize {
        if self.gap == Gap::None && self.buffer.last_mut().is_some_and(|last| last.kind == TokenKind::Word) {
            let end = self.class_run_end(start, ByteClass::Letter);
            self.extend_last(TokenKind::Word, start, end, 0);
            return end;
        }
        self.read_words(start)
    }

    /// Reads words while one space separates them and the inline buffer has room. Words outside the lexicon are only
    /// recorded: a mispredicted branch at each of them costs more than a check of all of them later.
    #[inline(never)]
    fn read_words(&mut self, mut start: usize) -> usize {
        self.reserve();
        let bytes = self.bytes;
        let mut gap = std::mem::replace(&mut self.gap, Gap::None);
        let joined = gap == Gap::None;
        let (before, spare) = self.buffer.spare_mut();
        let (mut word_flags, mut length, mut lengths, mut unknown) = (0, 0, 0, 0);
        let mut bit = 1_u64 << (before % 64);
        for slot in spare.iter_mut() {
            let word = word_scan::scan_word(bytes, start);
            let (code, flags) = (word.code, word.flags);
            length = word.length;
            let end = start + length;
            word_flags |= flags;
            lengths |= length;
            unknown |= if code == 0 { bit } else { 0 };
            bit <<= 1;
            slot.set(Token {
                start: offset_u32(start),
                end: offset_u32(end),
                flags,
                payload: code,
                kind: TokenKind::Word,
                gap,
            });
            start = end;
            match bytes.get(end..) {
                Some([b' ', letter, ..]) if letter.is_ascii_alphabetic() => {}
                _ => {
                    gap = Gap::None;
                    break;
                }
            }
            gap = Gap::Space;
            start += 1;
        }
        let count = bit.trailing_zeros() as usize - before;
        if joined {
            lengths |= spare.first().map_or(0, |first| first.end as usize) - self.segment_start;
        }
        if !joined || count > 1 {
            self.segment_start = start - length;
        }
        self.gap = gap;
        self.buffer.advance(count);
        self.unresolved_words |= unknown;
        self.features.word_flags |= word_flags;
        self.features.has_long_segment |= lengths >= LONG_SEGMENT;
        start
    }

    /// Checks the recorded words outside the lexicon: finds their traits and corrects typing errors.
    #[inline]
    pub(super) fn resolve_unknown_words(&mut self) {
        let unknown = std::mem::take(&mut self.unresolved_words);
        if unknown != 0 {
            self.check_each_word(unknown);
        }
    }

    #[inline(never)]
    fn check_each_word(&mut self, mut unknown: u64) {
        let mut traits = 0;
        while unknown != 0 {
            let Some(token) = self.buffer.inline_mut(unknown.trailing_zeros() as usize) else { break };
            unknown &= unknown - 1;
            let word_traits = word_scan::word_traits(self.bytes, token.start as usize, token.byte_len());
            traits |= word_traits;
            if word_traits & word_scan::MAYBE_TYPO != 0 {
                (token.payload, token.flags) =
                    word_scan::intended_word(&self.bytes[token.start as usize..], token.byte_len());
                self.features.word_flags |= token.flags;
            }
        }
        self.features.has_triple_letter |= traits & word_scan::TRIPLE_LETTER != 0;
        self.features.has_second_capital |= traits & word_scan::SECOND_CAPITAL != 0;
    }

    /// Makes room for at least one token in the inline buffer.
    #[inline]
    pub(super) fn reserve(&mut self) {
        if self.buffer.is_full() {
            self.resolve_unknown_words();
            self.buffer.spill();
        }
    }
}
