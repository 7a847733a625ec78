//! Runs of words with nothing but a space between them.

use super::token::Token;
use super::{Class, Cutter, Gap, Kind, LONG_PIECE, place, word};

impl Cutter<'_, '_> {
    #[inline]
    pub(super) fn word(&mut self, start: usize) -> usize {
        if self.gap == Gap::None && self.store.last_mut().is_some_and(|last| last.kind == Kind::Word) {
            let end = self.run(start, Class::Letter);
            self.continues(Kind::Word, start, end, 0);
            return end;
        }
        self.words(start)
    }

    /// Reads words for as long as nothing but a space lies between them and there is room. Words of no list are only noted:
    /// which they are cannot be foreseen, and guessing it wrong at each would cost more than looking at all of them later.
    #[inline(never)]
    fn words(&mut self, mut start: usize) -> usize {
        self.make_room();
        let bytes = self.bytes;
        let mut gap = std::mem::replace(&mut self.gap, Gap::None);
        let joined = gap == Gap::None;
        let (before, room) = self.store.room();
        let (mut words, mut length, mut lengths, mut doubts) = (0, 0, 0, 0);
        let mut bit = 1_u64 << (before % 64);
        for slot in room.iter_mut() {
            let word = word::read(bytes, start);
            let (code, flags) = (word.code, word.flags);
            length = word.length;
            let end = start + length;
            words |= flags;
            lengths |= length;
            doubts |= if code == 0 { bit } else { 0 };
            bit <<= 1;
            slot.set(Token { start: place(start), end: place(end), flags, code, kind: Kind::Word, gap });
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
            lengths |= room.first().map_or(0, |first| first.end as usize) - self.piece;
        }
        if !joined || count > 1 {
            self.piece = start - length;
        }
        self.gap = gap;
        self.store.take(count);
        self.doubts |= doubts;
        self.seen.words |= words;
        self.seen.long_piece |= lengths >= LONG_PIECE;
        start
    }

    /// Looks closer at the words that are not in the lexicon: some are odd, some were meant to be words of it.
    #[inline]
    pub(super) fn settle_doubts(&mut self) {
        let doubts = std::mem::take(&mut self.doubts);
        if doubts != 0 {
            self.look_closer(doubts);
        }
    }

    #[inline(never)]
    fn look_closer(&mut self, mut doubts: u64) {
        let mut odd = 0;
        while doubts != 0 {
            let Some(token) = self.store.in_place(doubts.trailing_zeros() as usize) else { break };
            doubts &= doubts - 1;
            let oddity = word::oddity(self.bytes, token.start as usize, token.bytes());
            odd |= oddity;
            if oddity & word::DOUBTFUL != 0 {
                (token.code, token.flags) = word::meant(&self.bytes[token.start as usize..], token.bytes());
                self.seen.words |= token.flags;
            }
        }
        self.seen.triple |= odd & word::TRIPLE != 0;
        self.seen.capitals |= odd & word::CAPITALS != 0;
    }

    /// Makes room for one token at least.
    #[inline]
    pub(super) fn make_room(&mut self) {
        if self.store.is_full() {
            self.settle_doubts();
            self.store.spill();
        }
    }
}
