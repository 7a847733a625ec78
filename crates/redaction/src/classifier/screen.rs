//! The screen: a linear model that tells which pieces the network must read. It costs a hundredth of the network.
//!
//! A piece scores the sum of one number of each piece near it: of those before it and after it in the text, of the one
//! just before and just after it, of all pieces of the earlier messages, and of itself.

use super::features::PieceFeatures;
use super::relative_position::RelativePosition;
use super::weights::{self, ScreenRow};
use crate::entity::EntitySet;

/// How many pieces before and after a piece count.
const WINDOW: usize = 12;
/// What a piece must score so that the network reads it, in units of the natural logarithm of the odds.
const READ: i32 = 0;
/// What a word must score so that the network reads it. It must convince the network more than a number or a code.
const READ_WORD: i32 = 1;
/// What a piece must score in a text alone, so that earlier messages may make it a value.
const MAY_BECOME_VALUE: i32 = -1;

/// What the screen says of the pieces of a text.
pub(super) struct Screen {
    /// The score of the place where the text begins, then those of its pieces.
    scores: Vec<i32>,
}

impl Screen {
    /// Screens a text whose place of beginning is at `begins`. What stands before it is of earlier messages.
    pub(super) fn of(pieces: &[PieceFeatures], begins: usize, active: EntitySet) -> Self {
        let judgement = usize::from(active.is_subset(EntitySet::defaults()));
        let (earlier, text) = pieces.split_at(begins);
        let weight = |row: &ScreenRow, place: RelativePosition| row.weight(place, judgement);
        let mut base = weights::SCREEN_BIAS[judgement];
        base += earlier.iter().map(|piece| weight(&weights::screen_row(piece), RelativePosition::Earlier)).sum::<i32>();
        let rows: Vec<_> = text.iter().map(weights::screen_row).collect();
        let mut scores: Vec<i32> = Vec::with_capacity(rows.len());
        let mut sum = 0;
        for (at, row) in rows.iter().enumerate() {
            if let Some(gone) = at.checked_sub(WINDOW + 1) {
                sum -= weight(&rows[gone], RelativePosition::Before);
            }
            let just_before = at.checked_sub(1).map_or(0, |at| weight(&rows[at], RelativePosition::JustBefore));
            scores.push(base + sum + just_before + weight(row, RelativePosition::Itself));
            sum += weight(row, RelativePosition::Before);
        }
        sum = 0;
        for (at, row) in rows.iter().enumerate().rev() {
            if let Some(gone) = rows.get(at + WINDOW + 1) {
                sum -= weight(gone, RelativePosition::After);
            }
            scores[at] += sum + rows.get(at + 1).map_or(0, |row| weight(row, RelativePosition::JustAfter));
            sum += weight(row, RelativePosition::After);
        }
        Self { scores }
    }

    /// Whether the network must read a piece of the text.
    pub(super) fn must_read(&self, at: usize, is_word: bool) -> bool {
        self.scores[at + 1] > if is_word { READ_WORD } else { READ } * weights::SCREEN_UNIT
    }

    /// Whether earlier messages could make a piece a value, if the text was screened without them.
    pub(super) fn may_become_value(&self, at: usize) -> bool {
        self.scores[at + 1] > MAY_BECOME_VALUE * weights::SCREEN_UNIT
    }
}
