//! The hub: one task of the process that reads the change log for all subscribers.
//!
//! The [task](event_hub) reads and renders each event once, and puts it into the bounded queue of each subscriber that it
//! matches. The [registry] finds these subscribers by tenant and conversation. A subscriber whose queue is full reads the
//! log itself until it has caught up.

mod event_hub;
mod hints;
mod mailbox;
mod registry;
#[cfg(test)]
mod registry_tests;
mod rendered_event;
mod subscription;

pub use event_hub::EventHub;
pub use hints::ChangeHints;
pub(crate) use mailbox::{Frames, Taken};
pub(crate) use rendered_event::RenderedEvent;
pub(crate) use subscription::Subscription;
