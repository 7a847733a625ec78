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
        let mut gap = std::mem::replace(&mut self.gap, Gap::None);
        let mut piece = if gap == Gap::None { self.piece } else { start };
        let bytes = self.bytes;
        let mut rest = bytes.get(start..).unwrap_or_default();
        let (before, room) = self.store.room();
        let (mut words, mut longest, mut doubts, mut count) = (0, 0, 0, 0);
        for slot in room {
            let word::Read { length, code, flags } = word::read(rest, bytes);
            let end = start + length;
            words |= flags;
            longest = longest.max(end - piece);
            doubts |= u64::from(code == 0) << count;
            slot.set(Token { start: place(start), end: place(end), flags, code, kind: Kind::Word, gap });
            count += 1;
            start = end;
            match rest.get(length..) {
                Some([b' ', after @ ..]) if after.first().is_some_and(u8::is_ascii_alphabetic) => rest = after,
                _ => {
                    gap = Gap::None;
                    break;
                }
            }
            gap = Gap::Space;
            start += 1;
            piece = start;
        }
        self.gap = gap;
        self.store.take(count);
        self.piece = piece;
        self.doubts |= doubts << before;
        self.seen.words |= words;
        self.seen.long_piece |= longest >= LONG_PIECE;
        start
    }

    /// Looks closer at the words that are not in the lexicon: some are odd, some were meant to be words of it.
    pub(super) fn settle_doubts(&mut self) {
        let mut doubts = std::mem::take(&mut self.doubts);
        let mut odd = 0;
        while doubts != 0 {
            let Some(token) = self.store.in_place(doubts.trailing_zeros() as usize) else { break };
            doubts &= doubts - 1;
            let rest = &self.bytes[token.start as usize..];
            let oddity = word::oddity(rest, self.bytes, token.bytes());
            odd |= oddity;
            if oddity & word::DOUBTFUL != 0 {
                (token.code, token.flags) = word::meant(rest, token.bytes());
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
