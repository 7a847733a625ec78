//! Tests of TLS, and of a certificate that is replaced while the server runs.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    sync::Arc,
    time::Duration,
};

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    crypto::ring::default_provider,
    pki_types::{CertificateDer, ServerName},
};

use crate::process::TestEnvironment;

const TLS_ARGUMENTS: [&str; 4] = ["--tls-certificate-file", "server.pem", "--tls-key-file", "server.key"];

/// Writes a new self-signed certificate and its key, and returns the certificate for a client to trust.
fn write_new_certificate(env: &TestEnvironment) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    write_files(env, &cert.pem(), &signing_key);
    cert.der().clone()
}

fn write_files(env: &TestEnvironment, certificate: &str, key: &KeyPair) {
    fs::write(env.path().join("server.pem"), certificate).unwrap();
    fs::write(env.path().join("server.key"), key.serialize_pem()).unwrap();
}

/// Returns the first 12 bytes of the response to a client that trusts this certificate.
fn response_start(address: &str, trusted: &CertificateDer<'static>) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let config = builder.with_safe_default_protocol_versions().unwrap().with_root_certificates(roots);
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(Arc::new(config.with_no_client_auth()), name).unwrap();
    let socket = TcpStream::connect(address)?;
    socket.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut stream = StreamOwned::new(connection, socket);
    stream.write_all(b"GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n")?;
    let mut line = [0; 12];
    stream.read_exact(&mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}

#[test]
fn a_server_with_a_certificate_uses_tls() {
    let env = TestEnvironment::new();
    let trusted = write_new_certificate(&env);
    let server = env.serve(&TLS_ARGUMENTS);
    assert_eq!(response_start(server.address(), &trusted).unwrap(), "HTTP/1.1 200");
}

#[test]
fn stalled_handshakes_are_ended_while_other_clients_are_served() {
    let env = TestEnvironment::new();
    let trusted = write_new_certificate(&env);
    let server = env.serve(&[&TLS_ARGUMENTS[..], &["--header-timeout-seconds", "2"]].concat());
    // No byte, the start of a record, and a record that is shorter than its announced length.
    let beginnings: [&[u8]; 3] = [b"", b"\x16\x03", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"];
    let stall = |beginning: &[u8]| {
        let mut socket = TcpStream::connect(server.address()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        socket.write_all(beginning).unwrap();
        socket
    };
    let stalled: Vec<_> = beginnings.iter().cycle().take(60).map(|beginning| stall(beginning)).collect();
    assert_eq!(response_start(server.address(), &trusted).unwrap(), "HTTP/1.1 200");
    for mut socket in stalled {
        assert_eq!(socket.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}

#[test]
fn a_hangup_signal_reloads_the_certificate() {
    let env = TestEnvironment::new();
    write_new_certificate(&env);
    let mut server = env.serve(&TLS_ARGUMENTS);
    let trusted = write_new_certificate(&env);
    assert!(response_start(server.address(), &trusted).is_err());
    server.signal("HUP");
    server.wait_for_log("reloaded the certificate");
    assert_eq!(response_start(server.address(), &trusted).unwrap(), "HTTP/1.1 200");
}

#[test]
fn the_previous_certificate_stays_in_use_if_a_reload_fails() {
    let env = TestEnvironment::new();
    let trusted = write_new_certificate(&env);
    let mut server = env.serve(&TLS_ARGUMENTS);
    fs::write(env.path().join("server.pem"), "nonsense").unwrap();
    server.signal("HUP");
    server.wait_for_log("failed to reload the certificate: the previous one stays in use");
    assert_eq!(response_start(server.address(), &trusted).unwrap(), "HTTP/1.1 200");
}

#[test]
fn a_certificate_with_the_key_of_another_certificate_stops_the_start() {
    let env = TestEnvironment::new();
    write_new_certificate(&env);
    let CertifiedKey { cert, .. } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(env.path().join("server.pem"), cert.pem()).unwrap();
    let output = env.run(&[&["serve"][..], &TLS_ARGUMENTS].concat());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && stderr.contains("the certificate and the key do not match"), "{stderr}");
}
