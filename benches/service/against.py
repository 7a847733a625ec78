#!/usr/bin/env python3
"""Measures one workload on this program and on another build of it, in turn, on both databases.

Prints the rate, the median latency and the processor time of each round, and the median of the rounds' ratios. Needs wrk
and PostgreSQL. The other build may be of any commit whose commands and requests are the same."""

import argparse
import os
import pathlib
import statistics

from bench import cells, programs, requests

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=pathlib.Path, help="a release build of another commit")
    parser.add_argument("--program", type=pathlib.Path, help="a release build of this commit (built if left out)")
    parser.add_argument("--workload", default="W1", choices=cells.WORKLOADS)
    parser.add_argument("--rounds", type=int, default=9, help="how often each program is measured on each database")
    parser.add_argument("--seconds", type=int, default=5, help="length of one run")
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432", help="a server where databases may be made")
    return parser.parse_args()


def serve(run, stage, program, kind, workload):
    """A cell of a program on a new database."""
    stage.parlance = program
    server = stage.serve(stage.new_database(kind))
    ids = requests.load(server, stage.root)
    path = run.file_of(f"{len(stage.processes)}-{kind}", requests.lines_of(workload, ids, stage.root))
    return run.http_cell(f"{workload} {kind}", server, path, kind == "postgres")


def compare(this, other, rounds):
    """Runs two cells in turn. Which is first changes, so that neither always runs after the other."""
    ratios = []
    for number in range(rounds):
        order = [this, other] if number % 2 == 0 else [other, this]
        for cell in order:
            cell.results.append(cell.measure())
        ratios.append(this.results[-1].rate / other.results[-1].rate)
        print(f"round {number + 1}  {this.name}  this  {this.results[-1]}", flush=True)
        print(f"round {number + 1}  {this.name}  other {other.results[-1]}", flush=True)
    ratio, least, most = statistics.median(ratios), min(ratios), max(ratios)
    print(f"{this.name}: {ratio:.3f} of the other program (median of {rounds} rounds, {least:.3f} to {most:.3f})", flush=True)


def main():
    # The service speaks plainly to a PostgreSQL on its own machine.
    os.environ["PGSSLMODE"] = "disable"
    options = arguments()
    with programs.Stage(ROOT, options.postgres) as stage:
        if not options.program:
            stage.build()
        this, other = (options.program or stage.parlance).resolve(), options.other.resolve()
        for kind in ("sqlite", "postgres"):
            run = cells.Run(stage, options.seconds)
            compare(*(serve(run, stage, program, kind, options.workload) for program in (this, other)), options.rounds)
            stage.stop()


if __name__ == "__main__":
    main()
