//! The settings of webhooks.

use std::path::PathBuf;

use parlance_domain::webhook::{AllowedNetworks, InvalidNetwork};

use super::{reader::Reader, values::read_optional_path};

/// Which receivers webhooks may reach, and whose certificates are accepted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookSettings {
    /// The networks that webhooks may reach besides public addresses.
    pub allow: AllowedNetworks,
    /// A file of certificates of authorities that are accepted besides those of the system.
    pub ca_file: Option<PathBuf>,
}

impl WebhookSettings {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let allow = reader.read("webhook_allow", read_networks);
        let ca_file = reader.read("webhook_ca_file", read_optional_path);
        Some(Self { allow: allow?, ca_file: ca_file? })
    }
}

fn read_networks(list: &str) -> Result<AllowedNetworks, &'static str> {
    let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
    let networks: Result<_, InvalidNetwork> = parts.map(str::parse).collect();
    networks.map(AllowedNetworks).map_err(|_| "must be a list of networks such as 10.0.0.0/8,fd00::/8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_separated_by_commas() {
        assert_eq!(read_networks("").unwrap(), AllowedNetworks::default());
        assert_eq!(read_networks("10.0.0.0/8, fd00::/8").unwrap().0.len(), 2);
        assert!(read_networks("10.0.0.0/8,localhost").is_err());
    }
}
