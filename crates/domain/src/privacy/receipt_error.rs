//! Why a receipt is refused. No text contains a part of the receipt, which anyone may have written.

use crate::signing::KeyFingerprint;

/// The position of an error: a byte of the file, counted from zero.
pub type ReceiptPosition = usize;

/// The reason why a file is not a receipt of its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReceipt {
    /// The file is too large.
    #[error("has more than {0} bytes")]
    TooLong(usize),
    /// The file is not UTF-8 text.
    #[error("is not UTF-8 text")]
    NotUtf8,
    /// Something else stands where a part of the format should be.
    #[error("at byte {at}: {expected} is expected")]
    Expected {
        /// The position.
        at: ReceiptPosition,
        /// The expected part.
        expected: &'static str,
    },
    /// A field is missing, or stands in another place.
    #[error("at byte {0}: the field `{1}` is missing")]
    MissingField(ReceiptPosition, &'static str),
    /// A field stands a second time.
    #[error("at byte {0}: the field `{1}` stands twice")]
    RepeatedField(ReceiptPosition, &'static str),
    /// A field is not part of the format.
    #[error("at byte {0}: there is a field that receipts do not have")]
    UnknownField(ReceiptPosition),
    /// There is white space outside a text.
    #[error("at byte {0}: there is white space outside a text: use the file as the service wrote it")]
    WhiteSpace(ReceiptPosition),
    /// A character is escaped that needs no escape, or has another escape.
    #[error("at byte {0}: a character is escaped, but its canonical form has no such escape")]
    Escape(ReceiptPosition),
    /// The value of a field breaks its rule.
    #[error("at byte {at}: `{field}` {rule}")]
    Value {
        /// The position after the value.
        at: ReceiptPosition,
        /// The field.
        field: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// There is something after the end of the receipt.
    #[error("at byte {0}: there is something after the end of the receipt")]
    TrailingBytes(ReceiptPosition),
    /// The fingerprint is not that of the public key.
    #[error("`key` is not the fingerprint of `public_key`")]
    Fingerprint,
    /// The key did not make the signature of this content.
    #[error("the signature is not one of this content by the key {0}: the receipt was changed or forged")]
    Signature(KeyFingerprint),
    /// Another key than the expected one signed the receipt.
    #[error("the receipt is signed by the key {found}, not by {expected}")]
    OtherKey {
        /// The key of the receipt.
        found: KeyFingerprint,
        /// The expected key.
        expected: KeyFingerprint,
    },
}

/// The reason why a receipt is not the direct successor of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptChainBreak {
    /// The receipts belong to two tenants.
    #[error("the previous receipt belongs to another tenant")]
    Tenant,
    /// The receipt names another predecessor.
    #[error("the receipt does not follow the previous one directly: one was left out, repeated or replaced")]
    Digest,
    /// The audit log had not grown between the receipts.
    #[error("the receipt's position in the audit log is not after that of the previous receipt")]
    AuditPosition,
}
