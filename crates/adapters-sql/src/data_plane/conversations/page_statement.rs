//! The statements that read pages of conversations by criteria. Each is limited to a tenant.
//!
//! The parameters of all of them: `$1` tenant, `$2` the key in the index, `$3` and `$4` the position before which rows
//! are read, `$5` the earliest timestamp, `$6` the maximum number of rows to read. The other criteria are tested on these
//! rows: `$7` customer, `$8` agent, `$9` to `$11` pairs of metadata, `$12` and `$13` the period of the last upsert. NULL is
//! no criterion. `$14` is the maximum number of rows to return.

use super::statement::conversation_columns;

/// The statements of one database.
pub(crate) struct PageStatements {
    pub(crate) by_external_id: &'static str,
    pub(crate) by_customer: &'static str,
    pub(crate) by_agent: &'static str,
    pub(crate) by_metadata: &'static str,
    /// Reads the conversations with the identifiers in `$2`.
    pub(crate) by_update: &'static str,
    pub(crate) by_start: &'static str,
    /// Count the entries of an index, at most `$6`.
    pub(crate) count_by_customer: &'static str,
    pub(crate) count_by_agent: &'static str,
    pub(crate) count_by_metadata: &'static str,
    /// Selects the identifiers of conversations, at most `$6` of each of two indexes, that were created from `$2` on and
    /// before `$3`, or updated in an hour from `$4` on and before `$5`.
    pub(crate) updated: &'static str,
}

/// The terms of the two dialects.
macro_rules! dialect {
    (postgres text $parameter:literal) => {
        concat!($parameter, "::text")
    };
    (postgres pair $parameter:literal) => {
        concat!($parameter, "::bytea")
    };
    (postgres bytewise) => {
        " COLLATE \"C\""
    };
    // The fence keeps the planner from reading all conversations of the tenant in the order of the result.
    (postgres fence) => {
        " OFFSET 0"
    };
    (postgres requested) => {
        "unnest($2::text[]) AS requested (id) JOIN conversations AS c ON c.tenant_id = $1 AND c.id = requested.id"
    };
    (sqlite text $parameter:literal) => {
        $parameter
    };
    (sqlite pair $parameter:literal) => {
        $parameter
    };
    (sqlite bytewise) => {
        ""
    };
    (sqlite fence) => {
        " ORDER BY c.started_at DESC, c.id DESC"
    };
    (sqlite requested) => {
        "json_each($2) AS requested CROSS JOIN conversations AS c ON c.tenant_id = $1 AND c.id = requested.value"
    };
}

/// The rows of an index within the period of timestamps, after the position. A comparison of rows, unlike one of columns,
/// does not let PostgreSQL use `conversations_by_start` for another criterion.
macro_rules! within {
    ($started_at:literal, $id:literal) => {
        concat!(
            concat!(" AND (", $started_at, ", ", $id, ") < ($3, $4)"),
            concat!(" AND (", $started_at, ", ", $id, ") >= ($5, '')")
        )
    };
}

macro_rules! newest_first {
    ($started_at:literal, $id:literal) => {
        concat!(" ORDER BY ", $started_at, " DESC, ", $id, " DESC LIMIT $6")
    };
}

/// The columns of `conversations`, and the last upsert.
macro_rules! read_columns {
    () => {
        concat!("SELECT c.tenant_id, ", conversation_columns!("c."), ", c.updated_at FROM ")
    };
}

/// Selects rows of `conversations` where `$condition` holds.
macro_rules! read_by {
    ($condition:expr) => {
        concat!(
            concat!(read_columns!(), "conversations AS c WHERE c.tenant_id = $1 AND ", $condition),
            concat!(within!("c.started_at", "c.id"), newest_first!("c.started_at", "c.id"))
        )
    };
}

