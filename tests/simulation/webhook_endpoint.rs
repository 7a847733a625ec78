//! The endpoints of webhooks, outside of the service. Each checks the order of what it receives, and its identifiers.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use parlance_domain::{
    event::Event,
    limits::WEBHOOK_TIMEOUT_SECONDS,
    time::Timestamp,
    webhook::{AttemptFailure, EventEncoder, WebhookDeliveryId, WebhookRequest, WebhookSender},
};

use crate::{
    fault::Fault,
    world::{SECOND, World},
};

const TIMEOUT: i64 = WEBHOOK_TIMEOUT_SECONDS.cast_signed() * SECOND;

/// Encodes the number of an event in the log, and the key within which events have an order.
pub(crate) struct NumberEncoder;

impl EventEncoder for NumberEncoder {
    fn encode(&self, event: &Event) -> Vec<u8> {
        let key = event.change.conversation().map_or("none", |conversation| conversation.as_str());
        format!("{} {key}", event.position.sequence).into_bytes()
    }

    fn encode_test(&self, _: &WebhookDeliveryId, _: Timestamp) -> Vec<u8> {
        Vec::new()
    }
}

/// The endpoints of all webhooks, by their addresses. Clones share them.
#[derive(Clone)]
pub(crate) struct SimulatedEndpoints {
    world: World,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    endpoints: BTreeMap<String, Endpoint>,
    /// The endpoint that answers no request from the start of the run.
    dead: Option<String>,
}

#[derive(Default)]
struct Endpoint {
    /// The identifier with which each event came first.
    ids: BTreeMap<i64, String>,
    /// The last event of each key that was new.
    last: BTreeMap<String, i64>,
}

impl SimulatedEndpoints {
    pub(crate) fn new(world: &World) -> Self {
        Self { world: world.clone(), state: Arc::default() }
    }

    /// An endpoint answers no more.
    pub(crate) fn kill(&self, url: String) {
        self.world.trace(|| format!("{url} answers no request"));
        self.state.lock().unwrap().dead = Some(url);
    }

    pub(crate) fn is_dead(&self, url: &str) -> bool {
        self.state.lock().unwrap().dead.as_deref() == Some(url)
    }

    /// Whether an endpoint has received an event.
    pub(crate) fn has_received(&self, url: &str, number: i64) -> bool {
        self.state.lock().unwrap().endpoints.get(url).is_some_and(|endpoint| endpoint.ids.contains_key(&number))
    }

    fn receive(&self, request: &WebhookRequest) {
        let (url, id) = (request.url.as_str(), request.id.as_str());
        let body = String::from_utf8_lossy(&request.body).into_owned();
        let (number, key) = body.split_once(' ').unwrap();
        let number: i64 = number.parse().unwrap();
        let mut state = self.state.lock().unwrap();
        let endpoint = state.endpoints.entry(url.to_owned()).or_default();
        if let Some(first) = endpoint.ids.get(&number) {
            self.world.trace(|| format!("{url} receives event {number} again, as {id}"));
            if first != id {
                self.world.violate(format!("{url} received event {number} as {first}, and again as {id}"));
            }
            return;
        }
        self.world.trace(|| format!("{url} receives event {number} of {key} as {id}"));
        endpoint.ids.insert(number, id.to_owned());
        let last = endpoint.last.insert(key.to_owned(), number);
        if let Some(last) = last.filter(|last| *last > number) {
            self.world.violate(format!("{url} received event {number} of {key} after event {last}"));
        }
    }
}

#[async_trait]
impl WebhookSender for SimulatedEndpoints {
    async fn send(&self, request: &WebhookRequest) -> Result<u16, AttemptFailure> {
        let world = &self.world;
        if self.is_dead(request.url.as_str()) {
            world.pause(TIMEOUT).await;
            return Err(AttemptFailure::TimedOut);
        }
        if world.happens(|chaos| chaos.refused) {
            world.step().await;
            return Err(AttemptFailure::Status(503));
        }
        let (endpoints, taken) = (self.clone(), request.clone());
        let answer = world.call(TIMEOUT, move || endpoints.receive(&taken)).await;
        if answer.is_none() {
            return if world.has(Fault::PresumedSuccess) { Ok(200) } else { Err(AttemptFailure::TimedOut) };
        }
        // Some receivers take an event and answer that they have failed.
        if world.happens(|chaos| chaos.refused) { Err(AttemptFailure::Status(500)) } else { Ok(200) }
    }
}
