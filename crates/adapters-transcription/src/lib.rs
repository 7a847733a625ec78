//! Brings vocabularies to a transcription component: [`HttpComponent`] sends each as a signed `PUT`, and
//! [`DirectoryComponent`] writes each into a file of its own. Both bring the same document, see [`document`].

mod directory;
mod document;
mod http;
mod signature;

pub use directory::{DirectoryComponent, UnusableDirectory};
pub use document::document;
pub use http::{AddressTemplate, HttpComponent, SigningKey, UnusableAddress, UnusableKey};
pub use signature::{SIGNATURE_HEADER, TIMESTAMP_HEADER, sign};
