"""Tests the dashboard and the alert rules with an hour of real scrapes.

Two servers answer a mixed workload: one on SQLite, one on PostgreSQL with Redis. Their metrics are scraped four times a
second until both have exported feeds. The scrapes are spread over one hour and read by a real Prometheus. Every
expression of every panel must then give numbers with distinct legends, and no alert rule may fire. The argument is the
path of the program. Needs prometheus, promtool, redis-server and the server binaries of PostgreSQL.
"""

import concurrent.futures
import contextlib
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import dashboard_form
from services import ROOT, SECRET, component, free_port, parlance, postgres, process, redis, wait_until
from workload import Workload

SCRAPE_SECONDS = 0.25
MIN_SCRAPES = 100
HOUR = 3600
STEP_SECONDS = 15
EXPORTED = "feeds are up to date"
VALUES = {"$__rate_interval": "3m", "$__range": "1h", "$job": "parlance", "$instance": ".*"}
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")


def export_time():
    """The next minute that begins in at least five seconds, as the setting feed_export_at."""
    return time.strftime("%H:%M", time.gmtime(time.time() + 65))


def scrape(server):
    headers = {"accept": "application/openmetrics-text"}
    request = urllib.request.Request(f"http://{server.metrics}/metrics", headers=headers)
    with urllib.request.urlopen(request, timeout=5) as response:
        return response.read().decode()


def record(servers):
    """The scrapes of all servers, by instance, until both have exported feeds."""
    scrapes, deadline = [], time.monotonic() + 90
    while len(scrapes) < MIN_SCRAPES or not all(server.has_logged(EXPORTED) for server in servers.values()):
        if time.monotonic() > deadline:
            sys.exit("a server has not exported its feeds within 90 seconds")
        scrapes.append({instance: scrape(server) for instance, server in servers.items()})
        time.sleep(SCRAPE_SECONDS)
    return scrapes + [{instance: scrape(server) for instance, server in servers.items()} for _ in range(4)]


def run_servers(program, folder):
    """Runs both servers under the workload, and returns their scrapes."""
    with contextlib.ExitStack() as stack:
        database, rates = stack.enter_context(postgres()), stack.enter_context(redis())
        settings = [f"--vocabulary-delivery-url={stack.enter_context(component())}",
                    f"--vocabulary-delivery-secret={SECRET}", f"--feed-export-at={export_time()}"]
        shared = [*settings, f"--database-url={database}", f"--redis-url={rates}"]
        servers = {
            "sqlite:9090": stack.enter_context(parlance(program, folder / "sqlite", *settings)),
            "postgres:9090": stack.enter_context(parlance(program, folder / "postgres", *shared)),
        }
        workloads = [stack.enter_context(Workload(server)) for server in servers.values()]
        start, scrapes = math.ceil(time.time()), record(servers)
    unexpected = [answer for workload in workloads for answer in workload.unexpected]
    if unexpected:
        sys.exit("the workload got unexpected answers:\n" + "\n".join(unexpected[:10]))
    return start, scrapes


def open_metrics(start, scrapes):
    """The samples of one hour. The hour begins when the scrapes began, so that no sample is older than its content."""
    for number, pages in enumerate(scrapes):
        at = start + number * HOUR / (len(scrapes) - 1)
        for instance, page in pages.items():
            target = f'job="parlance",instance="{instance}"'
            yield f"up{{{target}}} 1 {at:.3f}"
            for line in page.splitlines():
                if not line.startswith("#"):
                    name, labels, value = SAMPLE.match(line).groups()
                    yield f"{name}{{{labels + ',' if labels else ''}{target}}} {value} {at:.3f}"
    yield "# EOF\n"


class Prometheus:
    """A running Prometheus with the samples of one hour."""

    def __init__(self, port, start):
        self.address, self.start = f"http://127.0.0.1:{port}/api/v1/", start

    def get(self, path, **parameters):
        address = self.address + path + "?" + urllib.parse.urlencode(parameters)
        try:
            with urllib.request.urlopen(address, timeout=30) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            sys.exit(f"Prometheus refuses {parameters}: {error.read().decode()}")

    def range(self, expression, first=0):
        """The series of an expression over the hour."""
        span = {"start": self.start + first, "end": self.start + HOUR, "step": STEP_SECONDS}
        return self.get("query_range", query=expression, **span)["result"]


