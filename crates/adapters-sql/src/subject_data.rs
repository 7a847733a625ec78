//! The list of all tables, with what each holds of customers, and what the erasure of a tenant does with its rows. A new
//! table must be on it (ADR 0052, ADR 0053).

use parlance_domain::privacy::ErasurePlace;

/// What the rows of a table hold of a customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectData {
    /// Texts, names, metadata or identifiers. An erasure deletes the rows.
    Content,
    /// The identifier of a customer, while a hold or an open privacy request names the customer.
    Identifier,
    /// Digests of requests, which are deleted after 24 hours.
    RequestDigests,
    /// Keyed digests of identifiers, or audit records and receipts with such digests. They stay.
    KeyedDigests,
    /// Identifiers that the service made, and times. They stay, or are deleted after a time.
    References,
    /// Nothing.
    Nothing,
}

impl SubjectData {
    /// Whether bytes of deleted rows are of customers, so that a compaction rewrites the table.
    #[must_use]
    pub fn needs_compaction(self) -> bool {
        matches!(self, Self::Content | Self::Identifier | Self::RequestDigests)
    }
}

/// What the erasure of a tenant does with the rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantData {
    /// They are deleted.
    Deleted(TenantTable),
    /// They stay: the audit chain and receipts, digests of what was erased, and the record of the erasure itself.
    Kept,
    /// The table has no rows of tenants.
    NoTenant,
}

/// A table whose rows the erasure of a tenant deletes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TenantTable {
    /// How the rows are written and deleted.
    pub kind: TenantRowKind,
    /// The place in dry runs and receipts. Rows that the service keeps beside the objects of places have none.
    pub place: Option<ErasurePlace>,
    /// The columns of the primary key after the tenant. On PostgreSQL, partitions can add one.
    pub key: &'static [&'static str],
}

/// How the rows of a table of a tenant are written and deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TenantRowKind {
    /// Conversations. New rows are refused. They are deleted with the rows that refer to them.
    Conversations,
    /// Rows that are written only in the transaction of a row of another table, whose fence refuses them too, or that refer
    /// to a conversation.
    Derived,
    /// New rows are refused, because the tenant is erased.
    Written,
    /// Entries of vocabularies. New rows are refused. A deletion makes the vocabulary due for delivery.
    Vocabulary,
    /// Records of switches, which the server's role on PostgreSQL may delete only of erased tenants, by a function. New rows
    /// are refused.
    Switches,
    /// The progress of deliveries, feeds and readers, which is deleted after everything else.
    Progress,
}

impl TenantRowKind {
    /// Whether a trigger refuses new rows of erased tenants. The writers of conversations refuse them by themselves.
    pub(crate) fn is_fenced_by_trigger(self) -> bool {
        matches!(self, Self::Written | Self::Vocabulary | Self::Switches)
    }
}

/// The rows of a place.
const fn deleted(kind: TenantRowKind, place: ErasurePlace, key: &'static [&'static str]) -> TenantData {
    TenantData::Deleted(TenantTable { kind, place: Some(place), key })
}

/// Rows that the service keeps beside the objects of places: indexes, progress and parts of objects. Some of them are made by
/// the erasure itself.
const fn deleted_uncounted(kind: TenantRowKind, key: &'static [&'static str]) -> TenantData {
    TenantData::Deleted(TenantTable { kind, place: None, key })
}

