//! Whether what is stored is whole: its structure, its references and its rows. Asked by an operator
//! ([`Database::check_content`](crate::Database::check_content)), and slowly beside the service ([`Scrub`]).

mod decoders;
mod deep;
mod deep_postgres;
mod scrub;
mod trees;

pub use deep::ContentReport;
pub use scrub::{Scrub, ScrubStep};

use rusqlite::ErrorCode;

/// Whether SQLite could not read what is on the disk, as opposed to a lock or a lack of memory.
fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure)
    )
}
