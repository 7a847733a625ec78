//! Hash functions for the checksums of wallet addresses, for short messages only.
//!
//! They are implemented here because this crate has no dependencies.

pub(crate) mod keccak;
pub(crate) mod sha256;

/// A digest in hexadecimal digits, as in its standard.
#[cfg(test)]
fn hexadecimal(digest: Option<[u8; 32]>) -> String {
    digest
        .iter()
        .flatten()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|nibble| char::from_digit(nibble.into(), 16))
        .collect()
}
