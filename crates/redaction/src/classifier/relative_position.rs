//! Where a piece stands relative to the piece that the screen judges.

/// Where a piece stands relative to the one that is judged: anywhere before or after it in the text, in an earlier message,
/// just before or after it, or at it.
#[derive(Clone, Copy)]
pub(super) enum RelativePosition {
    Before,
    After,
    Earlier,
    JustBefore,
    JustAfter,
    Itself,
}

/// Number of [`RelativePosition`]s.
pub(super) const RELATIVE_POSITIONS: usize = 6;
/// Number of questions that the screen answers: whether a piece can be a value of any entity, or of one that is on by
/// default.
pub(super) const JUDGEMENTS: usize = 2;
