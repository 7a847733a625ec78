//! Metrics in the text format of Prometheus 0.0.4, for readers that do not ask for `OpenMetrics`, such as `promtool`.

use std::fmt::Write;

/// What a text in the `OpenMetrics` format says, in the older format: there a family has the name of its samples, and
/// neither a unit nor an end.
pub(super) fn of_open_metrics(open_metrics: &str) -> String {
    let mut text = String::with_capacity(open_metrics.len());
    let mut help = None;
    for line in open_metrics.lines() {
        if let Some(named) = line.strip_prefix("# HELP ") {
            help = named.split_once(' ');
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|typed| typed.split_once(' ')) {
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
        let open_metrics = "# HELP a Counted.\n# TYPE a counter\na_total 1\n# HELP b Told.\n# TYPE b info\nb_info{x=\"y\"} 1\n\
                            # HELP c Measured.\n# TYPE c gauge\n# UNIT c seconds\nc 2\n# EOF\n";
        let plain = "# HELP a_total Counted.\n# TYPE a_total counter\na_total 1\n# HELP b_info Told.\n\
                     # TYPE b_info gauge\nb_info{x=\"y\"} 1\n# HELP c Measured.\n# TYPE c gauge\nc 2\n";
        assert_eq!(of_open_metrics(open_metrics), plain);
    }
}
