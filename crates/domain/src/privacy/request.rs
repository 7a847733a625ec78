//! The model of a privacy request: the access to the data of a customer, or its erasure.

use super::{FailureReason, IdentifierDigest, PrivacyReference, PrivacyRequestId};
use crate::{
    limits::PRIVACY_REQUEST_DUE_SECONDS,
    text::ExternalId,
    time::Timestamp,
    vocabulary::{Cursor, ListPage, Listed},
};

/// What a privacy request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivacyRequestType {
    /// An archive of everything that is stored of the customer.
    Access,
    /// The erasure of everything that is stored of the customer.
    Erasure,
}

impl PrivacyRequestType {
    /// All types.
    pub const ALL: [Self; 2] = [Self::Access, Self::Erasure];

    /// The name, as it is stored and given out.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::Erasure => "erasure",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// A privacy request to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatePrivacyRequest {
    /// What is asked for.
    pub kind: PrivacyRequestType,
    /// The external identifier of the customer.
    pub customer: ExternalId,
    /// The operator's own reference.
    pub reference: PrivacyReference,
    /// Whether only the counts are asked for.
    pub dry_run: bool,
}

/// How far a privacy request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrivacyRequestStatus {
    /// No replica has begun it.
    Pending,
    /// A replica has begun it. If that replica ends, another one goes on.
    Running,
    /// It is carried out.
    Completed,
    /// It cannot be carried out, because its runs ended with errors that a repetition does not mend.
    Failed,
}

impl PrivacyRequestStatus {
    /// All statuses.
    pub const ALL: [Self; 4] = [Self::Pending, Self::Running, Self::Completed, Self::Failed];

    /// The name, as it is stored and given out.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

/// What a request waits for before it can be completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitReason {
    /// The release of a hold that was placed after the request.
    Hold,
    /// The ledger of erasures, which cannot be written.
    Ledger,
    /// The feeds, which another run or process writes or whose store fails.
    Feeds,
    /// A further pass, because messages of the customer arrived during this one.
    Messages,
    /// Another process, which reads an old state of the database, so that its files still hold what was erased.
    Readers,
    /// The next run: the last one ended with an error of a store, such as a database that is out of reach.
    Service,
}

impl WaitReason {
    /// All reasons.
    pub const ALL: [Self; 6] = [Self::Hold, Self::Ledger, Self::Feeds, Self::Messages, Self::Readers, Self::Service];

    /// The name, as it is stored and given out.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Ledger => "ledger",
            Self::Feeds => "feeds",
            Self::Messages => "messages",
            Self::Readers => "readers",
            Self::Service => "service",
        }
    }

    /// Parses the name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == name)
    }
}

/// How much of a customer was found or erased, by place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PrivacyCounts {
    /// Conversations whose customer it is or was.
    pub conversations: u64,
    /// Messages in these conversations.
    pub messages: u64,
    /// Messages that the customer sent in conversations of other customers.
    pub messages_elsewhere: u64,
    /// Days and hours of feeds that were written again.
    pub feed_periods: u64,
}

/// A privacy request. It holds no identifier of the customer in clear.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivacyRequest {
    /// The identifier.
    pub id: PrivacyRequestId,
    /// What is asked for.
    pub kind: PrivacyRequestType,
    /// Whether only the counts are asked for.
    pub dry_run: bool,
    /// The digest of the external identifier of the customer.
    pub subject: IdentifierDigest,
    /// The operator's own reference.
    pub reference: PrivacyReference,
    /// How far it is.
    pub status: PrivacyRequestStatus,
    /// What the last run of an open request waited for.
    pub waiting_for: Option<WaitReason>,
    /// Why it failed; `None` unless it has.
    pub failure: Option<FailureReason>,
    /// What was found or erased until now.
    pub counts: PrivacyCounts,
    /// The time of the request, by the service's clock.
    pub requested_at: Timestamp,
    /// The time at which it was completed or failed, by the service's clock.
    pub ended_at: Option<Timestamp>,
}

impl Listed for PrivacyRequest {
    type Id = PrivacyRequestId;

    fn id(&self) -> &PrivacyRequestId {
        &self.id
    }
}

/// The position of a page of requests.
pub type PrivacyRequestCursor = Cursor<PrivacyRequestId>;

/// A page of requests, oldest first.
pub type PrivacyRequestPage = ListPage<PrivacyRequest>;

impl PrivacyRequest {
    /// The time by which an answer is due: [`PRIVACY_REQUEST_DUE_SECONDS`] after the request (GDPR, article 12(3): within
    /// one month).
    #[must_use]
    pub fn due_at(&self) -> Timestamp {
        self.requested_at.plus_seconds(PRIVACY_REQUEST_DUE_SECONDS)
    }

    /// Whether the request erases, as opposed to one that only reads.
    #[must_use]
    pub fn erases(&self) -> bool {
        self.kind == PrivacyRequestType::Erasure && !self.dry_run
    }

    /// Whether the request gives an archive.
    #[must_use]
    pub fn has_archive(&self) -> bool {
        self.kind == PrivacyRequestType::Access && !self.dry_run
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::time::SECONDS_PER_DAY;

    pub(in crate::privacy) fn sample_request(kind: PrivacyRequestType) -> PrivacyRequest {
        PrivacyRequest {
            id: PrivacyRequestId::from_bits(7),
            kind,
            dry_run: false,
            subject: IdentifierDigest([0xab; 32]),
            reference: PrivacyReference::parse("CHG-7").unwrap(),
            status: PrivacyRequestStatus::Pending,
            waiting_for: None,
            failure: None,
            counts: PrivacyCounts::default(),
            requested_at: Timestamp::EPOCH,
            ended_at: None,
        }
    }

    #[test]
    fn names_are_parsed_from_their_text() {
        for kind in PrivacyRequestType::ALL {
            assert_eq!(PrivacyRequestType::parse(kind.as_str()), Some(kind));
        }
        for status in PrivacyRequestStatus::ALL {
            assert_eq!(PrivacyRequestStatus::parse(status.as_str()), Some(status));
        }
        for reason in WaitReason::ALL {
            assert_eq!(WaitReason::parse(reason.as_str()), Some(reason));
        }
        assert_eq!((PrivacyRequestType::parse("Access"), PrivacyRequestStatus::parse("")), (None, None));
    }

    #[test]
    fn a_request_is_due_after_thirty_days() {
        let request = sample_request(PrivacyRequestType::Access);
        assert_eq!(request.due_at(), Timestamp::EPOCH.plus_seconds(30 * SECONDS_PER_DAY));
    }

    #[test]
    fn a_dry_run_neither_erases_nor_gives_an_archive() {
        let request = |kind, dry_run| PrivacyRequest { dry_run, ..sample_request(kind) };
        let erases = |dry_run| request(PrivacyRequestType::Erasure, dry_run).erases();
        let has_archive = |dry_run| request(PrivacyRequestType::Access, dry_run).has_archive();
        assert_eq!([erases(false), has_archive(false), erases(true), has_archive(true)], [true, true, false, false]);
    }
}
