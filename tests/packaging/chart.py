"""Checks the chart: its values, every rendered manifest, and what the manifests must agree on. The arguments are the
root of the repository, the path of the program and the path of the renderer."""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema
import kubernetes_validate
import yaml

from settings import check_variables

root, program, renderer = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
chart = root / "deploy/helm/parlance"
VERSIONS = ("1.30", "1.33")
OPERATOR = "monitoring.coreos.com/v1"


def expect(condition, message):
    if not condition:
        raise SystemExit(f"deploy/helm/parlance: {message}")


def merge(base, by):
    both = isinstance(base, dict) and isinstance(by, dict)
    return {**base, **{key: merge(base.get(key), value) for key, value in by.items()}} if both else by


def render(*files):
    """The manifests by kind and name, or the error of the renderer."""
    result = subprocess.run([renderer, chart, *files], capture_output=True, text=True)
    if result.returncode:
        return result.stderr
    texts = {name: text for name, text in json.loads(result.stdout).items() if name.endswith(".yaml")}
    manifests = [manifest for text in texts.values() for manifest in yaml.safe_load_all(text) if manifest]
    return {(manifest["kind"], manifest["metadata"]["name"]): manifest for manifest in manifests}


def check_pod(where, pod, secret_keys):
    (container,) = pod["containers"]
    security, confined = pod["securityContext"], container["securityContext"]
    expect(
        security["runAsNonRoot"] and security["seccompProfile"]["type"] == "RuntimeDefault", f"{where}: pod security"
    )
    expect(security["runAsUser"] == security["fsGroup"] == 65532, f"{where}: another user than in the Dockerfile")
    expect(
        confined["readOnlyRootFilesystem"] and not confined["allowPrivilegeEscalation"], f"{where}: container security"
    )
    expect(confined["capabilities"] == {"drop": ["ALL"]}, f"{where}: capabilities")
    expect(pod["enableServiceLinks"] is False, f"{where}: variables of services")
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    expect(set(mounts.values()) == set(volumes), f"{where}: volumes that are not mounted, or mounts without a volume")
    # The program accepts a key file of root with this mode, see docs/configuration.md.
    expect(volumes["secret"]["secret"]["defaultMode"] == 0o440, f"{where}: the mode of secrets")
    return container


def check_agreement(values, manifests):
    deployment = manifests["Deployment", "test-parlance"]["spec"]
    config = manifests["ConfigMap", "test-parlance"]["data"]
    pod, labels = deployment["template"]["spec"], deployment["template"]["metadata"]["labels"].items()
    container = check_pod("deployment", pod, values)
    check_variables(program, "the chart", config)
    keys = {key for key in values["secret"]["keys"].values() if key}
    files = {value for name, value in config.items() if name.endswith("_FILE")}
    expect(files <= {f"/run/parlance/{key}" for key in keys}, "a file that the secret does not have")
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    listen = {
        name: config[f"PARLANCE_{setting}"].rpartition(":")[2]
        for name, setting in (("http", "LISTEN"), ("health", "HEALTH_LISTEN"), ("metrics", "METRICS_LISTEN"))
    }
    expect(listen == {name: str(port) for name, port in ports.items()}, "ports that the program does not listen on")
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        expect(container[probe]["httpGet"]["port"] in ports, f"the port of {probe}")
    sleep = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    expect(sleep == values["preStopSeconds"], "the hook before a stop has another length")
    stop = sleep + values["shutdownDelaySeconds"] + values["shutdownTimeoutSeconds"]
    expect(pod["terminationGracePeriodSeconds"] > stop, "the pod is killed before the server stops")
    expect(
        ("replicas" in deployment) != values["autoscaling"]["enabled"], "both the chart and the autoscaler set replicas"
    )
    selectors = [deployment["selector"]["matchLabels"]]
    for (kind, _), manifest in manifests.items():
        if kind == "Service":
            selectors.append(manifest["spec"]["selector"])
            expect(all(port["targetPort"] in ports for port in manifest["spec"]["ports"]), "the port of a service")
        if kind in ("PodDisruptionBudget", "NetworkPolicy"):
            selectors.append(manifest["spec"].get("selector", manifest["spec"].get("podSelector"))["matchLabels"])
    expect(all(selector.items() <= labels for selector in selectors), "a selector that does not match the pods")
    job = manifests["Job", "test-parlance-migrate"]["spec"]["template"]
    expect(not selectors[0].items() <= job["metadata"]["labels"].items(), "services would send requests to the job")
    migrate = check_pod("migrate", job["spec"], values)
    check_variables(program, "the job", {one["name"]: one["value"] for one in migrate["env"]})


def check_operator(manifests):
    """The resources of the Prometheus operator, for which Kubernetes has no schema."""
    rules = manifests["PrometheusRule", "test-parlance"]["spec"]
    expect(rules == yaml.safe_load((root / "deploy/prometheus/alerts.yml").read_text()), "other alert rules")
    monitor = manifests["ServiceMonitor", "test-parlance"]["spec"]
    service = manifests["Service", "test-parlance-metrics"]
    expect(
        monitor["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items(),
        "the monitor finds no service",
    )
    expect(service["metadata"]["labels"][monitor["jobLabel"]] == "parlance", "the alert rules need the job `parlance`")
    expect(monitor["endpoints"][0]["port"] == service["spec"]["ports"][0]["name"], "the monitor finds no port")


def render_with(overrides):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump(overrides, file)
        file.flush()
        return render(file.name)


def check_refusal(overrides, message):
    result = render_with(merge({"secret": {"name": "parlance"}}, overrides))
    expect(isinstance(result, str) and message in result, f"{overrides} is not refused: {result}")


def check_own_settings(overrides, manifests):
    """No setting repeats a variable that the chart sets itself."""
    set_by_caller = overrides.get("settings", {})
    for variable in manifests["ConfigMap", "test-parlance"]["data"]:
        name = variable.removeprefix("PARLANCE_").removesuffix("_FILE").lower()
        if name not in set_by_caller:
            check_refusal(merge(overrides, {"settings": {name: "a"}}), f"settings.{name}: ")


def check(overrides):
    schema, defaults = (
        json.loads((chart / "values.schema.json").read_text()),
        yaml.safe_load((chart / "values.yaml").read_text()),
    )
    values = merge(defaults, overrides)
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.validate(values, schema)
    manifests = render_with(overrides)
    expect(isinstance(manifests, dict), manifests)
    for manifest in manifests.values():
        if manifest["apiVersion"] != OPERATOR:
            for version in VERSIONS:
                kubernetes_validate.validate(manifest, version, strict=True)
    check_agreement(values, manifests)
    check_own_settings(overrides, manifests)
    return manifests


minimal = check({"secret": {"name": "parlance"}})
full = check(yaml.safe_load(pathlib.Path(__file__).with_name("all_values.yaml").read_text()))
check_operator(full)
expect("secret.name" in render(), "the chart renders without the name of a secret")
check_refusal({"metrics": {"serviceMonitor": {"enabled": True}}}, "set networkPolicy.metrics")
templates = len(list((chart / "templates").glob("*.yaml")))
print(f"chart: {templates} templates, {len(minimal)} manifests by default, {len(full)} with everything")
