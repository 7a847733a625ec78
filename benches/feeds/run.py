"""Times `parlance feed export` beside the databases' own tools, on the same rows, in the same run, on one core.

    python3 benches/feeds/run.py [--rows N] [--postgres URL] [--program PATH] [--held]

Fills a SQLite file and, where PostgreSQL answers, a database there with one day of messages. Of each it takes the best
of three runs of: the export as JSON Lines, uncompressed, with redaction on; and `sqlite3 -json`, or psql's `COPY … TO`,
of the same columns and rows in the same order, into a file. `--held` fails below 60 %. Then it lists a year of days
with 1,000 files each through the interface, which `--held` allows 100 ms.
"""

import argparse
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

DAY, FIRST = "2024-10-04", 20_000 * 86_400_000_000
COLUMNS = "id, conversation_id, sender_role, sender_external_id, text, sent_at, created_at"
SELECT = f"SELECT {COLUMNS} FROM messages WHERE tenant_id = 'acme' AND created_at >= {FIRST} ORDER BY created_at, id"
MASKED, UNMASKED = "ffffffffffffffffff", "0"
LEAST, MOST_MILLISECONDS = 0.6, 100


def filling(rows, series):
    """One day of messages, 20 a conversation, as the interface would have stored them with everything masked."""
    text = "'Thank you for calling, my order is number ' || i || ' and it has not arrived yet, can you help me?'"
    return f"""
        INSERT INTO conversations SELECT 'acme', 'C' || (10000000 + i), 'call-' || i, 'agent-' || i % 50, NULL,
            'customer-' || i, NULL, NULL, {FIRST} + i, {FIRST} + i, {FIRST} + i FROM {series(rows // 20)};
        INSERT INTO messages
            (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with)
        SELECT 'acme', 'C' || (10000000 + i % ({rows} / 20)), {FIRST} + i * 80 + 7000, '01M7Y8ZN00' || (100000000 + i) || 'ABCDEFG',
            1 + i % 2, 'agent-' || i % 50, {text}, {FIRST} + i * 80, '{MASKED}' FROM {series(rows)};
    """


class Sqlite:
    name, rival = "SQLite", "sqlite3 -json"

    def __init__(self, home, rows):
        self.file = os.path.join(home, "bench.db")
        self.url = f"sqlite://{self.file}"
        self.rows = rows

    def fill(self):
        series = lambda n: f"(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {n}) SELECT i FROM n)"
        triggers = "DROP TRIGGER late_new_messages; DROP TRIGGER late_new_conversations; DROP TRIGGER late_messages;"
        self.run(f"BEGIN; {triggers} {filling(self.rows, series)} COMMIT; ANALYZE;")

    def run(self, sql):
        subprocess.run(["sqlite3", self.file], input=sql, text=True, check=True, stdout=subprocess.DEVNULL)

    def rival_command(self):
        return ["sqlite3", "-json", self.file, SELECT]


