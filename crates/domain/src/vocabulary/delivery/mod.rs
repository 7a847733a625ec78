//! Delivery of each tenant's vocabulary to the transcription component. A change is delivered within a minute, and a
//! failed delivery is retried. An older version is never delivered after a newer one.
//!
//! Each change gives the vocabulary a new version. A [`Reconciler`] compares the last delivered version with the
//! newest, and pushes the whole vocabulary if they differ. The [`DeliveryStore`] holds its state, so that it continues
//! after a restart.

mod component;
mod deliveries;
mod progress;
mod reconciler;
mod store;

pub use component::{DeliveryError, DeliveryErrorKind, TranscriptionComponent, VocabularySnapshot};
pub use deliveries::{Deliveries, DeliveryReport, DeliveryState, Redelivery};
pub use progress::{AttemptFailure, DeliveredVersion, DeliveryProgress, backoff, latest_next_attempt};
pub use reconciler::{DeliveryOutcome, Reconciler};
pub use store::DeliveryStore;

#[cfg(feature = "mocks")]
pub use component::MockTranscriptionComponent;
#[cfg(feature = "mocks")]
pub use store::MockDeliveryStore;
