//! Feeds over HTTP: the dates (spec §4.10), and the names, versions, formats, files and schemas that clients also need.

pub(crate) mod bodies;
pub(crate) mod byte_range;
pub(crate) mod download;
mod errors;
pub(crate) mod handlers;
mod views;
