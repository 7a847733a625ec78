//! How many requests are in flight, and what is said to one too many.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use actix_web::{
    Error, HttpMessage, HttpRequest, HttpResponse,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
    web::{Bytes, Data},
};

use crate::problem::{ApiError, RefusalKind};

/// Counts the requests in flight, all workers together, against a bound. Cloning shares the count.
#[derive(Debug, Clone)]
pub struct Load {
    in_flight: Arc<AtomicUsize>,
    most: usize,
}

/// The right to be in flight, given back when it is dropped.
#[derive(Debug)]
struct Permit(Arc<AtomicUsize>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Load {
    /// Lets at most this many requests be in flight.
    #[must_use]
    pub fn at_most(most: usize) -> Self {
        Self { in_flight: Arc::default(), most }
    }

    fn enter(&self) -> Option<Permit> {
        let admit = |in_flight: usize| (in_flight < self.most).then_some(in_flight + 1);
        let admitted = self.in_flight.fetch_update(Ordering::AcqRel, Ordering::Acquire, admit);
        admitted.ok().map(|_| Permit(Arc::clone(&self.in_flight)))
    }
}

/// Sends a request away at once where there are as many in flight as there may be. Whether the server lives and is
/// ready is told at any load.
pub async fn shed_load(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let load = request.app_data::<Data<Load>>().filter(|_| !request.path().starts_with("/health/")).cloned();
    let Some(load) = load else { return next.call(request).await.map(ServiceResponse::map_into_boxed_body) };
    let Some(permit) = load.enter() else {
        let refusal = ApiError::refused(RefusalKind::Overloaded);
        return Ok(request.into_response(HttpResponse::from_error(refusal)));
    };
    request.extensions_mut().insert(permit);
    let response = next.call(request).await?.map_into_boxed_body();
    let permit = response.request().extensions_mut().remove::<Permit>();
    if response.response().body().size() != BodySize::Stream {
        return Ok(response);
    }
    Ok(response.map_body(|_, body| BoxBody::new(InFlight { body, _permit: permit })))
}

/// Gives up the request's place in flight while it waits for its caller, as it does for a body that comes slowly.
pub(crate) fn step_aside(request: &HttpRequest) {
    drop(request.extensions_mut().remove::<Permit>());
}

/// Takes a place in flight again.
///
/// # Errors
/// [`RefusalKind::Overloaded`] where there is none.
pub(crate) fn step_back_in(request: &HttpRequest) -> Result<(), ApiError> {
    let Some(load) = request.app_data::<Data<Load>>() else { return Ok(()) };
    let permit = load.enter().ok_or_else(|| ApiError::refused(RefusalKind::Overloaded))?;
    request.extensions_mut().insert(permit);
    Ok(())
}

/// A streamed body, in flight until it has ended.
struct InFlight {
    body: BoxBody,
    _permit: Option<Permit>,
}

impl MessageBody for InFlight {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_next(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_too_many_is_not_let_in_until_another_has_left() {
        let load = Load::at_most(2);
        let (first, second) = (load.enter(), load.enter());
        assert!(first.is_some() && second.is_some() && load.enter().is_none());
        drop(first);
        assert!(load.enter().is_some());
    }
}
