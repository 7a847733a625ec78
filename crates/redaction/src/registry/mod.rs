//! Registry of the identifiers that the engine detects by their shape and check digits.

mod identifier;
mod list;
pub(crate) mod lookup;

pub(crate) use identifier::{Grouping, Identifier, MAX_IDENTIFIER_LENGTH, Strength};
pub(crate) use list::IDENTIFIERS;

/// Number of identifiers.
pub(crate) const IDENTIFIER_COUNT: usize = IDENTIFIERS.len();

/// The identifiers of each compact length. Bit n of a set is entry n of [`IDENTIFIERS`].
pub(crate) static BY_LENGTH: [u128; MAX_IDENTIFIER_LENGTH + 1] = {
    assert!(IDENTIFIERS.len() <= 128);
    let mut sets = [0; MAX_IDENTIFIER_LENGTH + 1];
    let mut at = 0;
    while at < IDENTIFIERS.len() {
        let lengths = IDENTIFIERS[at].lengths;
        let mut index = 0;
        while index < lengths.len() {
            sets[lengths[index] as usize] |= 1 << at;
            index += 1;
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
    fn by_length_lists_an_identifier_under_exactly_its_lengths() {
        for identifier in IDENTIFIERS {
            for length in 0..=MAX_IDENTIFIER_LENGTH + 1 {
                let has_length = |at: usize| BY_LENGTH.get(length).is_some_and(|set| set >> at & 1 == 1);
                let listed = (0..).zip(IDENTIFIERS).any(|(at, other)| has_length(at) && other.name == identifier.name);
                assert_eq!(
                    listed,
                    identifier.lengths.iter().any(|one| usize::from(*one) == length),
                    "{}",
                    identifier.name
                );
            }
        }
    }

    #[test]
    fn every_pattern_has_one_of_the_lengths_of_its_identifier() {
        for identifier in IDENTIFIERS {
            let (Grouping::Fixed(patterns) | Grouping::Separated(patterns)) = identifier.grouping else { continue };
            for pattern in patterns {
                let length = pattern.chars().filter(|symbol| *symbol == '#').count();
                assert!(
                    identifier.lengths.iter().any(|one| usize::from(*one) == length),
                    "{} {pattern}",
                    identifier.name
                );
            }
        }
    }

    #[test]
    fn every_identifier_has_a_unique_name() {
        for (at, identifier) in IDENTIFIERS.iter().enumerate() {
            assert!(IDENTIFIERS[..at].iter().all(|other| other.name != identifier.name), "{}", identifier.name);
        }
    }

    #[test]
    fn every_identifier_has_lower_case_cues() {
        for identifier in IDENTIFIERS {
            assert!(!identifier.cues.is_empty(), "{}", identifier.name);
            assert!(identifier.cues.iter().all(|cue| cue.to_lowercase() == *cue), "{}", identifier.name);
        }
    }

    #[test]
    fn every_cue_of_an_identifier_is_a_cue_phrase_of_its_entity() {
        let is_cue = |identifier: &Identifier, cue: &str| {
            let entity = Entity::from_label(identifier.label).unwrap();
            PHRASES.iter().any(|phrase| phrase.words == cue && phrase.entities.contains(entity))
        };
        let cues = IDENTIFIERS.iter().flat_map(|one| one.cues.iter().map(move |cue| (one, *cue)));
        let missing: Vec<_> = cues.filter(|(one, cue)| !is_cue(one, cue)).map(|(one, cue)| (one.name, cue)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn no_validator_panics_on_arbitrary_bytes() {
        for identifier in IDENTIFIERS {
            for length in 0..=MAX_IDENTIFIER_LENGTH + 1 {
                for seed in 0..=u8::MAX {
                    let _ = (identifier.validator)(&vec![seed; length]);
                    let mixed = (0..length)
                        .map(|at| b"0A9Z5XB1"[(usize::from(seed) * 31 + at * at * (usize::from(seed) + 7)) % 8]);
                    let _ = (identifier.validator)(&mixed.collect::<Vec<u8>>());
                }
            }
        }
    }

    #[test]
    fn less_than_one_percent_of_random_digits_pass_a_strong_validator() {
        let mut dice = Dice::new();
        for identifier in IDENTIFIERS
            .iter()
            .filter(|one| one.strength == Strength::Strong && !matches!(one.grouping, Grouping::Separated(_)))
        {
            for length in identifier.lengths {
                let passed = (0..20_000)
                    .filter(|_| (identifier.validator)(&(0..*length).map(|_| dice.digit()).collect::<Vec<u8>>()))
                    .count();
                assert!(passed < 200, "{} passes {passed} of 20,000", identifier.name);
            }
        }
    }
}
