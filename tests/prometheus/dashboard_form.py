"""The form of deploy/grafana/parlance.json: ids, positions, types, units, descriptions and metrics of its panels."""

import itertools
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
DASHBOARD = ROOT / "deploy/grafana/parlance.json"
PANEL_TYPES = {"timeseries", "stat", "bargauge"}
METRIC = re.compile(r"\b(?:parlance|process)_[a-z_]+[a-z]")


def documented_metrics():
    page = (ROOT / "docs/metrics.md").read_text()
    return set(re.findall(r"^\| `((?:parlance|process)_[a-z_]+)`", page, re.MULTILINE))


def load():
    dashboard = json.loads(DASHBOARD.read_text())
    return dashboard, [panel for panel in dashboard["panels"] if panel["type"] != "row"]


def overlap(one, other):
    a, b = one["gridPos"], other["gridPos"]
    return (a["x"] < b["x"] + b["w"] and b["x"] < a["x"] + a["w"]
            and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"])


def panel_faults(panel):
    name, defaults = f"panel {panel['title']!r}", panel["fieldConfig"]["defaults"]
    if panel["type"] not in PANEL_TYPES:
        yield f"{name} has the unknown type {panel['type']}"
    if not panel.get("description") or not defaults.get("unit"):
        yield f"{name} needs a description and a unit"
    if not panel["targets"]:
        yield f"{name} has no target"
    references = [target["refId"] for target in panel["targets"]]
    if len(references) != len(set(references)):
        yield f"{name} uses a refId twice"
    for target in panel["targets"]:
        if panel["datasource"]["uid"] != "${datasource}" or target["datasource"]["uid"] != "${datasource}":
            yield f"{name} does not use the variable of the data source"
        selectors = re.findall(METRIC.pattern + r"\{([^}]*)", target["expr"])
        if len(selectors) != len(METRIC.findall(target["expr"])):
            yield f"{name} has a metric without a selector"
        if any('job=~"$job",instance=~"$instance"' not in selector for selector in selectors):
            yield f"{name} does not select by job and instance"
        if not target.get("legendFormat"):
            yield f"{name} has a target without a legend"


def faults():
    """Everything that is wrong with the form of the dashboard."""
    dashboard, panels = load()
    ids = [panel["id"] for panel in dashboard["panels"]]
    if len(ids) != len(set(ids)):
        yield "an id of a panel is used twice"
    titles = [panel["title"] for panel in panels]
    if len(titles) != len(set(titles)):
        yield "a title of a panel is used twice"
    for one, other in itertools.combinations(dashboard["panels"], 2):
        if overlap(one, other):
            yield f"the panels {one['title']!r} and {other['title']!r} overlap"
    for panel in dashboard["panels"]:
        if panel["gridPos"]["x"] + panel["gridPos"]["w"] > 24:
            yield f"panel {panel['title']!r} is wider than the page"
    variables = [variable["name"] for variable in dashboard["templating"]["list"]]
    if variables != ["datasource", "job", "instance"]:
        yield f"the variables are {variables}"
    for panel in panels:
        yield from panel_faults(panel)
    shown = {name for panel in panels for target in panel["targets"] for name in METRIC.findall(target["expr"])}
    shown |= {name.removesuffix("_bucket") for name in shown}
    for name in sorted(documented_metrics() - shown):
        yield f"no panel shows {name}"
