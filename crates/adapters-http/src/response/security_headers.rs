//! Security headers of HTML pages.

/// Security headers of HTML pages: a browser loads content of this server only, shows the page in no frame, and guesses
/// no content types. Inline styles and `data:` images are allowed, because Swagger UI uses both.
pub(crate) const PAGE_SECURITY_HEADERS: [(&str, &str); 4] = [
    (
        "content-security-policy",
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
];

/// Security headers of HTML documents that hold no scripts, images or links: a browser loads nothing at all for them.
pub(crate) const DOCUMENT_SECURITY_HEADERS: [(&str, &str); 4] = [
    (
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
];
