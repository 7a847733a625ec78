//! The formats of a transcript: their names, media types and writers.

use actix_web::HttpRequest;

use crate::{
    extract::accept::preferred_index,
    resources::messages::include::Include,
    resources::transcripts::{csv_table, json, plain_text, web_vtt, writer::TranscriptWriter},
};

/// The format of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    Json,
    Text,
    Csv,
    WebVtt,
}

impl OutputFormat {
    const ALL: [Self; 4] = [Self::Json, Self::Text, Self::Csv, Self::WebVtt];

    /// The value of the query parameter `format`.
    fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "txt",
            Self::Csv => "csv",
            Self::WebVtt => "vtt",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain",
            Self::Csv => "text/csv",
            Self::WebVtt => "text/vtt",
        }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::WebVtt => "text/vtt; charset=utf-8",
        }
    }

    /// A writer of this format. Only JSON has optional members.
    pub(super) fn writer(self, include: Include) -> Box<dyn TranscriptWriter> {
        match self {
            Self::Json => Box::new(json::JsonWriter::new(include)),
            Self::Text => Box::new(plain_text::TextWriter),
            Self::Csv => Box::new(csv_table::CsvWriter),
            Self::WebVtt => Box::new(web_vtt::VttWriter::default()),
        }
    }

    pub(super) fn parse(name: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or("must be one of json, txt, csv and vtt")
    }

    /// The format to which the header `Accept` gives the highest quality; JSON if `Accept` names no format.
    pub(super) fn from_accept(request: &HttpRequest) -> Self {
        let index = preferred_index(request, &Self::ALL.map(Self::media_type));
        index.and_then(|index| Self::ALL.get(index).copied()).unwrap_or(Self::Json)
    }
}

/// The forms of a transcript as the description names them.
#[derive(serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "used only in the OpenAPI description")]
pub(crate) enum TranscriptFormat {
    Json,
    Txt,
    Csv,
    Vtt,
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn from_accept(accept: &str) -> OutputFormat {
        OutputFormat::from_accept(&TestRequest::default().insert_header(("accept", accept)).to_http_request())
    }

    #[test]
    fn the_format_with_the_highest_quality_is_chosen() {
        assert_eq!(from_accept("text/csv;q=0.5, text/vtt"), OutputFormat::WebVtt);
        assert_eq!(from_accept("text/plain"), OutputFormat::Text);
        assert_eq!(from_accept("text/csv;q=0, text/plain;q=0.1"), OutputFormat::Text);
    }

    #[test]
    fn json_is_chosen_if_no_other_format_is_named() {
        assert_eq!(from_accept("*/*"), OutputFormat::Json);
        assert_eq!(from_accept("image/png"), OutputFormat::Json);
        assert_eq!(OutputFormat::from_accept(&TestRequest::default().to_http_request()), OutputFormat::Json);
    }
}
