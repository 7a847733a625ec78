//! Bit sets of the identifiers of the registry by group length, separator and number of separators.

use crate::registry::{Grouping, IDENTIFIER_COUNT, IDENTIFIERS, MAX_IDENTIFIER_LENGTH};

/// Number of leading groups with a lookup by length.
const INDEXED_GROUPS: usize = 4;

/// For each leading group and each length of it, the identifiers in which a separator can end this group, one bit each.
pub(super) static BY_GROUP_LENGTH: [[u128; MAX_IDENTIFIER_LENGTH + 1]; INDEXED_GROUPS] = {
    let mut sets = [[0; MAX_IDENTIFIER_LENGTH + 1]; INDEXED_GROUPS];
    let mut at = 0;
    while at < IDENTIFIER_COUNT {
        let mut group = 0;
        while group < INDEXED_GROUPS {
            add_lengths(&mut sets[group], group, at);
            group += 1;
        }
        at += 1;
    }
    sets
};

const fn add_lengths(sets: &mut [u128; MAX_IDENTIFIER_LENGTH + 1], group: usize, at: usize) {
    let bit = 1 << at;
    match IDENTIFIERS[at].grouping {
        Grouping::Any => {
            let mut length = 0;
            while length <= MAX_IDENTIFIER_LENGTH {
                sets[length] |= bit;
                length += 1;
            }
        }
        Grouping::None => {}
        Grouping::EqualGroups(size) => sets[size] |= bit,
        Grouping::Fixed(patterns) | Grouping::Separated(patterns) => {
            let mut index = 0;
            while index < patterns.len() {
                if let Some(length) = group_length(patterns[index].as_bytes(), group) {
                    sets[length] |= bit;
                }
                index += 1;
            }
        }
    }
}

/// The length of a group of a pattern. `None` if no separator ends the group.
const fn group_length(pattern: &[u8], mut group: usize) -> Option<usize> {
    let (mut at, mut start) = (0, 0);
    while at < pattern.len() {
        if pattern[at] != b'#' {
            if group == 0 {
                return Some(at - start);
            }
            group -= 1;
            start = at + 1;
        }
        at += 1;
    }
    None
}

/// The bytes that can separate the groups of an identifier.
pub(super) const SEPARATOR_BYTES: [u8; 4] = [b' ', b'-', b'.', b'/'];

/// For each of [`SEPARATOR_BYTES`], the identifiers that can have it, one bit each.
pub(super) static BY_SEPARATOR: [u128; SEPARATOR_BYTES.len()] = {
    let mut sets = [0; SEPARATOR_BYTES.len()];
    let mut index = 0;
    while index < SEPARATOR_BYTES.len() {
        let mut at = 0;
        while at < IDENTIFIER_COUNT {
            if has_separator(IDENTIFIERS[at].grouping, SEPARATOR_BYTES[index]) {
                sets[index] |= 1 << at;
            }
            at += 1;
        }
        index += 1;
    }
    sets
};

const fn has_separator(grouping: Grouping, separator: u8) -> bool {
    match grouping {
        Grouping::Any => true,
        Grouping::None => false,
        Grouping::EqualGroups(_) => matches!(separator, b' ' | b'-'),
        Grouping::Fixed(patterns) | Grouping::Separated(patterns) => {
            let mut index = 0;
            while index < patterns.len() {
                let (bytes, mut at) = (patterns[index].as_bytes(), 0);
                while at < bytes.len() {
                    if bytes[at] == separator {
                        return true;
                    }
                    at += 1;
                }
                index += 1;
            }
            false
        }
    }
}

/// Maximum separators of an identifier.
pub(super) const MAX_SEPARATORS: usize = 15;

/// For each number of separators, the identifiers that can have this number, one bit each.
pub(super) static BY_SEPARATOR_COUNT: [u128; MAX_SEPARATORS + 1] = {
    let mut sets = [0; MAX_SEPARATORS + 1];
    let mut at = 0;
    while at < IDENTIFIER_COUNT {
        let bit = 1 << at;
        if !matches!(IDENTIFIERS[at].grouping, Grouping::Separated(_)) {
            sets[0] |= bit;
        }
        match IDENTIFIERS[at].grouping {
            Grouping::Any | Grouping::EqualGroups(_) => {
                let mut count = 1;
                while count <= MAX_SEPARATORS {
                    sets[count] |= bit;
                    count += 1;
                }
            }
            Grouping::None => {}
            Grouping::Fixed(patterns) | Grouping::Separated(patterns) => {
                let mut index = 0;
                while index < patterns.len() {
                    sets[count_separators(patterns[index].as_bytes())] |= bit;
                    index += 1;
                }
            }
        }
        at += 1;
    }
    sets
};

const fn count_separators(pattern: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < pattern.len() {
        count += (pattern[at] != b'#') as usize;
        at += 1;
    }
    count
}
