//! The spans of a group commit: one in each traced request that waits for it.
//!
//! A commit serves several requests, and a span has one parent. Each traced write therefore has a span of its own for
//! the same time, as a child of the span in which it was queued.

use tracing::{Level, Span, debug_span, level_enabled};

/// The current span if any subscriber wants spans of calls, else a disabled one.
pub(super) fn waiting_span() -> Span {
    if level_enabled!(Level::DEBUG) { Span::current() } else { Span::none() }
}

/// The spans of a commit, which end when they are dropped. `waiting` holds the span of each of its writes. Does not
/// allocate unless one of them is traced.
#[must_use = "the spans end when they are dropped"]
pub(crate) fn begin_commit_spans<'spans>(waiting: impl ExactSizeIterator<Item = &'spans Span>) -> Vec<Span> {
    let writes = i64::try_from(waiting.len()).unwrap_or(i64::MAX);
    let traced = waiting.filter(|span| !span.is_disabled());
    // A subscriber may decide by the current span whether it wants another.
    traced.map(|span| span.in_scope(|| debug_span!("sql.writer.commit", writes))).collect()
}
