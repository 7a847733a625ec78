//! Number runs: digits and number words that belong together, as one sequence of digits with their offsets in the text.

pub(crate) mod asr_homophones;
mod digit_bound;
mod digit_group;
mod foreign_numbers;
mod group;
mod number_token;
mod run;
mod run_buffer;
mod separator;
pub(crate) mod slice;
mod spoken;

pub(crate) use digit_bound::{DigitBound, max_digits_of};
pub(crate) use digit_group::{Digit, DigitGroup, Separator};
pub(crate) use foreign_numbers::{
    ambiguous_number, below_hundred as foreign_below_hundred, is_ambiguous, is_number_among_numbers,
    tens as foreign_tens,
};
pub(crate) use number_token::is_number_token;
pub(crate) use run::{NumberRun, with_run_buffer};
pub(crate) use run_buffer::{MAX_DIGITS, MAX_GROUPS, RunBuffer};

/// Digits of the shortest value that is found without a cue of its own.
pub(crate) const MIN_DIGITS: usize = 3;
/// Digits of the code of most cards.
pub(crate) const CARD_CODE_DIGITS: usize = 3;
/// Digits of a social security number.
pub(crate) const SSN_DIGITS: usize = 9;
