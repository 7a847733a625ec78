//! Sensitive data: what kinds there are, and how they are found and masked.
//!
//! The engine is a crate of its own that depends on nothing, and is offered here whole. Beside it stands the port for
//! a detector outside the process, whose findings are merged with the engine's own. Which kinds are active for a tenant
//! is said by its [`Flags`] over the catalogue's defaults, and changed by a [`Switch`], which leaves a record.

mod active;
mod approval;
mod audit;
mod entities;
mod external;
mod meter;
mod person;
mod policy;
mod store;

pub use active::ActiveSets;
pub use approval::{Approval, Approver, ChangeReference, InvalidApproval, SameApprover};
pub use audit::{SwitchId, SwitchKind, SwitchRecord, SwitchedBy};
pub use entities::{Compliance, RedactionEntities, RedactionEntity, Thrown};
pub use external::{ExternalDetector, TextRedaction};
pub use meter::{MaskingMeter, Unmetered};
pub use parlance_redaction::{
    Activity, Control, EarlierSpan, Entity, EntitySet, Found, Group, MAX_CONTEXT, Mask, Reason, Redaction, Redactor,
    Row, Span, Speaker, Utterance, catalogue_page, mask_spans,
};
pub use policy::{Flags, Switch, SwitchRefusal, switch};
pub use store::{Commit, RedactionStore};

#[cfg(feature = "mocks")]
pub use external::MockExternalDetector;
#[cfg(feature = "mocks")]
pub use meter::MockMaskingMeter;
#[cfg(feature = "mocks")]
pub use store::MockRedactionStore;
