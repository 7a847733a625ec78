//! The delivery of vocabularies to a transcription component.
//!
//! [`HttpComponent`] sends each vocabulary as a signed `PUT`. [`DirectoryComponent`] writes each vocabulary into its
//! own file. Both deliver the same document: see [`encode_document`].

mod delivery_tracer;
mod direct_agent;
mod directory;
mod document;
mod http;
mod signature;

pub use delivery_tracer::{DeliveryTracer, TracedDelivery};
pub use direct_agent::direct_agent;
pub use directory::{DirectoryComponent, InvalidDirectory};
pub use document::encode_document;
pub use http::{AddressTemplate, HttpComponent, InvalidComponentUrl, InvalidSigningKey, SigningKey};
pub use signature::{SIGNATURE_HEADER, SignatureHeaders, TIMESTAMP_HEADER, signature_headers};
