#!/usr/bin/env python3
"""Measures pages of conversations by criteria, in a database that is filled directly.

Nothing but Python's own library, psql for PostgreSQL, and a program that is built. One tenant of a hundred is asked, one
request at a time."""

import argparse
import http.client
import json
import os
import pathlib
import random
import shutil
import socket
import sqlite3
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATH = "/conversation/v1/conversations"
TENANTS = 100
#: Microseconds of the first timestamp: 2026-01-01. One conversation begins in each second.
FIRST = 1_767_225_600_000_000
LIFTED = {"PARLANCE_RATE_LIMIT_PER_SECOND": "10000000", "PARLANCE_RATE_LIMIT_BURST": "10000000"}

# `n` counts the conversations. A tenant has each customer 5 times in 10,000, each agent 200 times, one of four queues.
ROWS = {
    "tenant_id": "'tenant-' || (n % 100)",
    "id": "'01' || substr('000000000000' || n, -12)",
    "external_id": "'call-' || n",
    "agent_external_id": "'agent-' || (n / 100 % 50)",
    "agent_name": "'Grace'",
    "customer_external_id": "'customer-' || (n / 100 % 2000)",
    "customer_name": "'Ada'",
    "metadata": "'{\"channel\":\"phone\",\"queue\":\"' || (n / 100 % 4) || '\",\"ticket\":\"' || n || '\"}'",
    "started_at": f"{FIRST} + n * 1000000",
    "created_at": f"{FIRST} + n * 1000000",
    "updated_at": f"{FIRST} + n * 1000000 + (n % 7) * 1800000000",
}
MESSAGE = {
    "tenant_id": "'tenant-' || (n % 100)",
    "conversation_id": "'01' || substr('000000000000' || n, -12)",
    "sent_at": f"{FIRST} + n * 1000000 + m",
    "id": "'02' || substr('000000000000' || (n * 1000 + m), -16)",
    "sender_role": "2",
    "sender_external_id": "'customer-' || (n / 100 % 2000)",
    "text": "'thank you for waiting, I have found your order and it was sent this morning'",
    "created_at": f"{FIRST} + n * 1000000 + m",
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=1_000_000)
    parser.add_argument("--messages", type=int, default=10, help="of each conversation")
    parser.add_argument("--requests", type=int, default=1_000, help="of each kind")
    parser.add_argument("--only", default="", help="sqlite or postgres")
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/parlance")
    return parser.parse_args()


def insert(table, columns, source):
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(columns.values())} FROM {source}"


def fill_sqlite(path, count, messages):
    numbers = lambda name, last: f"(WITH RECURSIVE s({name}) AS (SELECT 1 UNION ALL SELECT {name} + 1 FROM s WHERE {name} < {last}) SELECT {name} FROM s)"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = off")
    connection.execute("PRAGMA cache_size = -1000000")
    connection.execute(insert("conversations", ROWS, numbers("n", count)))
    # The program updates a conversation after its creation.
    connection.execute("INSERT OR IGNORE INTO conversation_updates SELECT tenant_id, updated_at / 3600000000, id FROM conversations "
                       "WHERE updated_at / 3600000000 <> created_at / 3600000000")
    if messages:
        connection.execute(insert("messages", MESSAGE, f"{numbers('n', count)}, {numbers('m', messages)}"))
    connection.execute("DELETE FROM late_changes")
    connection.commit()
    connection.close()


def fill_postgres(url, count, messages):
    psql = lambda sql: subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", url, "-c", sql], check=True)
    rows = {name: text.replace("substr('000000000000' || n, -12)", "lpad(n::text, 12, '0')") for name, text in ROWS.items()}
    message = {name: text.replace("substr('000000000000' || n, -12)", "lpad(n::text, 12, '0')").replace(
        "substr('000000000000' || (n * 1000 + m), -16)", "lpad((n * 1000 + m)::text, 16, '0')") for name, text in MESSAGE.items()}
    series = f"generate_series(1, {count}::bigint) AS n"
    psql(insert("conversations", rows, series))
    psql("INSERT INTO conversation_updates SELECT tenant_id, updated_at / 3600000000, id FROM conversations "
         "WHERE updated_at / 3600000000 <> created_at / 3600000000")
    if messages:
        psql(insert("messages", message, f"{series}, generate_series(1, {messages}) AS m"))
    psql("TRUNCATE late_changes")
    psql("VACUUM ANALYZE")


