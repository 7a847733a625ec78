//! The complete check of a database file that no other program uses: its structure, its references and all of its rows.

use rusqlite::{Connection, OptionalExtension};

use super::trees::{Direction, Tree};

/// The maximum number of rows that are read at once. It bounds the memory of the check.
const SLICE_ROWS: usize = 1_024;

/// Checks the structure of all tables and indexes and the references between rows. Returns the first fault.
///
/// # Errors
/// If the database cannot be queried.
pub(crate) fn find_structure_fault(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let line: String = connection.query_row("PRAGMA integrity_check(1)", (), |row| row.get(0))?;
    if line != "ok" {
        return Ok(Some(line));
    }
    let tables = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(2)?));
    let broken: Option<(String, String)> = connection.query_row("PRAGMA foreign_key_check", (), tables).optional()?;
    Ok(broken.map(|(table, parent)| format!("{table}: a row refers to a row of {parent} that is not there")))
}

/// Reads every row of every table through the decoders of the service. Returns the first fault, without a stored value.
/// A table of an outdated schema that lacks columns of a decoder is read without it.
///
/// # Errors
/// If the database cannot be queried.
pub(crate) fn find_row_fault(connection: &Connection, is_outdated: bool) -> rusqlite::Result<Option<String>> {
    for table in Tree::all(connection)?.into_iter().filter(Tree::is_table) {
        let table = if is_outdated { table.with_fitting_decoder(connection) } else { table };
        let mut after = None;
        loop {
            let slice = table.read(connection, after.as_deref(), SLICE_ROWS, Direction::Ascending)?;
            if let Some(fault) = slice.faults.into_iter().next() {
                return Ok(Some(fault.into()));
            }
            after = slice.last_key;
            if after.is_none() {
                break;
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault_of(sql: &str) -> Option<String> {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        connection.execute_batch(sql).unwrap();
        find_structure_fault(&connection).unwrap().or_else(|| find_row_fault(&connection, false).unwrap())
    }

    #[test]
    fn a_row_that_refers_to_a_missing_row_is_a_fault() {
        let sql = "CREATE TABLE a (id PRIMARY KEY); CREATE TABLE b (a REFERENCES a (id)); INSERT INTO b VALUES ('x')";
        assert_eq!(fault_of(sql).unwrap(), "b: a row refers to a row of a that is not there");
    }

    #[test]
    fn the_last_of_many_rows_is_decoded_too() {
        let sql = "CREATE TABLE late_changes (tenant_id, feed, day, id, PRIMARY KEY (tenant_id, feed, day, id)) WITHOUT ROWID;
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 3000)
            INSERT INTO late_changes SELECT 'acme', 'messages', 20000, n FROM n;";
        assert_eq!(fault_of(sql), None);
        let fault = fault_of(&format!("{sql} INSERT INTO late_changes VALUES ('ACME!', 'x', 0, 0)"));
        assert!(fault.is_some_and(|fault| fault.starts_with("late_changes cannot be decoded: ")));
        let fault = fault_of(&format!("{sql} INSERT INTO late_changes VALUES ('zeta', 'x', -9e15, 0)"));
        assert!(fault.is_some_and(|fault| fault.starts_with("late_changes cannot be decoded: ")));
    }

    #[test]
    fn a_table_of_an_outdated_schema_is_read_without_a_decoder_that_does_not_fit() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch("CREATE TABLE late_changes (tenant_id); INSERT INTO late_changes VALUES ('a')")
            .unwrap();
        assert!(find_row_fault(&connection, false).is_err());
        assert_eq!(find_row_fault(&connection, true), Ok(None));
    }
}
