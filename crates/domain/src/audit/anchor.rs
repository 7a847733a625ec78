//! Heads that are filed outside of the database, so that one that was rolled back is found out.

use super::Head;
use crate::{
    access::TenantId,
    signing::{KeyFingerprint, Signature, Signer, Verifier},
    time::Timestamp,
};

/// The head of a tenant's chain at one moment, signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// When it was taken, by the service's clock.
    pub at: Timestamp,
    /// Whose chain it is of.
    pub tenant: TenantId,
    /// The head that the chain had.
    pub head: Head,
    /// The key that signed.
    pub key: KeyFingerprint,
    /// The signature of all the above but the key.
    pub signature: Signature,
}

impl Anchor {
    /// Signs the head that a chain has.
    #[must_use]
    pub fn new(at: Timestamp, tenant: TenantId, head: Head, signer: &dyn Signer) -> Self {
        let signature = signer.sign(signed_text(at, &tenant, &head).as_bytes());
        Self { at, tenant, head, key: signer.fingerprint(), signature }
    }

    /// Whether the key of `verifier` signed it as it is.
    #[must_use]
    pub fn is_genuine(&self, verifier: &dyn Verifier) -> bool {
        let text = signed_text(self.at, &self.tenant, &self.head);
        self.key == verifier.fingerprint() && verifier.verifies(text.as_bytes(), &self.signature)
    }
}

fn signed_text(at: Timestamp, tenant: &TenantId, head: &Head) -> String {
    format!("parlance audit anchor v1:{}:{tenant}:{head}", at.as_micros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signing::test_key::TestKey;

    #[test]
    fn an_anchor_is_genuine_as_it_was_signed_and_not_otherwise() {
        let tenant = TenantId::parse("acme").unwrap();
        let anchor = Anchor::new(Timestamp::EPOCH, tenant, Head { sequence: 1, hash: [7; 32] }, &TestKey(1));
        assert!(anchor.is_genuine(&TestKey(1)) && !anchor.is_genuine(&TestKey(2)));
        let later = Anchor { at: Timestamp::EPOCH.plus_seconds(1), ..anchor.clone() };
        let other = Anchor { tenant: TenantId::parse("globex").unwrap(), ..anchor.clone() };
        let moved = Anchor { head: Head { sequence: 2, ..anchor.head }, ..anchor };
        assert!([later, other, moved].iter().all(|changed| !changed.is_genuine(&TestKey(1))));
    }
}
