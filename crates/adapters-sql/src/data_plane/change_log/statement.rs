//! The statements on `change_log` and its side tables. Each is limited to a tenant, but those of retention.

macro_rules! columns {
    () => {
        "sequence, tag, kind, occurred_at, last_index, refs"
    };
}

/// The rows of a tenant from a sequence number on. For SQLite.
pub(super) const ROWS_FROM: &str = concat!(
    concat!("SELECT ", columns!(), " FROM change_log "),
    "WHERE tenant_id = $1 AND sequence >= $2 ORDER BY sequence LIMIT $3"
);

/// [`ROWS_FROM`] up to a sequence number. For PostgreSQL.
pub(crate) const ROWS_BETWEEN: &str = concat!(
    concat!("SELECT ", columns!(), " FROM change_log "),
    "WHERE tenant_id = $1 AND sequence BETWEEN $2 AND $4 ORDER BY sequence LIMIT $3"
);

/// The position after the newest event. For SQLite.
pub(super) const NEWEST: &str =
    "SELECT sequence, last_index, tag FROM change_log WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT 1";

/// [`NEWEST`] up to a sequence number. For PostgreSQL.
pub(crate) const NEWEST_UP_TO: &str = "SELECT sequence, last_index, tag FROM change_log
    WHERE tenant_id = $1 AND sequence <= $2 ORDER BY sequence DESC LIMIT 1";

/// The last dropped event.
pub(crate) const LAST_DROPPED: &str = "SELECT sequence, last_index, tag FROM change_log_dropped WHERE tenant_id = $1";

/// Whether a tenant has events after a position. For SQLite.
pub(super) const HAS_ENTRIES: &str = "SELECT 1 FROM change_log
    WHERE tenant_id = $1 AND (sequence > $2 OR sequence = $2 AND last_index > $3) AND sequence >= $2 LIMIT 1";

/// The number of each position after which its tenant has events up to a sequence number. The positions are bound as
/// arrays. For PostgreSQL.
pub(crate) const ALL_WITH_ENTRIES: &str = "SELECT requested.number
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS requested (tenant_id, sequence, index, number)
    WHERE EXISTS (SELECT FROM change_log AS log WHERE log.tenant_id = requested.tenant_id
        AND log.sequence BETWEEN requested.sequence AND $4
        AND (log.sequence > requested.sequence OR log.last_index > requested.index))";

/// The greatest sequence number that readers may pass, and the last one that was taken. The correlated subquery runs after
/// the sequence is read: a transaction that has taken a number up to then is committed, or its lock is seen. The keys of
/// locks are the last 31 bits of announced numbers. For PostgreSQL.
pub(crate) const WATERMARK: &str = "WITH head AS MATERIALIZED (
        SELECT pg_sequence_last_value('change_log_sequence') AS last_value
    )
    SELECT head.last_value - coalesce((
        SELECT max((head.last_value - objid::bigint) & 2147483647) FROM pg_locks
        WHERE locktype = 'advisory' AND classid = $1::bigint::oid AND objsubid = 2
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ), 0), head.last_value FROM head";

/// The age in microseconds of the oldest open transaction that appends to the log. For PostgreSQL.
pub(crate) const OLDEST_TRANSACTION: &str =
    "SELECT (extract(epoch FROM clock_timestamp() - min(xact_start)) * 1000000)::bigint
    FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE locktype = 'advisory' AND classid = $1::bigint::oid AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

/// The greatest sequence number of any tenant. For SQLite.
pub(super) const HEAD: &str = "SELECT coalesce(max(sequence), 0) FROM change_log";

/// Records the newest revision of a complete day. Nothing changes if the same or a newer one is recorded.
pub(crate) const RECORD_FEED_DAY: &str = "INSERT INTO feed_changes (tenant_id, feed, day, revision)
    VALUES ($1, $2, $3, $4) ON CONFLICT (tenant_id, feed, day) DO UPDATE SET revision = excluded.revision
    WHERE feed_changes.revision < excluded.revision";

/// The first tenant whose oldest row is older than a time. The tenants are found one after the other in the primary key.
/// For SQLite.
pub(super) const TENANT_WITH_OLD_ROWS: &str = "WITH RECURSIVE tenants (tenant_id) AS (
        SELECT * FROM (SELECT tenant_id FROM change_log ORDER BY tenant_id LIMIT 1)
        UNION ALL
        SELECT (SELECT log.tenant_id FROM change_log AS log WHERE log.tenant_id > tenants.tenant_id
            ORDER BY log.tenant_id LIMIT 1) FROM tenants WHERE tenants.tenant_id IS NOT NULL
    )
    SELECT tenant_id FROM tenants WHERE tenant_id IS NOT NULL AND $1 > (SELECT occurred_at FROM change_log AS log
        WHERE log.tenant_id = tenants.tenant_id ORDER BY sequence LIMIT 1) LIMIT 1";

/// The oldest rows of a tenant, with their times. For SQLite.
pub(super) const OLDEST_ROWS: &str = "SELECT sequence, last_index, tag, occurred_at FROM change_log
    WHERE tenant_id = $1 ORDER BY sequence LIMIT $2";

/// Records the last dropped event of a tenant. For SQLite.
pub(super) const RECORD_DROPPED: &str = "INSERT INTO change_log_dropped (tenant_id, sequence, last_index, tag)
    VALUES ($1, $2, $3, $4) ON CONFLICT (tenant_id) DO UPDATE
    SET sequence = excluded.sequence, last_index = excluded.last_index, tag = excluded.tag";

/// Deletes the rows of a tenant up to a sequence number. For SQLite.
pub(super) const DELETE_UP_TO: &str = "DELETE FROM change_log WHERE tenant_id = $1 AND sequence <= $2";

/// Records the last event of each tenant in a partition. The tenants are found one after the other in the primary key.
/// `{PARTITION}` stands for its name. For PostgreSQL.
pub(super) const RECORD_DROPPED_OF_PARTITION: &str = "WITH RECURSIVE newest AS (
        (SELECT tenant_id, sequence, tag, last_index FROM {PARTITION}
            ORDER BY tenant_id DESC, sequence DESC LIMIT 1)
        UNION ALL
        SELECT next.* FROM newest, LATERAL (SELECT tenant_id, sequence, tag, last_index FROM {PARTITION} AS log
            WHERE log.tenant_id < newest.tenant_id ORDER BY tenant_id DESC, sequence DESC LIMIT 1) AS next
    )
    INSERT INTO change_log_dropped SELECT tenant_id, sequence, tag, last_index FROM newest
    ON CONFLICT (tenant_id) DO UPDATE
    SET sequence = excluded.sequence, tag = excluded.tag, last_index = excluded.last_index
    WHERE change_log_dropped.sequence < excluded.sequence";
