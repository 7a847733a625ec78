#!/usr/bin/env python3
"""Measures the time from the answer to a write until its event has reached the subscribers of the conversation.

Subjects: `sqlite` (one process), `postgres` (two replicas: one is written to, the other has the subscribers), `nchan`
(nginx with libnginx-mod-nchan), `fastapi` (peers/fastapi_bridge.py with Redis). Each gets the same load: subscribers of
conversations by Server-Sent Events, and writers at a steady rate. Needs a program that is built in release mode; for the
peers nginx with the module, and a Python with peers/requirements.txt. Nothing but Python's own library drives the load."""

import argparse
import asyncio
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = pathlib.Path(__file__).resolve().parent / "peers"
CONVERSATIONS = "/conversation/v1/conversations"
WRITERS = 32


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", default=["sqlite"])
    parser.add_argument("--subscribers", type=int, default=2_000)
    parser.add_argument("--conversations", type=int, default=1_000)
    parser.add_argument("--rate", type=int, default=500, help="messages a second")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/parlance")
    parser.add_argument("--postgres", default="postgres://postgres@127.0.0.1:5432")
    parser.add_argument("--python", default=sys.executable, help="of the FastAPI peer")
    return parser.parse_args()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def memory_mb(process):
    """The resident memory of a process and its children, in MB."""
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    total = 0
    for pid in [str(process.pid), *children]:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total / 1024


class Subject:
    """A server under test. `write_port` takes messages, `read_port` has the subscribers."""

    def __init__(self, name, options, folder):
        self.name, self.options, self.folder, self.processes = name, options, folder, []
        self.headers = ""
        self.write_port = self.read_port = free_port()

    def start(self, command, **environment):
        log = open(self.folder / "log", "a")
        env = {**os.environ, **environment}
        self.processes.append(subprocess.Popen(command, env=env, cwd=self.folder, stdout=log, stderr=log))

    def wait(self, port):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        sys.exit(f"{self.name} does not start: {(self.folder / 'log').read_text()[-2000:]}")

    def stop(self):
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()


class Parlance(Subject):
    def prepare(self):
        program, replicas = str(self.options.program), 1 if self.name == "sqlite" else 2
        settings = {
            "PARLANCE_RATE_LIMIT_PER_SECOND": "10000000", "PARLANCE_RATE_LIMIT_BURST": "10000000",
            "PARLANCE_MAX_CONNECTIONS": "8000", "PARLANCE_MAX_CONNECTIONS_PER_ADDRESS": "0",
            "PARLANCE_MAX_CONNECTIONS_PER_CREDENTIAL": "8000", "PARLANCE_LOG_LEVEL": "error",
            "PARLANCE_MAX_STREAMS": "8000", "PARLANCE_MAX_STREAMS_PER_CREDENTIAL": "8000",
        }
        if replicas == 2:
            self.database = f"bench_events_{os.getpid()}"
            psql = ["psql", "-q", self.options.postgres + "/postgres", "-c"]
            subprocess.run([*psql, f"CREATE DATABASE {self.database}"], check=True)
            settings["PARLANCE_DATABASE_URL"] = f"{self.options.postgres}/{self.database}"
        environment = {**os.environ, **settings}
        subprocess.run([program, "migrate"], cwd=self.folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        created = subprocess.run([program, "credential", "create", "--tenant", "acme", "--name", "bench", "--json"],
                                 cwd=self.folder, env=environment, check=True, capture_output=True, text=True)
        credential = json.loads(created.stdout)
        self.headers = f"svc-api-id: {credential['apiId']}\r\nsvc-api-secret: {credential['apiSecret']}\r\n"
        for number in range(replicas):
            port = self.write_port if number == 0 else free_port()
            self.start([program, "serve", "--listen", f"127.0.0.1:{port}"], **settings)
            self.read_port = port
            self.wait(port)

    async def create_conversations(self, count):
        connection = await Connection.open(self.write_port)
        ids = []
        for number in range(count):
            body = {"externalId": f"call-{number}", "customer": {"externalId": "c"}, "timestamp": "2026-01-01T00:00:00Z"}
            _, answer = await connection.send("POST", CONVERSATIONS, self.headers, body)
            ids.append(json.loads(answer)["id"])
        return ids

    def subscribe_path(self, conversation):
        return f"{CONVERSATIONS}/{conversation}/messages/stream"

    def message(self, conversation, text):
        body = {"sender": {"role": "customer", "externalId": "c"}, "timestamp": "2026-01-01T00:00:00Z", "text": text}
        return "POST", f"{CONVERSATIONS}/{conversation}/messages", body

    def stop(self):
        super().stop()
        if self.name == "postgres":
            drop = f"DROP DATABASE {self.database} WITH (FORCE)"
            subprocess.run(["psql", "-q", self.options.postgres + "/postgres", "-c", drop], check=True)


class Peer(Subject):
    async def create_conversations(self, count):
        return [f"call-{number}" for number in range(count)]

    def subscribe_path(self, conversation):
        return f"/sub/{conversation}"

    def message(self, conversation, text):
        return "POST", f"/pub/{conversation}", {"text": text}


class Nchan(Peer):
    def prepare(self):
        (self.folder / "nginx.conf").write_text(f"""
load_module /usr/lib/nginx/modules/ngx_nchan_module.so;
daemon off; worker_processes 2; pid {self.folder}/nginx.pid; error_log {self.folder}/error.log;
events {{ worker_connections 8192; }}
http {{ access_log off;
  server {{ listen 127.0.0.1:{self.write_port} backlog=4096;
    location ~ /sub/(.*)$ {{ nchan_subscriber eventsource; nchan_channel_id $1; nchan_subscriber_first_message newest; }}
    location ~ /pub/(.*)$ {{ nchan_publisher; nchan_channel_id $1; }} }} }}
""")
        self.start(["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")])
        self.wait(self.write_port)


