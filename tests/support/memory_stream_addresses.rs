//! The store of streaming addresses in memory.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard},
};

use async_trait::async_trait;
use parlance_domain::{
    access::TenantId,
    error::StoreError,
    event::{PresentedAddress, StreamAddress, StreamAddressStore},
    time::Timestamp,
};

/// Implements the store of streaming addresses in memory. Dropping the value drops the addresses.
#[derive(Default)]
pub struct MemoryStreamAddresses(Mutex<HashMap<(TenantId, String), StreamAddress>>);

impl MemoryStreamAddresses {
    fn addresses(&self) -> MutexGuard<'_, HashMap<(TenantId, String), StreamAddress>> {
        self.0.lock().expect("no panic while the lock is held")
    }
}

fn key(tenant: &TenantId, presented: &PresentedAddress) -> (TenantId, String) {
    (tenant.clone(), presented.id.to_string())
}

fn is_valid(address: &StreamAddress, presented: &PresentedAddress, now: Timestamp) -> bool {
    address.digest.matches(&presented.digest) && address.expires_at > now
}

#[async_trait]
impl StreamAddressStore for MemoryStreamAddresses {
    async fn insert(&self, tenant: &TenantId, address: &StreamAddress, now: Timestamp) -> Result<(), StoreError> {
        let mut addresses = self.addresses();
        addresses.retain(|(of, _), other| of != tenant || other.expires_at > now);
        addresses.insert((tenant.clone(), address.id.to_string()), address.clone());
        Ok(())
    }

    async fn take(
        &self,
        tenant: &TenantId,
        presented: &PresentedAddress,
        now: Timestamp,
    ) -> Result<Option<StreamAddress>, StoreError> {
        let (mut addresses, key) = (self.addresses(), key(tenant, presented));
        let is_valid = addresses.get(&key).is_some_and(|address| is_valid(address, presented, now));
        Ok(if is_valid { addresses.remove(&key) } else { None })
    }

    async fn find(
        &self,
        tenant: &TenantId,
        presented: &PresentedAddress,
        now: Timestamp,
    ) -> Result<Option<StreamAddress>, StoreError> {
        let addresses = self.addresses();
        Ok(addresses.get(&key(tenant, presented)).filter(|address| is_valid(address, presented, now)).cloned())
    }
}
