//! Access control: tenants, permissions, credentials, and the authenticator that turns a credential into a [`Caller`].

mod auth_throttle;
mod authenticator;
mod caller;
mod credential;
mod credentials;
mod error;
mod meter;
mod permission;
mod rate_limit;
mod store;
mod tenant;
mod tenant_store;

pub use auth_throttle::{AuthThrottle, client_network};
pub use authenticator::Authenticator;
pub use caller::{AuthorizedCaller, Caller, PermissionDenied, VerifiedCredential};
pub use credential::{ApiId, ApiSecret, Credential, CredentialName, InvalidApiId, SecretDigest};
pub use credentials::{Credentials, IssuedCredential};
pub use error::{AuthenticationError, CredentialError};
pub use meter::{AuthenticationFailure, AuthenticationMeter};
pub use permission::{
    OperatePrivacy, Permission, Permissions, ReadConfiguration, ReadConversations, ReadFeeds, ReadWebhooks,
    RequiredPermission, UnknownPermission, WriteConfiguration, WriteConversations, WriteWebhooks,
};
pub use rate_limit::{Quota, RateDecision, RateLimiter};
pub use store::{CredentialStore, SecretDigester, SecretSource};
pub use tenant::TenantId;
pub use tenant_store::TenantStore;

#[cfg(feature = "mocks")]
pub use meter::MockAuthenticationMeter;
#[cfg(feature = "mocks")]
pub use rate_limit::MockRateLimiter;
#[cfg(feature = "mocks")]
pub use store::{MockCredentialStore, MockSecretDigester, MockSecretSource};
#[cfg(feature = "mocks")]
pub use tenant_store::MockTenantStore;
