//! Keyed digests of identifiers: what is kept of the identifier of an erased conversation.

use std::fmt;

use crate::{access::TenantId, error::StoreError, text::ExternalId};

/// A digest of a caller's identifier under a key that is not in the database. Who has the database alone cannot test
/// guesses of the identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdentifierDigest(pub [u8; 32]);

// `Debug` prints no bytes of a digest, so a log cannot be searched for one.
impl fmt::Debug for IdentifierDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdentifierDigest")
    }
}

/// Makes digests of identifiers.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait IdentifierDigester: Send + Sync {
    /// The digest of an external identifier of a conversation of this tenant. Equal identifiers of one tenant MUST get
    /// equal digests, also after a restart and on every replica. Identifiers of two tenants MUST NOT be comparable by
    /// their digests.
    ///
    /// # Errors
    /// [`Unavailable`](crate::error::StoreErrorKind::Unavailable) if the service has no key.
    fn conversation_digest(&self, tenant: &TenantId, external_id: &ExternalId) -> Result<IdentifierDigest, StoreError>;

    /// The digest of an external identifier of a customer, under the same conditions. It MUST differ from the digest of a
    /// conversation with the same identifier.
    ///
    /// # Errors
    /// As [`conversation_digest`](Self::conversation_digest).
    fn customer_digest(&self, tenant: &TenantId, external_id: &ExternalId) -> Result<IdentifierDigest, StoreError>;
}
