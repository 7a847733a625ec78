//! Who may do what: tenants, permissions, credentials, and the gate that turns a credential into a [`Caller`].

mod caller;
mod credential;
mod failures;
mod gate;
mod issuing;
mod meter;
mod permission;
mod rate;
mod store;
mod tenant;
mod tenants;

pub use caller::{Caller, Denied};
pub use credential::{ApiId, ApiSecret, Credential, CredentialName, InvalidApiId, SecretDigest};
pub use failures::{FailedAttempts, network};
pub use gate::Gate;
pub use issuing::{Credentials, IssuedCredential};
pub use meter::{AuthenticationFailure, AuthenticationMeter};
pub use permission::{Permission, Permissions, UnknownPermission};
pub use rate::{Pace, Quota, RateLimiter};
pub use store::{CredentialStore, SecretDigester, SecretSource};
pub use tenant::TenantId;
pub use tenants::TenantStore;

#[cfg(feature = "mocks")]
pub use meter::MockAuthenticationMeter;
#[cfg(feature = "mocks")]
pub use rate::MockRateLimiter;
#[cfg(feature = "mocks")]
pub use store::{MockCredentialStore, MockSecretDigester, MockSecretSource};
#[cfg(feature = "mocks")]
pub use tenants::MockTenantStore;
