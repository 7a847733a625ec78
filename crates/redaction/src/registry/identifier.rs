//! An identifier that a shape and a validator define.

/// The separators that an identifier may have.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Grouping {
    /// Separators at any position, or none.
    Any,
    /// No separators.
    None,
    /// No separators, or one of these patterns. `#` matches a letter or digit, any other byte matches itself.
    Fixed(&'static [&'static str]),
    /// One of these patterns. Without separators the identifier has the shape of any other number.
    Separated(&'static [&'static str]),
    /// No separators, or groups of this size with spaces or hyphens between them. The last group may be shorter.
    EqualGroups(usize),
}

impl Grouping {
    /// Whether this grouping accepts a candidate. `raw` is the candidate with its separators.
    pub(crate) fn permits(self, raw: &[u8]) -> bool {
        self.permits_with(raw, || raw.iter().all(u8::is_ascii_alphanumeric))
    }

    /// Same as [`Self::permits`], for a caller that can compute `is_compact` faster: whether `raw` has no separators.
    pub(crate) fn permits_with(self, raw: &[u8], is_compact: impl FnOnce() -> bool) -> bool {
        match self {
            Self::Any => true,
            Self::None => is_compact(),
            Self::Separated(_) => self.is_grouped(raw),
            Self::Fixed(_) | Self::EqualGroups(_) => is_compact() || self.is_grouped(raw),
        }
    }

    /// Whether a candidate has the separators of this grouping. Such separators are evidence for the identifier.
    pub(crate) fn is_grouped(self, raw: &[u8]) -> bool {
        match self {
            Self::Any | Self::None => false,
            Self::EqualGroups(size) => has_equal_groups(raw, size),
            Self::Fixed(patterns) | Self::Separated(patterns) => {
                patterns.iter().any(|pattern| matches_pattern(raw, pattern))
            }
        }
    }
}

fn has_equal_groups(raw: &[u8], size: usize) -> bool {
    let Some(separator) = raw.get(size).filter(|byte| matches!(byte, b' ' | b'-')) else { return false };
    let byte_fits = |(at, byte): (usize, &u8)| {
        if at % (size + 1) == size { byte == separator } else { byte.is_ascii_alphanumeric() }
    };
    raw.iter().enumerate().all(byte_fits) && !raw.len().is_multiple_of(size + 1)
}

fn matches_pattern(raw: &[u8], pattern: &str) -> bool {
    raw.len() == pattern.len()
        && raw
            .iter()
            .zip(pattern.bytes())
            .all(|(byte, expected)| if expected == b'#' { byte.is_ascii_alphanumeric() } else { *byte == expected })
}

/// The evidence that a candidate needs in addition to a passed validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// None. Shape and check digits together are rare in ordinary text.
    Strong,
    /// The separators of its grouping, or a cue.
    Formatted,
    /// A cue.
    Weak,
}

/// An identifier that a shape and a validator define.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identifier {
    /// Label of its entity in the catalogue, such as `EU_NATIONAL_ID`.
    pub(crate) label: &'static str,
    /// Country and local name, such as `ES NIF`. The name is unique in the list.
    #[cfg_attr(not(test), expect(dead_code, reason = "names the row for readers of the list and for the tests"))]
    pub(crate) name: &'static str,
    /// Possible counts of letters and digits, ascending.
    pub(crate) lengths: &'static [u8],
    /// Whether the identifier can contain letters.
    pub(crate) letters: bool,
    /// The separators that it may have.
    pub(crate) grouping: Grouping,
    /// The evidence that it needs in addition to a passed validator.
    pub(crate) strength: Strength,
    /// Words and phrases that name it, lower-case, without accents. Each is a cue of [`crate::cues`].
    #[cfg_attr(not(test), expect(dead_code, reason = "detectors read crate::cues; a test compares the two lists"))]
    pub(crate) cues: &'static [&'static str],
    /// Whether a compact text (ASCII upper-case letters and digits only) is this identifier.
    pub(crate) validator: fn(&[u8]) -> bool,
}

/// Maximum letters and digits of an identifier.
pub(crate) const MAX_IDENTIFIER_LENGTH: usize = 34;

#[cfg(test)]
mod tests {
    use super::Grouping;

    #[test]
    fn equal_groups_have_the_same_separator_throughout() {
        let grouping = Grouping::EqualGroups(4);
        assert!(
            grouping.is_grouped(b"GB29 NWBK 60")
                && grouping.is_grouped(b"GB29-NWBK-60")
                && grouping.permits(b"GB29NWBK60")
        );
        assert!(
            !grouping.permits(b"GB29 NWBK-60")
                && !grouping.permits(b"GB2 9NWBK 60")
                && !grouping.permits(b"GB29 NWBK ")
        );
    }

    #[test]
    fn a_grouping_that_requires_separators_rejects_compact_text() {
        let grouping = Grouping::Separated(&["##/###"]);
        assert!(grouping.permits(b"12/345") && !grouping.permits(b"12345"));
    }

    #[test]
    fn separators_are_accepted_only_at_the_positions_of_a_pattern() {
        let grouping = Grouping::Fixed(&["###-##-####"]);
        assert!(grouping.is_grouped(b"219-09-1234") && grouping.permits(b"219091234"));
        assert!(!grouping.is_grouped(b"219091234") && !grouping.permits(b"21-909-1234"));
    }
}
