//! Authentication codes, which prove that a content comes from the service.

use crate::error::StoreError;

/// The authentication code of a content.
pub type AuthenticationCode = [u8; 32];

/// Makes and checks authentication codes under a key that only the service has.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait ContentAuthenticator: Send + Sync {
    /// The code of a content. Equal contents MUST get equal codes, also after a restart and on every replica.
    ///
    /// # Errors
    /// [`Unavailable`](crate::error::StoreErrorKind::Unavailable) if the service has no key.
    fn code(&self, content: &[u8]) -> Result<AuthenticationCode, StoreError>;

    /// Whether this is the code of a content. The duration MUST NOT depend on the position of a difference.
    ///
    /// # Errors
    /// As [`code`](Self::code).
    fn is_code_of(&self, content: &[u8], code: &AuthenticationCode) -> Result<bool, StoreError>;
}
