//! Escapes texts for HTML, XML and WebVTT.

/// A text for the content of an element: `&`, `<` and `>` are character references. The noncharacters U+FFFE and U+FFFF,
/// which XML forbids, become the replacement character. Not for attributes, because quotation marks stay as they are.
pub(crate) fn escape_content(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_open_or_end_an_element() {
        assert_eq!(escape_content("</p><script>&amp; \"x\""), "&lt;/p&gt;&lt;script&gt;&amp;amp; \"x\"");
    }

    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        assert_eq!(escape_content("a\u{fffe}b\u{ffff}"), "a\u{fffd}b\u{fffd}");
    }
}
