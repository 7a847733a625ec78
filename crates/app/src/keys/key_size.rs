//! The size of keys.

/// Size of the master key and of every derived key, in bytes.
pub const KEY_BYTES: usize = 32;