def legend(template, labels):
    return re.sub(r"\{\{\s*(\w+)\s*\}\}", lambda label: labels.get(label[1], ""), template).strip()


def panel_faults(prometheus, panel):
    """What is wrong with the numbers of a panel. The first minutes, in which rates begin, are left out."""
    legends = []
    for target in panel["targets"]:
        name, expression = f"{panel['title']!r}, {target['refId']}", target["expr"]
        for variable, value in VALUES.items():
            expression = expression.replace(variable, value)
        series = prometheus.range(expression, first=180)
        if not series:
            yield f"{name} gives no series: {expression}"
        if any(not math.isfinite(float(value)) for one in series for _, value in one["values"]):
            yield f"{name} gives a value that is no number: {expression}"
        legends += [legend(target["legendFormat"], one["metric"]) for one in series]
    if "" in legends or len(legends) != len(set(legends)):
        yield f"{panel['title']!r} has empty or equal legends: {sorted(legends)}"


def longest(series):
    """The longest time in seconds for which a series has a value at every step."""
    best = run = 0
    times = [at for at, _ in series["values"]]
    for before, after in zip(times, times[1:]):
        run = run + after - before if after - before <= STEP_SECONDS else 0
        best = max(best, run)
    return best


def alert_faults(prometheus, rules):
    for rule in rules:
        for series in prometheus.range(rule["query"]):
            if longest(series) >= rule["duration"]:
                yield f"{rule['name']} fires in the recorded hour: {series['metric']} {series['values'][:3]}"


def name_faults(prometheus):
    """The metrics that a document names and that no server has."""
    recorded = set(prometheus.get("label/__name__/values", start=prometheus.start, end=prometheus.start + HOUR))
    recorded |= {name.removesuffix("_bucket") for name in recorded}
    for page in ["deploy/prometheus/alerts.yml", "deploy/grafana/parlance.json", "docs/metrics.md", "docs/runbooks.md"]:
        named = set(dashboard_form.METRIC.findall((ROOT / page).read_text()))
        for name in sorted(named - recorded):
            yield f"{page} names {name}, which is not scraped"


def numbers_faults(start, samples, folder):
    """Everything that is wrong with the panels and rules over the recorded hour."""
    (folder / "hour.txt").write_text(samples)
    command = ["promtool", "tsdb", "create-blocks-from", "openmetrics", "hour.txt", "data"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    rules = ROOT / "deploy/prometheus/alerts.yml"
    (folder / "prometheus.yml").write_text(f"rule_files: [ '{rules}' ]\n")
    port = free_port()
    with process("prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data", "--log.level=error",
                 "--storage.tsdb.retention.time=10y", f"--web.listen-address=127.0.0.1:{port}", cwd=folder):
        prometheus = Prometheus(port, start)
        ready = f"http://127.0.0.1:{port}/-/ready"
        wait_until("Prometheus is ready", lambda: urllib.request.urlopen(ready, timeout=1).status == 200)
        _, panels = dashboard_form.load()
        groups = prometheus.get("rules", type="alert")["groups"]
        loaded = [rule for group in groups for rule in group["rules"]]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            checks = [list(faults) for faults in pool.map(lambda panel: list(panel_faults(prometheus, panel)), panels)]
        targets = sum(len(panel["targets"]) for panel in panels)
        print(f"{targets} expressions of {len(panels)} panels and {len(loaded)} rules over one hour of real scrapes")
        return [*sum(checks, []), *alert_faults(prometheus, loaded), *name_faults(prometheus)]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    faults = list(dashboard_form.faults())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        start, scrapes = run_servers(program, folder)
        print(f"{len(scrapes)} scrapes of each server are spread over one hour")
        faults += numbers_faults(start, "\n".join(open_metrics(start, scrapes)), folder)
    if faults:
        sys.exit("\n".join(faults))


main()
