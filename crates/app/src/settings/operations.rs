//! Settings for whoever watches the service and its replicas.

use std::net::SocketAddr;

use parlance_domain::limits::ACTIVE_SET_TRUST_SECONDS;

pub(super) fn read_optional_address(text: &str) -> Result<Option<SocketAddr>, &'static str> {
    if text.is_empty() { Ok(None) } else { super::read_address(text).map(Some) }
}

pub(super) fn read_refresh(text: &str) -> Result<u32, &'static str> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds: &u32| (1..=ACTIVE_SET_TRUST_SECONDS).contains(&i64::from(*seconds)));
    seconds.ok_or("must be a whole number of seconds from 1 to 30")
}

pub(super) fn read_switch(text: &str) -> Result<bool, &'static str> {
    text.parse().map_err(|_| "must be true or false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_read_at_an_address_or_nowhere() {
        assert_eq!(read_optional_address(""), Ok(None));
        assert!(read_optional_address("127.0.0.1:9090").unwrap().is_some() && read_optional_address("9090").is_err());
    }

    #[test]
    fn switches_are_trusted_for_a_second_to_half_a_minute() {
        assert_eq!((read_refresh("1"), read_refresh("30")), (Ok(1), Ok(30)));
        assert!(["0", "31", "-1", "x", ""].iter().all(|text| read_refresh(text).is_err()));
    }
}
