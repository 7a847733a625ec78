#!/usr/bin/env python3
"""Measures the service beside the limits and its peers, interleaved, and writes the table of docs/performance.md.

Nothing but Python's own library. Needs wrk, PostgreSQL with pgbench, and cargo; the peers are installed by pip."""

import argparse
import os
import pathlib
import statistics

from bench import cells, growth, peers, programs, table

# How often each cell is run at half its rate, one after the other.
HALVES = 3

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="ten minutes at most: runs of two seconds, no peers, no growth")
    parser.add_argument("--rounds", type=int, default=5, help="how often each cell is run; each figure is the median")
    parser.add_argument("--seconds", type=int, help="length of one run (5, short: 2)")
    parser.add_argument("--only", default="", help="cells whose name contains this, and what they are compared with")
    parser.add_argument("--growth", type=int, nargs="*", default=[10_000, 1_000_000, 10_000_000], help="numbers of messages; none to leave this out")
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432", help="a server where databases may be made")
    parser.add_argument("--write", type=pathlib.Path, help="a page whose table between the marks is replaced")
    return parser.parse_args()


def main():
    # The service speaks plainly to a PostgreSQL on its own machine: so must pgbench and the peers.
    os.environ["PGSSLMODE"] = "disable"
    options = arguments()
    seconds = options.seconds or (2 if options.short else 5)
    with programs.Stage(ROOT, options.postgres) as stage:
        stage.build()
        run = cells.Run(stage, seconds)
        every = cells.service(run) + cells.limits(run)
        if not options.short:
            every += peers.cells(run)
        chosen = [cell for cell in every if options.only in cell.name]
        in_turn = cells.side_by_side(chosen)
        for number in range(options.rounds):
            # Back and forth, so that nothing always runs after the same.
            for cell in in_turn if number % 2 == 0 else reversed(in_turn):
                cell.results.append(cell.measure())
                print(f"round {number + 1}  {cell.name:32} {cell.results[-1]}", flush=True)
        paced = [cell for cell in chosen if cell.at_rate]
        for cell in paced * HALVES:
            cell.halves.append(cell.at_rate(statistics.median(result.rate for result in cell.results) / 2))
        text = table.render(chosen, stage.idle_memory(), options, seconds)
        keep(text, options)
        if not options.short and not options.only:
            text += table.replicas(cells.replicas(run, options.rounds))
            keep(text, options)
            if options.growth:
                stage.stop()
                text += table.growth(growth.measure(run, options.growth, options.rounds))
                keep(text, options)
    print(text)


def keep(text, options):
    """Writes what is known so far, since the whole takes long."""
    if options.write:
        table.replace(options.write, text)


if __name__ == "__main__":
    main()
