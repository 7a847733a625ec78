//! The outermost middleware, which reports complete responses to the connection guard.

use actix_web::{
    Error,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::ConnectionType,
    middleware::Next,
};

use super::{
    handle::ConnectionHandle,
    output::{OutputPermits, PiecewiseBody},
};

/// Reports to the connection that the response to a request is complete. Closes the connection after the response if
/// required.
///
/// # Errors
/// The errors of the service.
pub async fn connection_scope(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(connection) = ConnectionHandle::from_service_request(&request).cloned() else {
        return next.call(request).await.map(ServiceResponse::map_into_boxed_body);
    };
    let outcome = next.call(request).await;
    let mut response = match outcome {
        Ok(response) => response.map_into_boxed_body(),
        Err(error) => {
            connection.finish_response();
            return Err(error);
        }
    };
    if connection.must_close() {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    if OutputPermits::requires_permit(response.response().body().size()) {
        return Ok(response.map_body(|_, body| PiecewiseBody::boxed(body, connection)));
    }
    connection.finish_response();
    Ok(response)
}
