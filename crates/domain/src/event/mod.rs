//! The change log of a tenant, and the events that callers read from it.
//!
//! The [log](ChangeLog) holds references, in one order that never changes. An [event](Event) is an entry with the data
//! that the resource's own endpoint would return now.

mod change;
mod change_log;
mod error;
mod event_data;
mod event_type;
mod events;
mod feed_change;
mod hold_back;
mod model;
mod position;
mod request;
mod stream_address;
mod stream_addresses;

pub use change::{Change, FeedChange, MessageReference};
pub use change_log::{ChangeLog, LogEntry, LogPage, LogRead, LogStatus};
pub use error::{IssueAddressError, PollError, SpendAddressError};
pub use event_data::EventSources;
pub use event_type::{EventType, EventTypes, ParseTypesError};
pub use events::Events;
pub use model::{Event, EventData};
pub use position::{InvalidCursor, LogBounds, LogPosition, PositionState};
pub use request::{EventLimit, EventReader, EventView, PollRequest, PollStart, PolledEvents};
pub use stream_address::{PresentedAddress, StreamAddress, StreamAddressStore, StreamId, StreamTarget};
pub use stream_addresses::{IssuedAddress, StreamAddresses};

#[cfg(feature = "mocks")]
pub use change_log::MockChangeLog;
#[cfg(feature = "mocks")]
pub use stream_address::MockStreamAddressStore;
