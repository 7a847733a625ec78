//! The labels of a series.

/// The name and the value of each label.
pub(super) type Labels<const COUNT: usize> = [(&'static str, &'static str); COUNT];
