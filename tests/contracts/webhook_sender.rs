//! Contract of the sender of webhooks, against receivers that behave badly.

use std::{
    io,
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use parlance_adapters_webhook::{Authorities, HttpWebhookSender, Resolver};
use parlance_domain::webhook::{
    AllowedNetworks, AttemptFailure, WebhookDeliveryId, WebhookRequest, WebhookSender, WebhookUrl,
};
use support::webhook_receiver::{ReceiverBehaviour, WebhookReceiver};

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn networks(networks: &[&str]) -> AllowedNetworks {
    AllowedNetworks(networks.iter().map(|network| network.parse().unwrap()).collect())
}

fn sender() -> HttpWebhookSender {
    HttpWebhookSender::new(networks(&["127.0.0.0/8"]), Authorities::default())
}

fn request(url: &str) -> WebhookRequest {
    WebhookRequest {
        url: WebhookUrl::parse(url).unwrap(),
        id: WebhookDeliveryId::from_bits(7),
        timestamp: 1_614_265_330,
        signature: "v1,abc".to_owned(),
        body: br#"{"a":1}"#.to_vec(),
    }
}

async fn send(behaviour: ReceiverBehaviour) -> Result<u16, AttemptFailure> {
    let receiver = WebhookReceiver::start(behaviour).await;
    sender().send(&request(&receiver.url())).await
}

/// Resolves every host to the next of these addresses, and counts the resolutions.
struct ScriptedResolver {
    addresses: Vec<Vec<IpAddr>>,
    calls: AtomicUsize,
}

#[async_trait]
impl Resolver for ScriptedResolver {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        self.addresses.get(call).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

fn resolver(addresses: Vec<Vec<IpAddr>>) -> Arc<ScriptedResolver> {
    Arc::new(ScriptedResolver { addresses, calls: AtomicUsize::new(0) })
}

#[tokio::test]
async fn a_request_has_the_headers_of_standard_webhooks_and_its_body() {
    let receiver = WebhookReceiver::start(ReceiverBehaviour::Status(204)).await;
    assert_eq!(sender().send(&request(&receiver.url())).await, Ok(204));
    let sent = receiver.received().remove(0);
    assert_eq!((sent.request_line.as_str(), sent.body.as_str()), ("POST /in?a=b HTTP/1.1", r#"{"a":1}"#));
    for (name, value) in [
        ("webhook-id", WebhookDeliveryId::from_bits(7).as_str()),
        ("webhook-timestamp", "1614265330"),
        ("webhook-signature", "v1,abc"),
        ("content-type", "application/json"),
        ("host", format!("127.0.0.1:{}", receiver.port()).as_str()),
    ] {
        assert_eq!(sent.headers.get(name).map(String::as_str), Some(value), "{name}");
    }
}

#[tokio::test]
async fn every_status_but_success_is_a_failure() {
    for status in [200, 202, 299] {
        assert_eq!(send(ReceiverBehaviour::Status(status)).await, Ok(status));
    }
    for status in [304, 400, 410, 429, 500, 503] {
        assert_eq!(send(ReceiverBehaviour::Status(status)).await, Err(AttemptFailure::Status(status)));
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = WebhookReceiver::start(ReceiverBehaviour::Status(200)).await;
    assert_eq!(send(ReceiverBehaviour::Redirect(other.url())).await, Err(AttemptFailure::Status(307)));
    assert_eq!(other.received(), []);
}

#[tokio::test]
async fn a_receiver_that_never_answers_times_out() {
    let receiver = WebhookReceiver::start(ReceiverBehaviour::Hang).await;
    let impatient = sender().with_timeout(Duration::from_millis(200));
    assert_eq!(impatient.send(&request(&receiver.url())).await, Err(AttemptFailure::TimedOut));
    assert_eq!(receiver.received().len(), 1);
}

#[tokio::test]
async fn a_closed_connection_is_unreachable() {
    assert_eq!(send(ReceiverBehaviour::Close).await, Err(AttemptFailure::Unreachable));
    let free_port = WebhookReceiver::start(ReceiverBehaviour::Close).await.port();
    let refused = sender().send(&request(&format!("http://127.0.0.1:{free_port}/"))).await;
    assert_eq!(refused, Err(AttemptFailure::Unreachable));
}

#[tokio::test]
async fn the_body_of_an_answer_is_not_read() {
    assert_eq!(send(ReceiverBehaviour::LargeBody).await, Ok(200));
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    assert_eq!(send(ReceiverBehaviour::EndlessInterim).await, Err(AttemptFailure::InvalidAnswer));
    assert_eq!(send(ReceiverBehaviour::EndlessHeader).await, Err(AttemptFailure::InvalidAnswer));
    assert_eq!(send(ReceiverBehaviour::InterimThenSuccess).await, Ok(204));
    assert_eq!(send(ReceiverBehaviour::Nonsense).await, Err(AttemptFailure::InvalidAnswer));
}

#[tokio::test]
async fn an_address_that_is_not_allowed_gets_no_connection() {
    let receiver = WebhookReceiver::start(ReceiverBehaviour::Status(200)).await;
    let (strict, port) = (HttpWebhookSender::new(networks(&[]), Authorities::default()), receiver.port());
    for url in [
        format!("https://127.0.0.1:{port}/"),
        format!("http://127.0.0.1:{port}/"),
        format!("https://[::1]:{port}/"),
        format!("https://[::ffff:127.0.0.1]:{port}/"),
        format!("https://[64:ff9b::7f00:1]:{port}/"),
        "https://169.254.169.254/latest/meta-data".to_owned(),
    ] {
        assert_eq!(strict.send(&request(&url)).await, Err(AttemptFailure::AddressNotAllowed), "{url}");
    }
    assert_eq!(receiver.received(), []);
}

#[tokio::test]
async fn a_name_is_checked_by_the_addresses_that_it_resolves_to() {
    let receiver = WebhookReceiver::start(ReceiverBehaviour::Status(200)).await;
    let url = format!("https://hooks.example.com:{}/", receiver.port());
    let strict = HttpWebhookSender::new(networks(&[]), Authorities::default());
    let strict = strict.with_resolver(resolver(vec![vec![LOOPBACK]]));
    assert_eq!(strict.send(&request(&url)).await, Err(AttemptFailure::AddressNotAllowed));
    assert_eq!(strict.send(&request(&url)).await, Err(AttemptFailure::Unresolved));
    assert_eq!(receiver.received(), []);
}

#[tokio::test]
async fn a_name_that_resolves_differently_the_second_time_reaches_the_checked_address() {
    let receiver = WebhookReceiver::start(ReceiverBehaviour::Status(200)).await;
    let allowed: IpAddr = "127.0.0.2".parse().unwrap();
    let scripted = resolver(vec![vec![allowed, LOOPBACK], vec![LOOPBACK]]);
    let sender = HttpWebhookSender::new(networks(&["127.0.0.2/32"]), Authorities::default());
    let url = format!("http://hooks.example.com:{}/", receiver.port());
    let sent = sender.with_resolver(Arc::clone(&scripted) as Arc<_>).send(&request(&url)).await;
    // Nothing listens at the one allowed address. The other address is not tried, and the name is not resolved again.
    assert_eq!(sent, Err(AttemptFailure::Unreachable));
    assert_eq!((receiver.received().len(), scripted.calls.load(Ordering::Relaxed)), (0, 1));
}

#[tokio::test]
async fn a_server_without_tls_is_no_receiver_of_https() {
    let receiver = WebhookReceiver::start(ReceiverBehaviour::Nonsense).await;
    let url = format!("https://127.0.0.1:{}/", receiver.port());
    let impatient = sender().with_timeout(Duration::from_secs(5));
    let sent = impatient.send(&request(&url)).await;
    assert!(matches!(sent, Err(AttemptFailure::Tls | AttemptFailure::TimedOut)), "{sent:?}");
}
