//! Full transcripts over HTTP (spec §4.6), in the format that the request names.

mod csv_table;
pub(crate) mod format;
pub(crate) mod handlers;
mod html;
mod json;
mod line_ends;
mod markdown;
mod plain_text;
#[cfg(test)]
pub(crate) mod sample;
mod speakers;
pub(crate) mod stream;
pub(crate) mod time_zone;
mod vcon;
mod web_vtt;
mod writer;
