//! Tests of the completions of shells and of the manual pages.

use std::{fs, process::Command};

use crate::process::TestEnvironment;

/// The words that bash offers for the last word of a command line.
fn bash_completes(line: &str) -> Vec<String> {
    let env = TestEnvironment::new();
    fs::write(env.path().join("parlance.bash"), env.run_ok(&["completions", "bash"])).unwrap();
    let words: Vec<_> = line.split(' ').collect();
    let script = format!(
        "source ./parlance.bash; COMP_WORDS=({}); COMP_CWORD={}; \
         _parlance parlance \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len() - 1,
    );
    let output = Command::new("bash").args(["--norc", "-c", &script]).current_dir(env.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().split_whitespace().map(str::to_owned).collect()
}

#[test]
fn bash_completes_a_command_and_a_command_below_it() {
    assert_eq!(bash_completes("parlance vocab"), ["vocabulary"]);
    assert_eq!(bash_completes("parlance feed exp"), ["export"]);
}

#[test]
fn bash_completes_the_flag_of_a_setting() {
    assert_eq!(bash_completes("parlance serve --metrics-l"), ["--metrics-listen"]);
    assert_eq!(bash_completes("parlance feed export --feed-f"), ["--feed-formats"]);
}

#[test]
fn bash_completes_the_words_that_a_flag_accepts() {
    assert_eq!(bash_completes("parlance serve --log-level d"), ["debug"]);
    assert_eq!(bash_completes("parlance credential create --permission feed"), ["feed:read"]);
}

#[test]
fn bash_offers_only_the_flags_that_the_help_of_a_command_shows() {
    assert_eq!(bash_completes("parlance --"), ["--help", "--version"]);
}

#[test]
fn every_shell_has_completions_with_the_flags_of_settings() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = TestEnvironment::new().run_ok(&["completions", shell]);
        assert!(script.contains("metrics-listen") && script.contains("redeliver"), "{shell}");
    }
}

#[test]
fn the_manual_page_of_the_program_lists_its_commands() {
    let page = TestEnvironment::new().run_ok(&["man"]);
    assert!(page.contains(".TH parlance 1") && page.contains("parlance\\-serve(1)"), "{page}");
}

#[test]
fn each_command_has_a_manual_page_with_its_settings() {
    let env = TestEnvironment::new();
    assert_eq!(env.run_ok(&["man", "--directory", "pages"]), "");
    let page = |name: &str| fs::read_to_string(env.path().join("pages").join(name)).unwrap();
    assert!(page("parlance-serve.1").contains("PARLANCE_METRICS_LISTEN"));
    assert!(page("parlance-feed-export.1").contains("\\-\\-feed\\-formats"));
    assert!(!page("parlance-migrate.1").contains("PARLANCE_METRICS_LISTEN"));
    let pages = fs::read_dir(env.path().join("pages")).unwrap().count();
    assert_eq!(pages, parlance::cli::commands().len(), "each command has one page");
}

#[test]
fn every_manual_page_is_well_formed() {
    let env = TestEnvironment::new();
    env.run_ok(&["man", "--directory", "pages"]);
    for entry in fs::read_dir(env.path().join("pages")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let requests = text.lines().filter(|line| line.starts_with('.'));
        let known = [
            ".TH", ".SH", ".SS", ".TP", ".PP", ".RS", ".RE", ".br", ".ie", ".el", ".ds", ".nh", ".ad", ".IP", ".nf",
            ".fi",
        ];
        let unknown: Vec<_> = requests.filter(|line| !known.iter().any(|known| line.starts_with(known))).collect();
        assert!(text.contains("\n.SH NAME\n") && unknown.is_empty(), "{}: {unknown:?}", path.display());
    }
}
