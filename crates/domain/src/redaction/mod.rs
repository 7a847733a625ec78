//! Sensitive data: the kinds of it, and the ports and rules for finding and masking it.
//!
//! The redaction engine is the crate `parlance-redaction`, which depends on nothing; this module re-exports it.
//! [`ExternalDetector`] is the port for a detector outside the process, whose findings are merged with those of the
//! engine. The active entities of a tenant are its [`Flags`] over the defaults of the catalogue. A [`Switch`] changes a
//! flag and leaves a record.

mod active_cache;
mod approval;
mod audit;
mod entities;
mod error;
mod external;
mod meter;
mod person;
mod policy;
mod store;

pub use active_cache::ActiveEntityCache;
pub use approval::{Approval, Approver, ChangeReference, InvalidApproval, SameApprover};
pub use audit::{SwitchActor, SwitchId, SwitchKind, SwitchRecord};
pub use entities::{ComplianceSwitches, RedactionEntities, RedactionEntity, SwitchOutcome};
pub use error::SwitchError;
pub use external::{ExternalDetector, TextRedaction};
pub use meter::{MaskingMeter, NoopMaskingMeter};
pub use parlance_redaction::{
    Activity, CatalogRow, Control, DetectionReason, EarlierSpan, Entity, EntitySet, ExternalSpan, Group, MAX_CONTEXT,
    Mask, Redaction, Redactor, Span, Speaker, Utterance, catalogue_page, mask_spans,
};
pub use policy::{Flags, Switch, SwitchRefusal, decide_switch};
pub use store::{CommitOutcome, RedactionStore};

#[cfg(feature = "mocks")]
pub use external::MockExternalDetector;
#[cfg(feature = "mocks")]
pub use meter::MockMaskingMeter;
#[cfg(feature = "mocks")]
pub use store::MockRedactionStore;
