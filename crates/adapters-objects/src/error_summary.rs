//! An error of a store as one line: the server, the problem and the remedy.
//!
//! The errors of `object_store` repeat their causes, the whole response and the requested URL. The path and the query
//! of that URL do not belong in a log.

use std::{error::Error as StdError, io};

/// The one-line summary of an error of a store.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ErrorSummary(String);

impl From<object_store::Error> for ErrorSummary {
    fn from(error: object_store::Error) -> Self {
        let causes = causes(&error);
        let outermost = causes.first().map_or_else(|| error.to_string(), ToString::to_string);
        let innermost = causes.last().map_or_else(|| error.to_string(), ToString::to_string);
        let system = causes.iter().find_map(|cause| cause.downcast_ref::<io::Error>());
        Self(match server_and_bucket(&outermost) {
            Some(server) => format!("{server}: {}", explain(&innermost, system)),
            None => one_line(&outermost),
        })
    }
}

fn causes(error: &object_store::Error) -> Vec<&(dyn StdError + 'static)> {
    let (mut causes, mut next) = (Vec::new(), error.source());
    while let Some(cause) = next {
        causes.push(cause);
        next = cause.source();
    }
    causes
}

/// The server and the bucket of the URL in an error text: the URL without its query, up to the first directory.
fn server_and_bucket(text: &str) -> Option<&str> {
    let start = text.find("http://").or_else(|| text.find("https://"))?;
    let url = text.get(start..)?.split([' ', '?']).next()?;
    let end = url.match_indices('/').map(|(at, _)| at).nth(3);
    Some(url.get(..end.unwrap_or(url.len()))?.trim_end_matches('/'))
}

/// The problem and its remedy.
fn explain(innermost: &str, system: Option<&io::Error>) -> String {
    const CREDENTIALS: [&str; 4] = ["AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken"];
    let response = innermost.split_once("status code: ").map(|(_, response)| response);
    let status = response.map(|response| response.split([':', '<']).next().unwrap_or_default().trim());
    let code = xml_element(innermost, "Code");
    match (code, status) {
        (Some("NoSuchBucket"), _) => "there is no such bucket: make it, or correct its name".to_owned(),
        (Some(code), _) if CREDENTIALS.contains(&code) => credentials_refused(code),
        (None, Some(status)) if status.starts_with("401") || status.starts_with("403") => credentials_refused(status),
        (Some(code), _) => {
            format!("the server responds with {code}: {}", xml_element(innermost, "Message").unwrap_or_default())
        }
        (None, Some(status)) => {
            format!("the server responds with {status}: check that the address is that of the bucket's server")
        }
        (None, None) if system.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) => {
            "connection refused: start the server, or correct its address".to_owned()
        }
        (None, None) => format!("{}: check the server's address", one_line(innermost)),
    }
}

fn credentials_refused(code: &str) -> String {
    format!("the server refuses the credentials ({code}): correct them, or their permissions")
}

/// The text of an element in an XML response.
fn xml_element<'text>(text: &'text str, name: &str) -> Option<&'text str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(content, _)| content)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("Error performing GET http://store:9000/bucket/feeds/acme?list-type=2 in 2ms - {0}")]
    struct Request(#[source] Box<dyn StdError + Send + Sync>);

    fn summary(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> String {
        let source = Box::new(Request(cause.into()));
        ErrorSummary::from(object_store::Error::Generic { store: "S3", source }).to_string()
    }

    fn summary_of_response(status: &str, code: &str) -> String {
        let body = format!("<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code><Message>m\n</Message></Error>");
        summary(format!("Server returned non-2xx status code: {status}: {body}"))
    }

    #[test]
    fn a_missing_bucket_is_reported_once() {
        let expected = "http://store:9000/bucket: there is no such bucket: make it, or correct its name";
        assert_eq!(summary_of_response("404 Not Found", "NoSuchBucket"), expected);
    }

    #[test]
    fn refused_credentials_are_reported_with_the_code() {
        let expected = "http://store:9000/bucket: the server refuses the credentials (SignatureDoesNotMatch): correct \
                        them, or their permissions";
        assert_eq!(summary_of_response("403 Forbidden", "SignatureDoesNotMatch"), expected);
        assert!(summary("Server returned non-2xx status code: 403 Forbidden: no").contains("(403 Forbidden)"));
    }

    #[test]
    fn a_refused_connection_is_reported() {
        let summary = summary(io::Error::from(io::ErrorKind::ConnectionRefused));
        assert_eq!(summary, "http://store:9000/bucket: connection refused: start the server, or correct its address");
    }

    #[test]
    fn a_failed_write_to_a_directory_is_reported_with_its_path() {
        let source = "Unable to create dir /srv/feeds: Permission denied (os error 13)".into();
        let error = object_store::Error::Generic { store: "LocalFileSystem", source };
        assert_eq!(
            ErrorSummary::from(error).to_string(),
            "Unable to create dir /srv/feeds: Permission denied (os error 13)"
        );
    }
}
