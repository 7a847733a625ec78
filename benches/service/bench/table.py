"""The table, and the ratios that the service is held to."""

import datetime
import math
import os
import platform
from statistics import median

# Each ratio: what is compared, with what, and what it must be at least.
GOALS = [
    ("W1 postgres", "W1 pgbench", 1.2),
    ("W1 sqlite", "W1 rusqlite loop", 1.3),
    ("W1 all entities postgres", "W1 postgres", 0.9),
    ("W1 all entities sqlite", "W1 sqlite", 0.9),
    ("W2 postgres", "W2 pgbench", 1.0),
    ("W2 sqlite", "W2 rusqlite loop", 0.7),
    ("W3 postgres", "W3 pgbench", 0.6),
    ("W4 postgres", "W4 pgbench", 0.5),
    ("W3 sqlite", "W3 rusqlite in actix", 0.7),
    ("W4 sqlite", "W4 rusqlite in actix", 0.7),
    ("W1 postgres", "W1 FastAPI", 8),
    ("W3 postgres", "W3 FastAPI", 8),
    ("W4 postgres", "W4 FastAPI", 8),
    ("W1 postgres", "W1 Synapse", 30),
    ("W3 postgres", "W3 Synapse", 30),
]

BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def figure(number, form="{:,.0f}"):
    return "" if math.isnan(number) else form.format(number)


def of(cell, name):
    return median(getattr(result, name) for result in cell.results)


def render(cells, idle, options, seconds):
    """The main table and the ratios."""
    made = f"{datetime.date.today()}, {os.cpu_count()} processors, {platform.machine()}"
    load = f"load {os.getloadavg()[1]:.1f} over the last five minutes"
    lines = [
        f"Made on {made}, {load}: the median of {options.rounds} interleaved runs of {seconds} s.",
        "",
        "| what | requests a second (least to most) | p50 ms | p99 ms | p99.9 ms | p99 ms at half the rate | CPU us, itself + PostgreSQL | peak MB | failed |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for cell in cells:
        rates = [result.rate for result in cell.results]
        half = f"{cell.half.p99 / 1e3:.1f} at {cell.half.rate:,.0f}" if cell.half else ""
        millis = [figure(of(cell, name) / 1e3, "{:.1f}") for name in ("p50", "p99", "p999")]
        cpu = " + ".join(part for part in (figure(of(cell, "cpu")), figure(of(cell, "database_cpu"))) if part)
        peak = figure(max(result.memory for result in cell.results))
        failed = sum(result.failures for result in cell.results)
        spread = f"{median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f})"
        lines.append(f"| {cell.name} | {spread} | {' | '.join(millis)} | {half} | {cpu} | {peak} | {failed} |")
    lines += ["", f"Idle: {idle['sqlite']:.0f} MB on SQLite, {idle['postgres']:.0f} MB on PostgreSQL.", ""]
    return "\n".join(lines + ratios({cell.name: cell for cell in cells}))


def ratios(cells):
    lines = ["| ratio | is | must be at least |", "|---|---|---|"]
    for one, other, least in GOALS:
        if one in cells and other in cells:
            lines.append(f"| {one} / {other} | {judged(of(cells[one], 'rate') / of(cells[other], 'rate'), least)} |")
    return [*lines, ""]


def verdict(ratio, least):
    return f"{ratio:.2f}" if ratio >= least else f"{ratio:.2f} (missed)"


def judged(ratio, least):
    return f"{verdict(ratio, least)} | {least}"


def replicas(found):
    lines = ["", "| two replicas | one | two | ratio | must be at least |", "|---|---|---|---|---|"]
    for name, (alone, both) in found.items():
        lines.append(f"| {name} | {median(alone):,.0f} | {median(both):,.0f} | {judged(median(both) / median(alone), 1.0)} |")
    return "\n".join([*lines, ""])


def growth(found):
    """The rates by the number of messages that were stored when a run began, and the last beside the first."""
    counts = sorted({count for count, *_ in found})
    columns = [("W1", "sqlite"), ("W3", "sqlite"), ("W1", "postgres"), ("W3", "postgres")]
    lines = ["", "| stored messages | " + " | ".join(f"{work} {kind}" for work, kind in columns) + " |", "|---" * 5 + "|"]
    rates = {count: [median(found[count, kind, work]) for work, kind in columns] for count in counts}
    for count in counts:
        lines.append(f"| {count:,} | " + " | ".join(f"{rate:,.0f}" for rate in rates[count]) + " |")
    kept = [last / first for first, last in zip(rates[counts[0]], rates[counts[-1]])]
    lines.append("| most beside least, at least 0.8 | " + " | ".join(verdict(ratio, 0.8) for ratio in kept) + " |")
    return "\n".join([*lines, ""])


def replace(page, text):
    before, rest = page.read_text().split(BEGIN)
    page.write_text(f"{before}{BEGIN}\n{text}{END}{rest.split(END)[1]}")
