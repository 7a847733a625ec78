//! Integrity checks of the stored data: its structure, its references and its rows. An operator runs the deep check
//! ([`Database::check_content`](crate::Database::check_content)). A running service reads everything slowly
//! ([`Scrub`]). A copy is checked completely when it is made and before it is restored.

mod complete;
mod decoders;
mod deep;
mod deep_postgres;
mod scrub;
mod trees;

pub(crate) use complete::{find_row_fault, find_structure_fault};
pub use deep::ContentReport;
pub use scrub::{Scrub, ScrubStep};

use rusqlite::ErrorCode;

/// Whether SQLite could not read the content of the disk, as opposed to a lock or a lack of memory.
fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure)
    )
}
