//! Delivery of each tenant's vocabulary to the transcription component. A change is delivered within a minute, and a
//! failed delivery is retried. An older version is never delivered after a newer one.
//!
//! Each change gives the vocabulary a new version. A [`Reconciler`] compares the last delivered version with the
//! newest, and pushes the whole vocabulary if they differ. [`DeliveryProgress`] is its state, with every transition. A
//! [`DeliveryStore`] holds the state, so that the reconciler continues after a restart.

mod component;
mod deliveries;
mod reconciler;
mod state;
mod store;

pub use component::{DeliveryError, DeliveryErrorKind, TranscriptionComponent, VocabularySnapshot};
pub use deliveries::{Deliveries, DeliveryReport, DeliveryState, Redelivery};
pub use reconciler::{DeliveryOutcome, Reconciler};
pub use state::{AttemptFailure, DeliveredVersion, DeliveryProgress, latest_next_attempt};
pub use store::DeliveryStore;

#[cfg(feature = "mocks")]
pub use component::MockTranscriptionComponent;
#[cfg(feature = "mocks")]
pub use store::MockDeliveryStore;
