"""Checks that the build context of the Dockerfile is complete: cargo can read the workspace in it. Prints nothing of
the context. The argument is the root of the repository."""

import fnmatch
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
patterns = [line for line in (root / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]


def is_included(path):
    """The rule of .dockerignore: the last pattern that matches the path or one of its folders decides."""
    parents = [str(path), *map(str, path.parents)]
    included = True
    for pattern in patterns:
        bare = pattern.removeprefix("!")
        # `**/` also matches no folder.
        forms = [bare, bare.removeprefix("**/")]
        if any(fnmatch.fnmatchcase(parent, form) for parent in parents for form in forms):
            included = pattern.startswith("!")
    return included


listed = subprocess.run(
    ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, check=True, capture_output=True, text=True
)
paths = [pathlib.Path(line) for line in listed.stdout.splitlines() if (root / line).is_file()]
with tempfile.TemporaryDirectory() as folder:
    for path in filter(is_included, paths):
        target = pathlib.Path(folder) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / path, target)
    metadata = ["cargo", "metadata", "--quiet", "--locked", "--offline", "--no-deps", "--format-version", "1"]
    result = subprocess.run(metadata, cwd=folder, capture_output=True, text=True)
    missing = [
        name
        for name in ("LICENSE-APACHE", "LICENSE-MIT", ".cargo/config.toml")
        if not (pathlib.Path(folder) / name).exists()
    ]
    count = sum(1 for path in pathlib.Path(folder).rglob("*") if path.is_file())
if result.returncode or missing:
    raise SystemExit(f".dockerignore: the build misses files: {missing} {result.stderr}")
print(f"build context: {count} of {len(paths)} files")
