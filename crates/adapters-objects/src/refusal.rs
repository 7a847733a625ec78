//! Why a store failed, in one line: where, what is wrong, and what to do.
//!
//! The library's error tells each cause again in the next, with the whole of the answer and the address that was asked,
//! whose query and path are no business of a log.

use std::{error::Error as StdError, io};

/// What is told of a store's failure.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refusal(String);

impl From<object_store::Error> for Refusal {
    fn from(error: object_store::Error) -> Self {
        let causes = causes(&error);
        let outermost = causes.first().map_or_else(|| error.to_string(), ToString::to_string);
        let innermost = causes.last().map_or_else(|| error.to_string(), ToString::to_string);
        let system = causes.iter().find_map(|cause| cause.downcast_ref::<io::Error>());
        Self(match asked(&outermost) {
            Some(place) => format!("{place}: {}", of_server(&innermost, system)),
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

/// The server and the bucket that an error names: the address up to the first folder.
fn asked(text: &str) -> Option<&str> {
    let begin = text.find("http://").or_else(|| text.find("https://"))?;
    let address = text.get(begin..)?.split([' ', '?']).next()?;
    let end = address.match_indices('/').map(|(at, _)| at).nth(3);
    Some(address.get(..end.unwrap_or(address.len()))?.trim_end_matches('/'))
}

fn of_server(innermost: &str, system: Option<&io::Error>) -> String {
    const CREDENTIALS: [&str; 4] = ["AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken"];
    let answer = innermost.split_once("status code: ").map(|(_, answer)| answer);
    let status = answer.map(|answer| answer.split([':', '<']).next().unwrap_or_default().trim());
    let code = element(innermost, "Code");
    match (code, status) {
        (Some("NoSuchBucket"), _) => "there is no such bucket: make it, or correct its name".to_owned(),
        (Some(code), _) if CREDENTIALS.contains(&code) => refused(code),
        (None, Some(status)) if status.starts_with("401") || status.starts_with("403") => refused(status),
        (Some(code), _) => format!("the server answers {code}: {}", element(innermost, "Message").unwrap_or_default()),
        (None, Some(status)) => format!("the server answers {status}: check that it is the server of the bucket"),
        (None, None) if system.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) => {
            "connection refused: start the server, or correct its address".to_owned()
        }
        (None, None) => format!("{}: check the server's address", one_line(innermost)),
    }
}

fn refused(word: &str) -> String {
    format!("the server refuses the credentials ({word}): correct them, or what they may do")
}

/// The text of an element of an answer in XML.
fn element<'text>(text: &'text str, name: &str) -> Option<&'text str> {
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

    fn told(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> String {
        let source = Box::new(Request(cause.into()));
        Refusal::from(object_store::Error::Generic { store: "S3", source }).to_string()
    }

    fn answered(status: &str, code: &str) -> String {
        let body = format!("<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code><Message>m\n</Message></Error>");
        told(format!("Server returned non-2xx status code: {status}: {body}"))
    }

    #[test]
    fn a_bucket_that_is_missing_is_named_once() {
        let expected = "http://store:9000/bucket: there is no such bucket: make it, or correct its name";
        assert_eq!(answered("404 Not Found", "NoSuchBucket"), expected);
    }

    #[test]
    fn credentials_that_are_refused_are_told() {
        let expected = "http://store:9000/bucket: the server refuses the credentials (SignatureDoesNotMatch): correct \
                        them, or what they may do";
        assert_eq!(answered("403 Forbidden", "SignatureDoesNotMatch"), expected);
        assert!(told("Server returned non-2xx status code: 403 Forbidden: no").contains("(403 Forbidden)"));
    }

    #[test]
    fn a_server_that_is_not_there_is_told() {
        let told = told(io::Error::from(io::ErrorKind::ConnectionRefused));
        assert_eq!(told, "http://store:9000/bucket: connection refused: start the server, or correct its address");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_told_with_its_path() {
        let source = "Unable to create dir /srv/feeds: Permission denied (os error 13)".into();
        let error = object_store::Error::Generic { store: "LocalFileSystem", source };
        assert_eq!(
            Refusal::from(error).to_string(),
            "Unable to create dir /srv/feeds: Permission denied (os error 13)"
        );
    }
}
