//! The formats of a transcript: their names, media types and writers.

use actix_web::HttpRequest;
use parlance_domain::conversation::Conversation;

use crate::{
    extract::accept::preferred_index,
    resources::{
        messages::include::Include,
        transcripts::{
            csv_table, html, json, markdown, plain_text, time_zone::TimeZone, vcon, web_vtt, writer::TranscriptWriter,
        },
    },
};

/// The format of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// A format that holds messages only.
    Messages(MessageFormat),
    /// A format that describes the conversation too.
    Document(DocumentFormat),
}

/// A format that holds messages only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageFormat {
    Json,
    Text,
    Csv,
    WebVtt,
}

/// A format that describes the conversation too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentFormat {
    Markdown,
    Html,
    Vcon,
}

impl OutputFormat {
    pub(super) const JSON: Self = Self::Messages(MessageFormat::Json);

    const ALL: [Self; 7] = [
        Self::JSON,
        Self::Messages(MessageFormat::Text),
        Self::Messages(MessageFormat::Csv),
        Self::Messages(MessageFormat::WebVtt),
        Self::Document(DocumentFormat::Markdown),
        Self::Document(DocumentFormat::Html),
        Self::Document(DocumentFormat::Vcon),
    ];

    /// The value of the query parameter `format`. It is the extension of a file of the format too.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Messages(MessageFormat::Json) => "json",
            Self::Messages(MessageFormat::Text) => "txt",
            Self::Messages(MessageFormat::Csv) => "csv",
            Self::Messages(MessageFormat::WebVtt) => "vtt",
            Self::Document(DocumentFormat::Markdown) => "md",
            Self::Document(DocumentFormat::Html) => "html",
            Self::Document(DocumentFormat::Vcon) => "vcon",
        }
    }

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Messages(MessageFormat::Json) => "application/json",
            Self::Messages(MessageFormat::Text) => "text/plain; charset=utf-8",
            Self::Messages(MessageFormat::Csv) => "text/csv; charset=utf-8; header=present",
            Self::Messages(MessageFormat::WebVtt) => "text/vtt; charset=utf-8",
            Self::Document(DocumentFormat::Markdown) => "text/markdown; charset=utf-8",
            Self::Document(DocumentFormat::Html) => "text/html; charset=utf-8",
            Self::Document(DocumentFormat::Vcon) => "application/vcon",
        }
    }

    /// The media type without parameters.
    fn media_type(self) -> &'static str {
        let content_type = self.content_type();
        content_type.split_once(';').map_or(content_type, |(media_type, _)| media_type)
    }

    /// Whether the format can show times in another time zone.
    pub(super) fn has_time_zone(self) -> bool {
        matches!(self, Self::Messages(MessageFormat::Text) | Self::Document(_))
    }

    pub(super) fn parse(name: &str) -> Result<Self, &'static str> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or("must be one of json, txt, csv, vtt, md, html and vcon")
    }

    /// The format to which the header `Accept` gives the highest quality; JSON if `Accept` names no format.
    pub(super) fn from_accept(request: &HttpRequest) -> Self {
        let index = preferred_index(request, &Self::ALL.map(Self::media_type));
        index.and_then(|index| Self::ALL.get(index).copied()).unwrap_or(Self::JSON)
    }
}

impl MessageFormat {
    /// A writer of this format. Only JSON has optional members, and only text shows times in a time zone.
    pub(crate) fn writer(self, include: Include, zone: Option<TimeZone>) -> Box<dyn TranscriptWriter> {
        match self {
            Self::Json => Box::new(json::JsonWriter::new(include)),
            Self::Text => Box::new(plain_text::TextWriter { zone }),
            Self::Csv => Box::new(csv_table::CsvWriter),
            Self::WebVtt => Box::new(web_vtt::VttWriter::default()),
        }
    }
}

impl DocumentFormat {
    /// A writer of this format for a conversation, with times in this time zone, or in UTC.
    pub(super) fn writer(self, conversation: Conversation, zone: Option<TimeZone>) -> Box<dyn TranscriptWriter> {
        let zone = zone.unwrap_or(TimeZone::UTC);
        match self {
            Self::Markdown => Box::new(markdown::MarkdownWriter::new(conversation, zone)),
            Self::Html => Box::new(html::HtmlWriter::new(conversation, zone)),
            Self::Vcon => Box::new(vcon::VconWriter::new(conversation, zone)),
        }
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
    Md,
    Html,
    Vcon,
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
        assert_eq!(from_accept("text/csv;q=0.5, text/vtt"), OutputFormat::Messages(MessageFormat::WebVtt));
        assert_eq!(from_accept("text/html,*/*;q=0.8"), OutputFormat::Document(DocumentFormat::Html));
        assert_eq!(from_accept("text/plain"), OutputFormat::Messages(MessageFormat::Text));
        assert_eq!(from_accept("text/csv;q=0, text/plain;q=0.1"), OutputFormat::Messages(MessageFormat::Text));
    }

    #[test]
    fn json_is_chosen_if_no_other_format_is_named() {
        assert_eq!(from_accept("*/*"), OutputFormat::JSON);
        assert_eq!(from_accept("image/png"), OutputFormat::JSON);
        assert_eq!(OutputFormat::from_accept(&TestRequest::default().to_http_request()), OutputFormat::JSON);
    }
}
