//! Anchors: signed heads that are stored outside the database. An anchor reveals a database that was rolled back.

use super::ChainHead;
use crate::{
    access::TenantId,
    signing::{KeyFingerprint, Signature, Signer, Verifier},
    time::Timestamp,
};

/// The signed head of a tenant's chain at one point in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// The time of signing, by the service's clock.
    pub at: Timestamp,
    /// The tenant that owns the chain.
    pub tenant: TenantId,
    /// The head of the chain at that time.
    pub head: ChainHead,
    /// The fingerprint of the signing key.
    pub key: KeyFingerprint,
    /// The signature of all the fields above except the key.
    pub signature: Signature,
}

impl Anchor {
    /// Signs the current head of a chain.
    #[must_use]
    pub fn new(at: Timestamp, tenant: TenantId, head: ChainHead, signer: &dyn Signer) -> Self {
        let signature = signer.sign(signed_text(at, &tenant, &head).as_bytes());
        Self { at, tenant, head, key: signer.fingerprint(), signature }
    }

    /// Whether the key of `verifier` signed exactly this content.
    #[must_use]
    pub fn is_genuine(&self, verifier: &dyn Verifier) -> bool {
        let text = signed_text(self.at, &self.tenant, &self.head);
        self.key == verifier.fingerprint() && verifier.verifies(text.as_bytes(), &self.signature)
    }
}

fn signed_text(at: Timestamp, tenant: &TenantId, head: &ChainHead) -> String {
    format!("parlance audit anchor v1:{}:{tenant}:{head}", at.as_micros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signing::test_key::TestKey;

    #[test]
    fn an_anchor_is_genuine_only_with_the_content_that_was_signed() {
        let tenant = TenantId::parse("acme").unwrap();
        let anchor = Anchor::new(Timestamp::EPOCH, tenant, ChainHead { sequence: 1, hash: [7; 32] }, &TestKey(1));
        assert!(anchor.is_genuine(&TestKey(1)) && !anchor.is_genuine(&TestKey(2)));
        let later = Anchor { at: Timestamp::EPOCH.plus_seconds(1), ..anchor.clone() };
        let other = Anchor { tenant: TenantId::parse("globex").unwrap(), ..anchor.clone() };
        let moved = Anchor { head: ChainHead { sequence: 2, ..anchor.head }, ..anchor };
        assert!([later, other, moved].iter().all(|changed| !changed.is_genuine(&TestKey(1))));
    }
}
