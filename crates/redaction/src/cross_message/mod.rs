//! Detection across messages: entities that earlier messages ask for, and numbers split over several messages.

mod code_topic;
pub(crate) mod context;
pub(crate) mod context_need;
pub(crate) mod dictated_card;
pub(crate) mod masked_context;
mod open_question;
pub(crate) mod other_number;
mod question;
mod reply;
pub(crate) mod split_number;
pub(crate) mod utterance;
