"""Checks compose.yaml beyond its schema: mounted files exist, settings are known, every service is confined and has a
check, secrets are not in variables, and the proxy and Prometheus name services and ports that exist. The arguments are
the root of the repository and the path of the program."""

import pathlib
import re
import sys

import yaml

from settings import check_variables

root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
services = yaml.safe_load((root / "compose.yaml").read_text())["services"]
created = set(
    re.findall(r"\| create (\S+)|^    create (\S+)", (root / "deploy/compose/create-secrets.sh").read_text(), re.M)
)
created = {one or other for one, other in created}
ONE_SHOT = {"secrets", "migrate"}


def expect(condition, message):
    if not condition:
        raise SystemExit(f"compose.yaml: {message}")


def replace_defaults(value):
    """Interpolates ${NAME:-default} as compose does without an environment. A default may contain another one."""
    value, count = str(value), 1
    while count:
        value, count = re.subn(r"\$\{\w+:-([^${}]*)\}", r"\1", value)
    return value


for name, service in services.items():
    expect(service.get("read_only") is True, f"{name} has a writable root")
    expect(service.get("cap_drop") == ["ALL"], f"{name} keeps capabilities")
    expect("no-new-privileges:true" in service.get("security_opt", []), f"{name} may gain privileges")
    is_named_user = "user" in service or service["image"].startswith("parlance:")
    expect(is_named_user, f"{name} runs as the user of its image")
    expect(re.search(r":[^:]+$", service["image"]), f"the image of {name} has no tag")
    if name not in ONE_SHOT:
        expect("test" in service.get("healthcheck", {}), f"{name} has no health check")
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        if source.startswith("."):
            expect((root / source).exists(), f"{name} mounts {source}, which does not exist")
            expect(volume.endswith(":ro"), f"{name} may write to {source}")
    variables = {key: replace_defaults(value) for key, value in service.get("environment", {}).items()}
    for key, value in variables.items():
        is_file = key.upper().endswith("_FILE")
        expect(is_file or not re.search(r"PASSWORD|SECRET|_KEY$", key), f"{name} has a secret in {key}")
        if is_file:
            folder, _, file = value.rpartition("/")
            expect(folder == "/run/parlance" and file in created, f"{name} reads {value}, which nothing creates")
    check_variables(program, f"compose.yaml, {name}", variables)

# The user of the image that the Dockerfile builds.
OWN_USER = re.search(r"^USER (\S+)", (root / "Dockerfile").read_text(), re.M)[1]
readers = {}
for name, service in services.items():
    if name != "secrets" and any(volume.startswith("secrets:") for volume in service.get("volumes", [])):
        readers.setdefault(service.get("user", OWN_USER).split(":")[0], set()).add(service["image"])
for user, images in readers.items():
    expect(len(images) == 1, f"the user {user} of {sorted(images)} reads the secrets of each")

replicas = {name for name, service in services.items() if service.get("command") == ["serve", "--no-migrate"]}
expect(len(replicas) == 2, "there are not two replicas")
variables = services["parlance-1"]["environment"]
port = {key: str(value).rpartition(":")[2] for key, value in variables.items() if key.endswith("_LISTEN")}
proxied = set(
    re.findall(r"(\S+):(\d+)", re.search(r"reverse_proxy (.*) \{", (root / "deploy/caddy/Caddyfile").read_text())[1])
)
expect(proxied == {(name, "8080") for name in replicas}, "the Caddyfile names other replicas")
health_port = re.search(r"health_port (\d+)", (root / "deploy/caddy/Caddyfile").read_text())[1]
expect(health_port == port["PARLANCE_HEALTH_LISTEN"], "the Caddyfile checks another port")
scrapes = yaml.safe_load((root / "deploy/prometheus/prometheus.yml").read_text())["scrape_configs"]
targets = {target for scrape in scrapes for config in scrape["static_configs"] for target in config["targets"]}
expect(
    targets == {f"{name}:{port['PARLANCE_METRICS_LISTEN']}" for name in replicas}, "prometheus.yml has other targets"
)

provisioning = root / "deploy/grafana/provisioning"
sources = yaml.safe_load((provisioning / "datasources/prometheus.yml").read_text())["datasources"]
expect(
    sources[0]["url"] == "http://prometheus:9090" and "prometheus" in services, "the data source has another address"
)
path = yaml.safe_load((provisioning / "dashboards/parlance.yml").read_text())["providers"][0]["options"]["path"]
mounted = [volume.split(":")[1] for volume in services["grafana"]["volumes"]]
expect(f"{path}/parlance.json" in mounted, "the dashboard is not where the provider looks for it")
print(f"compose.yaml: {len(services)} services")
