//! The sea-orm entities: stored rows as plain values.

pub(crate) mod audit_head;
pub(crate) mod audit_record;
pub(crate) mod credential;
pub(crate) mod redaction_flag;
pub(crate) mod redaction_switch;
pub(crate) mod tenant_scope;
pub(crate) mod vocabulary;
pub(crate) mod vocabulary_delivery;
