//! `parlance privacy compact`.

use std::{fmt::Write, time::Duration};

use parlance_domain::privacy::{CompactionError, CompactionOutcome, CompactionReport};

use crate::{
    commands::{database_error, print},
    settings::Settings,
    wiring::Stores,
};

const NOT_NEEDED: &str = "Nothing is to be done: SQLite overwrites deleted data, and its write-ahead log is emptied after each \
                          erasure.\n";

const LOG_SWITCHED: &str = "A new segment of the write-ahead log was begun and a checkpoint was written: the database server \
                            may reuse or remove the older segments.\n";

const LOG_NOT_SWITCHED: &str = "The role may not begin a new segment of the write-ahead log and write a checkpoint: the database \
                                server reuses or removes the older segments after its own checkpoints.\n";

/// Compacts the database, and prints what was rewritten and how many receipts were issued.
pub(super) async fn run(settings: &Settings) -> anyhow::Result<()> {
    let stores = Stores::open_with_checked_key(settings).await?;
    let report = stores.compaction().run().await.map_err(compaction_error)?;
    stores.database.close().await?;
    print(&text(&report))
}

fn compaction_error(error: CompactionError) -> anyhow::Error {
    if let CompactionError::Store(error) = error { database_error(error) } else { error.into() }
}

fn text(CompactionReport { outcome, receipts, unverified }: &CompactionReport) -> String {
    let CompactionOutcome::Rewritten { tables, is_log_switched } = outcome else { return NOT_NEEDED.to_owned() };
    let mut text = String::new();
    // Writing to a String cannot fail.
    for table in tables {
        let _ = writeln!(text, "rewritten: {} in {:.1} s", table.name, table.elapsed.as_secs_f64());
    }
    let elapsed: Duration = tables.iter().map(|table| table.elapsed).sum();
    let _ = writeln!(text, "tables: {}, in {:.1} s", tables.len(), elapsed.as_secs_f64());
    text.push_str(if *is_log_switched { LOG_SWITCHED } else { LOG_NOT_SWITCHED });
    let _ = writeln!(text, "second receipts: {receipts}");
    if *unverified > 0 {
        let _ = writeln!(text, "receipts without a second one, because another key signed them: {unverified}");
    }
    text
}