/// Every table of the schema by its name, without partitions, which hold what their table holds.
pub const SUBJECT_DATA: [(&str, SubjectData, TenantData); 40] = [
    ("audit_heads", SubjectData::Nothing, TenantData::Kept),
    ("audit_records", SubjectData::KeyedDigests, TenantData::Kept),
    ("change_log", SubjectData::References, deleted_uncounted(TenantRowKind::Progress, &["sequence"])),
    ("change_log_dropped", SubjectData::References, deleted_uncounted(TenantRowKind::Progress, &[])),
    // On PostgreSQL the pairs are digests without a key, which confirm a guess.
    (
        "conversation_metadata",
        SubjectData::Content,
        deleted_uncounted(TenantRowKind::Derived, &["pair", "started_at", "conversation_id"]),
    ),
    (
        "conversation_updates",
        SubjectData::References,
        deleted_uncounted(TenantRowKind::Derived, &["hour", "conversation_id"]),
    ),
    (
        "conversations",
        SubjectData::Content,
        deleted(TenantRowKind::Conversations, ErasurePlace::Conversations, &["id"]),
    ),
    ("credentials", SubjectData::Nothing, deleted(TenantRowKind::Written, ErasurePlace::Credentials, &["api_id"])),
    // The key with which guesses of digests can be tested, encrypted under a key that is not in the database.
    ("digest_keys", SubjectData::Nothing, TenantData::NoTenant),
    ("erased_conversations", SubjectData::KeyedDigests, TenantData::Kept),
    ("erased_messages", SubjectData::References, TenantData::Kept),
    ("feed_changes", SubjectData::Nothing, deleted_uncounted(TenantRowKind::Progress, &["feed", "day"])),
    (
        "former_customers",
        SubjectData::Content,
        deleted_uncounted(TenantRowKind::Derived, &["conversation_id", "customer_external_id"]),
    ),
    ("holds", SubjectData::Identifier, deleted(TenantRowKind::Written, ErasurePlace::Holds, &["id"])),
    ("late_changes", SubjectData::References, deleted_uncounted(TenantRowKind::Progress, &["feed", "day", "id"])),
    ("leases", SubjectData::Nothing, TenantData::NoTenant),
    ("ledger_objects", SubjectData::Nothing, TenantData::NoTenant),
    ("ledger_queue", SubjectData::KeyedDigests, TenantData::Kept),
    (
        "messages",
        SubjectData::Content,
        deleted(TenantRowKind::Derived, ErasurePlace::Messages, &["conversation_id", "sent_at", "id"]),
    ),
    (
        "privacy_archive_items",
        SubjectData::References,
        deleted_uncounted(TenantRowKind::Written, &["request_id", "conversation_id", "sent_at", "message_id"]),
    ),
    ("privacy_receipts", SubjectData::KeyedDigests, TenantData::Kept),
    (
        "privacy_requests",
        SubjectData::KeyedDigests,
        deleted(TenantRowKind::Written, ErasurePlace::PrivacyRequests, &["id"]),
    ),
    ("privacy_subjects", SubjectData::Identifier, deleted_uncounted(TenantRowKind::Written, &["request_id"])),
    (
        "receipts",
        SubjectData::RequestDigests,
        deleted(TenantRowKind::Derived, ErasurePlace::IdempotencyRecords, &["operation", "key_digest"]),
    ),
    (
        "redaction_audit",
        SubjectData::Nothing,
        deleted(TenantRowKind::Switches, ErasurePlace::RedactionSwitches, &["switched_at", "id"]),
    ),
    (
        "redaction_flags",
        SubjectData::Nothing,
        deleted(TenantRowKind::Written, ErasurePlace::RedactionFlags, &["label"]),
    ),
    (
        "retention_rules",
        SubjectData::Nothing,
        deleted(TenantRowKind::Written, ErasurePlace::RetentionRules, &["position"]),
    ),
    ("retention_runs", SubjectData::Nothing, deleted_uncounted(TenantRowKind::Written, &[])),
    ("schema_compatibility", SubjectData::Nothing, TenantData::NoTenant),
    ("schema_functions", SubjectData::Nothing, TenantData::NoTenant),
    ("schema_steps", SubjectData::Nothing, TenantData::NoTenant),
    ("seaql_migrations", SubjectData::Nothing, TenantData::NoTenant),
    (
        "stream_addresses",
        SubjectData::References,
        deleted(TenantRowKind::Written, ErasurePlace::StreamAddresses, &["stream_id"]),
    ),
    ("tenant_erasure_counts", SubjectData::Nothing, TenantData::Kept),
    ("tenant_erasures", SubjectData::Nothing, TenantData::Kept),
    (
        "vocabularies",
        SubjectData::Nothing,
        deleted(TenantRowKind::Vocabulary, ErasurePlace::VocabularyEntries, &["id"]),
    ),
    (
        "vocabulary_changes",
        SubjectData::Nothing,
        deleted(TenantRowKind::Written, ErasurePlace::VocabularyChanges, &["changed_at", "id"]),
    ),
    ("vocabulary_delivery", SubjectData::Nothing, deleted_uncounted(TenantRowKind::Progress, &[])),
    (
        "webhook_deliveries",
        SubjectData::References,
        deleted(TenantRowKind::Written, ErasurePlace::WebhookDeliveries, &["webhook_id", "id"]),
    ),
    ("webhooks", SubjectData::Nothing, deleted(TenantRowKind::Written, ErasurePlace::Webhooks, &["id"])),
];

/// The tables that a compaction rewrites.
pub(crate) fn tables_to_compact() -> impl Iterator<Item = &'static str> {
    SUBJECT_DATA.into_iter().filter(|(_, data, _)| data.needs_compaction()).map(|(table, ..)| table)
}

/// The tables whose rows the erasure of a tenant deletes.
pub(crate) fn tables_of_tenants() -> impl Iterator<Item = (&'static str, TenantTable)> {
    SUBJECT_DATA.into_iter().filter_map(|(name, _, data)| match data {
        TenantData::Deleted(table) => Some((name, table)),
        TenantData::Kept | TenantData::NoTenant => None,
    })
}

/// The tables to which no row of an erased tenant is added, because a trigger refuses it.
pub(crate) fn tables_fenced_by_trigger() -> impl Iterator<Item = &'static str> {
    tables_of_tenants().filter(|(_, table)| table.kind.is_fenced_by_trigger()).map(|(name, _)| name)
}
