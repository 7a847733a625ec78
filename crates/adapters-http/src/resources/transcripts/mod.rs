//! Full transcripts over HTTP (spec §4.6), in the format that the request names.

mod csv_table;
pub(crate) mod format;
pub(crate) mod handlers;
mod json;
mod plain_text;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod stream;
mod web_vtt;
mod writer;
