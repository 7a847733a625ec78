//! The master key, and the keys that are derived from it.
//!
//! Each purpose has a key of its own, derived from the master key of 32 bytes by HKDF-SHA256 (RFC 5869). The master key
//! is in a file, never in the database or in a copy of it.

mod ed25519;
mod file;
mod head_signing;
mod key_size;
mod location;
mod master_key;

pub use ed25519::Ed25519Signer;
pub(crate) use head_signing::{check_key, is_missing_key, sign_existing_heads};
pub use key_size::KEY_BYTES;
pub(crate) use location::KeyLocation;
pub use master_key::{KeyPurpose, MasterKey};
