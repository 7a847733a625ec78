//! Where a piece stands relative to the piece that the screen judges.

/// The places of a piece relative to the one that is judged.
#[derive(Clone, Copy)]
pub(super) enum Place {
    Before,
    After,
    Earlier,
    JustBefore,
    JustAfter,
    Itself,
}

/// Number of [`Place`]s.
pub(super) const PLACES: usize = 6;
/// Number of questions that the screen answers: whether a piece can be a value of any entity, or of one that is on by
/// default.
pub(super) const JUDGEMENTS: usize = 2;
