//! Signed receipts, and the file that a person keeps of one.

use sha2::{Digest, Sha256};

use super::{
    receipt::{ErasureReceipt, ReceiptDigest},
    receipt_error::{InvalidReceipt, ReceiptChainBreak},
    receipt_json::JsonWriter,
    receipt_parser::read_receipt,
    receipt_reader::CanonicalReader,
};
use crate::signing::{KeyFingerprint, PublicKey, Signature, Signer, Verifier};

/// Maximum size of a receipt in bytes.
pub const MAX_RECEIPT_BYTES: usize = 131_072;

/// Precedes the receipt in the signed bytes, so that no signature of another purpose fits.
const PURPOSE: &str = "parlance erasure receipt v1:";

const FIELDS: &[&str] = &["key", "public_key", "receipt", "signature"];

/// A receipt with its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedReceipt {
    /// The receipt.
    pub receipt: ErasureReceipt,
    /// The fingerprint of the signing key.
    pub key: KeyFingerprint,
    /// The public part of the signing key.
    pub public_key: PublicKey,
    /// The signature.
    pub signature: Signature,
}

impl SignedReceipt {
    /// Signs a receipt.
    #[must_use]
    pub fn new(receipt: ErasureReceipt, signer: &dyn Signer) -> Self {
        let signature = signer.sign(&signed_bytes(&receipt));
        Self { receipt, key: signer.fingerprint(), public_key: signer.public_key(), signature }
    }

    /// The digest by which the tenant's next receipt names this one: the SHA-256 of the signed bytes.
    #[must_use]
    pub fn digest(&self) -> ReceiptDigest {
        Sha256::digest(signed_bytes(&self.receipt)).into()
    }

    /// The file: one line of canonical JSON.
    #[must_use]
    pub fn to_file(&self) -> String {
        let mut out = JsonWriter::default();
        out.open('{');
        out.key("key").text(&self.key.to_string());
        out.key("public_key").text(&self.public_key.to_string());
        out.key("receipt").raw(&self.receipt.canonical_json());
        out.key("signature").text(&self.signature.to_string());
        out.close('}');
        out.raw("\n");
        out.into_string()
    }

    /// Parses a file. The content is proved only by [`verify`](Self::verify).
    ///
    /// The file must be the bytes of [`to_file`](Self::to_file), with or without the line feed at the end, and `key`
    /// must be the fingerprint of `public_key`.
    ///
    /// # Errors
    /// The first difference from this form.
    pub fn parse(file: &[u8]) -> Result<Self, InvalidReceipt> {
        if file.len() > MAX_RECEIPT_BYTES {
            return Err(InvalidReceipt::TooLong(MAX_RECEIPT_BYTES));
        }
        let text = str::from_utf8(file).map_err(|_| InvalidReceipt::NotUtf8)?;
        let mut reader = CanonicalReader::new(text);
        reader.field(FIELDS, 0)?;
        let key = KeyFingerprint(reader.hex("key")?);
        reader.field(FIELDS, 1)?;
        let public_key = PublicKey(reader.hex("public_key")?);
        reader.field(FIELDS, 2)?;
        let receipt = read_receipt(&mut reader)?;
        reader.field(FIELDS, 3)?;
        let signature = Signature(reader.hex("signature")?);
        reader.end(FIELDS)?;
        reader.end_of_file()?;
        if public_key.fingerprint() != key {
            return Err(InvalidReceipt::Fingerprint);
        }
        Ok(Self { receipt, key, public_key, signature })
    }

    /// Verifies that the key of `verifier` signed exactly this receipt.
    ///
    /// # Errors
    /// [`InvalidReceipt::OtherKey`] or [`InvalidReceipt::Signature`].
    pub fn verify(&self, verifier: &dyn Verifier) -> Result<(), InvalidReceipt> {
        let expected = verifier.fingerprint();
        if self.key != expected {
            return Err(InvalidReceipt::OtherKey { found: self.key, expected });
        }
        let is_genuine = verifier.verifies(&signed_bytes(&self.receipt), &self.signature);
        if is_genuine { Ok(()) } else { Err(InvalidReceipt::Signature(self.key)) }
    }

    /// Checks that this receipt is the direct successor of `previous`. Both must be verified.
    ///
    /// The keys may differ: a receipt names the content of its predecessor, and a master key can be replaced.
    ///
    /// # Errors
    /// The first difference.
    pub fn check_follows(&self, previous: &Self) -> Result<(), ReceiptChainBreak> {
        if self.receipt.tenant != previous.receipt.tenant {
            return Err(ReceiptChainBreak::Tenant);
        }
        if self.receipt.previous != previous.digest() {
            return Err(ReceiptChainBreak::Digest);
        }
        let is_later = self.receipt.audit.sequence > previous.receipt.audit.sequence;
        if is_later { Ok(()) } else { Err(ReceiptChainBreak::AuditPosition) }
    }
}

