//! The limits that the bench of the service compares with, each as one subcommand:
//!
//! - `insert`, `insert-grouped`, `upsert FILE SECONDS`: a loop over rusqlite in a database of the service, with its
//!   statements. Prints `RESULT`, the rate, and the CPU microseconds of each.
//! - `serve DATABASE_URL [FILE]`: an actix-web server that answers `GET` and `POST /constant` after the service's
//!   authentication, and with FILE what the service reads, by rusqlite in each worker. Prints its address.

mod loops;
mod server;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["insert", file, seconds] => loops::insert(file, seconds.parse()?, 1),
        ["insert-grouped", file, seconds] => loops::insert(file, seconds.parse()?, 32),
        ["upsert", file, seconds] => loops::upsert(file, seconds.parse()?),
        ["serve", url] => server::serve(url, None),
        ["serve", url, file] => server::serve(url, Some(file)),
        _ => Err("insert|insert-grouped|upsert FILE SECONDS, or serve DATABASE_URL [FILE]".into()),
    }
}
