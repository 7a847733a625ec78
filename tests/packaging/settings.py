"""Checks variables of containers with the program itself."""

import re
import subprocess
import tempfile


def known_variables(program):
    """The variables of all settings, as the program lists them."""
    listed = subprocess.run([program, "settings"], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\[env: (PARLANCE_[A-Z_]+)\]", listed)) | {"PARLANCE_CONFIG"}


def check_variables(program, where, variables):
    """Fails unless every PARLANCE_ variable is a setting, and the program accepts every value."""
    unknown = {name for name in variables if name.startswith("PARLANCE_")} - known_variables(program)
    if unknown:
        raise SystemExit(f"{where}: {sorted(unknown)} are no settings: see `parlance settings`")
    # The files of secrets exist only in the container. The doctor exits with 2 if a setting is invalid.
    values = {name: str(value) for name, value in variables.items() if not name.endswith("_FILE")}
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([program, "doctor"], cwd=folder, env=values, capture_output=True, text=True)
    if result.returncode == 2:
        raise SystemExit(f"{where}: {result.stderr.strip()}")
