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

impl Weights for TrainedWeights {
    #[inline]
    fn emission(&self, features: &FeatureRow) -> [i32; LABELS] {
        // Sums of two bytes have room for all features, and all weights of a row are one vector of them.
        let mut sums = [0_i16; ROW_BYTES];
        for row in features {
            let start = HEADER_BYTES + usize::from(*row) * ROW_BYTES;
            for (sum, weight) in sums.iter_mut().zip(&TABLE[start..start + ROW_BYTES]) {
                *sum += i16::from(weight.cast_signed());
            }
        }
        let mut scores = [0; LABELS];
        for (score, sum) in scores.iter_mut().zip(sums) {
            *score = i32::from(sum);
        }
        scores
    }

    #[inline]
    fn transition(&self, from: Label, to: Label) -> i32 {
        let at = (usize::from(from) * LABELS + usize::from(to)) * 2;
        i32::from(i16::from_le_bytes([TABLE[at], TABLE[at + 1]]))
    }
}
