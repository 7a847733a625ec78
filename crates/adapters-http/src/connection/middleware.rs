//! The outermost middleware, which reports complete responses to the connection guard.

use actix_web::{
    Error,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{ConnectionType, Version},
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
    end_by_close(&mut response);
    if OutputPermits::requires_permit(response.response().body().size()) {
        return Ok(response.map_body(|_, body| PiecewiseBody::boxed(body, connection)));
    }
    connection.finish_response();
    Ok(response)
}

/// Gives a stream to an HTTP/1.0 client without chunks, which that version does not have (RFC 9112, section 6.1). The end of
/// the connection is then the end of the stream.
fn end_by_close(response: &mut ServiceResponse<BoxBody>) {
    let is_stream = response.response().body().size() == BodySize::Stream;
    if is_stream && response.request().version() < Version::HTTP_11 {
        let head = response.response_mut().head_mut();
        head.no_chunking(true);
        head.set_connection_type(ConnectionType::Close);
    }
}
