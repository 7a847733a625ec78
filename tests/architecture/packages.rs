//! Tests of the packages that need no tool: files that must be the same in two places, and versions.

use crate::workspace::file;

#[test]
fn the_chart_has_the_version_of_the_workspace() {
    // Every crate of the workspace has its version.
    let version = env!("CARGO_PKG_VERSION");
    let chart = file("deploy/helm/parlance/Chart.yaml").text;
    for key in ["version", "appVersion"] {
        let value = chart.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        assert_eq!(value, Some(version), "{key} of deploy/helm/parlance/Chart.yaml is not the version in Cargo.toml");
    }
}

/// Helm reads only files inside the chart, and a symbolic link does not survive every copy of a checkout.
#[test]
fn the_chart_has_a_copy_of_the_alert_rules() {
    let (rules, copy) = (file("deploy/prometheus/alerts.yml").text, file("deploy/helm/parlance/files/alerts.yml").text);
    assert!(copy == rules, "copy deploy/prometheus/alerts.yml to deploy/helm/parlance/files/alerts.yml");
}
