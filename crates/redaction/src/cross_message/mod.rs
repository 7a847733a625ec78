//! What depends on several messages: requests in earlier messages, and numbers split over messages.

pub(crate) mod context;
pub(crate) mod context_need;
pub(crate) mod split_number;
