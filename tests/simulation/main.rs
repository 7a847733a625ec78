//! A deterministic simulation of the protocols that run on several replicas.
//!
//! One seed decides every interleaving, crash, stall, lost hint, slow store, failed answer and jump of a clock. The same
//! seed gives the same trace, byte for byte, and a failing seed prints its trace. The services are those of the domain;
//! the simulation provides only stores, clocks, a scheduler, a network, and the properties that must hold.
//!
//! Each protocol is one file that implements [`Protocol`](protocol::Protocol), and one line in `properties.rs`. It also
//! names the [faults](fault::Fault) that its properties must find, so that a property that checks nothing is noticed.
//!
//! Environment variables:
//! - `PARLANCE_TEST_SEEDS`: the number of seeds of each protocol (2,000 by default).
//! - `PARLANCE_TEST_FIRST_SEED`: the first seed (1 by default).

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

mod chaos;
mod clock;
mod event_consumer;
mod event_protocol;
mod fault;
mod fault_detection;
mod feed_listing;
mod feed_objects;
mod feed_protocol;
mod feed_source;
mod hint;
mod lease_protocol;
mod lease_table;
mod log_reader;
mod log_state;
mod log_writer;
mod memory_log;
mod properties;
mod protocol;
mod receiver;
mod scheduler;
mod seeds;
mod traces;
mod vocabulary_component;
mod vocabulary_deliveries;
mod vocabulary_protocol;
mod webhook_endpoint;
mod webhook_protocol;
mod webhook_replica;
mod webhook_store;
mod world;
