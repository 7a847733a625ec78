"""Tests deploy/prometheus/alerts.yml: each rule has a test in which it fires, a runbook, and a line in operating.md."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "deploy/prometheus"
RUNBOOK_PARTS = ["Meaning", "Effect", "Look", "Act", "Escalate"]


def text(path):
    return (ROOT / path).read_text()


def require_equal(expected, actual, what):
    if expected != actual:
        lacking, unknown = sorted(expected - actual), sorted(actual - expected)
        sys.exit(f"{what}: lacking {lacking}, without a rule {unknown}")


def rules():
    """The text of each rule by its name."""
    blocks = re.split(r"^      - alert: ", text("deploy/prometheus/alerts.yml"), flags=re.MULTILINE)[1:]
    return {block.split()[0]: block for block in blocks}


def tested():
    """The rules of which a test expects at least one alert."""
    pattern = r"^        alertname: (\w+)\n        exp_alerts:\n          - exp_labels:"
    return set(re.findall(pattern, text("deploy/prometheus/alerts_test.yml"), re.MULTILINE))


def check_runbooks(names):
    """Each rule has a runbook with all parts, a link to it, and a line in the table of operating.md."""
    sections = re.split(r"^## (?=Parlance)", text("docs/runbooks.md"), flags=re.MULTILINE)[1:]
    sections = {section.split()[0]: section for section in sections}
    require_equal(names, set(sections), "the runbooks of docs/runbooks.md")
    for name, section in sections.items():
        parts = re.findall(r"^\*\*(\w+)\.\*\*", section, re.MULTILINE)
        if parts != RUNBOOK_PARTS:
            sys.exit(f"the runbook of {name} has the parts {parts} and needs {RUNBOOK_PARTS}")
    linked = re.findall(r"^\| \[(\w+)\]\(runbooks\.md#(\w+)\) \|", text("docs/operating.md"), re.MULTILINE)
    require_equal(names, {name for name, _ in linked}, "the table of alerts in docs/operating.md")
    wrong = [name for name, anchor in linked if anchor != name.lower()]
    if wrong:
        sys.exit(f"docs/operating.md links these alerts to another runbook: {wrong}")


def check_annotations(definitions):
    repository = re.search(r'^repository = "([^"]+)"', text("Cargo.toml"), re.MULTILINE)[1]
    for name, block in definitions.items():
        url = f'runbook_url: "{repository}/blob/main/docs/runbooks.md#{name.lower()}"'
        for part in [url, "summary:", "description:", "severity: "]:
            if part not in block:
                sys.exit(f"the rule {name} needs {part}")
        if not re.search(r"severity: (critical|warning) ", block):
            sys.exit(f"the severity of {name} must be critical or warning")


def main():
    definitions = rules()
    names = set(definitions)
    require_equal(names, tested(), "the rules that fire in a test of alerts_test.yml")
    check_annotations(definitions)
    check_runbooks(names)
    for command in [["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]]:
        if subprocess.run(["promtool", *command], cwd=FOLDER, stdout=subprocess.DEVNULL).returncode:
            sys.exit(f"promtool {' '.join(command)} fails")
    print(f"{len(names)} alert rules: each fires in its test and has a runbook, and none fires in normal traffic")


main()
