//! Tests of requests that wait for an event and whose client closes its connection.

use std::time::{Duration, Instant};

use parlance_domain::access::Permission;
use support::{raw_connection::RawConnection, service::TestService};

use crate::connections::{blocking, head, service};

/// Opens a connection, and sends a request that waits for an event for half a minute.
async fn waiting_for_an_event(service: &TestService) -> RawConnection {
    let credential = service.issue_credential("acme", &Permission::ALL).await;
    let request = head(&credential, "GET", "/conversation/v1/events?after=latest&wait=30", "");
    let mut connection = RawConnection::open(service.address());
    assert!(connection.send(request.as_bytes()));
    // The request waits once it is no longer in the time that a head may take.
    actix_web::rt::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(service.open_connections(), 1);
    connection
}

/// A time that is clearly shorter than the request would wait.
const SOON: Duration = Duration::from_secs(10);

#[actix_web::test]
async fn a_request_that_waits_for_an_event_ends_with_its_connection() {
    let service = service(&[]).await;
    drop(waiting_for_an_event(&service).await);
    let start = Instant::now();
    while service.open_connections() > 0 {
        assert!(start.elapsed() < SOON, "the connection is still open");
        actix_web::rt::time::sleep(Duration::from_millis(20)).await;
    }
}

#[actix_web::test]
async fn a_client_that_closes_only_its_sending_side_gets_its_answer_at_once() {
    let service = service(&[]).await;
    let mut connection = waiting_for_an_event(&service).await;
    let start = Instant::now();
    connection.close_write();
    let response = blocking(move || connection.read_response()).await;
    assert!(response.starts_with("HTTP/1.1 200") && response.contains("\"nextCursor\""), "{response}");
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}
