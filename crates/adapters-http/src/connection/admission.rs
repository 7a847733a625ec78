//! Which connection is admitted, and which makes room for it.

use std::{future::poll_fn, net::IpAddr, sync::Arc, task::Poll};

use super::{
    limits::{EVICTED_SHARE, RESERVED_CONNECTIONS},
    registry::ConnectionRegistry,
    state::{ConnectionState, CutReason},
    table::{Entry, Table},
};

impl ConnectionRegistry {
    /// Makes room for one connection, and says whether it may only ask for health.
    pub(super) fn make_room(&self, table: &mut Table, address: Option<IpAddr>) -> Option<bool> {
        let limits = self.limits();
        let of_address = address.and_then(|address| table.by_address.get(&address)).copied().unwrap_or_default();
        let most_of_address = limits.per_address.filter(|most| of_address >= *most);
        let has_place = most_of_address.is_none_or(|most| {
            self.evict(table, most, |entry| entry.address == address && !entry.state.health_only).is_some()
        });
        let most = limits.connections;
        if has_place && (table.admitted < most || self.evict(table, most, |entry| !entry.state.health_only).is_some()) {
            return Some(false);
        }
        let reserved = table.entries.values().filter(|entry| entry.state.health_only && !entry.is_released).count();
        if reserved >= RESERVED_CONNECTIONS {
            self.evict(table, RESERVED_CONNECTIONS, |entry| entry.state.health_only)?;
        }
        Some(true)
    }

    /// Ends some of the connections that match, so that the next ones need not look through all of them again.
    pub(super) fn evict(&self, table: &mut Table, cap: usize, matches: impl Fn(&Entry) -> bool) -> Option<()> {
        let evicted = table.least_worth((cap / EVICTED_SHARE).max(1), self.now(), matches);
        for id in &evicted {
            if let Some(state) = table.release(*id) {
                self.cut(&state, CutReason::Evicted);
            }
        }
        (!evicted.is_empty()).then_some(())
    }
}

/// An admitted connection. It counts until this is dropped.
pub(super) struct Admitted {
    pub(super) state: Arc<ConnectionState>,
    pub(super) registry: ConnectionRegistry,
}

impl Admitted {
    /// Waits until the connection is to end.
    pub(super) async fn ended(&self) {
        poll_fn(|cx| {
            self.state.register(cx);
            if self.state.cut().is_some() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.registry.remove(self.state.id);
    }
}
