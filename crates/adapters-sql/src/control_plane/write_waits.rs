//! Waits for writes that began before an erasure was stored. For PostgreSQL: the one writer of SQLite has ended what it did
//! before.

use std::{collections::BTreeSet, time::Duration};

use parlance_domain::error::{StoreError, StoreErrorKind};
use sea_orm::{ConnectionTrait, DbBackend, Value};
use tokio::time::{Instant, sleep};

use crate::{Database, control_plane::statements::statement};

/// The longest wait for earlier writes.
const WAIT_TIMEOUT: Duration = Duration::from_secs(30);

/// Time between two looks at the writes that are under way.
const WAIT_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until every write has ended that is open now. The statement selects the virtual transactions of those that are open,
/// and gets this value.
///
/// # Errors
/// [`StoreErrorKind::Unavailable`] if that takes too long.
pub(super) async fn wait_for_open_writes(database: &Database, (sql, value): (&str, Value)) -> Result<(), StoreError> {
    if database.writer().get_database_backend() != DbBackend::Postgres {
        return Ok(());
    }
    let (began, mut earlier) = (Instant::now(), open_writes(database, sql, &value).await?);
    while !earlier.is_empty() {
        if began.elapsed() > WAIT_TIMEOUT {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "an earlier write does not end"));
        }
        sleep(WAIT_INTERVAL).await;
        let open = open_writes(database, sql, &value).await?;
        earlier.retain(|write| open.contains(write));
    }
    Ok(())
}

async fn open_writes(database: &Database, sql: &str, value: &Value) -> Result<BTreeSet<String>, StoreError> {
    let writes = async {
        let db = database.writer();
        let rows = db.query_all_raw(statement(db, sql, [value.clone()])).await?;
        rows.iter().map(|row| row.try_get_by_index(0)).collect()
    };
    database.write(writes).await
}
