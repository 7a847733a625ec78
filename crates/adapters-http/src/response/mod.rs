//! Parts of responses: static content, entity tags, JSON strings and security headers.

pub(crate) mod entity_tag;
pub(crate) mod json_text;
pub(crate) mod markup;
pub(crate) mod security_headers;
pub(crate) mod static_content;
