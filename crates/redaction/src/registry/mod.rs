//! Every identifier that shape and check digits tell from other text, in one list that the engine walks.

mod list;
pub(crate) mod lookup;

pub(crate) use list::IDENTIFIERS;

/// How people write an identifier.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Grouping {
    /// With separators anywhere or nowhere.
    Any,
    /// In one piece.
    None,
    /// In one piece or in one of these ways: `#` stands for a letter or digit, any other byte for itself.
    Fixed(&'static [&'static str]),
    /// In one of these ways and never in one piece, where it would be like any other number.
    Written(&'static [&'static str]),
    /// In one piece or in groups of this many parted by spaces or by hyphens, the last one possibly shorter.
    Every(usize),
}

impl Grouping {
    /// Whether a candidate, as it stands in the text, is written in one of the usual ways.
    pub(crate) fn permits(self, raw: &[u8]) -> bool {
        self.permits_given(raw, || raw.iter().all(u8::is_ascii_alphanumeric))
    }

    /// The same for a candidate of which it is known whether it is in one piece.
    pub(crate) fn permits_given(self, raw: &[u8], whole: impl FnOnce() -> bool) -> bool {
        match self {
            Self::Any => true,
            Self::None => whole(),
            Self::Written(_) => self.is_grouped(raw),
            Self::Fixed(_) | Self::Every(_) => whole() || self.is_grouped(raw),
        }
    }

    /// Whether a candidate, as it stands in the text, has its usual separators, which is evidence of its own.
    pub(crate) fn is_grouped(self, raw: &[u8]) -> bool {
        match self {
            Self::Any | Self::None => false,
            Self::Every(size) => is_in_groups(raw, size),
            Self::Fixed(ways) | Self::Written(ways) => ways.iter().any(|way| is_written_as(raw, way)),
        }
    }
}

fn is_in_groups(raw: &[u8], size: usize) -> bool {
    let Some(separator) = raw.get(size).filter(|byte| matches!(byte, b' ' | b'-')) else { return false };
    let place_fits = |(at, byte): (usize, &u8)| {
        if at % (size + 1) == size { byte == separator } else { byte.is_ascii_alphanumeric() }
    };
    raw.iter().enumerate().all(place_fits) && !raw.len().is_multiple_of(size + 1)
}

fn is_written_as(raw: &[u8], way: &str) -> bool {
    raw.len() == way.len()
        && raw
            .iter()
            .zip(way.bytes())
            .all(|(byte, place)| if place == b'#' { byte.is_ascii_alphanumeric() } else { *byte == place })
}

/// What a candidate that passes the check needs besides to be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// Nothing: shape and check digits together are rare in ordinary text.
    Strong,
    /// Its usual separators or a cue.
    Formatted,
    /// A cue.
    Weak,
}

/// An identifier with a shape and a check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identifier {
    /// Id in the catalogue of entities, such as `EU_NATIONAL_ID`.
    pub(crate) label: &'static str,
    /// What it is called where it is issued, such as `ES NIF`; unique in the list.
    #[cfg_attr(not(test), expect(dead_code, reason = "a row is known by it to who reads the list, and to the tests"))]
    pub(crate) kind: &'static str,
    /// Lengths in letters and digits, ascending.
    pub(crate) lengths: &'static [u8],
    /// Whether it can hold letters.
    pub(crate) letters: bool,
    /// Usual ways to write it.
    pub(crate) grouping: Grouping,
    /// What it needs besides to be believed.
    pub(crate) strength: Strength,
    /// Words and phrases nearby that name it, lower-case, without accents. Each is a cue of [`crate::cue`].
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the cues are a list of their own, which the tests hold to these")
    )]
    pub(crate) cues: &'static [&'static str],
    /// Whether compacted text (ASCII upper-case letters and digits) is one.
    pub(crate) check: fn(&[u8]) -> bool,
}

/// The longest identifier in letters and digits.
pub(crate) const LONGEST: usize = 34;

