//! Whether others write to the same server of PostgreSQL meanwhile, such as further replicas.
//!
//! Every transaction that writes takes the server's next number. What the writer did not take itself, others took.

/// After how many transactions of its own a writer looks at the server's number. To look is one more trip to the server:
/// at a thousand batches a second, four a second.
const EVERY: u32 = 256;

/// Gives the number that the server's next transaction takes, whichever of its databases that is in.
pub(super) const NEXT: &str = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";

/// What a writer knows of the others.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// The server's number when the writer looked last; none where it has not, or was not told.
    next: Option<i64>,
    /// How many transactions the writer has begun since.
    own: u32,
    write: bool,
}

impl Others {
    /// Counts a transaction of the writer itself.
    pub(super) fn count_own(&mut self) {
        self.own = self.own.saturating_add(1);
    }

    /// Whether the writer is to look at the server's number.
    pub(super) fn are_due(&self) -> bool {
        self.own >= EVERY
    }

    /// Takes note of the server's number, or that it did not tell it.
    pub(super) fn see(&mut self, next: Option<i64>) {
        let (own, before) = (i64::from(self.own), self.next);
        let taken = next.zip(before).map(|(next, before)| next.saturating_sub(before));
        self.write = taken.is_some_and(|all| all.saturating_sub(own).saturating_mul(2) >= own.max(1));
        (self.next, self.own) = (next, 0);
    }

    /// Whether others write at least half as often as this writer.
    pub(super) fn write(&self) -> bool {
        self.write
    }
}

#[cfg(test)]
impl Others {
    pub(super) fn that_write() -> Self {
        Self { write: true, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that has looked, and has begun so many transactions since.
    fn after(own: u32) -> Others {
        let mut others = Others::default();
        others.see(Some(1_000));
        (0..own).for_each(|_| others.count_own());
        others
    }

    #[test]
    fn a_writer_looks_every_256_transactions() {
        assert!(!after(255).are_due());
        assert!(after(256).are_due());
    }

    #[test]
    fn who_has_looked_once_knows_of_nobody() {
        assert!(!after(0).write());
    }

    #[test]
    fn others_that_write_half_as_often_do_write() {
        let mut others = after(256);
        others.see(Some(1_000 + 256 + 128));
        assert!(others.write());
    }

    #[test]
    fn others_that_write_less_often_do_not() {
        let mut others = after(256);
        others.see(Some(1_000 + 256 + 127));
        assert!(!others.write());
    }

    #[test]
    fn others_that_have_ended_write_no_more() {
        let mut others = after(256);
        others.see(Some(2_000));
        (0..256).for_each(|_| others.count_own());
        others.see(Some(2_256));
        assert!(!others.write());
    }

    #[test]
    fn where_the_server_does_not_tell_nobody_is_known_and_it_is_asked_as_late_as_otherwise() {
        let mut others = after(256);
        others.see(None);
        assert_eq!((others.write(), others.are_due()), (false, false));
        others.see(Some(9_000));
        assert!(!others.write());
    }
}
