//! The head that is stored with its chain, and the signature of the head.

use super::{AuditEntry, AuditRecord, ChainHead, HeadFault};
use crate::{
    access::TenantId,
    signing::{KeyFingerprint, Signature, Signer, Verifier},
};

/// The signature of a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadSignature {
    /// The fingerprint of the signing key.
    pub key: KeyFingerprint,
    /// The signature.
    pub signature: Signature,
}

impl HeadSignature {
    /// Signs the head of a tenant's chain.
    #[must_use]
    pub fn new(tenant: &TenantId, head: &ChainHead, signer: &dyn Signer) -> Self {
        Self { key: signer.fingerprint(), signature: signer.sign(head.signed_text(tenant).as_bytes()) }
    }
}

/// A head as it is stored with its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredHead {
    /// The head.
    pub head: ChainHead,
    /// The signature, if a service with a key wrote the head.
    pub signature: Option<HeadSignature>,
}

/// A record for a signed chain needs the signing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the heads of the audit log are signed: set master_key_file to the key that signs them")]
pub struct MissingSigningKey;

impl StoredHead {
    /// The head of an empty chain.
    pub const START: Self = Self { head: ChainHead::START, signature: None };

    /// The record that appends this entry, and the head after it.
    ///
    /// The key signs the new head only if it signed the current head or the chain is empty. A head from another writer
    /// therefore never becomes signed through later records.
    ///
    /// # Errors
    /// [`MissingSigningKey`] if this head is signed and there is no key.
    pub fn append(
        &self,
        tenant: &TenantId,
        entry: AuditEntry,
        signer: Option<&dyn Signer>,
    ) -> Result<(AuditRecord, Self), MissingSigningKey> {
        if self.signature.is_some() && signer.is_none() {
            return Err(MissingSigningKey);
        }
        let record = AuditRecord::next_in_chain(&self.head, tenant, entry);
        let head = record.head();
        let trusted = |signer: &&dyn Signer| self.head == ChainHead::START || self.check(tenant, *signer).is_ok();
        let signature = signer.filter(trusted).map(|signer| HeadSignature::new(tenant, &head, signer));
        Ok((record, Self { head, signature }))
    }

    /// Verifies that the key of `verifier` signed this head.
    ///
    /// # Errors
    /// The [`HeadFault`] of the signature.
    pub fn check<V: Verifier + ?Sized>(&self, tenant: &TenantId, verifier: &V) -> Result<(), HeadFault> {
        let HeadSignature { key, signature } = self.signature.as_ref().ok_or(HeadFault::Unsigned)?;
        if *key != verifier.fingerprint() {
            return Err(HeadFault::KeyMismatch(*key));
        }
        let is_valid = verifier.verifies(self.head.signed_text(tenant).as_bytes(), signature);
        if is_valid { Ok(()) } else { Err(HeadFault::WrongSignature) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        audit::{entry::sample_entry, head::tests::tenant},
        signing::test_key::TestKey,
    };

    fn appended(before: &StoredHead, key: Option<&TestKey>) -> Result<StoredHead, MissingSigningKey> {
        before.append(&tenant(), sample_entry(), key.map(|key| key as &dyn Signer)).map(|(_, head)| head)
    }

    #[test]
    fn the_first_head_and_those_after_it_are_signed() {
        let first = appended(&StoredHead::START, Some(&TestKey(1))).unwrap();
        let second = appended(&first, Some(&TestKey(1))).unwrap();
        assert_eq!(second.check(&tenant(), &TestKey(1)), Ok(()));
    }

    #[test]
    fn a_head_that_the_key_did_not_sign_is_never_followed_by_a_signed_one() {
        let unsigned = appended(&StoredHead::START, None).unwrap();
        assert_eq!(appended(&unsigned, Some(&TestKey(1))).unwrap().signature, None);
        let foreign = appended(&StoredHead::START, Some(&TestKey(2))).unwrap();
        assert_eq!(appended(&foreign, Some(&TestKey(1))).unwrap().signature, None);
        let signed = appended(&StoredHead::START, Some(&TestKey(1))).unwrap();
        let forged = StoredHead { head: ChainHead { sequence: 7, ..signed.head }, ..signed };
        assert_eq!(appended(&forged, Some(&TestKey(1))).unwrap().signature, None);
    }

    #[test]
    fn a_signed_chain_accepts_no_record_without_the_key() {
        let signed = appended(&StoredHead::START, Some(&TestKey(1))).unwrap();
        assert_eq!(appended(&signed, None), Err(MissingSigningKey));
    }

    #[test]
    fn every_change_of_a_signed_head_is_detected() {
        let signed = appended(&StoredHead::START, Some(&TestKey(1))).unwrap();
        let other = TenantId::parse("globex").unwrap();
        assert_eq!(signed.check(&other, &TestKey(1)), Err(HeadFault::WrongSignature));
        assert_eq!(signed.check(&tenant(), &TestKey(2)), Err(HeadFault::KeyMismatch(TestKey(1).fingerprint())));
        let moved = StoredHead { head: ChainHead { sequence: 2, ..signed.head }, ..signed.clone() };
        assert_eq!(moved.check(&tenant(), &TestKey(1)), Err(HeadFault::WrongSignature));
        let stripped = StoredHead { signature: None, ..signed };
        assert_eq!(stripped.check(&tenant(), &TestKey(1)), Err(HeadFault::Unsigned));
    }
}
