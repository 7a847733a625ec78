//! Tests of the `parlance` binary under kills, outages, disk faults, floods and hostile connections.
//!
//! Environment variables set the lengths of the tests. The defaults only show that the tests themselves work:
//! - `PARLANCE_TEST_KILLS`: kills of the server in each crash test (3 by default).
//! - `PARLANCE_TEST_IMPORT_KILLS`: kills of the program in each test of imports (5 by default).
//! - `PARLANCE_TEST_COMPACTION_KILLS`: kills of the program in the test of compactions (4 by default).
//! - `PARLANCE_TEST_STEPS`: operations of each client in the model-based test (150 by default).
//! - `PARLANCE_TEST_CUTS`: messages in each direction at which connections to PostgreSQL are cut (16 by default).
//! - `PARLANCE_TEST_FAILOVERS`: failovers to a standby in each failover test (1 by default).
//! - `PARLANCE_TEST_HOSTILE_SECONDS`: seconds of each measurement under hostile connections (6 by default).
//! - `PARLANCE_TEST_FLOOD_SECONDS`: seconds of the flood (10 by default).
//! - `PARLANCE_TEST_LAST_RELEASE`: the path of the last release's binary, which the tests of upgrades need.
//! - `PARLANCE_TEST_FAULTS_EVERY`: n, so that every n-th call on the files of SQLite fails in turn. By default at most
//!   twelve calls of each kind fail.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod compaction;
mod crash;
mod cut_connections;
mod disk_faults;
mod displaced_files;
mod events;
mod failing_files;
mod failover;
mod full_disk;
mod hostile;
mod import;
mod load;
mod model;
mod outage;
mod pooler;
mod postgres_cluster;
mod proxy;
mod recovery;
mod replica;
mod replicas;
mod timing;
mod upgrade;
mod writers;
