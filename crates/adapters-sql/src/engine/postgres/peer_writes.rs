//! Detection of other processes that write to the same PostgreSQL server, such as further replicas.
//!
//! Every transaction that writes takes the next transaction id of the server. Peers took the ids that the writer did
//! not take itself.

/// The number of own transactions between two samples. A sample costs one round trip to the server: at a thousand
/// batches a second, four a second.
const SAMPLE_INTERVAL: u32 = 256;

/// The id of the server's next transaction, in whichever of its databases.
pub(crate) const NEXT_XID: &str = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint";

/// Detects whether peers write, from samples of the server's next transaction id.
#[derive(Debug, Default)]
pub(crate) struct PeerWriteDetector {
    /// The next transaction id at the last sample; none before the first sample, or if the last one failed.
    next_xid: Option<i64>,
    /// The number of own transactions since the last sample.
    own_transactions: u32,
    peers_write: bool,
}

impl PeerWriteDetector {
    /// Counts transactions of this writer.
    pub(crate) fn count_own(&mut self, transactions: u32) {
        self.own_transactions = self.own_transactions.saturating_add(transactions);
    }

    /// Whether a sample is due.
    pub(crate) fn is_sample_due(&self) -> bool {
        self.own_transactions >= SAMPLE_INTERVAL
    }

    /// Records a sample; none if it failed.
    pub(crate) fn record_sample(&mut self, next_xid: Option<i64>) {
        let (own, last_xid) = (i64::from(self.own_transactions), self.next_xid);
        let taken = next_xid.zip(last_xid).map(|(next, last)| next.saturating_sub(last));
        self.peers_write = taken.is_some_and(|total| total.saturating_sub(own).saturating_mul(2) >= own.max(1));
        (self.next_xid, self.own_transactions) = (next_xid, 0);
    }

    /// Whether peers write at least half as often as this writer.
    pub(crate) fn peers_write(&self) -> bool {
        self.peers_write
    }
}

#[cfg(test)]
impl PeerWriteDetector {
    pub(crate) fn with_writing_peers() -> Self {
        Self { peers_write: true, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A detector with one sample, and this number of own transactions since.
    fn after(own_transactions: u32) -> PeerWriteDetector {
        let mut detector = PeerWriteDetector::default();
        detector.record_sample(Some(1_000));
        detector.count_own(own_transactions);
        detector
    }

    #[test]
    fn a_sample_is_due_after_256_transactions() {
        assert!(!after(255).is_sample_due());
        assert!(after(256).is_sample_due());
    }

    #[test]
    fn one_sample_detects_no_peer() {
        assert!(!after(0).peers_write());
    }

    #[test]
    fn peers_that_write_half_as_often_are_detected() {
        let mut detector = after(256);
        detector.record_sample(Some(1_000 + 256 + 128));
        assert!(detector.peers_write());
    }

    #[test]
    fn peers_that_write_less_often_are_not_detected() {
        let mut detector = after(256);
        detector.record_sample(Some(1_000 + 256 + 127));
        assert!(!detector.peers_write());
    }

    #[test]
    fn peers_that_stop_writing_are_no_longer_detected() {
        let mut detector = after(256);
        detector.record_sample(Some(2_000));
        detector.count_own(256);
        detector.record_sample(Some(2_256));
        assert!(!detector.peers_write());
    }

    #[test]
    fn a_failed_sample_detects_no_peer_and_restarts_the_interval() {
        let mut detector = after(256);
        detector.record_sample(None);
        assert_eq!((detector.peers_write(), detector.is_sample_due()), (false, false));
        detector.record_sample(Some(9_000));
        assert!(!detector.peers_write());
    }
}
