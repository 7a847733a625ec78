//! The weights of the tagger, one byte each, as the trainer writes them.

use super::decode::{LABELS, Label, Weights};
use super::features::{FEATURES, FeatureRow, ROWS};

/// Bytes of a row: one for each label, padded to a power of two.
const ROW_BYTES: usize = 8;
/// Bytes before the first row: the transitions, in the order of the label before and the label after, in two bytes each.
const HEADER_BYTES: usize = LABELS * LABELS * 2;

const _: () = assert!(FEATURES * 128 < 1 << 15);

/// The weights of the crate.
static TABLE: &[u8; HEADER_BYTES + ROWS * ROW_BYTES] = include_bytes!("weights.bin");

/// The weights of the crate.
pub(super) struct TrainedWeights;

/// Sums of the weights of each label. Two bytes have room for the weights of all features.
pub(super) type Sums = [i16; ROW_BYTES];

/// Adds the weights of these rows. All weights of a row are one vector.
#[inline]
pub(super) fn add_rows(rows: &[u16], sums: &mut Sums) {
    for row in rows {
        let start = HEADER_BYTES + usize::from(*row) * ROW_BYTES;
        for (sum, weight) in sums.iter_mut().zip(&TABLE[start..start + ROW_BYTES]) {
            *sum += i16::from(weight.cast_signed());
        }
    }
}

/// The score of each label by these sums.
#[inline]
pub(super) fn scores(sums: Sums) -> [i32; LABELS] {
    let mut scores = [0; LABELS];
    for (score, sum) in scores.iter_mut().zip(sums) {
        *score = i32::from(sum);
    }
    scores
}

/// The scores of a label after another, by the label before and the label after.
static TRANSITIONS: [[i32; LABELS]; LABELS] = {
    let mut transitions = [[0; LABELS]; LABELS];
    let mut at = 0;
    while at < LABELS * LABELS {
        transitions[at / LABELS][at % LABELS] = i16::from_le_bytes([TABLE[2 * at], TABLE[2 * at + 1]]) as i32;
        at += 1;
    }
    transitions
};

impl Weights for TrainedWeights {
    #[inline]
    fn emission(&self, features: &FeatureRow) -> [i32; LABELS] {
        let mut sums = Sums::default();
        add_rows(features, &mut sums);
        scores(sums)
    }

    #[inline]
    fn transition(&self, from: Label, to: Label) -> i32 {
        TRANSITIONS[usize::from(from)][usize::from(to)]
    }
}
