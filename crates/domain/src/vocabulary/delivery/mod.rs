//! Bringing each tenant's vocabulary to the transcription component: within a minute of the change, again after every
//! failure, and never an older version after a newer one.
//!
//! Each change gives the vocabulary a version. A [`Reconciler`] compares the version that was delivered last with the
//! newest, and brings the whole vocabulary where they differ. What it knows is in the [`DeliveryStore`], so that it goes
//! on after a restart where it was.

mod component;
mod deliveries;
mod progress;
mod reconciler;
mod store;

pub use component::{DeliveryError, DeliveryFailure, TranscriptionComponent, VocabularyEdition};
pub use deliveries::{Deliveries, DeliveryReport, DeliveryState, Redelivery};
pub use progress::{Delivered, DeliveryProgress, Failure, latest_next_attempt, pause};
pub use reconciler::{Attempt, Reconciler};
pub use store::DeliveryStore;

#[cfg(feature = "mocks")]
pub use component::MockTranscriptionComponent;
#[cfg(feature = "mocks")]
pub use store::MockDeliveryStore;