fn signed_bytes(receipt: &ErasureReceipt) -> Vec<u8> {
    [PURPOSE, &receipt.canonical_json()].concat().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::IdentifierDigest;
    use crate::{
        access::TenantId,
        audit::ChainHead,
        privacy::{ErasureKind, receipt::tests::sample_receipt},
        signing::test_key::TestKey,
    };

    fn signed() -> SignedReceipt {
        SignedReceipt::new(sample_receipt(), &TestKey(1))
    }

    fn error_after(from: &str, to: &str) -> String {
        let file = signed().to_file();
        assert_eq!(file.matches(from).count(), 1, "{from}");
        SignedReceipt::parse(file.replace(from, to).as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_receipt_survives_a_round_trip_through_its_file() {
        let subject = None;
        let tenant_wide = ErasureReceipt { kind: ErasureKind::Tenant, subject, counts: Vec::new(), ..sample_receipt() };
        for signed in [signed(), SignedReceipt::new(tenant_wide, &TestKey(2))] {
            let file = signed.to_file();
            assert_eq!(SignedReceipt::parse(file.as_bytes()), Ok(signed.clone()));
            assert_eq!(SignedReceipt::parse(file.trim_end().as_bytes()), Ok(signed));
        }
    }

    #[test]
    fn only_the_key_that_signed_exactly_this_content_verifies_it() {
        let signed = signed();
        assert_eq!(signed.verify(&TestKey(1)), Ok(()));
        assert!(matches!(signed.verify(&TestKey(2)), Err(InvalidReceipt::OtherKey { .. })));
        let changed = ErasureReceipt { subject: Some(IdentifierDigest([0; 32])), ..sample_receipt() };
        let changed = SignedReceipt { receipt: changed, ..signed };
        assert_eq!(changed.verify(&TestKey(1)), Err(InvalidReceipt::Signature(TestKey(1).fingerprint())));
    }

    #[test]
    fn a_receipt_follows_only_its_direct_predecessor() {
        let next = |before: &SignedReceipt, sequence| {
            let audit = ChainHead { sequence, hash: [3; 32] };
            let receipt = ErasureReceipt { previous: before.digest(), audit, ..sample_receipt() };
            SignedReceipt::new(receipt, &TestKey(1))
        };
        let first = signed();
        let second = next(&first, 42);
        let third = next(&second, 43);
        assert_eq!((second.check_follows(&first), third.check_follows(&second)), (Ok(()), Ok(())));
        for (receipt, previous) in [(&third, &first), (&second, &second), (&first, &second)] {
            assert_eq!(receipt.check_follows(previous), Err(ReceiptChainBreak::Digest));
        }
        assert_eq!(next(&first, 41).check_follows(&first), Err(ReceiptChainBreak::AuditPosition));
        let mut foreign = second.clone();
        foreign.receipt.tenant = TenantId::parse("globex").unwrap();
        assert_eq!(foreign.check_follows(&first), Err(ReceiptChainBreak::Tenant));
    }

    #[test]
    fn an_error_says_in_words_what_is_wrong() {
        for (from, to, error) in [
            ("{\"key\":", "{\"kez\":", "at byte 1: there is a field that receipts do not have"),
            ("\"version\":1}", "\"version\":1,\"version\":1}", "the field `version` stands twice"),
            ("\"kind\":\"customer\",", "", "the field `kind` is missing"),
            ("\"version\":1}", "\"version\":1,\"note\":1}", "there is a field that receipts do not have"),
            ("\"version\":1}", "\"version\":2}", "`version` must be 1: another version needs another verifier"),
            ("\"count\":12", "\"count\":012", "`count` must be from 0 to 9007199254740991, without leading zeros"),
            ("\"count\":12", "\"count\":12.0", "`count` must be a whole number without a fraction and an exponent"),
            ("\"count\":12", "\"count\": 12", "there is white space outside a text"),
            ("acme", "\\u0061cme", "a character is escaped, but its canonical form has no such escape"),
            ("abababab\",\"tenant", "ABABABAB\",\"tenant", "`subject` must be 64 lower-case hexadecimal digits"),
            ("00:01:30.000Z", "01:01:30.000+01:00", "`completed_at` must be a time in UTC"),
            ("\"customer\"", "\"tenant\"", "`subject` must be null in a receipt of a retention rule or a tenant"),
            ("\"messages\"", "\"conversations\"", "`counts` must name each place once"),
            ("}\n", "}\n\n", "there is something after the end of the receipt"),
        ] {
            let found = error_after(from, to);
            assert!(found.contains(error), "{found}");
        }
    }

    #[test]
    fn a_fingerprint_of_another_public_key_is_refused() {
        let wrong = SignedReceipt { key: TestKey(2).fingerprint(), ..signed() };
        assert_eq!(SignedReceipt::parse(wrong.to_file().as_bytes()), Err(InvalidReceipt::Fingerprint));
    }

    #[test]
    fn a_file_cut_at_any_byte_or_with_any_byte_changed_is_refused() {
        let file = signed().to_file().into_bytes();
        for at in 0..file.len() - 1 {
            assert!(SignedReceipt::parse(&file[..at]).is_err(), "cut at {at}");
            let mut changed = file.clone();
            changed[at] ^= 1;
            let outcome = SignedReceipt::parse(&changed).and_then(|receipt| receipt.verify(&TestKey(1)));
            assert!(outcome.is_err(), "changed at {at}");
        }
    }
}
