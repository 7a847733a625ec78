//! What the description says of every operation alike: where the server is, examples, headers, and which operations need
//! no credential.

use utoipa::{
    Modify,
    openapi::{
        Content, Header, OpenApi, PathItem, Ref, RefOr, Response, ResponseBuilder, Server,
        header::HeaderBuilder,
        path::{Operation, ParameterBuilder},
        schema::{ObjectBuilder, Type},
    },
};

use crate::examples;

/// Completes a description whose operations are all there.
pub(crate) struct Details;

impl Modify for Details {
    fn modify(&self, description: &mut OpenApi) {
        let mut server = Server::new("/");
        server.description = Some("The server that gives this description".to_owned());
        description.servers = Some(vec![server]);
        let components = description.components.get_or_insert_default();
        components.headers.extend(HEADERS.iter().map(|header| (header.name.to_owned(), header.described())));
        components.responses.insert("MethodNotAllowed".to_owned(), RefOr::T(method_not_allowed()));
        for operation in description.paths.paths.values_mut().flat_map(operations) {
            complete(operation);
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.patch, &mut item.delete].into_iter().flatten()
}

fn complete(operation: &mut Operation) {
    // No requirement at all would be the document's own, and linters take its absence for an oversight.
    let is_open = operation.security.get_or_insert_default().is_empty();
    let name = operation.operation_id.clone().unwrap_or_default();
    let mut takes_key = false;
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else { continue };
        takes_key |= parameter.name == "Idempotency-Key";
        if let Some(example) = examples::parameter(&name, &parameter.name) {
            *parameter = ParameterBuilder::from(std::mem::take(parameter)).example(Some(example)).build();
        }
    }
    if let Some(RefOr::T(body)) = &mut operation.request_body {
        body.content.values_mut().for_each(exemplify);
    }
    let kind = Kind { is_open, takes_key, name: &name };
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        let sent = HEADERS.iter().filter(|header| (header.is_sent)(status, &kind));
        response.headers.extend(sent.map(|header| (header.name.to_owned(), header.reference())));
    }
    let refused = Ref::from_response_name("MethodNotAllowed");
    operation.responses.responses.insert("405".to_owned(), RefOr::Ref(refused));
}

fn exemplify(content: &mut RefOr<Content>) {
    let RefOr::T(content) = content else { return };
    let Some(RefOr::Ref(schema)) = &content.schema else { return };
    content.example = schema.ref_location.rsplit('/').next().and_then(examples::body);
}

fn method_not_allowed() -> Response {
    let body = utoipa::openapi::ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    let text = "The path has no such method; see Allow";
    let mut response = ResponseBuilder::new().description(text).content("application/json", body).build();
    let sent = HEADERS.iter().filter(|header| ["x-request-id", "Allow"].contains(&header.name));
    response.headers.extend(sent.map(|header| (header.name.to_owned(), header.reference())));
    response
}

/// The operations whose answers have an entity tag, by the beginnings of their names.
const TAGGED: [&str; 2] = ["exportVocabulary", "collectFeedFile"];

/// What of an operation decides which headers its answers have.
struct Kind<'operation> {
    name: &'operation str,
    is_open: bool,
    takes_key: bool,
}

impl Kind<'_> {
    fn has_tag(&self) -> bool {
        TAGGED.iter().any(|tagged| self.name.starts_with(tagged))
    }

    fn is_file(&self) -> bool {
        self.name == "collectFeedFile"
    }
}

/// A header of answers.
struct DescribedHeader {
    name: &'static str,
    text: &'static str,
    example: &'static str,
    is_sent: fn(&str, &Kind<'_>) -> bool,
}

impl DescribedHeader {
    fn described(&self) -> RefOr<Header> {
        let text = ObjectBuilder::new().schema_type(Type::String).build();
        let header =
            HeaderBuilder::new().schema(Some(text)).description(Some(self.text)).example(Some(self.example.into()));
        RefOr::T(header.build())
    }

    fn reference(&self) -> RefOr<Header> {
        RefOr::Ref(Ref::new(format!("#/components/headers/{}", self.name)))
    }
}

const HEADERS: &[DescribedHeader] = &[
    DescribedHeader {
        name: "x-request-id",
        text: "Identifies the request; also in the server's log, and in the body of an error",
        example: "01M7YAF6FR485T8V4YWCY12WA9",
        is_sent: |_, _| true,
    },
    DescribedHeader {
        name: "RateLimit-Policy",
        text: "How often the credential may call: the burst `q`, and the seconds `w` in which it fills from nothing",
        example: "\"credential\";q=200;w=2",
        is_sent: |status, kind| !kind.is_open && status != "401",
    },
    DescribedHeader {
        name: "RateLimit",
        text: "What is left of the rate: `r` requests at once, and `t` seconds until it is whole again or, with 429, until \
               one more is admitted",
        example: "\"credential\";r=199;t=1",
        is_sent: |status, kind| !kind.is_open && status != "401",
    },
    DescribedHeader {
        name: "Retry-After",
        text: "After how many seconds the request may be sent again",
        example: "1",
        is_sent: |status, _| ["429", "503"].contains(&status),
    },
    DescribedHeader {
        name: "WWW-Authenticate",
        text: "That the credential is given in two headers",
        example: "ApiKey realm=\"parlance\"",
        is_sent: |status, _| status == "401",
    },
    DescribedHeader {
        name: "Allow",
        text: "The methods that the path has",
        example: "GET, POST",
        is_sent: |_, _| false,
    },
    DescribedHeader {
        name: "Idempotency-Replayed",
        text: "`true` where the answer repeats that of an earlier request with the same key; else not there",
        example: "true",
        is_sent: |status, kind| kind.takes_key && status.starts_with('2'),
    },
    DescribedHeader {
        name: "ETag",
        text: "The tag of what the answer holds, for `If-None-Match`",
        example: "\"4a7d1ed414474e40\"",
        is_sent: |status, kind| kind.has_tag() && ["200", "206", "304"].contains(&status),
    },
    DescribedHeader {
        name: "Accept-Ranges",
        text: "That a part of the file can be asked for by `Range`",
        example: "bytes",
        is_sent: |status, kind| kind.is_file() && status.starts_with('2'),
    },
    DescribedHeader {
        name: "Content-Disposition",
        text: "The name to save the file under",
        example: "attachment; filename=\"part-r0001-00000.jsonl.gz\"",
        is_sent: |status, kind| kind.is_file() && status.starts_with('2'),
    },
    DescribedHeader {
        name: "Content-Range",
        text: "Which bytes of the file the answer holds; with 416, how many bytes the file has",
        example: "bytes 0-1023/146515",
        is_sent: |status, kind| kind.is_file() && ["206", "416"].contains(&status),
    },
];
