//! The list of all tables, with what each holds of customers. A new table must be on it (ADR 0052).

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

/// Every table of the schema by its name, without partitions, which hold what their table holds.
pub const SUBJECT_DATA: [(&str, SubjectData); 37] = [
    ("audit_heads", SubjectData::Nothing),
    ("audit_records", SubjectData::KeyedDigests),
    ("change_log", SubjectData::References),
    ("change_log_dropped", SubjectData::References),
    // On PostgreSQL the pairs are digests without a key, which confirm a guess.
    ("conversation_metadata", SubjectData::Content),
    ("conversation_updates", SubjectData::References),
    ("conversations", SubjectData::Content),
    ("credentials", SubjectData::Nothing),
    ("erased_conversations", SubjectData::KeyedDigests),
    ("erased_messages", SubjectData::References),
    ("feed_changes", SubjectData::Nothing),
    ("former_customers", SubjectData::Content),
    ("holds", SubjectData::Identifier),
    ("late_changes", SubjectData::References),
    ("leases", SubjectData::Nothing),
    ("ledger_objects", SubjectData::Nothing),
    ("ledger_queue", SubjectData::KeyedDigests),
    ("messages", SubjectData::Content),
    ("privacy_archive_items", SubjectData::References),
    ("privacy_receipts", SubjectData::KeyedDigests),
    ("privacy_requests", SubjectData::KeyedDigests),
    ("privacy_subjects", SubjectData::Identifier),
    ("receipts", SubjectData::RequestDigests),
    ("redaction_audit", SubjectData::Nothing),
    ("redaction_flags", SubjectData::Nothing),
    ("retention_rules", SubjectData::Nothing),
    ("retention_runs", SubjectData::Nothing),
    ("schema_compatibility", SubjectData::Nothing),
    ("schema_functions", SubjectData::Nothing),
    ("schema_steps", SubjectData::Nothing),
    ("seaql_migrations", SubjectData::Nothing),
    ("stream_addresses", SubjectData::References),
    ("vocabularies", SubjectData::Nothing),
    ("vocabulary_changes", SubjectData::Nothing),
    ("vocabulary_delivery", SubjectData::Nothing),
    ("webhook_deliveries", SubjectData::References),
    ("webhooks", SubjectData::Nothing),
];

/// The tables that a compaction rewrites.
pub(crate) fn tables_to_compact() -> impl Iterator<Item = &'static str> {
    SUBJECT_DATA.into_iter().filter(|(_, data)| data.needs_compaction()).map(|(table, _)| table)
}
