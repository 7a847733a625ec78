//! The text format of Prometheus 0.0.4, for clients that do not accept `OpenMetrics`, such as `promtool`.

use std::fmt::Write;

/// Converts a text in the `OpenMetrics` format into the older format. There a family has the name of its samples, and
/// there is no `# UNIT` and no `# EOF` line.
pub(super) fn from_open_metrics(open_metrics: &str) -> String {
    let mut text = String::with_capacity(open_metrics.len());
    let mut help = None;
    for line in open_metrics.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            help = rest.split_once(' ');
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' ')) {
            write_head(&mut text, name, kind, help.take().map_or("", |(_, help)| help));
        } else if !line.starts_with("# UNIT ") && line != "# EOF" {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

fn write_head(text: &mut String, name: &str, kind: &str, help: &str) {
    let (suffix, kind) = match kind {
        "counter" => ("_total", "counter"),
        "info" => ("_info", "gauge"),
        kind => ("", kind),
    };
    // Writing to a String cannot fail.
    let _ = writeln!(text, "# HELP {name}{suffix} {help}\n# TYPE {name}{suffix} {kind}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_the_names_of_their_samples() {
        let open_metrics = "# HELP a Counted.\n# TYPE a counter\na_total 1\n# HELP b Constant.\n\
                            # TYPE b info\nb_info{x=\"y\"} 1\n# HELP c Measured.\n# TYPE c gauge\n# UNIT c seconds\n\
                            c 2\n# EOF\n";
        let plain = "# HELP a_total Counted.\n# TYPE a_total counter\na_total 1\n# HELP b_info Constant.\n\
                     # TYPE b_info gauge\nb_info{x=\"y\"} 1\n# HELP c Measured.\n# TYPE c gauge\nc 2\n";
        assert_eq!(from_open_metrics(open_metrics), plain);
    }
}
