//! The steps of a migration that run after its transaction, on PostgreSQL: writers of this release and of the release
//! before go on meanwhile. The table `schema_steps` has a row for each step that is not complete.
//!
//! One process runs the steps; others wait for it. After a crash, the next process goes on where the steps stopped.

use std::time::Duration;

use sea_orm::{
    DatabaseConnection, DbErr, RuntimeErr,
    sqlx::{self, AssertSqlSafe, Connection, Error, PgConnection, PgPool, Row, postgres::PgRow},
};

use super::{dialect::fill_postgres, functions::side_rows_sql, m0006_conversation_criteria as m0006};

/// The key of the advisory lock of the process that runs the steps. It differs from that of the migrations.
const ADVISORY_LOCK: i64 = 0x7061_726c_616e_6366;

/// The pause before a process looks again whether another one has completed the steps.
const LOCK_PAUSE: Duration = Duration::from_millis(200);

/// The pause after a row was locked by a writer.
const ROW_PAUSE: Duration = Duration::from_millis(20);

/// Conversations of one batch. Writers of these conversations wait for the batch, which takes some milliseconds.
const BATCH_ROWS: i64 = 500;

const SELECT_STEPS: &str = "SELECT name, last_tenant, last_id FROM schema_steps";
const SAVE_PROGRESS: &str = "UPDATE schema_steps SET last_tenant = $2, last_id = $3 WHERE name = $1";
const DELETE_STEP: &str = "DELETE FROM schema_steps WHERE name = $1";
const TRY_LOCK: &str = "SELECT pg_try_advisory_xact_lock($1)";

/// Completes all steps.
pub(super) async fn complete(db: &DatabaseConnection) -> Result<(), DbErr> {
    let pool = db.get_postgres_connection_pool();
    run_steps(pool).await.map_err(|error| DbErr::Exec(RuntimeErr::SqlxError(error.into())))
}

async fn run_steps(pool: &PgPool) -> Result<(), Error> {
    loop {
        // The lock belongs to a transaction without a snapshot, for which the creation of an index does not wait.
        let mut lock = pool.begin().await?;
        let is_locked = sqlx::query(TRY_LOCK).bind(ADVISORY_LOCK).fetch_one(&mut *lock).await?.try_get(0)?;
        if is_locked {
            // A connection of its own, whose settings no other statement shares.
            let mut connection = pool.acquire().await?.detach();
            sqlx::query("SET statement_timeout = 0").execute(&mut connection).await?;
            for step in sqlx::query(SELECT_STEPS).fetch_all(&mut connection).await? {
                run_step(&mut connection, &step).await?;
            }
            connection.close().await?;
            return lock.commit().await;
        }
        lock.rollback().await?;
        tokio::time::sleep(LOCK_PAUSE).await;
    }
}

async fn run_step(connection: &mut PgConnection, step: &PgRow) -> Result<(), Error> {
    let (name, tenant, id): (&str, &str, &str) = (step.try_get(0)?, step.try_get(1)?, step.try_get(2)?);
    if name == m0006::SIDE_ROWS {
        add_side_rows(connection, (tenant.to_owned(), id.to_owned())).await?;
    }
    if let Some((_, definition)) = m0006::INDEXES.iter().find(|(index, _)| *index == name) {
        // An earlier attempt that failed has left an index that is not valid.
        execute(connection, format!("DROP INDEX CONCURRENTLY IF EXISTS {name}")).await?;
        execute(connection, fill_postgres(&format!("CREATE INDEX CONCURRENTLY {definition}"))).await?;
    }
    sqlx::query(DELETE_STEP).bind(name).execute(connection).await.map(drop)
}

/// Adds the rows of all conversations after this one to the side tables. The triggers have added those of new ones.
async fn add_side_rows(connection: &mut PgConnection, mut last: (String, String)) -> Result<(), Error> {
    let statement = side_rows_sql();
    loop {
        let batch = sqlx::query(AssertSqlSafe(statement.as_str())).bind(&last.0).bind(&last.1).bind(BATCH_ROWS);
        match batch.fetch_optional(&mut *connection).await {
            Ok(Some(row)) => last = (row.try_get(0)?, row.try_get(1)?),
            Ok(None) => return Ok(()),
            Err(error) if is_row_locked(&error) => {
                tokio::time::sleep(ROW_PAUSE).await;
                continue;
            }
            Err(error) => return Err(error),
        }
        let progress = sqlx::query(SAVE_PROGRESS).bind(m0006::SIDE_ROWS).bind(&last.0).bind(&last.1);
        progress.execute(&mut *connection).await?;
    }
}

/// Whether a writer holds a row of the batch.
fn is_row_locked(error: &Error) -> bool {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code).is_some_and(|code| code == "55P03")
}

async fn execute(connection: &mut PgConnection, sql: String) -> Result<(), Error> {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.map(drop)
}
