//! Bit sets of the identifiers of the registry, with their entities, for lookup by length and grouping.

mod grouping_index;

use grouping_index::{BY_GROUP_LENGTH, BY_SEPARATOR, BY_SEPARATOR_COUNT, MAX_SEPARATORS, SEPARATOR_BYTES};

use crate::entity::{Entity, EntitySet};
use crate::registry::{
    BY_LENGTH, Grouping, IDENTIFIER_COUNT, IDENTIFIERS, Identifier, MAX_IDENTIFIER_LENGTH, Strength,
};

/// The entity of each identifier.
static ENTITIES: [Entity; IDENTIFIER_COUNT] = {
    let mut entities = [Entity::CREDIT_CARD_NUMBER; IDENTIFIER_COUNT];
    let mut at = 0;
    while at < IDENTIFIER_COUNT {
        entities[at] = Entity::from_label_const(IDENTIFIERS[at].label);
        at += 1;
    }
    entities
};

/// The identifiers of each entity, one bit each.
static BY_ENTITY: [u128; Entity::ALL.len()] = {
    let (mut sets, mut at) = ([0; Entity::ALL.len()], 0);
    while at < IDENTIFIER_COUNT {
        sets[ENTITIES[at].index()] |= 1 << at;
        at += 1;
    }
    sets
};

/// The identifiers of [`Strength::Weak`], which need a cue or a message that contains nothing else.
static WEAK: u128 = {
    let (mut set, mut at) = (0, 0);
    while at < IDENTIFIER_COUNT {
        if matches!(IDENTIFIERS[at].strength, Strength::Weak) {
            set |= 1 << at;
        }
        at += 1;
    }
    set
};

/// The identifiers that can contain letters.
static WITH_LETTERS: u128 = {
    let (mut set, mut at) = (0, 0);
    while at < IDENTIFIER_COUNT {
        if IDENTIFIERS[at].letters {
            set |= 1 << at;
        }
        at += 1;
    }
    set
};

/// For each length, the identifiers that can be longer, one bit each.
static LONGER: [u128; MAX_IDENTIFIER_LENGTH + 1] = {
    let mut sets = [0; MAX_IDENTIFIER_LENGTH + 1];
    let mut length = MAX_IDENTIFIER_LENGTH;
    while length > 0 {
        sets[length - 1] = sets[length] | BY_LENGTH[length];
        length -= 1;
    }
    sets
};

/// The identifiers of [`Grouping::Any`]. All of them begin with the letters of a country.
static ANY_GROUPING: u128 = {
    let (mut set, mut at) = (0, 0);
    while at < IDENTIFIER_COUNT {
        if matches!(IDENTIFIERS[at].grouping, Grouping::Any) {
            set |= 1 << at;
        }
        at += 1;
    }
    set
};

/// The identifiers of [`Grouping::EqualGroups`]. All of them are IBANs.
static EQUAL_GROUPS: u128 = {
    let (mut set, mut at) = (0, 0);
    while at < IDENTIFIER_COUNT {
        if matches!(IDENTIFIERS[at].grouping, Grouping::EqualGroups(_)) {
            set |= 1 << at;
        }
        at += 1;
    }
    set
};

/// A set of identifiers of the registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct IdentifierSet(u128);

impl IdentifierSet {
    /// Every identifier.
    pub(crate) const fn all() -> Self {
        Self(u128::MAX >> (128 - IDENTIFIER_COUNT))
    }

    /// The identifiers of these entities.
    pub(crate) fn for_entities(active: EntitySet) -> Self {
        Self(active.iter().fold(0, |set, entity| set | BY_ENTITY[entity.index()]))
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Keeps the identifiers in which a separator can follow group `group` (from 0) of this length.
    pub(crate) fn with_group_length(self, group: usize, length: usize) -> Self {
        let Some(lengths) = BY_GROUP_LENGTH.get(group) else { return self };
        Self(self.0 & lengths.get(length).copied().unwrap_or(0))
    }

    /// Keeps the identifiers that can have this separator. The result is empty if the byte is no separator.
    pub(crate) fn with_separator(self, mark: u8) -> Self {
        Self(self.0 & SEPARATOR_BYTES.iter().position(|separator| *separator == mark).map_or(0, |at| BY_SEPARATOR[at]))
    }

    /// Removes the identifiers that need a cue.
    pub(crate) fn excluding_weak(self) -> Self {
        Self(self.0 & !WEAK)
    }

    /// Keeps the identifiers that can contain letters.
    pub(crate) fn with_letters(self) -> Self {
        Self(self.0 & WITH_LETTERS)
    }

    /// Removes the identifiers that can have separators at any position.
    pub(crate) fn excluding_any_grouping(self) -> Self {
        Self(self.0 & !ANY_GROUPING)
    }

    /// Removes the identifiers of [`Grouping::EqualGroups`].
    pub(crate) fn excluding_equal_groups(self) -> Self {
        Self(self.0 & !EQUAL_GROUPS)
    }

    /// Whether an identifier of the set can have more than `length` letters and digits.
    pub(crate) fn can_be_longer(self, length: usize) -> bool {
        self.0 & LONGER.get(length).copied().unwrap_or(0) != 0
    }

    /// Whether an identifier of the set can have `length` letters and digits.
    pub(crate) fn has_length(self, length: usize) -> bool {
        self.0 & BY_LENGTH.get(length).copied().unwrap_or(0) != 0
    }

    /// Keeps the identifiers that can have this number of separators. A count above [`MAX_SEPARATORS`] counts as that.
    pub(crate) fn with_separator_count(self, count: usize) -> Self {
        Self(self.0 & BY_SEPARATOR_COUNT[count.min(MAX_SEPARATORS)])
    }

    /// The identifiers of the set that can have `length` letters and digits, with their entities.
    pub(crate) fn iter_with_length(self, length: usize) -> impl Iterator<Item = (&'static Identifier, Entity)> {
        let mut rest = self.0 & BY_LENGTH.get(length).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let at = rest.trailing_zeros() as usize;
            let found = (IDENTIFIERS.get(at)?, *ENTITIES.get(at)?);
            rest &= rest - 1;
            Some(found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::dice::Dice;

    #[test]
    fn every_identifier_with_equal_groups_is_an_iban() {
        for (at, entity) in ENTITIES.iter().enumerate() {
            assert!(EQUAL_GROUPS >> at & 1 == 0 || *entity == Entity::IBAN);
        }
    }

    #[test]
    fn an_identifier_of_digits_only_rejects_a_letter() {
        let mut dice = Dice::new();
        for identifier in IDENTIFIERS.iter().filter(|identifier| !identifier.letters) {
            for _ in 0..20_000 {
                let length = *dice.one_of(identifier.lengths);
                let mut compact: Vec<u8> = (0..length).map(|_| dice.digit()).collect();
                let position = dice.below(usize::from(length));
                compact[position] = b'A' + u8::try_from(dice.below(26)).unwrap();
                assert!(!(identifier.validator)(&compact), "{}", identifier.name);
            }
        }
    }
}
