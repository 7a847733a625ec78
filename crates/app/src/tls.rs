//! Which cryptography secures connections to elsewhere.

/// Makes ring the one library for TLS in this process, as it is everywhere in this program. Whoever opens connections
/// calls it first; only the first call does anything.
pub fn use_ring() {
    // Refused where it is done already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
