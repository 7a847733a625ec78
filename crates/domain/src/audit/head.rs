//! The head of a chain, and the signature that is kept with it.

use std::fmt;

use super::{Entry, HeadFault, Record};
use crate::{
    access::TenantId,
    signing::{KeyFingerprint, Signature, Signer, Verifier, hex, read_hex},
};

/// The end of a chain: how many records there are, and the hash of the last. Written down elsewhere, it shows later
/// that nothing before it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The place of the last record; zero where there is none.
    pub sequence: u64,
    /// Its hash.
    pub hash: [u8; 32],
}

/// A text that is no head of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the head of a chain: a number, a colon, and 64 hexadecimal digits")]
pub struct InvalidHead;

impl Head {
    /// Before the first record.
    pub const START: Self = Self { sequence: 0, hash: [0; 32] };

    /// Reads a head as it is shown.
    ///
    /// # Errors
    /// [`InvalidHead`] where the text is not of that form.
    pub fn parse(text: &str) -> Result<Self, InvalidHead> {
        let (sequence, hash) = text.split_once(':').ok_or(InvalidHead)?;
        let sequence = sequence.parse().map_err(|_| InvalidHead)?;
        Ok(Self { sequence, hash: read_hex(hash).ok_or(InvalidHead)? })
    }

    /// What is signed of the head of a tenant's chain. The tenant's name has a bounded length and cannot hold a colon, so
    /// that no two heads have the same text.
    fn signed_text(&self, tenant: &TenantId) -> String {
        format!("parlance audit head v1:{tenant}:{self}")
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.sequence, hex(&self.hash))
    }
}

/// The signature of a head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadSignature {
    /// The key that signed.
    pub key: KeyFingerprint,
    /// What it wrote.
    pub signature: Signature,
}

impl HeadSignature {
    /// Signs the head of a tenant's chain.
    #[must_use]
    pub fn new(tenant: &TenantId, head: &Head, signer: &dyn Signer) -> Self {
        Self { key: signer.fingerprint(), signature: signer.sign(head.signed_text(tenant).as_bytes()) }
    }
}

/// A head as it is kept beside its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptHead {
    /// The head.
    pub head: Head,
    /// Its signature, where it was written by a service with a key.
    pub signature: Option<HeadSignature>,
}

/// A signed chain goes on with a signature only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the heads of the audit log are signed: set master_key_file to the key that signs them")]
pub struct KeyNeeded;

impl KeptHead {
    /// Before the first record.
    pub const START: Self = Self { head: Head::START, signature: None };

    /// The record of this entry that follows, and the head that it makes.
    ///
    /// A key signs a head only where it signed the one before, or there is none before. So a head that somebody else
    /// wrote never becomes a signed one by what is recorded after it.
    ///
    /// # Errors
    /// [`KeyNeeded`] where this head is signed and there is no key.
    pub fn append(
        &self,
        tenant: &TenantId,
        entry: Entry,
        signer: Option<&dyn Signer>,
    ) -> Result<(Record, Self), KeyNeeded> {
        if self.signature.is_some() && signer.is_none() {
            return Err(KeyNeeded);
        }
        let record = Record::after(&self.head, tenant, entry);
        let head = record.head();
        let trusted = |signer: &&dyn Signer| self.head == Head::START || self.check(tenant, *signer).is_ok();
        let signature = signer.filter(trusted).map(|signer| HeadSignature::new(tenant, &head, signer));
        Ok((record, Self { head, signature }))
    }

    /// Whether the key of `verifier` signed this head.
    ///
    /// # Errors
    /// What is wrong with the signature.
    pub fn check<V: Verifier + ?Sized>(&self, tenant: &TenantId, verifier: &V) -> Result<(), HeadFault> {
        let HeadSignature { key, signature } = self.signature.as_ref().ok_or(HeadFault::Unsigned)?;
        if *key != verifier.fingerprint() {
            return Err(HeadFault::OtherKey(*key));
        }
        let right = verifier.verifies(self.head.signed_text(tenant).as_bytes(), signature);
        if right { Ok(()) } else { Err(HeadFault::WrongSignature) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{audit::Action, signing::test_key::TestKey, time::Timestamp};

    fn tenant() -> TenantId {
        TenantId::parse("acme").unwrap()
    }

    fn entry() -> Entry {
        Entry {
            at: Timestamp::EPOCH,
            action: Action::CredentialRevoked,
            subject: "a".to_owned(),
            details: String::new(),
        }
    }

    fn appended(before: &KeptHead, key: Option<&TestKey>) -> Result<KeptHead, KeyNeeded> {
        before.append(&tenant(), entry(), key.map(|key| key as &dyn Signer)).map(|(_, head)| head)
    }

    #[test]
    fn a_head_is_read_as_it_is_shown() {
        let head = Record::after(&Head::START, &tenant(), entry()).head();
        assert_eq!(Head::parse(&head.to_string()), Ok(head));
        for text in ["", "1", "1:", "x:00", "1:zz", &format!("1:{}", "+".repeat(64)), &format!("-1:{}", "0".repeat(64))]
        {
            assert_eq!(Head::parse(text), Err(InvalidHead), "{text}");
        }
    }

    #[test]
    fn the_first_head_and_those_after_it_are_signed() {
        let first = appended(&KeptHead::START, Some(&TestKey(1))).unwrap();
        let second = appended(&first, Some(&TestKey(1))).unwrap();
        assert_eq!(second.check(&tenant(), &TestKey(1)), Ok(()));
    }

    #[test]
    fn a_head_that_the_key_did_not_sign_never_leads_to_a_signed_one() {
        let unsigned = appended(&KeptHead::START, None).unwrap();
        assert_eq!(appended(&unsigned, Some(&TestKey(1))).unwrap().signature, None);
        let foreign = appended(&KeptHead::START, Some(&TestKey(2))).unwrap();
        assert_eq!(appended(&foreign, Some(&TestKey(1))).unwrap().signature, None);
        let signed = appended(&KeptHead::START, Some(&TestKey(1))).unwrap();
        let forged = KeptHead { head: Head { sequence: 7, ..signed.head }, ..signed };
        assert_eq!(appended(&forged, Some(&TestKey(1))).unwrap().signature, None);
    }

    #[test]
    fn a_signed_chain_does_not_go_on_without_the_key() {
        let signed = appended(&KeptHead::START, Some(&TestKey(1))).unwrap();
        assert_eq!(appended(&signed, None), Err(KeyNeeded));
    }

    #[test]
    fn whatever_is_changed_of_a_signed_head_is_seen() {
        let signed = appended(&KeptHead::START, Some(&TestKey(1))).unwrap();
        let other = TenantId::parse("globex").unwrap();
        assert_eq!(signed.check(&other, &TestKey(1)), Err(HeadFault::WrongSignature));
        assert_eq!(signed.check(&tenant(), &TestKey(2)), Err(HeadFault::OtherKey(TestKey(1).fingerprint())));
        let moved = KeptHead { head: Head { sequence: 2, ..signed.head }, ..signed.clone() };
        assert_eq!(moved.check(&tenant(), &TestKey(1)), Err(HeadFault::WrongSignature));
        let stripped = KeptHead { signature: None, ..signed };
        assert_eq!(stripped.check(&tenant(), &TestKey(1)), Err(HeadFault::Unsigned));
    }
}
