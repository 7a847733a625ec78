//! Resources of the interface: each with its wire types, handlers and JSON.

pub(crate) mod conversations;
pub(crate) mod erasures;
pub(crate) mod events;
pub(crate) mod feeds;
pub(crate) mod health;
pub(crate) mod holds;
pub(crate) mod index;
pub(crate) mod messages;
pub(crate) mod privacy_requests;
pub(crate) mod redaction_entities;
pub(crate) mod retention;
mod sensitive_identifiers;
pub(crate) mod transcripts;
pub(crate) mod vocabularies;
pub(crate) mod webhooks;
