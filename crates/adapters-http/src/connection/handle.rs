//! Signals from requests and responses to the guard of their connection.

use std::{cell::RefCell, future::poll_fn, rc::Rc, sync::Arc, task::Poll};

use actix_web::{HttpRequest, dev::ServiceRequest};
use parlance_domain::access::ApiId;

use super::{
    registry::ConnectionRegistry,
    state::{ConnectionState, ContinueState, Phase},
};

/// The connection of a request. Clones refer to the same connection.
#[derive(Clone)]
pub struct ConnectionHandle(Rc<Inner>);

struct Inner {
    state: Arc<ConnectionState>,
    registry: ConnectionRegistry,
    credential: RefCell<Option<ApiId>>,
}

impl ConnectionHandle {
    pub(super) fn new(state: Arc<ConnectionState>, registry: ConnectionRegistry) -> Self {
        Self(Rc::new(Inner { state, registry, credential: RefCell::default() }))
    }

    /// The connection of a request; `None` if a test calls a handler directly.
    pub(crate) fn from_request(request: &HttpRequest) -> Option<&Self> {
        request.conn_data()
    }

    /// The connection of a request; `None` if a test calls a service directly.
    pub(crate) fn from_service_request(request: &ServiceRequest) -> Option<&Self> {
        Self::from_request(request.request())
    }

    /// Whether the connection may only request the health paths.
    pub(crate) fn is_health_only(&self) -> bool {
        self.0.state.health_only
    }

    /// Whether the connection must close after the current response.
    pub(crate) fn must_close(&self) -> bool {
        let Inner { state, registry, .. } = &*self.0;
        self.is_health_only() || state.is_body_incomplete() || state.cut_reason().is_some() || registry.is_draining()
    }

    /// Whether the client has closed its connection, or its sending side, since it sent the request.
    pub(crate) fn is_client_done(&self) -> bool {
        self.0.state.is_client_done()
    }

    /// Waits until the client closes its connection or its sending side. Only the task that serves the connection may wait, because
    /// the close wakes that task.
    pub(crate) async fn client_done(&self) {
        poll_fn(|_| if self.is_client_done() { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    /// Reports that the application has produced the whole current response. Some of its bytes may still be unsent.
    pub(crate) fn finish_response(&self) {
        let Inner { state, registry, .. } = &*self.0;
        state.set_interim(ContinueState::NotExpected);
        let next = if self.must_close() { Phase::Closing } else { Phase::Idle };
        state.enter(next, registry.now());
        if state.has_read_ahead() || next == Phase::Closing {
            state.wake();
        }
    }

    /// Requests `100 Continue` if the client waits for it before it sends its body.
    pub(crate) fn request_continue(&self) {
        let state = &self.0.state;
        if state.interim() == ContinueState::Expected {
            state.set_interim(ContinueState::Requested);
            state.wake();
        }
    }

    /// Counts the connection for the credential of its current request.
    ///
    /// Returns whether the credential is within its connection limit.
    pub(crate) fn attribute(&self, credential: &ApiId) -> bool {
        let Inner { state, registry, credential: present } = &*self.0;
        state.set_authenticated(true);
        if present.borrow().as_ref() == Some(credential) {
            return true;
        }
        let admitted = registry.attribute(state.id, credential);
        if admitted {
            present.replace(Some(credential.clone()));
        }
        admitted
    }
}
