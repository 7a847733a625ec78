//! The connection guard: what every connection of every listener may cost, whatever the HTTP library does.
//!
//! The guard sits between the socket and the HTTP library ([`GuardedStream`]). It finds where each request begins and ends
//! ([`framing`]), hands the library one request at a time, and so knows in which [`Phase`](state::Phase) a connection is:
//! idle, receiving a head, or answering. One sweep over all connections ([`ConnectionRegistry`]) holds each phase to its
//! deadline, answers included: a client that does not read is cut off. The registry also caps connections in all, by client
//! address and by credential; [`output`] caps the answers that wait for slow readers.
//!
//! Two middlewares tell the guard what only the application knows: [`connection_scope`] that a response is complete,
//! [`shed_load`](crate::shed_load) that a response is a stream.

mod admission;
mod deadline;
mod framing;
mod handle;
mod inbox;
mod limits;
mod middleware;
mod output;
mod registry;
#[cfg(test)]
mod registry_tests;
mod replies;
mod service;
mod state;
mod stream;
mod table;
mod transport;

#[cfg(fuzzing)]
pub(crate) use framing::request_lengths;
pub use handle::ConnectionHandle;
pub use limits::{ConnectionLimits, RESERVED_CONNECTIONS};
pub use middleware::connection_scope;
pub(crate) use output::{OutputBody, OutputOwner, OutputPermit, OutputRefusal, STREAM_BYTES};
pub use output::{OutputLimits, OutputPermits};
pub use registry::{ConnectionCounts, ConnectionRegistry};
pub use replies::ReplyIds;
pub use service::{bind, guarded_service};
pub use state::CutReason;
