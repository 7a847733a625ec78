//! Reads pages in the order of identifiers, with handwritten statements.

use parlance_domain::{
    access::TenantId,
    error::StoreError,
    id::Id,
    vocabulary::{Cursor, PageSize},
};
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};

use crate::{Database, control_plane::statements::statement};

/// The two statements of a list. `$1` is the tenant, `$2` the identifier at the boundary, `$3` the number of rows.
pub(super) struct PageStatements {
    /// The rows from the boundary on, in order.
    pub(super) from: &'static str,
    /// The rows before the boundary, in reverse order.
    pub(super) before: &'static str,
}

/// The rows on the cursor's side of its boundary, nearest first.
async fn rows_from<Row: FromQueryResult, Kind, C: ConnectionTrait>(
    db: &C,
    statements: &PageStatements,
    (tenant, cursor): (&TenantId, &Cursor<Id<Kind>>),
    limit: u16,
) -> Result<Vec<Row>, DbErr> {
    let (sql, boundary) = match cursor {
        Cursor::From(boundary) => (statements.from, boundary),
        Cursor::Before(boundary) => (statements.before, boundary),
    };
    let values: [Value; 3] = [tenant.as_str().into(), boundary.as_str().into(), i64::from(limit).into()];
    Row::find_by_statement(statement(db, sql, values)).all(db).await
}

/// The rows of the page at `cursor`, and whether there is a row on the other side of its boundary, as
/// [`ListPage::from_rows`](parlance_domain::vocabulary::ListPage::from_rows) takes them.
pub(super) async fn read_page<Row: FromQueryResult, Kind>(
    database: &Database,
    statements: &PageStatements,
    tenant: &TenantId,
    cursor: Option<&Cursor<Id<Kind>>>,
    size: PageSize,
) -> Result<(Vec<Row>, bool), StoreError> {
    let first = Cursor::From(Id::from_bits(0));
    let queries = database.read(async |db| {
        let rows = rows_from(db, statements, (tenant, cursor.unwrap_or(&first)), size.get() + 1).await?;
        let has_opposite = match cursor {
            Some(cursor) => {
                !rows_from::<Row, Kind, _>(db, statements, (tenant, &cursor.opposite()), 1).await?.is_empty()
            }
            None => false,
        };
        Ok((rows, has_opposite))
    });
    queries.await
}
