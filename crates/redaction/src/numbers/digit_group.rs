//! A digit group of a run, its digits, and the separator before it.

/// The separator before a group, tightest first. A run is split at its loosest separators first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Separator {
    /// Nothing.
    Adjacent,
    /// A dash, dot, slash, bracket or plus without spaces.
    Punctuation,
    /// One space, or a mark with spaces.
    Space,
    /// A comma, a filler or several spaces.
    Pause,
    /// A line break or "and".
    Break,
    /// The start of the run: the group is its first.
    Start,
}

/// One digit with its byte range in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digit {
    pub(crate) value: u8,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A digit group: written digits without a separator, or a number in words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DigitGroup {
    /// First token.
    pub(crate) first_token: u32,
    /// Token after the last.
    pub(crate) end_token: u32,
    /// Index of the first digit of the group in the run.
    pub(crate) first_digit: u8,
    pub(crate) digit_count: u8,
    /// Whether the group is a number in words.
    pub(crate) spoken: bool,
    /// Whether the words are a number of two digits or more ("forty two"), not single digits.
    pub(crate) compound: bool,
    pub(crate) separator: Separator,
    /// The mark of the separator; 0 if it has none.
    pub(crate) mark: u8,
}

impl DigitGroup {
    pub(super) const NONE: Self = Self {
        first_token: 0,
        end_token: 0,
        first_digit: 0,
        digit_count: 0,
        spoken: false,
        compound: false,
        separator: Separator::Adjacent,
        mark: 0,
    };
}
