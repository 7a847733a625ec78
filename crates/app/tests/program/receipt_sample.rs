//! Three receipts of one tenant, each the successor of the one before it.

use parlance::keys::Ed25519Signer;
use parlance_domain::{
    access::TenantId,
    audit::ChainHead,
    privacy::{
        ErasureKind, ErasureReceipt, ErasureReference, IdentifierDigest, KnownUncoveredCopy, PlaceCount,
        PrivacyRequestId, ReceiptWord, SignedReceipt,
    },
    signing::{Signer, Verifier},
    time::Timestamp,
};

/// The bytes that precede a receipt in what is signed, as docs/privacy-receipts.md defines them.
pub(crate) const PURPOSE: &str = "parlance erasure receipt v1:";

/// Two keys, and the receipts that the first one signed.
pub(crate) struct Receipts {
    pub(crate) key: Ed25519Signer,
    pub(crate) other_key: Ed25519Signer,
    pub(crate) first: SignedReceipt,
    pub(crate) second: SignedReceipt,
    pub(crate) third: SignedReceipt,
}

impl Receipts {
    pub(crate) fn new() -> Self {
        let (key, other_key) = (Ed25519Signer::new(&[1; 32]).unwrap(), Ed25519Signer::new(&[2; 32]).unwrap());
        let first = SignedReceipt::new(receipt("01JZX7", 40, ErasureReceipt::FIRST), &key);
        let second = SignedReceipt::new(receipt("01JZX8", 41, first.digest()), &key);
        let third = SignedReceipt::new(receipt("01JZX9", 42, second.digest()), &key);
        Self { key, other_key, first, second, third }
    }

    pub(crate) fn fingerprint(&self) -> String {
        self.key.fingerprint().to_string()
    }

    /// The second receipt with another JSON in place of the receipt, which the key has signed as it is.
    pub(crate) fn signed(&self, receipt: &str) -> String {
        let Self { key, .. } = self;
        let signature = key.sign(format!("{PURPOSE}{receipt}").as_bytes());
        let (key, public_key) = (key.fingerprint(), key.public_key());
        format!(
            "{{\"key\":\"{key}\",\"public_key\":\"{public_key}\",\"receipt\":{receipt},\"signature\":\"{signature}\"}}\n"
        )
    }
}

fn receipt(request: &str, sequence: u64, previous: [u8; 32]) -> ErasureReceipt {
    let place = |place: &str, count| PlaceCount { place: ReceiptWord::parse(place).unwrap(), count };
    let uncovered = [KnownUncoveredCopy::ServerLogs, KnownUncoveredCopy::EarlierBackups];
    ErasureReceipt {
        tenant: TenantId::parse("acme").unwrap(),
        request: PrivacyRequestId::parse(request).unwrap(),
        kind: ErasureKind::Customer,
        subject: Some(IdentifierDigest([0xab; 32])),
        reference: ErasureReference::parse("CHG-7/2 Zoé 🦀").unwrap(),
        requested_at: Timestamp::parse("2026-11-21T08:00:00.250Z").unwrap(),
        completed_at: Timestamp::parse("2026-11-21T08:01:30Z").unwrap(),
        counts: vec![place("conversations", 35), place("messages", 127), place("feed_files", 9)],
        not_covered: uncovered.map(|copy| copy.entry().unwrap()).into(),
        audit: ChainHead { sequence, hash: [0xcd; 32] },
        previous,
    }
}
