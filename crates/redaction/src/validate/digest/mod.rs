//! Hash functions that the check sums of wallet addresses are made of, for short messages only: the crate has no
//! dependencies.

pub(crate) mod keccak;
pub(crate) mod sha256;

/// A digest as its standard prints it.
#[cfg(test)]
fn hexadecimal(digest: Option<[u8; 32]>) -> String {
    digest
        .iter()
        .flatten()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|nibble| char::from_digit(nibble.into(), 16))
        .collect()
}
