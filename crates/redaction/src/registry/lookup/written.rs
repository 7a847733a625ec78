//! How the identifiers of the registry are written: in which groups, and with how many separators.

use crate::registry::lookup::COUNT;
use crate::registry::{Grouping, IDENTIFIERS, LONGEST};

/// Groups of an identifier that are told by their length.
const GROUPS: usize = 4;

/// For each of the first groups that a separator ends, and each length of it, the identifiers that are written like that,
/// one bit each.
pub(super) static BY_GROUP: [[u128; LONGEST + 1]; GROUPS] = {
    let mut sets = [[0; LONGEST + 1]; GROUPS];
    let mut at = 0;
    while at < COUNT {
        let mut group = 0;
        while group < GROUPS {
            add_lengths(&mut sets[group], group, at);
            group += 1;
        }
        at += 1;
    }
    sets
};

const fn add_lengths(sets: &mut [u128; LONGEST + 1], group: usize, at: usize) {
    let bit = 1 << at;
    match IDENTIFIERS[at].grouping {
        Grouping::Any => {
            let mut length = 0;
            while length <= LONGEST {
                sets[length] |= bit;
                length += 1;
            }
        }
        Grouping::None => {}
        Grouping::Every(size) => sets[size] |= bit,
        Grouping::Fixed(ways) | Grouping::Written(ways) => {
            let mut way = 0;
            while way < ways.len() {
                if let Some(length) = group_length(ways[way].as_bytes(), group) {
                    sets[length] |= bit;
                }
                way += 1;
            }
        }
    }
}

/// The length of a group of a way to write an identifier; nothing where no separator ends it.
const fn group_length(way: &[u8], mut group: usize) -> Option<usize> {
    let (mut at, mut from) = (0, 0);
    while at < way.len() {
        if way[at] != b'#' {
            if group == 0 {
                return Some(at - from);
            }
            group -= 1;
            from = at + 1;
        }
        at += 1;
    }
    None
}

/// What separates the groups of an identifier within a text.
pub(super) const MARKS: [u8; 4] = [b' ', b'-', b'.', b'/'];

/// For each of these the identifiers that are written with it, one bit each.
pub(super) static BY_MARK: [u128; MARKS.len()] = {
    let mut sets = [0; MARKS.len()];
    let mut mark = 0;
    while mark < MARKS.len() {
        let mut at = 0;
        while at < COUNT {
            if has_mark(IDENTIFIERS[at].grouping, MARKS[mark]) {
                sets[mark] |= 1 << at;
            }
            at += 1;
        }
        mark += 1;
    }
    sets
};

const fn has_mark(grouping: Grouping, mark: u8) -> bool {
    match grouping {
        Grouping::Any => true,
        Grouping::None => false,
        Grouping::Every(_) => matches!(mark, b' ' | b'-'),
        Grouping::Fixed(ways) | Grouping::Written(ways) => {
            let mut way = 0;
            while way < ways.len() {
                let (bytes, mut at) = (ways[way].as_bytes(), 0);
                while at < bytes.len() {
                    if bytes[at] == mark {
                        return true;
                    }
                    at += 1;
                }
                way += 1;
            }
            false
        }
    }
}

/// Separators of an identifier at most.
pub(super) const SEPARATORS: usize = 15;

/// For each number of separators the identifiers that are written with so many, one bit each.
pub(super) static BY_SEPARATORS: [u128; SEPARATORS + 1] = {
    let mut sets = [0; SEPARATORS + 1];
    let mut at = 0;
    while at < COUNT {
        let bit = 1 << at;
        if !matches!(IDENTIFIERS[at].grouping, Grouping::Written(_)) {
            sets[0] |= bit;
        }
        match IDENTIFIERS[at].grouping {
            Grouping::Any | Grouping::Every(_) => {
                let mut count = 1;
                while count <= SEPARATORS {
                    sets[count] |= bit;
                    count += 1;
                }
            }
            Grouping::None => {}
            Grouping::Fixed(ways) | Grouping::Written(ways) => {
                let mut way = 0;
                while way < ways.len() {
                    sets[separators(ways[way].as_bytes())] |= bit;
                    way += 1;
                }
            }
        }
        at += 1;
    }
    sets
};

const fn separators(way: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < way.len() {
        count += (way[at] != b'#') as usize;
        at += 1;
    }
    count
}
