//! Resources of the interface: each with its wire types, handlers and JSON.

pub(crate) mod conversations;
pub(crate) mod feeds;
pub(crate) mod health;
pub(crate) mod index;
pub(crate) mod messages;
pub(crate) mod redaction_entities;
mod sensitive_identifiers;
pub(crate) mod transcripts;
pub(crate) mod vocabularies;
