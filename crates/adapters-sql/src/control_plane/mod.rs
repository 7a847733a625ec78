//! The control-plane tables: credentials, audit, switches, vocabularies, deliveries, leases. sea-orm reads and writes
//! them.

pub(crate) mod audit;
pub(crate) mod credentials;
pub(crate) mod deliveries;
pub(crate) mod entities;
pub(crate) mod leases;
pub(crate) mod redaction;
pub(crate) mod redaction_audit;
pub(crate) mod redaction_columns;
pub(crate) mod tenants;
pub(crate) mod vocabularies;
pub(crate) mod vocabulary_changes;
