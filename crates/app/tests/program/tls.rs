//! TLS by settings, and a certificate that is replaced while the server runs.

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

use crate::process::Home;

const FILES: [&str; 4] = ["--tls-certificate-file", "server.pem", "--tls-key-file", "server.key"];

/// Puts a new certificate with its key into the folder, and gives what a client must trust.
fn certify(home: &Home) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    write_files(home, &cert.pem(), &signing_key);
    cert.der().clone()
}

fn write_files(home: &Home, certificate: &str, key: &KeyPair) {
    fs::write(home.path().join("server.pem"), certificate).unwrap();
    fs::write(home.path().join("server.key"), key.serialize_pem()).unwrap();
}

/// The beginning of what the server answers to a client that trusts this certificate, or why there is no answer.
fn answer(address: &str, trusted: &CertificateDer<'static>) -> std::io::Result<String> {
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
fn with_a_certificate_the_server_speaks_tls() {
    let home = Home::new();
    let trusted = certify(&home);
    let server = home.serve(&FILES);
    assert_eq!(answer(server.address(), &trusted).unwrap(), "HTTP/1.1 200");
}

#[test]
fn handshakes_that_stall_are_ended_and_others_are_served_meanwhile() {
    let home = Home::new();
    let trusted = certify(&home);
    let server = home.serve(&[&FILES[..], &["--header-timeout-seconds", "2"]].concat());
    // Nothing, the beginning of a record, and a record that is announced as longer than what comes of it.
    let begun: [&[u8]; 3] = [b"", b"\x16\x03", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"];
    let stall = |begun: &[u8]| {
        let mut socket = TcpStream::connect(server.address()).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        socket.write_all(begun).unwrap();
        socket
    };
    let stalled: Vec<_> = begun.iter().cycle().take(60).map(|begun| stall(begun)).collect();
    assert_eq!(answer(server.address(), &trusted).unwrap(), "HTTP/1.1 200");
    for mut socket in stalled {
        assert_eq!(socket.read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}

#[test]
fn a_new_certificate_is_shown_after_a_hangup_signal() {
    let home = Home::new();
    certify(&home);
    let mut server = home.serve(&FILES);
    let trusted = certify(&home);
    assert!(answer(server.address(), &trusted).is_err());
    server.signal("HUP");
    server.wait_for("the certificate is read anew");
    assert_eq!(answer(server.address(), &trusted).unwrap(), "HTTP/1.1 200");
}

#[test]
fn a_certificate_that_cannot_be_read_anew_leaves_the_one_before() {
    let home = Home::new();
    let trusted = certify(&home);
    let mut server = home.serve(&FILES);
    fs::write(home.path().join("server.pem"), "nonsense").unwrap();
    server.signal("HUP");
    server.wait_for("the certificate is not read anew: the one before is shown on");
    assert_eq!(answer(server.address(), &trusted).unwrap(), "HTTP/1.1 200");
}

#[test]
fn a_certificate_and_the_key_of_another_stop_the_start() {
    let home = Home::new();
    certify(&home);
    let CertifiedKey { cert, .. } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(home.path().join("server.pem"), cert.pem()).unwrap();
    let output = home.run(&[&["serve"][..], &FILES].concat());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("the certificate and its key do not go together"), "{said}");
}
