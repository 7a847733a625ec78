"""What a user would pick instead: a FastAPI service of the same operations, and Matrix Synapse, both on PostgreSQL."""

import hashlib
import json
import secrets
import subprocess
import sys
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from . import programs, requests
from .cells import SAID

ROOMS = 10


def cells(run):
    return fastapi(run) + synapse(run)


def environment(stage, name):
    """A virtual environment with what a peer requires."""
    place = stage.tools / name
    python = place / "bin/python"
    if not (place / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        wanted = stage.root / "benches/peers" / name / "requirements.txt"
        subprocess.run([python, "-m", "pip", "install", "--quiet", "-r", wanted], check=True)
        (place / "complete").touch()
    return python


def fastapi(run):
    stage = run.stage
    python = environment(stage, "fastapi")
    url = stage.new_database("postgres").replace("postgres://", "postgresql+asyncpg://")
    folder = stage.root / "benches/peers/fastapi"
    variables = {"PEER_DATABASE": url}
    make = "import asyncio, app\nasync def make():\n async with app.engine.begin() as c: await c.run_sync(app.tables.create_all)\nasyncio.run(make())"
    subprocess.run([python, "-c", make], cwd=folder, env=variables, check=True)
    headers = {"svc-api-id": "bench.peer", "svc-api-secret": secrets.token_hex(32)}
    digest = hashlib.sha256(headers["svc-api-secret"].encode()).hexdigest()
    stage.psql(
        url.rsplit("/", 1)[1],
        f"INSERT INTO credentials VALUES ('bench.peer', '\\x{digest}', 'bench')",
        "INSERT INTO conversations SELECT 'bench', 'C' || number, 'call-' || number, 'agent-3', 'Grace', 'customer-7', 'Ada', "
        "'{\"channel\":\"phone\"}' FROM generate_series(0, 999) AS number",
        f"INSERT INTO messages SELECT 'bench', 'C' || number % 1000, number, number::text, 2, 'customer-7', '{SAID}', number "
        "FROM generate_series(0, 49999) AS number",
        "ANALYZE",
    )
    port = programs.free_port()
    command = [python, "-m", "uvicorn", "app:app", "--app-dir", folder, "--port", str(port), "--workers", "2", "--no-access-log"]
    server = programs.Server(stage.spawn(command, variables), f"http://127.0.0.1:{port}", headers)
    programs.wait_for(f"{server.address}/openapi.json")
    ids = [f"C{number}" for number in range(requests.CONVERSATIONS)]
    files = {name: run.file_of(f"fastapi-{name}", requests.lines_of(name, ids, stage.root)) for name in ("W1", "W3", "W4")}
    return [run.http_cell(f"{name} FastAPI", server, path, True) for name, path in files.items()]


CONFIGURATION = """
database:
  name: psycopg2
  allow_unsafe_locale: true
  args: {{user: "{user}", password: "{password}", dbname: "{name}", host: "{host}", port: {port}, cp_min: 5, cp_max: 10}}
listeners:
  - {{port: {listen}, type: http, bind_addresses: ["127.0.0.1"], resources: [{{names: [client]}}]}}
rc_message: {{per_second: 1000000, burst_count: 1000000}}
rc_login: {{address: {{per_second: 1000, burst_count: 1000}}, account: {{per_second: 1000, burst_count: 1000}}}}
presence: {{enabled: false}}
trusted_key_servers: []
"""


def synapse(run):
    stage = run.stage
    python = environment(stage, "synapse")
    database = urllib.parse.urlparse(stage.new_database("postgres"))
    folder, listen = stage.folder / "synapse", programs.free_port()
    folder.mkdir()
    base = folder / "homeserver.yaml"
    run_it = [python, "-m", "synapse.app.homeserver", "--config-path", base]
    subprocess.run([*run_it, "--server-name", "bench.local", "--generate-config", "--report-stats=no"], cwd=folder, check=True, capture_output=True)
    more = folder / "bench.yaml"
    more.write_text(CONFIGURATION.format(
        user=database.username, password=database.password or "", name=database.path[1:], host=database.hostname,
        port=database.port or 5432, listen=listen,
    ))
    (folder / "bench.local.log.config").write_text("version: 1\nroot: {level: ERROR}\n")
    server = programs.Server(stage.spawn([*run_it, "--config-path", more]), f"http://127.0.0.1:{listen}", {})
    programs.wait_for(f"{server.address}/_matrix/client/versions", 120)
    register = [python.parent / "register_new_matrix_user", "-c", base, "-u", "bench", "-p", "bench", "-a", server.address]
    subprocess.run(register, check=True, capture_output=True)
    login = {"type": "m.login.password", "identifier": {"type": "m.id.user", "user": "bench"}, "password": "bench"}
    token = server.call("POST", "/_matrix/client/v3/login", login)["access_token"]
    server.headers = {"authorization": f"Bearer {token}"}
    body = json.dumps({"msgtype": "m.text", "body": SAID})
    rooms = []
    for _ in range(ROOMS):
        made = server.call("POST", "/_matrix/client/v3/createRoom", {"preset": "private_chat"})["room_id"]
        rooms.append(f"/_matrix/client/v3/rooms/{urllib.parse.quote(made)}")

    def say(number):
        server.call("PUT", f"{rooms[number % ROOMS]}/send/m.room.message/load-{number}", json.loads(body))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(say, range(ROOMS * requests.MESSAGES_EACH)))
    sends = run.file_of("synapse-W1", [f"PUT\t{room}/send/m.room.message/@@\t{body}" for room in rooms])
    reads = run.file_of("synapse-W3", [requests.get(f"{room}/messages?dir=b&limit=50") for room in rooms])
    return [run.http_cell("W1 Synapse", server, sends, True), run.http_cell("W3 Synapse", server, reads, True)]
