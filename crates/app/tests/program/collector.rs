//! A collector of traces for tests: it decodes the spans that a server sends.

use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    trace::v1::Span,
};
use prost::Message;
use support::transcription_receiver::{ReceivedRequest, Receiver};

use crate::process::{Server, TestEnvironment};

/// A listening collector. Dropping the value stops it.
pub(crate) struct Collector(Receiver);

impl Collector {
    pub(crate) fn start() -> Self {
        Self(Receiver::start())
    }

    /// The value of `otlp_endpoint`.
    pub(crate) fn endpoint(&self) -> String {
        self.0.url("")
    }

    /// All requests, in order.
    pub(crate) fn requests(&self) -> Vec<ReceivedRequest> {
        self.0.received()
    }

    /// Answers all following requests with this status.
    pub(crate) fn set_status(&self, status: u16) {
        self.0.set_response(status, None);
    }

    fn exports(&self) -> Vec<ExportTraceServiceRequest> {
        self.requests().iter().map(|request| ExportTraceServiceRequest::decode(&request.body[..]).unwrap()).collect()
    }

    /// All spans, in order of their end.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let resources = self.exports().into_iter().flat_map(|export| export.resource_spans);
        resources.flat_map(|resource| resource.scope_spans).flat_map(|scope| scope.spans).collect()
    }

    /// An attribute of the process that sent the first spans.
    pub(crate) fn resource_attribute(&self, key: &str) -> Option<String> {
        let resource = self.exports()[0].resource_spans[0].resource.clone().unwrap();
        text_attribute(&resource.attributes, key)
    }
}

/// Starts a server that sends this share of traces to a collector.
pub(crate) fn serve(env: &TestEnvironment, collector: &Collector, sampling: &str, arguments: &[&str]) -> Server {
    let endpoint = collector.endpoint();
    env.serve(&[&["--otlp-endpoint", &endpoint, "--otlp-sampling", sampling], arguments].concat())
}

/// Stops a server, which sends its last spans. Returns its log.
pub(crate) fn stop(mut server: Server) -> String {
    server.signal("TERM");
    let (status, log) = server.wait_for_exit();
    assert!(status.success(), "{log}");
    log
}

/// The only span with this name.
pub(crate) fn span<'spans>(spans: &'spans [Span], name: &str) -> &'spans Span {
    let found: Vec<_> = spans.iter().filter(|span| span.name == name).collect();
    assert_eq!(found.len(), 1, "{name} in {:?}", names(spans));
    found[0]
}

pub(crate) fn names(spans: &[Span]) -> Vec<&str> {
    spans.iter().map(|span| span.name.as_str()).collect()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    parlance_domain::hex::encode(bytes)
}

fn value<'value>(attributes: &'value [KeyValue], key: &str) -> Option<&'value Value> {
    attributes.iter().find(|attribute| attribute.key == key)?.value.as_ref()?.value.as_ref()
}

/// The value of a text attribute.
pub(crate) fn text_attribute(attributes: &[KeyValue], key: &str) -> Option<String> {
    let Value::StringValue(text) = value(attributes, key)? else { return None };
    Some(text.clone())
}

/// The value of a number attribute.
pub(crate) fn number_attribute(attributes: &[KeyValue], key: &str) -> Option<i64> {
    let Value::IntValue(number) = value(attributes, key)? else { return None };
    Some(*number)
}
