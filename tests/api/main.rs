//! End-to-end tests of the HTTP interface: the whole service on real databases, called through `reqwest`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod access;
mod compression;
mod connection_caps;
mod connections;
mod conversations;
mod cross_origin;
mod description;
mod description_limits;
mod dictated_cards;
mod envelope;
mod erasure;
mod event_streams;
mod events;
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
mod privacy_holds;
mod privacy_request_status;
mod privacy_requests;
mod privacy_retention;
mod redaction;
mod redaction_trials;
mod refusals;
mod retries;
mod slow_readers;
mod stream_addresses;
mod transcripts;
mod vocabularies;
mod vocabulary_export;
mod vocabulary_status;
mod vocabulary_validation;
mod webhook_deliveries;
mod webhooks;