def time_text(count):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(FIRST // 1_000_000 + count))


def kinds(count):
    """The parameters of a request of each kind."""
    any_one = lambda most: random.randrange(most)
    day = lambda: any_one(max(count - 86_400, 1))
    return {
        "customer": lambda: f"customerExternalId=customer-{any_one(2000)}",
        "agent": lambda: f"agentExternalId=agent-{any_one(50)}",
        "metadata, one conversation": lambda: f"metadata[ticket]={any_one(count // TENANTS) * TENANTS + 7}",
        "metadata, a quarter": lambda: f"metadata[queue]={any_one(4)}&limit=100",
        "created in an hour": lambda: (lambda s: f"createdSince={time_text(s)}&createdUntil={time_text(s + 3600)}")(day()),
        "updated in an hour": lambda: (lambda s: f"updatedSince={time_text(s)}&updatedUntil={time_text(s + 3600)}")(day()),
        "updated since a day": lambda: f"updatedSince={time_text(day())}",
        "all at once": lambda: f"customerExternalId=customer-{any_one(2000)}&agentExternalId=agent-{any_one(50)}"
                               f"&metadata[queue]={any_one(4)}&metadata[channel]=phone&updatedSince={time_text(0)}",
        "no match in 10,000 rows": lambda: f"metadata[channel]=phone&metadata[queue]={any_one(4)}"
                                           f"&createdSince={time_text(0)}&updatedUntil={time_text(0)}&agentExternalId=agent-1",
        "no match, by timestamp": lambda: f"createdSince={time_text(0)}&updatedUntil={time_text(count)}&updatedSince={time_text(count - 1)}",
        "external id alone": lambda: f"externalId=call-{any_one(count // TENANTS) * TENANTS + 7}",
    }


def measure(program, url, count, requests):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, **LIFTED, "PARLANCE_DATABASE_URL": url, "PARLANCE_LISTEN": f"127.0.0.1:{port}"}
    command = [program, "credential", "create", "--tenant", "tenant-7", "--name", "bench", "--json"]
    issued = json.loads(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    server = subprocess.Popen([program, "serve"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        headers = {"svc-api-id": issued["apiId"], "svc-api-secret": issued["apiSecret"]}
        for _ in range(200):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port)
                connection.request("GET", "/health/ready")
                if connection.getresponse().read() is not None:
                    break
            except OSError:
                time.sleep(0.1)
        for name, make in kinds(count).items():
            spent, found = [], 0
            for number in range(requests + 20):
                path = f"{PATH}?{make()}"
                began = time.perf_counter()
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                body = answer.read()
                if number >= 20:
                    spent.append((time.perf_counter() - began) * 1e3)
                assert answer.status == 200, (path, body)
                found += len(json.loads(body)["items"])
            ordered = sorted(spent)
            p99 = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
            print(f"| {name} | {found / (requests + 20):.1f} | {statistics.median(ordered):.1f} | {p99:.1f} |", flush=True)
    finally:
        server.terminate()
        server.wait()


def main():
    options = arguments()
    random.seed(1)
    (ROOT / "target").mkdir(exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="find-", dir=ROOT / "target"))
    name = f"parlance_bench_find_{os.getpid()}"
    try:
        for kind in ("sqlite", "postgres"):
            if options.only not in ("", kind):
                continue
            url = f"sqlite://{folder}/find.db" if kind == "sqlite" else f"{options.postgres}/{name}"
            if kind == "postgres":
                subprocess.run(["psql", "-qX", f"{options.postgres}/postgres", "-c", f"CREATE DATABASE {name}"], check=True)
            subprocess.run([options.program, "migrate"], env={**os.environ, "PARLANCE_DATABASE_URL": url}, check=True)
            began = time.monotonic()
            fill = fill_sqlite if kind == "sqlite" else fill_postgres
            fill(folder / "find.db" if kind == "sqlite" else url, options.conversations, options.messages)
            print(f"\n{kind}: {options.conversations:,} conversations, {options.messages} messages each, "
                  f"filled in {time.monotonic() - began:.0f} s\n")
            print("| criteria | found on a page | p50 in ms | p99 in ms |\n|---|---|---|---|")
            measure(options.program, url, options.conversations, options.requests)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if options.only != "sqlite":
            drop = f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"
            subprocess.run(["psql", "-qX", f"{options.postgres}/postgres", "-c", drop], check=False)


if __name__ == "__main__":
    main()
