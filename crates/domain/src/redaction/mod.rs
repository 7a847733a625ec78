//! Sensitive data: the kinds of it, and the ports and rules for finding and masking it.
//!
//! The redaction engine is the crate `parlance-redaction`, which depends on nothing; this module re-exports it.
//! [`ExternalDetector`] is the port for a detector outside the process, whose findings are merged with those of the
//! engine. The active entities of a tenant are its [`Flags`] over the defaults of the catalogue. A [`Switch`] changes a
//! flag and leaves a record. Names and metadata values are masked for the [locked entities](locked_entities) alone.
//! Identifiers are never masked: [`IdentifierPolicy`] says what happens with one that contains card data.

mod active_cache;
mod approval;
mod audit;
mod entities;
mod error;
mod external;
mod identifier_check;
mod identifiers;
mod labelled_value;
mod masked_range;
mod meter;
mod person;
mod policy;
mod store;
mod tracer;

pub use active_cache::ActiveEntityCache;
pub use approval::{Approval, Approver, ChangeReference, InvalidApproval, SameApprover};
pub use audit::{SwitchActor, SwitchId, SwitchKind, SwitchRecord};
pub use entities::{ComplianceSwitches, RedactionEntities, RedactionEntity, SwitchOutcome};
pub use error::SwitchError;
pub use external::{DetectorOutage, ExternalDetector, ExternalFindings, TextRedaction};
pub(crate) use identifier_check::IdentifierCheck;
pub use identifiers::{IdentifierField, IdentifierPolicy, SensitiveIdentifiers, UnknownIdentifierPolicy};
pub(crate) use labelled_value::{MaskedValue, mask_labelled_value};
pub(crate) use masked_range::masked_ranges;
pub use masked_range::{Evidence, Finding, MaskedRange};
pub use meter::{MaskingMeter, NoopMaskingMeter};
pub use parlance_redaction::{
    Activity, CatalogRow, Confidence, Control, DetectionReason, EarlierSpan, Entity, EntitySet, ExternalSpan, Group,
    MAX_CONTEXT, MAX_NUMBER_RUN, Mask, NumberRunPart, Redaction, Redactor, Span, Speaker, Utterance, catalogue_page,
    mask_spans,
};
pub use policy::{Flags, Switch, SwitchRefusal, decide_switch, locked_entities};
pub use store::{CommitOutcome, RedactionStore};
pub use tracer::{OpenSpan, RedactionTracer};

#[cfg(feature = "mocks")]
pub use external::MockExternalDetector;
#[cfg(feature = "mocks")]
pub use meter::MockMaskingMeter;
#[cfg(feature = "mocks")]
pub use store::MockRedactionStore;
#[cfg(feature = "mocks")]
pub use tracer::MockRedactionTracer;
