//! The identifiers of the registry by length, as bit sets, with their entities: what a redactor walks for a candidate.

mod written;

use written::{BY_GROUP, BY_MARK, BY_SEPARATORS, MARKS, SEPARATORS};

use crate::entity::{Entity, EntitySet};
use crate::registry::{BY_LENGTH, Grouping, IDENTIFIERS, Identifier, LONGEST, Strength};

const COUNT: usize = IDENTIFIERS.len();

/// The entity of each identifier.
static ENTITIES: [Entity; COUNT] = {
    let mut entities = [Entity::CREDIT_CARD_NUMBER; COUNT];
    let mut at = 0;
    while at < COUNT {
        entities[at] = Entity::named(IDENTIFIERS[at].label);
        at += 1;
    }
    entities
};

/// The identifiers of each entity, one bit each.
static BY_ENTITY: [u128; Entity::ALL.len()] = {
    let (mut sets, mut at) = ([0; Entity::ALL.len()], 0);
    while at < COUNT {
        sets[ENTITIES[at].place()] |= 1 << at;
        at += 1;
    }
    sets
};

/// The identifiers that take a cue, or to be all there is to a message.
static WEAK: u128 = {
    let (mut set, mut at) = (0, 0);
    while at < COUNT {
        if matches!(IDENTIFIERS[at].strength, Strength::Weak) {
            set |= 1 << at;
        }
        at += 1;
    }
    set
};

/// The identifiers that can hold letters.
static LETTERED: u128 = {
    let (mut set, mut at) = (0, 0);
    while at < COUNT {
        if IDENTIFIERS[at].letters {
            set |= 1 << at;
        }
        at += 1;
    }
    set
};

/// For each length the identifiers that can be longer, one bit each.
static LONGER: [u128; LONGEST + 1] = {
    let mut sets = [0; LONGEST + 1];
    let mut length = LONGEST;
    while length > 0 {
        sets[length - 1] = sets[length] | BY_LENGTH[length];
        length -= 1;
    }
    sets
};

/// The identifiers that are written with separators anywhere: all begin with the letters of a country.
static ANYHOW: u128 = {
    let (mut set, mut at) = (0, 0);
    while at < COUNT {
        if matches!(IDENTIFIERS[at].grouping, Grouping::Any) {
            set |= 1 << at;
        }
        at += 1;
    }
    set
};

/// The identifiers that are written in even groups: all are IBANs.
static EVEN: u128 = {
    let (mut set, mut at) = (0, 0);
    while at < COUNT {
        if matches!(IDENTIFIERS[at].grouping, Grouping::Every(_)) {
            set |= 1 << at;
        }
        at += 1;
    }
    set
};

/// A set of identifiers of the registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known(u128);

impl Known {
    /// The identifiers of these entities.
    pub(crate) fn of(active: EntitySet) -> Self {
        Self(active.iter().fold(0, |known, entity| known | BY_ENTITY[entity.place()]))
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of the set that have a separator after a group of this length, the groups counted from 0.
    pub(crate) fn with_group(self, group: usize, length: usize) -> Self {
        let Some(lengths) = BY_GROUP.get(group) else { return self };
        Self(self.0 & lengths.get(length).copied().unwrap_or(0))
    }

    /// Those of the set that are written with this separator, if not all the time; none where it is no separator.
    pub(crate) fn with_mark(self, mark: u8) -> Self {
        Self(self.0 & MARKS.iter().position(|known| *known == mark).map_or(0, |at| BY_MARK[at]))
    }

    /// Those of the set that need no cue.
    pub(crate) fn without_cue(self) -> Self {
        Self(self.0 & !WEAK)
    }

    /// Those of the set that can hold letters.
    pub(crate) fn with_letters(self) -> Self {
        Self(self.0 & LETTERED)
    }

    /// Those of the set that have their separators in usual places only.
    pub(crate) fn in_usual_groups(self) -> Self {
        Self(self.0 & !ANYHOW)
    }

    /// Those of the set that are not written in even groups.
    pub(crate) fn in_uneven_groups(self) -> Self {
        Self(self.0 & !EVEN)
    }

    /// Whether one of the set can have more letters and digits.
    pub(crate) fn can_be_longer(self, length: usize) -> bool {
        self.0 & LONGER.get(length).copied().unwrap_or(0) != 0
    }

    /// Whether one of the set can have this many letters and digits.
    pub(crate) fn can_have(self, length: usize) -> bool {
        self.0 & BY_LENGTH.get(length).copied().unwrap_or(0) != 0
    }

    /// Those of the set that are written with this many separators; many count as fifteen.
    pub(crate) fn with_separators(self, count: usize) -> Self {
        Self(self.0 & BY_SEPARATORS[count.min(SEPARATORS)])
    }

    /// Those of the set that can have this many letters and digits.
    pub(crate) fn of_length(self, length: usize) -> impl Iterator<Item = (&'static Identifier, Entity)> {
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
    fn what_is_in_even_groups_is_an_iban() {
        for (at, entity) in ENTITIES.iter().enumerate() {
            assert!(EVEN >> at & 1 == 0 || *entity == Entity::IBAN);
        }
    }

    #[test]
    fn no_identifier_in_digits_passes_with_a_letter() {
        let mut dice = Dice::new();
        for identifier in IDENTIFIERS.iter().filter(|identifier| !identifier.letters) {
            for _ in 0..20_000 {
                let length = *dice.one_of(identifier.lengths);
                let mut compact: Vec<u8> = (0..length).map(|_| dice.digit()).collect();
                let place = dice.below(usize::from(length));
                compact[place] = b'A' + u8::try_from(dice.below(26)).unwrap();
                assert!(!(identifier.check)(&compact), "{}", identifier.kind);
            }
        }
    }
}
