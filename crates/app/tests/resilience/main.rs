//! The program under what happens to it: killed, cut off from its parts, out of disk, flooded, beside another replica.
//!
//! `PARLANCE_TEST_KILLS` is how often the crash tests kill the server, and `PARLANCE_TEST_STEPS` how many operations each
//! client of the model-based test sends; by default as few as show that the tests themselves work. `PARLANCE_TEST_CUTS` is
//! at how many messages of each direction connections to PostgreSQL are cut.
//! `PARLANCE_TEST_HOSTILE_SECONDS` is how long hostile connections attack.
//! `PARLANCE_TEST_FAULTS_EVERY=1` fails each call on the files of SQLite in turn, instead of twelve of each kind.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod crash;
mod cut_connections;
mod disk_faults;
mod displaced_files;
mod failing_files;
mod full_disk;
mod hostile;
mod load;
mod model;
mod outage;
mod outside;
mod proxy;
mod recovery;
mod replica;
mod replicas;
mod timing;
mod writers;
