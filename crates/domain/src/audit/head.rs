//! The head of a chain, and its text forms.

use std::fmt;

use crate::{access::TenantId, hex};

/// The end of a chain: the number of records and the hash of the last one. A head that is stored elsewhere later proves
/// that no earlier record changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainHead {
    /// The position of the last record; zero for an empty chain.
    pub sequence: u64,
    /// The hash of the last record.
    pub hash: [u8; 32],
}

/// The text is not a valid head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the head of a chain: a number, a colon, and 64 hexadecimal digits")]
pub struct InvalidHead;

impl ChainHead {
    /// The head of an empty chain.
    pub const START: Self = Self { sequence: 0, hash: [0; 32] };

    /// Parses the `Display` form of a head.
    ///
    /// # Errors
    /// [`InvalidHead`] if the text does not have this form.
    pub fn parse(text: &str) -> Result<Self, InvalidHead> {
        let (sequence, hash) = text.split_once(':').ok_or(InvalidHead)?;
        let sequence = sequence.parse().map_err(|_| InvalidHead)?;
        Ok(Self { sequence, hash: hex::decode(hash).ok_or(InvalidHead)? })
    }

    /// The signed text of the head of a tenant's chain. No two heads have the same text, because the tenant's name has
    /// a bounded length and cannot contain a colon.
    pub(super) fn signed_text(&self, tenant: &TenantId) -> String {
        format!("parlance audit head v1:{tenant}:{self}")
    }
}

impl fmt::Display for ChainHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.sequence, hex::encode(&self.hash))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::audit::{AuditRecord, entry::sample_entry};

    pub(in crate::audit) fn tenant() -> TenantId {
        TenantId::parse("acme").unwrap()
    }

    #[test]
    fn a_head_is_parsed_from_its_display_form() {
        let head = AuditRecord::next_in_chain(&ChainHead::START, &tenant(), sample_entry()).head();
        assert_eq!(ChainHead::parse(&head.to_string()), Ok(head));
        for text in ["", "1", "1:", "x:00", "1:zz", &format!("1:{}", "+".repeat(64)), &format!("-1:{}", "0".repeat(64))]
        {
            assert_eq!(ChainHead::parse(text), Err(InvalidHead), "{text}");
        }
    }
}
