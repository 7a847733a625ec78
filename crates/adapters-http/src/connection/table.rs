//! The table of connections of one listener, with counts per client address and per credential, and eviction order.

use std::{cmp::Reverse, collections::HashMap, hash::Hash, net::IpAddr, sync::Arc};

use parlance_domain::access::ApiId;

use super::{
    deadline::{NEW_TICKS, SLOW_BODY_TICKS, SLOW_CLIENT_TICKS, WriteProgress},
    state::{ConnectionState, Phase},
};

#[derive(Default)]
pub(super) struct ConnectionTable {
    next_id: u64,
    pub(super) entries: HashMap<u64, ConnectionEntry>,
    /// Number of connections within the cap.
    pub(super) admitted: usize,
    pub(super) by_address: HashMap<IpAddr, usize>,
    pub(super) by_credential: HashMap<ApiId, usize>,
}

pub(super) struct ConnectionEntry {
    pub(super) state: Arc<ConnectionState>,
    pub(super) address: Option<IpAddr>,
    pub(super) credential: Option<ApiId>,
    pub(super) progress: WriteProgress,
    /// Ticks since the connection was cut.
    pub(super) cut_ticks: u32,
    /// The connection no longer counts, for example because it was evicted.
    pub(super) is_released: bool,
}

impl ConnectionTable {
    pub(super) fn insert(&mut self, address: Option<IpAddr>, health_only: bool, now: u32) -> Arc<ConnectionState> {
        self.next_id += 1;
        let state = Arc::new(ConnectionState::new(self.next_id, health_only, now));
        if !health_only {
            self.admitted += 1;
        }
        if let Some(address) = address.filter(|_| !health_only) {
            *self.by_address.entry(address).or_default() += 1;
        }
        let progress = WriteProgress::default();
        let entry = ConnectionEntry {
            state: Arc::clone(&state),
            address,
            credential: None,
            progress,
            cut_ticks: 0,
            is_released: false,
        };
        self.entries.insert(self.next_id, entry);
        state
    }

    pub(super) fn attribute(&mut self, id: u64, credential: &ApiId) {
        let Some(entry) = self.entries.get_mut(&id).filter(|entry| !entry.is_released) else { return };
        if let Some(previous) = entry.credential.replace(credential.clone()) {
            decrement(&mut self.by_credential, &previous);
        }
        *self.by_credential.entry(credential.clone()).or_default() += 1;
    }

    /// Removes a connection from all counts. Returns `None` if that was done before.
    pub(super) fn release(&mut self, id: u64) -> Option<Arc<ConnectionState>> {
        let entry = self.entries.get_mut(&id).filter(|entry| !entry.is_released)?;
        entry.is_released = true;
        if !entry.state.health_only {
            self.admitted -= 1;
        }
        if let Some(address) = entry.address.as_ref().filter(|_| !entry.state.health_only) {
            decrement(&mut self.by_address, address);
        }
        if let Some(credential) = &entry.credential {
            decrement(&mut self.by_credential, credential);
        }
        Some(Arc::clone(&entry.state))
    }
}

fn decrement<K: Hash + Eq>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(key);
        }
    }
}

/// Order of eviction: the connection with the lowest value is evicted first. Anonymous connections have no credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EvictionPriority {
    /// The connection has not sent a request, or is closing.
    NoRequest,
    /// The client keeps the server waiting, without a credential.
    AnonymousSlow,
    /// Between two requests, without a credential.
    AnonymousIdle,
    /// The client keeps the server waiting, with a credential.
    Slow,
    /// The client sends a body or reads a response, without a credential.
    AnonymousBusy,
    /// Admitted less than two ticks ago. The first request may be on its way and would get no response.
    New,
    /// Between two requests for at least a second, with a credential.
    Idle,
    /// Between two requests for less than a second, with a credential. The next request may be on its way and would get
    /// no response.
    Active,
}

impl ConnectionEntry {
    /// The eviction priority of the connection; `None` if it must not be evicted.
    pub(super) fn eviction_priority(&self, now: u32) -> Option<EvictionPriority> {
        let state = &self.state;
        if self.is_released || state.cut_reason().is_some() {
            return None;
        }
        let authenticated = self.credential.is_some();
        let (phase, since) = state.phase_and_since();
        let waited = now.saturating_sub(since);
        let unread = self.progress.is_stalled_for(if authenticated { SLOW_CLIENT_TICKS } else { 1 });
        let body_ticks = if authenticated { SLOW_BODY_TICKS } else { SLOW_CLIENT_TICKS };
        let unsent = state.is_body_incomplete() && waited >= body_ticks;
        let slow = unread || unsent;
        match phase {
            Phase::Opening if waited <= NEW_TICKS => Some(EvictionPriority::New),
            Phase::Opening | Phase::Closing => Some(EvictionPriority::NoRequest),
            Phase::Head => Some(if authenticated { EvictionPriority::Slow } else { EvictionPriority::AnonymousSlow }),
            Phase::Request | Phase::Idle if slow => {
                Some(if authenticated { EvictionPriority::Slow } else { EvictionPriority::AnonymousSlow })
            }
            Phase::Idle if !authenticated => Some(EvictionPriority::AnonymousIdle),
            Phase::Idle if waited < SLOW_CLIENT_TICKS => Some(EvictionPriority::Active),
            Phase::Idle => Some(EvictionPriority::Idle),
            Phase::Request => {
                let waits_for_client = state.is_body_incomplete() || state.is_blocked();
                (waits_for_client && !authenticated).then_some(EvictionPriority::AnonymousBusy)
            }
        }
    }
}

impl ConnectionTable {
    /// Up to `count` of the matching connections to evict: those with the lowest priority first, then those whose owner
    /// has the most connections, then those that have been in their phase for the longest time.
    pub(super) fn eviction_candidates(
        &self,
        count: usize,
        now: u32,
        matches: impl Fn(&ConnectionEntry) -> bool,
    ) -> Vec<u64> {
        let owner_connections = |entry: &ConnectionEntry| match (&entry.credential, &entry.address) {
            (Some(credential), _) => self.by_credential.get(credential),
            (None, Some(address)) => self.by_address.get(address),
            (None, None) => None,
        };
        let candidates = self.entries.values().filter(|entry| matches(entry));
        let ranked = candidates.filter_map(|entry| {
            let owner_count = owner_connections(entry).copied().unwrap_or_default();
            Some((entry.eviction_priority(now)?, Reverse(owner_count), entry.state.phase_and_since().1, entry.state.id))
        });
        let mut ranked: Vec<_> = ranked.collect();
        if count < ranked.len() {
            ranked.select_nth_unstable(count);
        }
        ranked.into_iter().take(count).map(|(.., id)| id).collect()
    }
}
