//! The response to identifiers that contain card data, which creating conversations and messages share.

use std::borrow::Cow;

use parlance_domain::redaction::{IdentifierField, SensitiveIdentifiers};

use crate::errors::{
    api_error::{ApiError, RefusalKind},
    envelope::Detail,
};

impl From<SensitiveIdentifiers> for ApiError {
    fn from(sensitive: SensitiveIdentifiers) -> Self {
        let detail = |field: &IdentifierField| Detail::new(pointer(*field), "sensitive_value", sensitive.to_string());
        Self::Refused(RefusalKind::RuleViolation, sensitive.fields.iter().map(detail).collect())
    }
}

/// The location of an identifier in the body. A key of metadata is not named, because it is the sensitive value itself.
fn pointer(field: IdentifierField) -> Cow<'static, str> {
    match field {
        IdentifierField::Conversation => "/externalId".into(),
        IdentifierField::Agent => "/agent/externalId".into(),
        IdentifierField::Customer => "/customer/externalId".into(),
        IdentifierField::MetadataKey => "/metadata".into(),
        IdentifierField::Sender => "/sender/externalId".into(),
        IdentifierField::BatchSender(index) => format!("/messages/{index}/sender/externalId").into(),
    }
}