macro_rules! count_by {
    ($condition:expr) => {
        concat!(
            concat!("SELECT count(*) FROM (SELECT 1 FROM conversations AS c WHERE c.tenant_id = $1 AND ", $condition),
            concat!(within!("c.started_at", "c.id"), " LIMIT $6) AS found")
        )
    };
}

macro_rules! metadata_rows {
    () => {
        concat!(" WHERE m.tenant_id = $1 AND m.pair = $2", within!("m.started_at", "m.conversation_id"))
    };
}

macro_rules! read_by_metadata {
    () => {
        concat!(
            "SELECT c.tenant_id, m.conversation_id AS id, c.external_id, c.agent_external_id, c.agent_name, ",
            "c.customer_external_id, c.customer_name, c.metadata, m.started_at AS started_at, c.updated_at ",
            "FROM conversation_metadata AS m JOIN conversations AS c ",
            "ON c.tenant_id = m.tenant_id AND c.id = m.conversation_id",
            concat!(metadata_rows!(), newest_first!("m.started_at", "m.conversation_id"))
        )
    };
}

macro_rules! read_by_update {
    ($dialect:ident) => {
        concat!(
            concat!(read_columns!(), dialect!($dialect requested), " WHERE c.tenant_id = $1"),
            concat!(within!("c.started_at", "c.id"), dialect!($dialect fence))
        )
    };
}

/// Whether the metadata of the row contains a pair. A scalar subquery is a look-up for each row. PostgreSQL could plan
/// `EXISTS` as a read of all rows with the pair.
macro_rules! has_pair {
    ($dialect:ident $parameter:literal) => {
        concat!(
            concat!(" AND (", dialect!($dialect pair $parameter), " IS NULL OR (SELECT 1 FROM conversation_metadata AS m"),
            concat!(" WHERE m.tenant_id = c.tenant_id AND m.pair = ", $parameter),
            " AND m.started_at = c.started_at AND m.conversation_id = c.id) IS NOT NULL)"
        )
    };
}

/// Whether a row that was read meets the other criteria: 1 or 0.
macro_rules! is_match {
    ($dialect:ident) => {
        concat!(
            concat!("CAST(CASE WHEN (", dialect!($dialect text "$7"), " IS NULL OR c.customer_external_id = $7)"),
            concat!(" AND (", dialect!($dialect text "$8"), " IS NULL OR c.agent_external_id = $8)"),
            " AND c.updated_at >= $12 AND c.updated_at < $13",
            concat!(has_pair!($dialect "$9"), has_pair!($dialect "$10"), has_pair!($dialect "$11")),
            " THEN 1 ELSE 0 END AS SMALLINT) AS is_match"
        )
    };
}

/// Reads rows with `$read` and returns the columns of a conversation and whether it is a match. On PostgreSQL, the
/// statement returns the matches and the last row that may be read, with the number of each row in the order of reading.
/// On SQLite, it returns all rows, and the caller stops when it has enough.
macro_rules! page {
    (postgres, $read:expr) => {
        concat!(
            concat!("SELECT ", conversation_columns!("c."), ", c.is_match, c.number FROM (SELECT c.*, "),
            is_match!(postgres),
            ", row_number() OVER (ORDER BY c.started_at DESC, c.id DESC) AS number FROM (",
            $read,
            ") AS c) AS c WHERE c.is_match = 1 OR c.number = $6 ORDER BY c.started_at DESC, c.id DESC LIMIT $14"
        )
    };
    (sqlite, $read:expr) => {
        concat!("SELECT ", conversation_columns!("c."), ", ", is_match!(sqlite), " FROM (", $read, ") AS c")
    };
}

