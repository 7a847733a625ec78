//! Parts of the OpenAPI description that all operations share: the server, examples, response headers, the response
//! 405, and which operations need no credential.

use utoipa::{
    Modify,
    openapi::{
        Content, Header, OpenApi, PathItem, Ref, RefOr, Response, ResponseBuilder, Server,
        header::HeaderBuilder,
        path::{Operation, ParameterBuilder},
        schema::{ObjectBuilder, Type},
    },
};

use crate::openapi::examples;

/// Completes a description that already has all operations.
pub(crate) struct OperationDefaults;

impl Modify for OperationDefaults {
    fn modify(&self, description: &mut OpenApi) {
        let mut server = Server::new("/");
        server.description = Some("The server that gives this description".to_owned());
        description.servers = Some(vec![server]);
        let components = description.components.get_or_insert_default();
        components.headers.extend(HEADERS.iter().map(|header| (header.name.to_owned(), header.to_header())));
        components.responses.insert("MethodNotAllowed".to_owned(), RefOr::T(method_not_allowed()));
        for operation in description.paths.paths.values_mut().flat_map(operations) {
            complete_operation(operation);
        }
    }
}

pub(super) fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete].into_iter().flatten()
}

fn complete_operation(operation: &mut Operation) {
    // An operation without `security` inherits that of the document, and linters report the omission. An empty list
    // states that the operation needs no credential.
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
        body.content.values_mut().for_each(add_example);
    }
    let info = OperationInfo { is_open, takes_key, name: &name };
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        let headers = HEADERS.iter().filter(|header| (header.is_sent)(status, &info));
        response.headers.extend(headers.map(|header| (header.name.to_owned(), header.to_reference())));
    }
    let not_allowed = Ref::from_response_name("MethodNotAllowed");
    operation.responses.responses.insert("405".to_owned(), RefOr::Ref(not_allowed));
}

fn add_example(content: &mut RefOr<Content>) {
    let RefOr::T(content) = content else { return };
    let Some(RefOr::Ref(schema)) = &content.schema else { return };
    content.example = schema.ref_location.rsplit('/').next().and_then(examples::body);
}

fn method_not_allowed() -> Response {
    let body = utoipa::openapi::ContentBuilder::new().schema(Some(Ref::from_schema_name("ErrorBody"))).build();
    let text = "The path has no such method; see Allow";
    let mut response = ResponseBuilder::new().description(text).content("application/json", body).build();
    let headers = HEADERS.iter().filter(|header| ["x-request-id", "Allow"].contains(&header.name));
    response.headers.extend(headers.map(|header| (header.name.to_owned(), header.to_reference())));
    response
}

/// Prefixes of the names of the operations whose responses have an entity tag.
const TAGGED_OPERATIONS: [&str; 2] = ["exportVocabulary", "collectFeedFile"];

/// The properties of an operation that decide which headers its responses have.
struct OperationInfo<'operation> {
    name: &'operation str,
    is_open: bool,
    takes_key: bool,
}

impl OperationInfo<'_> {
    fn has_tag(&self) -> bool {
        TAGGED_OPERATIONS.iter().any(|prefix| self.name.starts_with(prefix))
    }

    fn is_file(&self) -> bool {
        self.name == "collectFeedFile"
    }
}

/// A response header.
struct ResponseHeader {
    name: &'static str,
    text: &'static str,
    example: &'static str,
    is_sent: fn(&str, &OperationInfo<'_>) -> bool,
}

impl ResponseHeader {
    fn to_header(&self) -> RefOr<Header> {
        let text = ObjectBuilder::new().schema_type(Type::String).build();
        let header =
            HeaderBuilder::new().schema(Some(text)).description(Some(self.text)).example(Some(self.example.into()));
        RefOr::T(header.build())
    }

    fn to_reference(&self) -> RefOr<Header> {
        RefOr::Ref(Ref::new(format!("#/components/headers/{}", self.name)))
    }
}

const HEADERS: &[ResponseHeader] = &[
    ResponseHeader {
        name: "x-request-id",
        text: "Identifies the request; also in the server's log, and in the body of an error",
        example: "01M7YAF6FR485T8V4YWCY12WA9",
        is_sent: |_, _| true,
    },
    ResponseHeader {
        name: "RateLimit-Policy",
        text: "How often the credential may call: the burst `q`, and the seconds `w` in which it fills from nothing",
        example: "\"credential\";q=200;w=2",
        is_sent: |status, info| !info.is_open && status != "401",
    },
    ResponseHeader {
        name: "RateLimit",
        text: "What is left of the rate: `r` requests at once, and `t` seconds until it is whole again or, with 429, until \
               one more is admitted",
        example: "\"credential\";r=199;t=1",
        is_sent: |status, info| !info.is_open && status != "401",
    },
    ResponseHeader {
        name: "Retry-After",
        text: "After how many seconds the request may be sent again",
        example: "1",
        is_sent: |status, _| ["429", "503"].contains(&status),
    },
    ResponseHeader {
        name: "WWW-Authenticate",
        text: "That the credential is given in two headers",
        example: "ApiKey realm=\"parlance\"",
        is_sent: |status, _| status == "401",
    },
    ResponseHeader {
        name: "Allow",
        text: "The methods that the path has",
        example: "GET, POST",
        is_sent: |_, _| false,
    },
    ResponseHeader {
        name: "Idempotency-Replayed",
        text: "`true` where the answer repeats that of an earlier request with the same key; else not there",
        example: "true",
        is_sent: |status, info| info.takes_key && status.starts_with('2'),
    },
    ResponseHeader {
        name: "ETag",
        text: "The tag of what the answer holds, for `If-None-Match`",
        example: "\"4a7d1ed414474e40\"",
        is_sent: |status, info| info.has_tag() && ["200", "206", "304"].contains(&status),
    },
    ResponseHeader {
        name: "Accept-Ranges",
        text: "That a part of the file can be asked for by `Range`",
        example: "bytes",
        is_sent: |status, info| info.is_file() && status.starts_with('2'),
    },
    ResponseHeader {
        name: "Content-Disposition",
        text: "The name to save the file under",
        example: "attachment; filename=\"part-r0001-00000.jsonl.gz\"",
        is_sent: |status, info| info.is_file() && status.starts_with('2'),
    },
    ResponseHeader {
        name: "Content-Range",
        text: "Which bytes of the file the answer holds; with 416, how many bytes the file has",
        example: "bytes 0-1023/146515",
        is_sent: |status, info| info.is_file() && ["206", "416"].contains(&status),
    },
];
