//! Webhooks and their deliveries.

pub(crate) mod delivery_dto;
pub(crate) mod delivery_handlers;
pub(crate) mod dto;
mod errors;
pub(crate) mod event_json;
pub(crate) mod handlers;