class FastApi(Peer):
    def prepare(self):
        app = ["-m", "uvicorn", "--app-dir", str(PEERS), "--port", str(self.write_port), "--log-level", "error"]
        self.start([self.options.python, *app, "--workers", "2", "--backlog", "4096", "fastapi_bridge:app"])
        self.wait(self.write_port)


class Connection:
    """A kept-alive connection that sends one request after the other."""

    @classmethod
    async def open(cls, port):
        self = cls()
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        return self

    async def send(self, method, path, headers, body):
        data = json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nhost: bench\r\n{headers}content-type: application/json\r\n"
        self.writer.write(f"{head}content-length: {len(data)}\r\n\r\n".encode() + data)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        status = int(answer.split(b" ", 2)[1])
        length = next((int(line.split(b":")[1]) for line in answer.lower().split(b"\r\n")
                       if line.startswith(b"content-length:")), 0)
        content = await self.reader.readexactly(length)
        if status >= 300:
            sys.exit(f"{path}: {status} {content[:300]}")
        return status, content


async def subscribe(subject, conversation, arrivals, counts):
    reader, writer = await asyncio.open_connection("127.0.0.1", subject.read_port)
    path = subject.subscribe_path(conversation)
    writer.write(f"GET {path} HTTP/1.1\r\nhost: bench\r\n{subject.headers}accept: text/event-stream\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 200 " not in head.split(b"\r\n")[0]:
        sys.exit(f"{path}: {head[:300]}")
    counts["open"] += 1
    try:
        while True:
            line = await reader.readline()
            if not line:
                counts["closed"] += 1
                return
            at = line.find(b"parcel-")
            if at >= 0:
                arrivals.append((int(line[at + 7:at + 15]), time.perf_counter()))
    except asyncio.CancelledError:
        writer.close()


async def measure(subject, options):
    conversations = await subject.create_conversations(options.conversations)
    arrivals, counts, answered = [], {"open": 0, "closed": 0}, {}
    tasks = []
    for number in range(options.subscribers):
        conversation = conversations[number % len(conversations)]
        tasks.append(asyncio.create_task(subscribe(subject, conversation, arrivals, counts)))
        if number % 50 == 0:
            await asyncio.sleep(0.02)
    while counts["open"] < options.subscribers:
        await asyncio.sleep(0.1)
    # A replica looks for others every five seconds, and sends hints only when there are some.
    await asyncio.sleep(6)
    generator, started = random.Random(1), time.perf_counter()
    total, sent = options.rate * options.seconds, iter(range(options.rate * options.seconds))

    async def write():
        connection = await Connection.open(subject.write_port)
        for number in sent:
            delay = started + number / options.rate - time.perf_counter()
            if delay > 0:
                await asyncio.sleep(delay)
            method, path, body = subject.message(generator.choice(conversations), f"parcel-{number:08}")
            await connection.send(method, path, subject.headers, body)
            answered[number] = time.perf_counter()

    await asyncio.gather(*(write() for _ in range(WRITERS)))
    took = time.perf_counter() - started
    memory = [memory_mb(process) for process in subject.processes]
    await asyncio.sleep(2)
    for task in tasks:
        task.cancel()
    delays = sorted(max(0, at - answered[number]) * 1000 for number, at in arrivals if number in answered)
    expected = total * options.subscribers / options.conversations
    share = lambda part: delays[min(len(delays) - 1, int(len(delays) * part))] if delays else float("nan")
    print(f"{subject.name:9} {total / took:6.0f} msg/s, {len(delays)} of about {expected:.0f} deliveries, "
          f"p50 {share(0.5):6.2f} ms, p99 {share(0.99):6.2f} ms, max {share(1):7.2f} ms, "
          f"memory {', '.join(f'{mb:.0f}' for mb in memory)} MB, streams closed {counts['closed']}", flush=True)


def main():
    options = arguments()
    kinds = {"sqlite": Parlance, "postgres": Parlance, "nchan": Nchan, "fastapi": FastApi}
    print(f"{options.subscribers} subscribers, {options.conversations} conversations, {options.rate} messages a second, "
          f"load {os.getloadavg()[0]:.1f}", flush=True)
    for name in options.subjects:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-events-"))
        subject = kinds[name](name, options, folder)
        try:
            subject.prepare()
            asyncio.run(measure(subject, options))
        finally:
            subject.stop()
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
