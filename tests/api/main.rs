//! End-to-end tests of the HTTP interface: the whole service on real databases, called through `reqwest`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod access;
mod compression;
mod connection_caps;
mod connections;
mod conversations;
mod description;
mod description_limits;
mod dictated_cards;
mod envelope;
mod external_detector;
mod feed_files;
mod feed_hours;
mod feed_tools;
mod feeds;
mod fields;
mod finding;
mod index;
mod limits;
mod masking;
mod message_batches;
mod messages;
mod mutations;
mod outages;
mod redaction;
mod redaction_trials;
mod refusals;
mod retries;
mod transcripts;
mod vocabularies;
mod vocabulary_export;
mod vocabulary_status;
mod vocabulary_validation;
