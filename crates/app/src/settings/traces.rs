//! The settings of traces.

use std::fmt;

use actix_web::http::header::{HeaderName, HeaderValue};
use percent_encoding::percent_decode_str;
use zeroize::Zeroizing;

use super::{operations::read_public_url, reader::Reader, values::PrivateUrl};

/// The collector of traces, and what is traced.
#[derive(Debug, Clone)]
pub struct TraceSettings {
    /// The address of the collector, without a slash at its end.
    pub endpoint: PrivateUrl,
    /// The headers of each request to the collector.
    pub headers: CollectorHeaders,
    /// The share of deliveries, and of requests without a `traceparent`, that are traced: from 0 to 1.
    pub sampling: f64,
}

impl TraceSettings {
    /// The address to which spans are sent.
    #[must_use]
    pub fn traces_url(&self) -> String {
        format!("{}/v1/traces", self.endpoint.reveal())
    }
}

/// Headers that may hold secrets. `Debug` prints no value. Dropping the value overwrites its memory.
#[derive(Clone, PartialEq, Eq)]
pub struct CollectorHeaders(Vec<(String, Zeroizing<String>)>);

impl CollectorHeaders {
    /// The names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl fmt::Debug for CollectorHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| format!("{name}=***"))).finish()
    }
}

impl Reader<'_> {
    /// Reads the settings of traces. The outer `None` means an invalid setting, the inner `None` no traces.
    #[expect(clippy::option_option, reason = "the outer option: is the setting valid; the inner option: is it set")]
    pub(super) fn read_traces(&mut self) -> Option<Option<TraceSettings>> {
        let endpoint = self.read("otlp_endpoint", read_endpoint);
        let headers = self.read("otlp_headers", read_headers);
        let sampling = self.read("otlp_sampling", read_share);
        let (headers, sampling) = (headers?, sampling?);
        Some(endpoint?.map(|endpoint| TraceSettings { endpoint, headers, sampling }))
    }
}

fn read_endpoint(text: &str) -> Result<Option<PrivateUrl>, &'static str> {
    let url = read_public_url(text).map_err(|_| {
        "must be the address of a collector: http://host:port or https://…, optionally with a path; without user, \
         password and query: otlp_headers holds secrets"
    })?;
    Ok((!url.is_empty()).then(|| PrivateUrl::new(url)))
}

/// Parses headers in the form of `OTEL_EXPORTER_OTLP_HEADERS`.
fn read_headers(text: &str) -> Result<CollectorHeaders, &'static str> {
    const RULE: &str = "must be headers of the form name=value,name=value, with values in percent-encoding";
    let header = |part: &str| {
        let (name, value) = part.split_once('=')?;
        let name = HeaderName::try_from(name.trim()).ok()?;
        let value = Zeroizing::new(percent_decode_str(value.trim()).decode_utf8().ok()?.into_owned());
        HeaderValue::from_str(&value).ok()?;
        Some((name.as_str().to_owned(), value))
    };
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(header).collect::<Option<_>>().map(CollectorHeaders).ok_or(RULE)
}

fn read_share(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or("must be a number from 0 to 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_go_to_a_path_below_the_address_of_the_collector() {
        for address in ["http://127.0.0.1:4318", "http://127.0.0.1:4318/"] {
            let endpoint = read_endpoint(address).unwrap().unwrap();
            let settings = TraceSettings { endpoint, headers: read_headers("").unwrap(), sampling: 1.0 };
            assert_eq!(settings.traces_url(), "http://127.0.0.1:4318/v1/traces");
        }
        assert!(read_endpoint("").unwrap().is_none());
        assert!(["4318", "ftp://h", "http://u:p@h", "http://h?a=b"].iter().all(|text| read_endpoint(text).is_err()));
    }

    #[test]
    fn headers_are_pairs_with_values_in_percent_encoding() {
        let headers = read_headers("Authorization=Basic%20aHVzaDo=, x-scope = one").unwrap();
        let pairs: Vec<_> = headers.iter().collect();
        assert_eq!(pairs, [("authorization", "Basic aHVzaDo="), ("x-scope", "one")]);
        assert!(read_headers("").unwrap().0.is_empty());
        assert!(["a", "=b", "a b=c", "a=%00", "a=%ff"].iter().all(|text| read_headers(text).is_err()));
    }

    #[test]
    fn debug_prints_no_value_of_a_header() {
        assert_eq!(format!("{:?}", read_headers("a=hush").unwrap()), "[\"a=***\"]");
    }

    #[test]
    fn a_share_is_a_number_from_0_to_1() {
        assert_eq!([read_share("0"), read_share("0.01"), read_share("1")], [Ok(0.0), Ok(0.01), Ok(1.0)]);
        assert!(["", "-0.1", "1.1", "NaN", "inf", "1%"].iter().all(|text| read_share(text).is_err()));
    }
}
