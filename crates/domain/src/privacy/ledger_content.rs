//! The content of an object of the ledger of erasures, and the code that proves who wrote it.

use super::{AuthenticationCode, ContentAuthenticator, ErasedPart, LedgerEntry, LedgerError, LedgerObjectId};
use crate::{
    error::StoreError,
    hex,
    idempotency::{CanonicalForm, Canonicalize},
};

/// What an object of the ledger holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerContent {
    /// The entries.
    pub entries: Vec<LedgerEntry>,
    /// The authentication code of the object's identifier and its entries. Objects of earlier releases have none.
    pub code: Option<AuthenticationCode>,
}

impl LedgerContent {
    /// The content of a new object.
    ///
    /// # Errors
    /// Those of [`ContentAuthenticator::code`].
    pub fn new(
        object: &LedgerObjectId,
        entries: Vec<LedgerEntry>,
        authenticator: &dyn ContentAuthenticator,
    ) -> Result<Self, StoreError> {
        let code = authenticator.code(form(object, &entries).as_bytes())?;
        Ok(Self { entries, code: Some(code) })
    }

    /// Checks that the service wrote these entries into this object.
    ///
    /// # Errors
    /// [`LedgerError::NoCode`], [`LedgerError::WrongCode`], or [`LedgerError::Key`] if the service has no key.
    pub fn check_code(
        &self,
        object: &LedgerObjectId,
        authenticator: &dyn ContentAuthenticator,
    ) -> Result<(), LedgerError> {
        let code = self.code.ok_or_else(|| LedgerError::NoCode { object: object.clone() })?;
        let is_valid = authenticator.is_code_of(form(object, &self.entries).as_bytes(), &code);
        if is_valid.map_err(LedgerError::Key)? {
            return Ok(());
        }
        Err(LedgerError::WrongCode { object: object.clone() })
    }
}

/// What a code proves. It includes the identifier, so that an object cannot take the place of another one.
fn form(object: &LedgerObjectId, entries: &[LedgerEntry]) -> CanonicalForm {
    let mut form = CanonicalForm::default();
    form.text("ledger of erasures");
    form.text(object.as_str());
    form.count(entries.len());
    for entry in entries {
        entry.write_canonical(&mut form);
    }
    form
}

impl Canonicalize for LedgerEntry {
    fn write_canonical(&self, form: &mut CanonicalForm) {
        form.text(self.tenant.as_str());
        match &self.erased {
            ErasedPart::Conversation(conversation, digest) => {
                form.tag(0);
                form.text(conversation.as_str());
                form.text(&hex::encode(&digest.0));
            }
            ErasedPart::Message(conversation, message) => {
                form.tag(1);
                form.text(conversation.as_str());
                form.text(message.as_str());
            }
            ErasedPart::Tenant => form.tag(2),
        }
        form.time(self.at);
    }
}
