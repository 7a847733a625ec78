//! The connection guard: deadlines and limits for every connection, independent of the HTTP library.
//!
//! The guard sits between the socket and the HTTP library ([`GuardedStream`](stream::GuardedStream)). The guard finds
//! where each request begins and ends ([`framing`]) and passes the library one request at a time. The guard therefore
//! knows the [`Phase`](state::Phase) of a connection: opening, idle, receiving a head, serving a request, or closing.
//! [`ConnectionRegistry`] sweeps all connections periodically and cuts those that exceed the deadline of their phase.
//! Clients that do not read their responses are cut as well. The registry also limits connections in total, per client
//! address and per credential. [`output`] limits the responses that wait for slow readers.
//!
//! Two middlewares give the guard information that only the application has. [`connection_scope`] reports that a
//! response is complete. [`RequestScope`](crate::RequestScope) acquires permits for streams and large responses.

mod admission;
mod cut_reason;
mod deadline;
mod framing;
mod handle;
mod limits;
mod middleware;
mod output;
mod read_buffer;
mod registry;
#[cfg(test)]
mod registry_tests;
mod replies;
mod service;
mod state;
mod stream;
mod table;
mod transport;

pub use cut_reason::CutReason;
#[cfg(fuzzing)]
pub(crate) use framing::request_lengths;
pub use handle::ConnectionHandle;
pub use limits::{ConnectionLimits, RESERVED_CONNECTIONS};
pub use middleware::connection_scope;
pub(crate) use output::{MIN_STREAM_BYTES, OutputBody, OutputOwner, OutputPermit, OutputRefusal};
pub use output::{OutputLimits, OutputPermits};
pub use registry::{ConnectionCounts, ConnectionRegistry};
pub use replies::GuardReplies;
pub use service::{bind, guarded_service};