macro_rules! statements {
    ($dialect:ident) => {
        PageStatements {
            by_external_id: page!($dialect, read_by!("c.external_id = $2")),
            by_customer: page!(
                $dialect,
                read_by!(concat!("c.customer_external_id", dialect!($dialect bytewise), " = $2"))
            ),
            by_agent: page!($dialect, read_by!(concat!("c.agent_external_id", dialect!($dialect bytewise), " = $2"))),
            by_metadata: page!($dialect, read_by_metadata!()),
            by_update: page!($dialect, read_by_update!($dialect)),
            by_start: page!(
                $dialect,
                read_by!(concat!("c.started_at >= $5 AND ", dialect!($dialect text "$2"), " IS NULL"))
            ),
            count_by_customer: count_by!(concat!("c.customer_external_id", dialect!($dialect bytewise), " = $2")),
            count_by_agent: count_by!(concat!("c.agent_external_id", dialect!($dialect bytewise), " = $2")),
            count_by_metadata: concat!(
                "SELECT count(*) FROM (SELECT 1 FROM conversation_metadata AS m",
                metadata_rows!(),
                " LIMIT $6) AS found"
            ),
            updated: concat!(
                "SELECT id FROM (SELECT id FROM conversations WHERE tenant_id = $1 AND created_at >= $2 ",
                "AND created_at < $3 LIMIT $6) AS created UNION ALL SELECT conversation_id FROM (",
                "SELECT conversation_id FROM conversation_updates WHERE tenant_id = $1 AND hour >= $4 AND hour < $5 ",
                "LIMIT $6) AS updated"
            ),
        }
    };
}

/// The statements for PostgreSQL.
pub(crate) const POSTGRES: PageStatements = statements!(postgres);

/// The statements for SQLite.
pub(crate) const SQLITE: PageStatements = statements!(sqlite);

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::SQLITE;
    use crate::Database;

    fn plan_of(connection: &Connection, sql: &str) -> String {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let lines = statement.raw_query().mapped(|row| row.get::<_, String>(3)).collect::<Result<Vec<_>, _>>();
        lines.unwrap().join("; ")
    }

    #[tokio::test]
    async fn each_statement_reads_the_index_of_its_criterion_on_sqlite() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("plans.db");
        Database::open(&format!("sqlite://{}", file.display())).await.unwrap().migrate().await.unwrap();
        let connection = Connection::open(&file).unwrap();
        for (sql, index) in [
            (
                SQLITE.by_external_id,
                "SEARCH c USING INDEX sqlite_autoindex_conversations_2 (tenant_id=? AND external_id=?)",
            ),
            (
                SQLITE.by_customer,
                "SEARCH c USING INDEX conversations_by_customer (customer_external_id=? AND tenant_id=? AND",
            ),
            (SQLITE.by_agent, "SEARCH c USING INDEX conversations_by_agent (agent_external_id=? AND tenant_id=? AND"),
            (SQLITE.by_metadata, "SEARCH m USING PRIMARY KEY (tenant_id=? AND pair=? AND"),
            (SQLITE.by_update, "SEARCH c USING PRIMARY KEY (tenant_id=? AND id=?)"),
            (SQLITE.by_start, "SEARCH c USING INDEX conversations_by_start (tenant_id=? AND"),
            (SQLITE.count_by_customer, "INDEX conversations_by_customer (customer_external_id=? AND tenant_id=? AND"),
            (SQLITE.count_by_agent, "INDEX conversations_by_agent (agent_external_id=? AND tenant_id=? AND"),
            (SQLITE.count_by_metadata, "SEARCH m USING PRIMARY KEY (tenant_id=? AND pair=? AND"),
            (SQLITE.updated, "INDEX conversations_by_creation (tenant_id=? AND created_at>? AND created_at<?)"),
            (SQLITE.updated, "SEARCH conversation_updates USING PRIMARY KEY (tenant_id=? AND hour>? AND hour<?)"),
        ] {
            let plan = plan_of(&connection, sql);
            assert!(plan.contains(index), "{sql}: {plan}");
            let sorts = plan.contains("TEMP B-TREE");
            assert_eq!(sorts, sql == SQLITE.by_update, "only the statement without an order of its own sorts: {plan}");
        }
    }
}
