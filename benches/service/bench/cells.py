"""The cells of the table: one workload on one subject each."""

import math
import os
import subprocess
import time
from dataclasses import dataclass, field
from typing import Callable, Optional

from . import programs, requests

CONNECTIONS = 32
#: Threads that ask, on the machine that also serves.
ASKING = 2
#: Most seconds until the next run begins, and the share of the processors that is idle where it need not wait.
SETTLING, AT_REST = 5.0, 0.9
WORKLOADS = ("W1", "W2", "W3", "W4", "W5")
SWITCHES = "/configuration/v1/redaction/redaction-entities"


@dataclass
class Result:
    """What one run of a cell gave: requests a second, latencies and CPU in microseconds, memory in megabytes."""

    rate: float
    p50: float = math.nan
    p99: float = math.nan
    p999: float = math.nan
    cpu: float = math.nan
    database_cpu: float = math.nan
    memory: float = math.nan
    failures: int = 0

    def __str__(self):
        cpu = f"{self.cpu:.0f} + {self.database_cpu:.0f}"
        return f"{self.rate:9.0f}/s  p50 {self.p50 / 1e3:.2f} ms  p99 {self.p99 / 1e3:.2f} ms  CPU {cpu} us  {self.failures} failed"


@dataclass
class Cell:
    name: str
    measure: Callable[[], Result]
    #: Measures at a rate, for the latency at half of the top rate.
    at_rate: Optional[Callable[[float], Result]] = None
    results: list = field(default_factory=list)
    halves: list = field(default_factory=list)

    @property
    def half(self):
        """The run at half the rate of which the p99 is the median."""
        ordered = sorted(self.halves, key=lambda result: result.p99)
        return ordered[len(ordered) // 2] if ordered else None


class Run:
    """How a run is made."""

    def __init__(self, stage, seconds):
        self.stage, self.seconds = stage, seconds
        self.starts = 0

    def file_of(self, name, lines):
        path = self.stage.folder / f"{name}.requests"
        path.write_text("\n".join(lines) + "\n")
        return path

    def wrk(self, server, path, connections=CONNECTIONS, rate=None, seconds=None, database=True):
        """Drives a server for some seconds."""
        let_machine_settle()
        process = self.start_wrk(server, path, connections, rate, seconds or self.seconds)
        pid = server.process.pid
        programs.forget_peak(pid)
        used = programs.cpu_of_all(pid)
        with programs.PostgresMeter() as meter:
            output = process.communicate()[0]
        used = programs.cpu_of_all(pid) - used
        return self.result(output, used, meter.seconds if database else math.nan, programs.memory(pid, "VmHWM"))

    def start_wrk(self, server, path, connections, rate, seconds, threads=ASKING, behind=0.0):
        """Begins behind so great a part of the requests."""
        self.starts += 1
        headers = {**server.headers, "content-type": "application/json"}
        environment = {
            **os.environ,
            "BENCH_HEADERS": ";".join(f"{name}={value}" for name, value in headers.items()),
            "BENCH_REQUESTS": str(path),
            "BENCH_START": f"{int(time.time())}-{self.starts}-",
            "BENCH_BEHIND": str(behind),
        }
        if rate:
            environment["BENCH_PAUSE"] = str(max(connections / rate * 1e3 - 0.2, 0.0))
        script = self.stage.root / "benches/service/wrk/requests.lua"
        command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", script, server.address]
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    @staticmethod
    def result(output, used, database_used, memory):
        numbers = output.split("RESULT ")[1].split()
        done, micros, p50, p99, p999, failures = (int(number) for number in numbers[:6])
        done = max(done, 1)
        cpu, database_cpu = used / done * 1e6, database_used / done * 1e6
        return Result(done / micros * 1e6, p50, p99, p999, cpu, database_cpu, memory, failures)

    def pgbench(self, database, statements):
        let_machine_settle()
        script = self.stage.folder / f"pgbench-{abs(hash(statements))}.sql"
        script.write_text(statements)
        host, port = self.stage.postgres.rsplit("@", 1)[1].split(":")
        user = self.stage.postgres.split("//")[1].split("@")[0].split(":")[0]
        command = ["pgbench", "-n", "-h", host, "-p", port, "-U", user, "-M", "prepared", f"-c{CONNECTIONS}", "-j2"]
        command += ["-D", f"now={now()}", "-D", f"n={now()}"]
        with programs.PostgresMeter() as meter:
            command = [*command, f"-T{self.seconds}", "-f", script, database]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        rate = float(done.stdout.split("tps = ")[1].split()[0])
        return Result(rate, database_cpu=meter.seconds / (rate * self.seconds) * 1e6)

    def loop(self, file, name):
        """A loop over rusqlite."""
        let_machine_settle()
        command = [self.stage.limits, name, file, str(self.seconds)]
        rate, cpu = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("RESULT ")[1].split()
        return Result(float(rate), cpu=float(cpu))

    def http_cell(self, name, server, path, database):
        return Cell(
            name,
            lambda: self.wrk(server, path, database=database),
            lambda rate: self.wrk(server, path, rate=rate, database=database),
        )


def side_by_side(cells):
    """The cells in the order in which they run: what is compared is neighbours, so that a machine which others use as well
    is as fast for the one as for the other."""

    def place(cell):
        workload = cell.name.split()[0]
        return workload not in WORKLOADS, workload, "sqlite" not in cell.name

    return sorted(cells, key=place)


def let_machine_settle():
    """Brings what was written before to the disk, and waits until nobody works any more on what was asked before, so that
    no run pays for what another left behind. A machine that others use is never quite at rest: it has some seconds."""
    os.sync()
    until = time.monotonic() + SETTLING
    while time.monotonic() < until and programs.idle_share(0.2) < AT_REST:
        pass


def now():
    """Microseconds since 1970."""
    return time.time_ns() // 1000


def switch_all_on(stage, server, url, tenant):
    """Makes every entity active for a tenant, the locked ones by the operator's command."""
    for entity in server.call("GET", SWITCHES)["redactionEntities"]:
        if entity["active"]:
            continue
        try:
            server.call("PATCH", f"{SWITCHES}/{entity['id']}", {"active": True})
        except OSError:
            approved = ["--reference", "bench", "--approved-by", "one", "--approved-by", "two"]
            stage.command(url, "compliance", "set", "--tenant", tenant, "--entity", entity["id"], "--active", "true", *approved)


def service(run):
    """The service itself, on both databases."""
    cells = []
    for kind in ("sqlite", "postgres"):
        url = run.stage.new_database(kind)
        server = run.stage.serve(url)
        ids = requests.load(server, run.stage.root)
        run.__dict__[kind] = (url, server, ids)
        for name in WORKLOADS:
            path = run.file_of(f"{kind}-{name}", requests.lines_of(name, ids, run.stage.root))
            cells.append(run.http_cell(f"{name} {kind}", server, path, kind == "postgres"))
        # Another tenant of the same service, since each service holds connections that PostgreSQL has few of.
        server = programs.Server(server.process, server.address, run.stage.credential(url, "masked"))
        ids = requests.load(server, run.stage.root)
        switch_all_on(run.stage, server, url, "masked")
        path = run.file_of(f"{kind}-W1-all", requests.lines_of("W1", ids, run.stage.root))
        cells.append(run.http_cell(f"W1 all entities {kind}", server, path, kind == "postgres"))
    return cells


MESSAGE = "id, sent_at, sender_role, sender_external_id, text, masked_with, created_at"
CONVERSATION = "id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at"
SAID = "thank you for waiting, I have found your order and it was sent this morning, so it should be with you before the weekend"

# With the keys of conversations that are numbered, in a tenant of their own. Each row is made now, as the service's are, so
# that no trigger takes it for late; ids grow, as the service's do.
PGBENCH = {
    "W1 pgbench": """\\set c random(0, 999)
\\set n :n + 100
\\set a :n + :client_id
INSERT INTO messages (tenant_id, conversation_id, sent_at, id, sender_role, sender_external_id, text, created_at, masked_with)
VALUES ('limits', 'C' || :c, :now, :a::bigint::text, 2, 'customer-7', '%s', :now, '0');
""" % SAID,
    "W2 pgbench": """\\set known random(0, 1)
\\set c random(0, 999)
\\set n :n + 100
\\set a :n + :client_id
\\set name case when :known = 1 then :c else :a end
INSERT INTO conversations (tenant_id, id, external_id, agent_external_id, agent_name, customer_external_id, customer_name, metadata, started_at, created_at, updated_at)
VALUES ('limits', :a::bigint::text, 'call-' || :name::bigint, 'agent-3', 'Grace', 'customer-7', 'Ada', '{"channel":"phone"}', :now, :now, :now)
ON CONFLICT (tenant_id, external_id) DO UPDATE SET agent_external_id = excluded.agent_external_id, agent_name = excluded.agent_name,
customer_external_id = excluded.customer_external_id, customer_name = excluded.customer_name, metadata = excluded.metadata,
updated_at = excluded.updated_at RETURNING id;
""",
    "W3 pgbench": f"""\\set c random(0, 999)
SELECT {MESSAGE} FROM messages WHERE tenant_id = 'bench' AND conversation_id = (SELECT id FROM bench_numbers WHERE number = :c)
ORDER BY sent_at, id LIMIT 51;
""",
    "W4 pgbench": f"""\\set c random(0, 999)
SELECT {CONVERSATION} FROM conversations WHERE tenant_id = 'bench' AND id = (SELECT id FROM bench_numbers WHERE number = :c);
""",
}


def limits(run):
    """What the databases and the web server can do at all."""
    (lite, _, lite_ids), (post, server, post_ids) = run.sqlite, run.postgres
    database = post.rsplit("/", 1)[1]
    run.stage.psql(
        database,
        "INSERT INTO conversations (tenant_id, id, external_id, customer_external_id, started_at, created_at, updated_at) "
        f"SELECT 'limits', 'C' || number, 'call-' || number, 'customer-7', {now()}, {now()}, {now()} FROM generate_series(0, 999) AS number",
        "ANALYZE",
    )
    file = lite.removeprefix("sqlite://")
    cells = [Cell(name, lambda text=text: run.pgbench(database, with_ids(text, post_ids))) for name, text in PGBENCH.items()]
    cells += [
        Cell("W1 rusqlite loop", lambda: run.loop(file, "insert")),
        Cell("W1 rusqlite loop, 32 a commit", lambda: run.loop(file, "insert-grouped")),
        Cell("W2 rusqlite loop", lambda: run.loop(file, "upsert")),
    ]
    server = run.stage.serve_limits(lite, file)
    constant = [requests.get("/constant")]
    posted = [requests.post("/constant", requests.message(SAID, 0))]
    rows = [requests.get(f"/conversations/{one}/messages") for one in lite_ids]
    row = [requests.get(f"/conversations/{one}") for one in lite_ids]
    for name, lines in {"GET actix constant": constant, "POST actix constant": posted, "W3 rusqlite in actix": rows, "W4 rusqlite in actix": row}.items():
        cells.append(run.http_cell(name, server, run.file_of(name.replace(" ", "-"), lines), False))
    return cells


def with_ids(text, ids):
    """The statement with the ids themselves, where it asks for them by number: an array costs the server next to nothing."""
    array = "(ARRAY['" + "','".join(ids) + "'])[:c + 1]"
    return text.replace("(SELECT id FROM bench_numbers WHERE number = :c)", array)


def replicas(run, rounds):
    """One server and two over one PostgreSQL, asked through as many connections by as many threads: as they are by
    themselves, and two that take no heed of PostgreSQL nor of each other."""
    processors = str(os.cpu_count() or 1)
    return {**pairs(run, rounds, ""), **pairs(run, rounds, ", as many threads each as processors", PARLANCE_WORKERS=processors)}


def pairs(run, rounds, note, **settings):
    """One server, and two with these settings."""
    url, one, ids = run.postgres
    two = [run.stage.serve(url, **settings) for _ in range(2)]
    for server in two:
        server.headers = one.headers
    found = {}
    for name in ("W1", "W3"):
        path = run.stage.folder / f"postgres-{name}.requests"
        alone, both = [], []
        for _ in range(rounds):
            alone.append(run.wrk(one, path).rate)
            let_machine_settle()
            # Each is sent other requests at a time than the other, as by different callers; and both are asked by as many
            # threads as the one, which have as much of the processors.
            half = (CONNECTIONS // 2, None, run.seconds, ASKING // 2)
            started = [run.start_wrk(server, path, *half, part) for server, part in zip(two, (0.0, 0.5))]
            both.append(sum(run.result(process.communicate()[0], 0, 0, 0).rate for process in started))
        found[name + note] = (alone, both)
    run.stage.stop(*two)
    return found
