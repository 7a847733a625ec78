#!/usr/bin/env python3
"""Counts the instructions that the program spends on a request, by function: `instructions.py W3`.

Unlike times, the counts are nearly the same on every machine and beside any other load: they differ by how many requests
share a statement or a commit, and by what a processor copies memory with. Needs valgrind, beside what `run.py` needs. What the system and the database do is not counted; and
each repetition of an instruction that repeats itself is, so that copies and clearings of memory look dearer than they are.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess

from bench import cells, programs, requests

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Seconds of requests that are not counted, since the first ones open connections and prepare statements.
WARM_UP = 3


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("workload", choices=cells.WORKLOADS, help="as docs/performance.md says what it is")
    parser.add_argument("--seconds", type=int, default=20, help="how long requests are counted")
    parser.add_argument("--functions", type=int, default=40, help="how many functions are shown")
    parser.add_argument("--sqlite", action="store_true", help="on SQLite instead of PostgreSQL")
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432", help="a server where databases may be made")
    parser.add_argument("--keep", type=pathlib.Path, help="where the counts are kept as callgrind writes them, for kcachegrind")
    return parser.parse_args()


def main():
    options = arguments()
    if not shutil.which("valgrind"):
        raise SystemExit("valgrind is needed, which counts; most systems have a package of this name")
    with programs.Stage(ROOT, options.postgres) as stage:
        stage.build_named()
        counts = options.keep or stage.folder / "counts"
        done = count(stage, options, counts)
        spent = by_function(counts.with_name(f"{counts.name}.1"))
        total = sum(spent.values())
        print(f"{total / done:,.0f} instructions a request, of {done:,} requests")
        for name, instructions in spent.most_common(options.functions):
            print(f"{instructions / done:10,.0f} {instructions / total:6.1%}  {name}")


def count(stage, options, counts):
    """Drives a server under callgrind, which writes its counts, and gives how many requests they are of."""
    run = cells.Run(stage, options.seconds)
    url = stage.new_database("sqlite" if options.sqlite else "postgres")
    plain = stage.serve(url)
    ids = requests.load(plain, ROOT)
    path = run.file_of(options.workload, requests.lines_of(options.workload, ids, ROOT))
    stage.stop(plain)
    counted = stage.serve(url, under=("valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}"))
    run.start_wrk(counted, path, cells.CONNECTIONS, None, WARM_UP, cells.ASKING).communicate()
    control(counted, "--zero")
    output = run.start_wrk(counted, path, cells.CONNECTIONS, None, options.seconds, cells.ASKING).communicate()[0]
    control(counted, "--dump")
    return int(output.split("RESULT ")[1].split()[0])


def control(server, order):
    subprocess.run(["callgrind_control", order, str(server.process.pid)], check=True, capture_output=True)


def by_function(counts):
    """The instructions of each function itself, from a file in callgrind's format (its manual, "Callgrind Format")."""
    names, spent = {}, collections.Counter()
    function, of_a_call = None, False
    for line in counts.open():
        if line.startswith(("fn=", "cfn=")):
            number, name = re.match(r"c?fn=(\(\d+\))(?: (.*))?", line).groups()
            names[number] = name or names.get(number, number)
            function = number if line.startswith("fn=") else function
        elif line.startswith("calls="):
            of_a_call = True
        elif cost := re.match(r"[+\-*]?\d*\*? (\d+)$", line):
            if not of_a_call:
                spent[function] += int(cost[1])
            of_a_call = False
    return collections.Counter({names.get(number, number): instructions for number, instructions in spent.items()})


if __name__ == "__main__":
    main()
