"""The programs that are measured: how they are built, started and stopped, and what they used."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

TICK = os.sysconf("SC_CLK_TCK")

# What the names of the bench's databases begin with, which PostgreSQL shows beside each of its processes.
DATABASE = "parlance_bench"

# The rate limit is lifted: what is measured is how fast the service is, not how it refuses.
LIFTED = {"PARLANCE_RATE_LIMIT_PER_SECOND": "10000000", "PARLANCE_RATE_LIMIT_BURST": "10000000"}


def cpu_of(pid):
    """Processor seconds that a process used, those of its children that ended included."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return sum(int(ticks) for ticks in fields[11:15]) / TICK


def cpu_of_all(pid):
    """The same of a process and its children, such as the workers of a server."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return cpu_of(pid) + sum(cpu_of_all(child) for child in children)


def idle_share(seconds):
    """What part of the processors' time nobody uses in the next seconds."""

    def times():
        return [int(ticks) for ticks in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]

    before = times()
    time.sleep(seconds)
    spent = [after - earlier for after, earlier in zip(times(), before)]
    return (spent[3] + spent[4]) / max(sum(spent), 1)


class PostgresMeter:
    """Processor seconds that PostgreSQL's processes for the bench's databases use while this is open.

    It looks at them again and again, since what a process used is no longer told when it has ended."""

    def __enter__(self):
        self.first, self.last, self.over = {}, {}, threading.Event()
        self.look()
        self.watch = threading.Thread(target=self.keep_looking)
        self.watch.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.watch.join()
        self.look()
        self.seconds = sum(used - self.first.get(pid, 0.0) for pid, used in self.last.items())

    def keep_looking(self):
        while not self.over.wait(0.2):
            self.look()

    def look(self):
        known = self.first if not self.first else self.last
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                shown = (folder / "cmdline").read_bytes()
                if shown.startswith(b"postgres:") and DATABASE.encode() in shown:
                    known[folder.name] = cpu_of(folder.name)
            except OSError:
                continue
        self.first.setdefault("", 0.0)


def memory(pid, field):
    """`VmHWM`, the peak, or `VmRSS`, in megabytes."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) / 1024


def forget_peak(pid):
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")


class Server:
    """A running server with a credential, and the connections to it."""

    def __init__(self, process, address, headers):
        self.process, self.address, self.headers = process, address, headers

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, "content-type": "application/json"}
        request = urllib.request.Request(self.address + path, data=data, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")


class Stage:
    """Everything that runs, in a folder that vanishes."""

    def __init__(self, root, postgres):
        self.root, self.postgres = root, postgres
        self.tools = root / "target" / "bench"
        self.processes, self.databases = [], []

    def __enter__(self):
        (self.root / "target").mkdir(exist_ok=True)
        # On the disk of the repository: a folder in memory would make every flush free.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir=self.root / "target"))
        return self

    def stop(self, *servers):
        """Stops these, or all, so that what comes next has the machine and PostgreSQL's connections to itself."""
        stopping = [server.process for server in servers] or self.processes
        for process in reversed(stopping):
            process.send_signal(signal.SIGTERM)
        for process in stopping:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
        self.processes = [process for process in self.processes if process not in stopping]

    def __exit__(self, *_):
        self.stop()
        for name in self.databases:
            self.psql("postgres", f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        shutil.rmtree(self.folder, ignore_errors=True)

    def build(self):
        subprocess.run(["cargo", "build", "--release"], cwd=self.root, check=True)
        manifest = self.root / "benches/service/limits/Cargo.toml"
        # In the folder of the service's own build, which most of it shares.
        target = self.root / "target"
        subprocess.run(["cargo", "build", "--release", "--manifest-path", manifest, "--target-dir", target], check=True)
        self.parlance, self.limits = target / "release/parlance", target / "release/service-limits"

    def build_named(self):
        """The same program with the names of its functions, in a folder of its own."""
        target = self.root / "target" / "named"
        names = {"CARGO_PROFILE_RELEASE_STRIP": "none", "CARGO_PROFILE_RELEASE_DEBUG": "line-tables-only"}
        command = ["cargo", "build", "--release", "--bin", "parlance", "--target-dir", target]
        subprocess.run(command, cwd=self.root, env={**os.environ, **names}, check=True)
        self.parlance = target / "release/parlance"

    def psql(self, database, *statements):
        commands = [part for statement in statements for part in ("-c", statement)]
        command = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-At", f"{self.postgres}/{database}", *commands]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def new_database(self, kind):
        """The address of an empty database."""
        if kind == "sqlite":
            return f"sqlite://{self.folder}/{len(list(self.folder.iterdir()))}.db"
        name = f"{DATABASE}_{os.getpid()}_{len(self.databases)}"
        self.psql("postgres", f"CREATE DATABASE {name}")
        self.databases.append(name)
        return f"{self.postgres}/{name}"

    def spawn(self, command, environment=None, log=None):
        output = open(self.folder / (log or f"{len(self.processes)}.log"), "wb")
        process = subprocess.Popen(command, env={**os.environ, **(environment or {})}, stdout=output, stderr=output)
        self.processes.append(process)
        return process

    def command(self, url, *arguments):
        """What a command of the service prints."""
        environment = {**os.environ, "PARLANCE_DATABASE_URL": url}
        done = subprocess.run([self.parlance, *arguments], env=environment, check=True, capture_output=True, text=True)
        return done.stdout

    def credential(self, url, tenant="bench"):
        self.command(url, "migrate")
        issued = json.loads(self.command(url, "credential", "create", "--tenant", tenant, "--name", "bench", "--json"))
        return {"svc-api-id": issued["apiId"], "svc-api-secret": issued["apiSecret"]}

    def serve(self, url, under=(), **settings):
        """The service on this database, with these settings, and where it is said under another program."""
        headers = self.credential(url)
        port = free_port()
        environment = {"PARLANCE_DATABASE_URL": url, "PARLANCE_LISTEN": f"127.0.0.1:{port}", **LIFTED, **settings}
        server = Server(self.spawn([*under, self.parlance, "serve"], environment), f"http://127.0.0.1:{port}", headers)
        wait_for(f"{server.address}/health/ready")
        return server

    def serve_limits(self, url, file=None):
        """The server without the service, behind the same authentication."""
        log = f"limits-{len(self.processes)}.log"
        process = self.spawn([self.limits, "serve", url, *([file] if file else [])], log=log)
        for _ in range(100):
            address = (self.folder / log).read_text().strip()
            if address:
                return Server(process, address, self.credential(url))
            time.sleep(0.05)
        raise SystemExit("the limits' server did not start")

    def idle_memory(self):
        """Megabytes of a service that has just started and answered once, on each database."""
        found = {}
        for kind in ("sqlite", "postgres"):
            server = self.serve(self.new_database(kind))
            server.call("GET", "/conversation/v1/conversations?externalId=none")
            found[kind] = memory(server.process.pid, "VmRSS")
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(20)
        return found


def free_port():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return unused.getsockname()[1]


def wait_for(address, seconds=60):
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                if answer.status == 200:
                    return
        except OSError:
            pass
        if time.monotonic() > end:
            raise SystemExit(f"{address} does not answer")
        time.sleep(0.05)
