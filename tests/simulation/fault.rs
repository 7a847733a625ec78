//! Faults of known kinds. Each replaces one rule of a protocol by a wrong one, for one run, in the simulation only.

/// A wrong rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A reader of the log continues after the time of its last event, and not after its number.
    SkippingByTime,
    /// A reader of the log passes numbers of open transactions.
    NoWatermark,
    /// A reader of the log reads the announced numbers before the last number.
    KeysBeforeHead,
    /// A reader of the log reads the rows before the watermark.
    RowsBeforeWatermark,
    /// A reader of the log reads the last dropped event before the rows.
    BoundsBeforeRows,
    /// A reader of the log does not find the row of its cursor while the watermark is below it.
    CursorAboveWatermark,
    /// A transaction takes its number before it announces it.
    NumberBeforeAnnouncement,
    /// A transaction ends its announcement before its rows are visible.
    ReleaseBeforeVisible,
    /// A consumer reads the log only after a hint.
    TrustedHint,
    /// A consumer has no cursor until it has read its first page.
    NoFirstCursor,
    /// A consumer saves its cursor before the effect of its events.
    CursorBeforeEffect,
    /// A consumer ignores that an event was not delivered.
    IgnoredFailure,
    /// A consumer gives each retry another identifier.
    RetryWithNewId,
    /// The term of a cursor's writer is not checked.
    UncheckedCursorTerm,
    /// A late write of a cursor replaces a newer cursor.
    CursorMovesBack,
    /// The component replaces a vocabulary by an older version.
    UncheckedVersion,
    /// A delivery is recorded without a comparison with what is stored.
    BlindWrite,
    /// The version and the entries of a snapshot are read one after the other.
    TornSnapshot,
    /// A delivery without an answer counts as successful.
    PresumedSuccess,
    /// A next attempt that a wrong clock has set is waited for.
    BelievedNextAttempt,
    /// The record of a delivery does not notice that the vocabulary was queued again meanwhile.
    UnseenRequeue,
    /// The term of a write is not checked.
    UncheckedTerm,
    /// A write is not compared with what its writer has read.
    UncomparedWrite,
    /// An object is replaced whoever has written it.
    UnconditionalObject,
    /// A lease is read and then written, in two steps.
    LeaseInTwoSteps,
    /// The terms of a lease begin anew when the lease is released.
    TermsBeginAnew,
    /// An expiry that a wrong clock has set is waited for.
    BelievedExpiry,
    /// A worker writes an object under another name in each attempt.
    NewNameForEachAttempt,
    /// The term of a dispatcher's write is not checked.
    UncheckedWebhookTerm,
    /// The cursor of a webhook is moved before its deliveries are added.
    CursorBeforeDeliveries,
    /// Deliveries are added without a comparison of the cursor from which they were read.
    UncomparedWebhookCursor,
    /// Deliveries have the order of the times at which they were added, and not that of the log.
    DeliveriesByTime,
    /// A delivery is sent while an earlier one of its conversation is not delivered.
    DeliveriesOutOfTurn,
    /// The rows of a day are read from a copy of the database that lags behind the count of late changes.
    StaleRows,
    /// A day is listed before its files are published.
    ManifestBeforeFiles,
    /// The files of a revision are removed before the next one is listed.
    RemovalBeforeManifest,
    /// A manifest is replaced without a comparison with the one that its writer has read.
    UnconditionalManifest,
    /// The revision of a day is announced by the run that writes it only.
    ForgottenRevision,
    /// A day is announced before its files are written.
    AnnouncementBeforeFiles,
}
