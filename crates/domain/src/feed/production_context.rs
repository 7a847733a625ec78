//! The ports and settings of feed production.

use std::sync::Arc;

use super::{Compression, FeedSink, FeedSource, FeedStore, IntervalLength};
use crate::{conversation::FieldRedaction, id::IdSource, message::ExportRedaction, time::Clock};

/// The ports and settings that every production run and every export uses.
#[derive(Clone)]
pub(super) struct ProductionContext {
    pub(super) source: Arc<dyn FeedSource>,
    pub(super) store: Arc<dyn FeedStore>,
    pub(super) sink: Arc<dyn FeedSink>,
    pub(super) redaction: ExportRedaction,
    pub(super) fields: FieldRedaction,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) compression: Compression,
    pub(super) length: IntervalLength,
}
