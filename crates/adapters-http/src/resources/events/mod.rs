//! The change log as events: polling, streams, and the task that wakes both.

mod address_dto;
pub(crate) mod addresses;
pub(crate) mod dto;
pub(crate) mod errors;
mod event_stream;
pub(crate) mod follower;
pub(crate) mod handlers;
pub(crate) mod hub;
mod long_poll;
mod open_stream;
pub(crate) mod parameters;
pub(crate) mod resume;
mod sse;
pub(crate) mod stream_handlers;
mod transcript_reader;
pub(crate) mod type_list;
