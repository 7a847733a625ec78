//! A transcript as one HTML page, for people to read and to print. The page has no scripts, images or links.

use std::io::Write;

use parlance_domain::{
    conversation::{Conversation, Metadata},
    message::Message,
};

use crate::{
    resources::transcripts::{
        speakers::{display_name, role_title, speaker},
        time_zone::{DayHeadings, TimeZone},
        writer::TranscriptWriter,
    },
    response::markup::escape_content,
};

const STYLE: &str = include_str!("transcript.css");

pub(super) struct HtmlWriter {
    conversation: Conversation,
    zone: TimeZone,
    days: DayHeadings,
}

impl HtmlWriter {
    pub(super) fn new(conversation: Conversation, zone: TimeZone) -> Self {
        Self { conversation, zone, days: DayHeadings::default() }
    }
}

impl TranscriptWriter for HtmlWriter {
    fn begin(&mut self, out: &mut Vec<u8>) {
        let conversation = &self.conversation;
        let external_id = escape_content(conversation.external_id.as_str());
        // Writing to a Vec cannot fail.
        let _ = write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"robots\" content=\"noindex\">\n<title>Conversation {external_id}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>Conversation <bdi>{external_id}</bdi></h1>\n<dl>\n"
        );
        let started = self.zone.local(conversation.started_at);
        write_detail(out, "Started", &started.date_time());
        write_detail(out, "Time zone", self.zone.name());
        let agent = conversation.agent.iter().map(|agent| ("Agent", agent));
        for (title, participant) in agent.chain([("Customer", &conversation.customer)]) {
            write_detail(out, title, display_name(participant).unwrap_or(participant.external_id.as_str()));
            if display_name(participant).is_some() {
                write_detail(out, &format!("{title} ID"), participant.external_id.as_str());
            }
        }
        for (key, value) in conversation.metadata.iter().flat_map(Metadata::pairs) {
            write_detail(out, key, value);
        }
        out.extend_from_slice(b"</dl>\n</header>\n<main>\n");
    }

    fn write_message(&mut self, message: &Message, out: &mut Vec<u8>) {
        let local = self.zone.local(message.sent_at);
        if let Some(day) = self.days.next(local) {
            let _ = writeln!(out, "<h2>{day}</h2>");
        }
        let name = escape_content(speaker(&self.conversation, &message.sender));
        let role = message.sender.role;
        let (class, title) = (role.as_str(), role_title(role));
        let (machine_time, time) = (local.rfc_3339(), local.time_of_day());
        let text = escape_content(message.text.as_str());
        let _ = writeln!(
            out,
            "<article class=\"{class}\"><p class=\"head\"><time datetime=\"{machine_time}\">{time}</time> \
             <b><bdi>{name}</bdi></b> <span>{title}</span></p><p class=\"text\" dir=\"auto\" lang=\"\">{text}</p></article>"
        );
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"</main>\n</body>\n</html>\n");
    }
}

fn write_detail(out: &mut Vec<u8>, name: &str, value: &str) {
    let (name, value) = (escape_content(name), escape_content(value));
    let _ = writeln!(out, "<div><dt><bdi>{name}</bdi></dt><dd><bdi>{value}</bdi></dd></div>");
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    fn rendered(messages: &[(i64, &str)]) -> String {
        sample::render(HtmlWriter::new(sample::conversation(), TimeZone::UTC), messages)
    }

    #[test]
    fn a_message_shows_its_time_its_speaker_and_its_text() {
        let page = rendered(&[(0, "hello")]);
        assert!(page.contains(
            "<h2>Saturday, 31 January 2026 (UTC+00:00)</h2>\n<article class=\"agent\"><p class=\"head\">\
             <time datetime=\"2026-01-31T09:30:00.000Z\">09:30:00</time> <b><bdi>Ada *Lovelace*</bdi></b> <span>Agent</span>\
             </p><p class=\"text\" dir=\"auto\" lang=\"\">hello</p></article>\n"
        ));
        assert!(page.ends_with("</main>\n</body>\n</html>\n"));
    }

    #[test]
    fn no_text_of_a_caller_is_markup() {
        let page = rendered(&[(0, "</p><script>alert(1)</script><!-- \" '")]);
        assert!(!page.contains("<script") && !page.contains("<!-- "));
        assert!(page.contains("agent &lt;7&gt;"));
    }

    #[test]
    fn a_page_has_one_heading_for_each_day() {
        let page = rendered(&[(0, "a"), (1_000, "b"), (100_000_000, "c")]);
        assert_eq!(page.matches("<h2>").count(), 2);
    }
}
