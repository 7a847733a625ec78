//! Addresses of files that this service gives out itself: signed, and good for a while.

use subtle::ConstantTimeEq;

use super::{FeedDay, FileName};
use crate::{access::TenantId, time::Timestamp};

/// Signs texts with a key that nobody else has. The domain has no cryptography of its own.
#[cfg_attr(feature = "mocks", mockall::automock)]
pub trait AddressSigner: Send + Sync {
    /// The signature of a text: the same for the same text wherever the key is the same, and not to be guessed.
    fn sign(&self, text: &str) -> [u8; 32];
}

/// A file, and until when whoever holds the address may collect it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTicket {
    /// Whose file it is.
    pub tenant: TenantId,
    /// The day it belongs to.
    pub day: FeedDay,
    /// Its name.
    pub file: FileName,
    /// From when on the address is not good any more.
    pub expires_at: Timestamp,
}

/// A ticket with its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedTicket {
    /// The ticket.
    pub ticket: FileTicket,
    /// Its signature.
    pub signature: [u8; 32],
}

impl FileTicket {
    /// The ticket as it is signed. No part of it can hold a `/`, so no two tickets have one text.
    fn text(&self) -> String {
        let Self { tenant, day: FeedDay { table, day }, file, expires_at } = self;
        let micros = expires_at.as_micros();
        format!("feed file/{tenant}/{}/{}/{}/{day}/{file}/{micros}", table.feed, table.version, table.format)
    }

    /// The ticket with its signature.
    #[must_use]
    pub fn signed(self, signer: &dyn AddressSigner) -> SignedTicket {
        let signature = signer.sign(&self.text());
        SignedTicket { ticket: self, signature }
    }
}

impl SignedTicket {
    /// The ticket, where the signature is right and its time has not come. Takes the same time whatever the signature.
    #[must_use]
    pub fn verified(self, signer: &dyn AddressSigner, now: Timestamp) -> Option<FileTicket> {
        let right: bool = signer.sign(&self.ticket.text()).ct_eq(&self.signature).into();
        (right && now < self.ticket.expires_at).then_some(self.ticket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::{Day, FeedFormat, FeedName, FeedTable, FeedVersion};

    /// No signature at all, but one that differs with the text.
    struct Sum;

    impl AddressSigner for Sum {
        fn sign(&self, text: &str) -> [u8; 32] {
            let mut sum = [0; 32];
            for (place, byte) in text.bytes().enumerate() {
                sum[place % 32] ^= byte.rotate_left(u32::try_from(place / 32).unwrap());
            }
            sum
        }
    }

    fn ticket() -> FileTicket {
        let table = FeedTable {
            feed: FeedName::parse("messages").unwrap(),
            version: FeedVersion::parse("1").unwrap(),
            format: FeedFormat::parse("jsonl").unwrap(),
        };
        FileTicket {
            tenant: TenantId::parse("acme").unwrap(),
            day: table.on(Day::parse("2026-01-31").unwrap()),
            file: FileName::parse("part-1.jsonl").unwrap(),
            expires_at: Timestamp::from_micros(5).unwrap(),
        }
    }

    fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros).unwrap()
    }

    #[test]
    fn a_ticket_is_good_until_its_time() {
        assert_eq!(ticket().signed(&Sum).verified(&Sum, at(4)), Some(ticket()));
        assert_eq!(ticket().signed(&Sum).verified(&Sum, at(5)), None);
    }

    #[test]
    fn a_signature_is_good_for_its_own_ticket_only() {
        let signature = ticket().signed(&Sum).signature;
        let mut day = ticket();
        day.day.day = Day::parse("2026-01-30").unwrap();
        let others = [
            FileTicket { tenant: TenantId::parse("globex").unwrap(), ..ticket() },
            FileTicket { file: FileName::parse("part-2.jsonl").unwrap(), ..ticket() },
            FileTicket { expires_at: at(6), ..ticket() },
            day,
        ];
        for other in others {
            assert_eq!(SignedTicket { ticket: other, signature }.verified(&Sum, at(0)), None);
        }
    }
}
