"""The stores of feeds under test, a directory and a bucket of an S3 server, and what must hold of every day in them."""

import hashlib
import json
import pathlib
import socket
import subprocess
import sys
import time

from program import Failure, free_port

FEEDS = ("messages", "conversations")


class Directory:
    """Feeds in a directory."""

    name = "directory"

    def __init__(self, folder):
        self.root = folder / "feeds"
        self.settings = {"FEEDS_URL": f"file://{self.root}"}

    def keys(self):
        """Every file below the root, with its size."""
        return {str(path.relative_to(self.root)): path.stat().st_size for path in self.root.rglob("*")
                if path.is_file()} if self.root.exists() else {}

    def read(self, key):
        try:
            return (self.root / key).read_bytes()
        except FileNotFoundError:
            return None

    def uploads(self):
        return []

    def close(self):
        pass


class Bucket:
    """Feeds in a bucket of the S3 server that the tests of the program use too. Needs moto and boto3."""

    name = "s3"

    def __init__(self, folder):
        import boto3
        port = free_port()
        server = pathlib.Path(sys.executable).with_name("moto_server")
        log = open(folder / "s3.log", "wb")
        self.process = subprocess.Popen([server, "-H", "127.0.0.1", "-p", str(port)], stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            if time.monotonic() > deadline:
                raise Failure("the S3 server does not start")
            time.sleep(0.1)
        address = f"http://127.0.0.1:{port}"
        self.client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id="test",
                                   aws_secret_access_key="test")
        self.client.create_bucket(Bucket="feeds")
        self.settings = {"FEEDS_URL": "s3://feeds/parlance", "AWS_ENDPOINT": address, "AWS_ALLOW_HTTP": "true",
                         "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}

    def keys(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="feeds", Prefix="parlance/")
        return {item["Key"].removeprefix("parlance/"): item["Size"] for page in pages
                for item in page.get("Contents", [])}

    def read(self, key):
        try:
            return self.client.get_object(Bucket="feeds", Key=f"parlance/{key}")["Body"].read()
        except self.client.exceptions.NoSuchKey:
            return None

    def uploads(self):
        """The uploads that were begun and not completed."""
        return [item["Key"] for item in self.client.list_multipart_uploads(Bucket="feeds").get("Uploads", [])]

    def close(self):
        self.process.terminate()
        self.process.wait()


def days_of(keys):
    """The files of each day: those that readers see, and all."""
    days = {}
    for key in keys:
        folder, _, name = key.rpartition("/")
        if "/dt=" in folder:
            days.setdefault(folder, set()).add(name)
    return days


class FeedWatch:
    """Knows which days have had files, and checks that each of them is whole, whatever was killed."""

    def __init__(self, store):
        self.store, self.filled, self.checked = store, {}, {}

    def check(self, moment):
        """Raises a failure if a day that had files is not listed any more, or lacks a file of its manifest."""
        days = days_of(self.store.keys())
        for folder in self.filled:
            if "_SUCCESS" not in days.get(folder, ()):
                raise Failure(f"{moment}: {folder} had files and is not complete any more: {days.get(folder)}")
        for folder, names in sorted(days.items()):
            if "_SUCCESS" in names:
                self.check_day(folder, moment)

    def check_day(self, folder, moment):
        """Reads a day as its collectors do: the manifest, then each file that it names."""
        text = self.manifest(folder, moment)
        if self.checked.get(folder) == text:
            return
        # An export that goes on can replace the day between two reads of it: its manifest has changed then.
        while (fault := self.fault_of(folder, json.loads(text)["files"])) is not None:
            newer = self.manifest(folder, moment)
            if newer == text:
                raise Failure(f"{moment}: {folder} {fault}")
            text = newer
        self.checked[folder] = text
        if files := json.loads(text)["files"]:
            self.filled[folder] = len(files)

    def manifest(self, folder, moment):
        text = self.store.read(f"{folder}/_manifest.json")
        if text is None:
            raise Failure(f"{moment}: {folder} has _SUCCESS and no manifest")
        return text

    def fault_of(self, folder, files):
        """What is wrong with a day whose manifest names these files, or nothing."""
        if self.filled.get(folder) and not files:
            return "had files, and its manifest names none"
        for file in files:
            data = self.store.read(f"{folder}/{file['name']}")
            if data is None:
                return f"lacks the file {file['name']} of its manifest"
            if hashlib.sha256(data).hexdigest() != file["sha256"]:
                return f"has in {file['name']} something else than its manifest says"
        return None

    def rows(self):
        """The number of rows of each complete day, by its manifest."""
        return {folder: sum(file["rows"] for file in json.loads(text)["files"]) for folder, text in self.checked.items()}

    def listed_files(self):
        """The keys of all files that the manifests of complete days name."""
        return [f"{folder}/{file['name']}" for folder, text in self.checked.items()
                for file in json.loads(text)["files"]]
