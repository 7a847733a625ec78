//! Admission of connections, and eviction of others under a cap.

use std::{future::poll_fn, net::IpAddr, sync::Arc, task::Poll};

use parlance_domain::access::client_network;

use super::{
    cut_reason::CutReason,
    limits::{EVICTION_DIVISOR, RESERVED_CONNECTIONS},
    registry::ConnectionRegistry,
    state::ConnectionState,
    table::{ConnectionEntry, ConnectionTable},
};

impl ConnectionRegistry {
    /// Admits a connection from this address; `None` if no connection can be evicted for it. A connection over a cap
    /// replaces one whose client keeps the server waiting, so that such connections never block others.
    pub(super) fn admit(&self, peer: Option<IpAddr>) -> Option<AdmittedConnection> {
        let address = peer.map(client_network);
        let mut table = self.table();
        let admitted = self.reserve_slot(&mut table, address);
        let Some(health_only) = admitted else {
            self.count_refused();
            return None;
        };
        let state = table.insert(address, health_only, self.now());
        Some(AdmittedConnection { state, registry: self.clone() })
    }

    /// Reserves a slot for one connection, and evicts others under a cap. Returns whether the connection may only
    /// request the health paths. Returns `None` if no slot is available.
    fn reserve_slot(&self, table: &mut ConnectionTable, address: Option<IpAddr>) -> Option<bool> {
        let limits = self.limits();
        let address_connections =
            address.and_then(|address| table.by_address.get(&address)).copied().unwrap_or_default();
        let address_cap = limits.max_per_address.filter(|cap| address_connections >= *cap);
        let address_has_room = address_cap.is_none_or(|cap| {
            self.evict(table, cap, |entry| entry.address == address && !entry.state.health_only).is_some()
        });
        let cap = limits.max_connections;
        if address_has_room
            && (table.admitted < cap || self.evict(table, cap, |entry| !entry.state.health_only).is_some())
        {
            return Some(false);
        }
        let reserved = table.entries.values().filter(|entry| entry.state.health_only && !entry.is_released).count();
        if reserved >= RESERVED_CONNECTIONS {
            self.evict(table, RESERVED_CONNECTIONS, |entry| entry.state.health_only)?;
        }
        Some(true)
    }

    /// Cuts several of the matching connections at once, so that the next admissions need no search. Returns `None` if
    /// no connection can be evicted.
    pub(super) fn evict(
        &self,
        table: &mut ConnectionTable,
        cap: usize,
        matches: impl Fn(&ConnectionEntry) -> bool,
    ) -> Option<()> {
        let evicted = table.eviction_candidates((cap / EVICTION_DIVISOR).max(1), self.now(), matches);
        for id in &evicted {
            if let Some(state) = table.release(*id) {
                self.cut(&state, CutReason::Evicted);
            }
        }
        (!evicted.is_empty()).then_some(())
    }
}

/// An admitted connection. The connection counts until this value is dropped.
pub(super) struct AdmittedConnection {
    pub(super) state: Arc<ConnectionState>,
    pub(super) registry: ConnectionRegistry,
}

impl AdmittedConnection {
    /// Waits until the guard cuts the connection.
    pub(super) async fn wait_for_cut(&self) {
        poll_fn(|cx| {
            self.state.register_waker(cx);
            if self.state.cut_reason().is_some() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl Drop for AdmittedConnection {
    fn drop(&mut self) {
        self.registry.remove(self.state.id);
    }
}
