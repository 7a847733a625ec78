//! Signed, expiring download tickets for files that this service serves itself.

use subtle::ConstantTimeEq;

use super::{Dataset, FeedPeriod, FileName};
use crate::{access::TenantId, time::Timestamp};

/// Signs texts with a secret key. The domain has no cryptography of its own.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait UrlSigner: Send + Sync {
    /// The signature of a text. It depends only on the text and the key, and cannot be guessed without the key.
    fn sign(&self, text: &str) -> [u8; 32];
}

/// The right to download one file without a credential until an expiry time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTicket {
    /// The tenant that owns the file.
    pub tenant: TenantId,
    /// The period of the file.
    pub period: FeedPeriod,
    /// The file name.
    pub file: FileName,
    /// The first time at which the ticket is no longer valid.
    pub expires_at: Timestamp,
}

/// A ticket with its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedTicket {
    /// The ticket.
    pub ticket: FileTicket,
    /// The signature.
    pub signature: [u8; 32],
}

impl FileTicket {
    /// The text that is signed. No part can contain a `/`, and only a file of an hour has nine parts, so different tickets
    /// have different texts.
    fn signing_input(&self) -> String {
        let Self { tenant, period: FeedPeriod { dataset: table, interval }, file, expires_at } = self;
        let micros = expires_at.as_micros();
        let hour = interval.hour.map(|hour| format!("/{}", hour.prefixed())).unwrap_or_default();
        let Dataset { feed, version, format } = table;
        format!("feed file/{tenant}/{feed}/{version}/{format}/{}{hour}/{file}/{micros}", interval.day)
    }

    /// Signs the ticket.
    #[must_use]
    pub fn sign(self, signer: &dyn UrlSigner) -> SignedTicket {
        let signature = signer.sign(&self.signing_input());
        SignedTicket { ticket: self, signature }
    }
}

impl SignedTicket {
    /// The ticket, if the signature is valid and the ticket has not expired. The signature comparison takes constant
    /// time.
    #[must_use]
    pub fn verify(self, signer: &dyn UrlSigner, now: Timestamp) -> Option<FileTicket> {
        let valid: bool = signer.sign(&self.ticket.signing_input()).ct_eq(&self.signature).into();
        (valid && now < self.ticket.expires_at).then_some(self.ticket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Day, FeedFormat, FeedName, FeedVersion, Hour};

    /// Not a cryptographic signature: a checksum that differs when the text differs.
    struct ChecksumSigner;

    impl UrlSigner for ChecksumSigner {
        fn sign(&self, text: &str) -> [u8; 32] {
            let mut sum = [0; 32];
            for (index, byte) in text.bytes().enumerate() {
                sum[index % 32] ^= byte.rotate_left(u32::try_from(index / 32).unwrap());
            }
            sum
        }
    }

    fn ticket() -> FileTicket {
        let table = Dataset {
            feed: FeedName::parse("messages").unwrap(),
            version: FeedVersion::parse("1").unwrap(),
            format: FeedFormat::parse("jsonl").unwrap(),
        };
        FileTicket {
            tenant: TenantId::parse("acme").unwrap(),
            period: table.period(Day::parse("2026-01-31").unwrap()),
            file: FileName::parse("part-1.jsonl").unwrap(),
            expires_at: Timestamp::from_micros(5).unwrap(),
        }
    }

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    #[test]
    fn a_ticket_is_valid_until_it_expires() {
        assert_eq!(ticket().sign(&ChecksumSigner).verify(&ChecksumSigner, at(4)), Some(ticket()));
        assert_eq!(ticket().sign(&ChecksumSigner).verify(&ChecksumSigner, at(5)), None);
    }

    #[test]
    fn a_signature_is_valid_for_its_own_ticket_only() {
        let signature = ticket().sign(&ChecksumSigner).signature;
        let mut other_day = ticket();
        other_day.period.interval = Day::parse("2026-01-30").unwrap().into();
        let hour = ticket().period.hour(Hour::parse("07").unwrap());
        let others = [
            FileTicket { tenant: TenantId::parse("globex").unwrap(), ..ticket() },
            FileTicket { file: FileName::parse("part-2.jsonl").unwrap(), ..ticket() },
            FileTicket { expires_at: at(6), ..ticket() },
            other_day,
            FileTicket { period: hour, ..ticket() },
        ];
        for other in others {
            assert_eq!(SignedTicket { ticket: other, signature }.verify(&ChecksumSigner, at(0)), None);
        }
    }
}