/// For every compact length a set of the indices into [`IDENTIFIERS`], the lowest bit for the first.
pub(crate) static BY_LENGTH: [u128; LONGEST + 1] = {
    assert!(IDENTIFIERS.len() <= 128);
    let mut sets = [0; LONGEST + 1];
    let mut at = 0;
    while at < IDENTIFIERS.len() {
        let lengths = IDENTIFIERS[at].lengths;
        let mut place = 0;
        while place < lengths.len() {
            sets[lengths[place] as usize] |= 1 << at;
            place += 1;
        }
        at += 1;
    }
    sets
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cues::PHRASES;
    use crate::entity::Entity;
    use crate::tests::dice::Dice;

    #[test]
    fn an_identifier_is_found_under_each_of_its_lengths_only() {
        for identifier in IDENTIFIERS {
            for length in 0..=LONGEST + 1 {
                let can = |at: usize| BY_LENGTH.get(length).is_some_and(|set| set >> at & 1 == 1);
                let listed = (0..).zip(IDENTIFIERS).any(|(at, other)| can(at) && other.kind == identifier.kind);
                assert_eq!(
                    listed,
                    identifier.lengths.iter().any(|one| usize::from(*one) == length),
                    "{}",
                    identifier.kind
                );
            }
        }
    }

    #[test]
    fn every_way_to_write_an_identifier_has_one_of_its_lengths() {
        for identifier in IDENTIFIERS {
            let (Grouping::Fixed(ways) | Grouping::Written(ways)) = identifier.grouping else { continue };
            for way in ways {
                let length = way.chars().filter(|place| *place == '#').count();
                assert!(identifier.lengths.iter().any(|one| usize::from(*one) == length), "{} {way}", identifier.kind);
            }
        }
    }

    #[test]
    fn no_kind_is_listed_twice() {
        for (at, identifier) in IDENTIFIERS.iter().enumerate() {
            assert!(IDENTIFIERS[..at].iter().all(|other| other.kind != identifier.kind), "{}", identifier.kind);
        }
    }

    #[test]
    fn cues_are_lower_case_and_there() {
        for identifier in IDENTIFIERS {
            assert!(!identifier.cues.is_empty(), "{}", identifier.kind);
            assert!(identifier.cues.iter().all(|cue| cue.to_lowercase() == *cue), "{}", identifier.kind);
        }
    }

    #[test]
    fn every_name_of_an_identifier_is_a_cue_for_it() {
        let is_cue = |identifier: &Identifier, name: &str| {
            let entity = Entity::from_label(identifier.label).unwrap();
            PHRASES.iter().any(|phrase| phrase.words == name && phrase.set.contains(entity))
        };
        let names = IDENTIFIERS.iter().flat_map(|one| one.cues.iter().map(move |name| (one, *name)));
        let unknown: Vec<_> =
            names.filter(|(one, name)| !is_cue(one, name)).map(|(one, name)| (one.kind, name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn no_check_fails_on_arbitrary_bytes() {
        for identifier in IDENTIFIERS {
            for length in 0..=LONGEST + 1 {
                for seed in 0..=u8::MAX {
                    let _ = (identifier.check)(&vec![seed; length]);
                    let mixed = (0..length)
                        .map(|at| b"0A9Z5XB1"[(usize::from(seed) * 31 + at * at * (usize::from(seed) + 7)) % 8]);
                    let _ = (identifier.check)(&mixed.collect::<Vec<u8>>());
                }
            }
        }
    }

    #[test]
    fn groups_of_one_size_keep_to_one_separator() {
        let grouping = Grouping::Every(4);
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
    fn what_is_only_written_with_separators_is_nothing_without() {
        let grouping = Grouping::Written(&["##/###"]);
        assert!(grouping.permits(b"12/345") && !grouping.permits(b"12345"));
    }

    #[test]
    fn few_random_digits_pass_a_strong_check() {
        let mut dice = Dice::new();
        for identifier in IDENTIFIERS
            .iter()
            .filter(|one| one.strength == Strength::Strong && !matches!(one.grouping, Grouping::Written(_)))
        {
            for length in identifier.lengths {
                let passed = (0..20_000)
                    .filter(|_| (identifier.check)(&(0..*length).map(|_| dice.digit()).collect::<Vec<u8>>()))
                    .count();
                assert!(passed < 200, "{} passes {passed} of 20,000", identifier.kind);
            }
        }
    }

    #[test]
    fn separators_count_only_where_they_belong() {
        let grouping = Grouping::Fixed(&["###-##-####"]);
        assert!(grouping.is_grouped(b"219-09-1234") && grouping.permits(b"219091234"));
        assert!(!grouping.is_grouped(b"219091234") && !grouping.permits(b"21-909-1234"));
    }
}
