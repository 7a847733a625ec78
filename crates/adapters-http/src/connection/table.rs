//! The connections of one listener, and how many each client address and credential has.

use std::{cmp::Reverse, collections::HashMap, hash::Hash, net::IpAddr, sync::Arc};

use parlance_domain::access::ApiId;

use super::{
    deadline::{BODY_PATIENCE_TICKS, NEW_TICKS, PATIENCE_TICKS, WriteProgress},
    state::{ConnectionState, Phase},
};

#[derive(Default)]
pub(super) struct Table {
    next_id: u64,
    pub(super) entries: HashMap<u64, Entry>,
    /// Connections that are not beyond the cap.
    pub(super) admitted: usize,
    pub(super) by_address: HashMap<IpAddr, usize>,
    pub(super) by_credential: HashMap<ApiId, usize>,
}

pub(super) struct Entry {
    pub(super) state: Arc<ConnectionState>,
    pub(super) address: Option<IpAddr>,
    pub(super) credential: Option<ApiId>,
    pub(super) progress: WriteProgress,
    /// How many ticks ago it was told to end.
    pub(super) cut_ticks: u32,
    /// It was evicted, and counts no longer.
    pub(super) is_released: bool,
}

impl Table {
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
        let entry =
            Entry { state: Arc::clone(&state), address, credential: None, progress, cut_ticks: 0, is_released: false };
        self.entries.insert(self.next_id, entry);
        state
    }

    pub(super) fn attribute(&mut self, id: u64, credential: &ApiId) {
        let Some(entry) = self.entries.get_mut(&id).filter(|entry| !entry.is_released) else { return };
        if let Some(former) = entry.credential.replace(credential.clone()) {
            decrement(&mut self.by_credential, &former);
        }
        *self.by_credential.entry(credential.clone()).or_default() += 1;
    }

    /// Lets a connection count no longer.
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

/// How soon a connection makes room for another: the least goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Worth {
    /// It has not sent a request, or is being closed.
    NoRequest,
    /// It keeps the server waiting, and carried no credential.
    UnknownSlow,
    /// It waits between two requests, and carried no credential.
    UnknownIdle,
    /// It keeps the server waiting.
    Slow,
    /// It sends a body or reads an answer at present, and carried no credential.
    UnknownBusy,
    /// It was admitted a moment ago. Its first request may be on its way, and would get no answer.
    New,
    /// It waits between two requests.
    Idle,
    /// It had an answer a moment ago. Its next request may be on its way, and would get none.
    Active,
}

impl Entry {
    /// What the connection is worth; nothing where it must stay.
    pub(super) fn worth(&self, now: u32) -> Option<Worth> {
        let state = &self.state;
        if self.is_released || state.cut().is_some() {
            return None;
        }
        let known = self.credential.is_some();
        let (phase, since) = state.phase_and_since();
        let waited = now.saturating_sub(since);
        let unread = self.progress.is_stalled_for(if known { PATIENCE_TICKS } else { 1 });
        let patience = if known { BODY_PATIENCE_TICKS } else { PATIENCE_TICKS };
        let unsent = state.is_body_incomplete() && waited >= patience;
        let slow = unread || unsent;
        match phase {
            Phase::Opening if waited <= NEW_TICKS => Some(Worth::New),
            Phase::Opening | Phase::Closing => Some(Worth::NoRequest),
            Phase::Head => Some(if known { Worth::Slow } else { Worth::UnknownSlow }),
            Phase::Request | Phase::Idle if slow => Some(if known { Worth::Slow } else { Worth::UnknownSlow }),
            Phase::Idle if !known => Some(Worth::UnknownIdle),
            Phase::Idle if waited < PATIENCE_TICKS => Some(Worth::Active),
            Phase::Idle => Some(Worth::Idle),
            Phase::Request => {
                let waits_for_client = state.is_body_incomplete() || state.is_blocked();
                (waits_for_client && !known).then_some(Worth::UnknownBusy)
            }
        }
    }
}

impl Table {
    /// So many of the connections that match as make room for others: those worth least, of these the ones of whoever has
    /// most, of these the ones that have waited longest.
    pub(super) fn least_worth(&self, count: usize, now: u32, matches: impl Fn(&Entry) -> bool) -> Vec<u64> {
        let of_owner = |entry: &Entry| match (&entry.credential, &entry.address) {
            (Some(credential), _) => self.by_credential.get(credential),
            (None, Some(address)) => self.by_address.get(address),
            (None, None) => None,
        };
        let candidates = self.entries.values().filter(|entry| matches(entry));
        let ranked = candidates.filter_map(|entry| {
            let owned = of_owner(entry).copied().unwrap_or_default();
            Some((entry.worth(now)?, Reverse(owned), entry.state.phase_and_since().1, entry.state.id))
        });
        let mut ranked: Vec<_> = ranked.collect();
        if count < ranked.len() {
            ranked.select_nth_unstable(count);
        }
        ranked.into_iter().take(count).map(|(.., id)| id).collect()
    }
}
