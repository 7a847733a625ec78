//! Rows as they are stored: plain values, private to this crate.

pub(crate) mod audit_head;
pub(crate) mod audit_record;
pub(crate) mod configuration_version;
pub(crate) mod credential;
pub(crate) mod redaction_flag;
pub(crate) mod redaction_switch;
pub(crate) mod vocabulary;