class Postgres:
    name, rival = "PostgreSQL", "COPY … TO"

    def __init__(self, server, rows):
        self.server, self.rows = server, rows
        self.database = f"feeds_bench_{os.getpid()}"
        self.url = server.rsplit("/", 1)[0] + "/" + self.database
        self.at(server, f"CREATE DATABASE {self.database}")

    def at(self, url, sql):
        subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", url], input=sql, text=True, check=True)

    def fill(self):
        off = "ALTER TABLE messages DISABLE TRIGGER USER; ALTER TABLE conversations DISABLE TRIGGER USER;"
        self.run(off + filling(self.rows, lambda n: f"generate_series(0, {n - 1}) AS i") + "ANALYZE;")

    def run(self, sql):
        self.at(self.url, sql)

    def rival_command(self):
        return ["psql", "-q", self.url, "-c", f"COPY ({SELECT}) TO STDOUT"]

    def drop(self):
        self.at(self.server, f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")


def timed(command, environment=None, out=None):
    """Seconds that a command takes on one core, and its greatest resident memory in MB."""
    pinned = ["taskset", "-c", "0", *command] if shutil.which("taskset") else command
    begun = time.perf_counter()
    process = subprocess.Popen(pinned, env=environment, stdout=out or subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, command
    return time.perf_counter() - begun, usage.ru_maxrss / 1024


def export(program, database, feeds, *more):
    shutil.rmtree(feeds, ignore_errors=True)
    environment = {"PATH": os.environ["PATH"], "PARLANCE_DATABASE_URL": database.url, "PARLANCE_FEEDS_URL": f"file://{feeds}"}
    command = [program, "feed", "export", "--tenant", "acme", "--from", DAY, "--to", DAY, *more]
    seconds, memory = timed(command, environment)
    manifest = os.path.join(feeds, f"acme/messages/version=1/format={more[1]}/dt={DAY}/_manifest.json")
    assert json.load(open(manifest))["rows"] == database.rows
    return seconds, memory


def measure(program, database, home):
    """Rows a second of the export and of its rival, and the export's memory."""
    feeds, out = os.path.join(home, "feeds"), os.path.join(home, "rival.out")
    plain = ["--feed-formats", "jsonl", "--feed-compression", "none"]
    best = lambda runs: min(runs, key=lambda run: run[0])
    rival, ours = [], []
    for _ in range(3):
        with open(out, "wb") as file:
            rival.append(timed(database.rival_command(), out=file))
        ours.append(export(program, database, feeds, *plain))
    others = {"gzip": ["--feed-formats", "jsonl", "--feed-compression", "gzip"],
              "zstd": ["--feed-formats", "jsonl", "--feed-compression", "zstd"],
              "csv, plain": ["--feed-formats", "csv", "--feed-compression", "none"],
              "parquet": ["--feed-formats", "parquet"]}
    others = {name: export(program, database, feeds, *more) for name, more in others.items()}
    database.run(f"UPDATE messages SET masked_with = '{UNMASKED}';")
    others["plain, all masked anew"] = export(program, database, feeds, *plain)
    return best(ours), best(rival), others


def listing(program, home, days=365, files=1_000):
    """Milliseconds that the service takes to list a year of days of so many files each, the best of five."""
    first = datetime.date(2025, 1, 1)
    for day in range(days):
        folder = os.path.join(home, f"listed/acme/calls/version=1/format=jsonl/dt={first + datetime.timedelta(day)}")
        os.makedirs(folder)
        for name in ["_SUCCESS", *(f"part-{number}.jsonl" for number in range(files))]:
            open(os.path.join(folder, name), "w").close()
    environment = {"PATH": os.environ["PATH"], "PARLANCE_DATABASE_URL": f"sqlite://{home}/listing.db",
                   "PARLANCE_FEEDS_URL": f"file://{home}/listed", "PARLANCE_LISTEN": "127.0.0.1:0"}
    subprocess.run([program, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
    made = [program, "credential", "create", "--tenant", "acme", "--name", "bench", "--json"]
    credential = json.loads(subprocess.run(made, env=environment, check=True, capture_output=True).stdout)
    server = subprocess.Popen([program, "serve", "--log-format", "json"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        events = (json.loads(line) for line in server.stderr)
        address = next(event["address"] for event in events if event.get("message") == "listening")
        body = json.dumps({"feed": "calls", "version": "1", "format": "jsonl"}).encode()
        headers = {"svc-api-id": credential["apiId"], "svc-api-secret": credential["apiSecret"]}
        request = urllib.request.Request(
            f"http://{address}/fileexporter/v1/static/listfeeddates", body, {**headers, "Content-Type": "application/json"})
        taken = []
        for _ in range(5):
            begun = time.perf_counter()
            with urllib.request.urlopen(request) as answer:
                assert len(json.load(answer)["dates"]) == days
            taken.append(time.perf_counter() - begun)
        return min(taken) * 1_000
    finally:
        server.terminate()
        server.wait()


def main():
    # Parlance speaks plainly to a PostgreSQL on its own machine: so must what it is compared with.
    os.environ["PGSSLMODE"] = "disable"
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--program", default="target/release/parlance")
    parser.add_argument("--held", action="store_true")
    wish = parser.parse_args()
    program, slow = os.path.abspath(wish.program), []
    with tempfile.TemporaryDirectory() as home:
        databases = [Sqlite(home, wish.rows)]
        if subprocess.run(["psql", wish.postgres, "-c", "SELECT 1"], capture_output=True).returncode == 0:
            databases.append(Postgres(wish.postgres, wish.rows))
        for database in databases:
            environment = {"PATH": os.environ["PATH"], "PARLANCE_DATABASE_URL": database.url}
            subprocess.run([program, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
            subprocess.run([program, "credential", "create", "--tenant", "acme", "--name", "bench"],
                           env=environment, check=True, stdout=subprocess.DEVNULL)
            try:
                database.fill()
                (seconds, memory), (rival, _), others = measure(program, database, home)
            finally:
                getattr(database, "drop", lambda: None)()
            share = rival / seconds
            print(f"{database.name}, {wish.rows} messages of one day, one core")
            print(f"  {database.rival:24} {wish.rows / rival:12,.0f} rows/s")
            print(f"  {'jsonl, plain':24} {wish.rows / seconds:12,.0f} rows/s  {share:4.0%}  {memory:4.0f} MB")
            for name, (seconds, memory) in others.items():
                print(f"  {name:24} {wish.rows / seconds:12,.0f} rows/s        {memory:4.0f} MB")
            sys.stdout.flush()
            if share < LEAST:
                slow.append(database.name)
        taken = listing(program, home)
        print(f"A list of 365 days with 1,000 files each: {taken:.0f} ms")
    if taken > MOST_MILLISECONDS:
        slow.append("listing")
    if slow and wish.held:
        sys.exit(f"slower than they may be: {', '.join(slow)}")


main()
