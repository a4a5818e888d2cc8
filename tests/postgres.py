"""A PostgreSQL server of the tests' own: started in a folder of its own on a free port, with ``fsync`` on.

It is a real server, because what is tested is what happens when programs die and disks are full. Where none is
installed and none can be, tests that need it are skipped with the reason, but never where ``CI`` is set.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

import psycopg
import pytest

PASSWORD: Final = "un secreto: p@ss/w%rd"
"""Of the tests' user; with everything in it that an address has to escape."""
_USER: Final = "tapete"


class Missing(Exception):
    """There is no PostgreSQL here, and why."""


def binaries() -> Path:
    """The folder with ``initdb`` and ``postgres``; installs them where that is possible. Raises Missing."""
    found = _found()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _install()
        found = _found()
    if found is None:
        raise Missing("no PostgreSQL server is installed here (Debian: apt-get install postgresql)")
    return found


def _found() -> Path | None:
    named = shutil.which("initdb")
    folders = [Path(named).resolve().parent] if named else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((one for one in folders if (one / "initdb").exists() and (one / "postgres").exists()), None)


def _install() -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", "postgresql"]):
        command = ["apt-get", "-qq", *words]
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=quiet)
        if done.returncode:
            raise Missing(f"{' '.join(command)}: {done.stderr.strip()[-300:]}")


class Server:
    """A running server. ``url(name)`` is the address of one of its databases."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = _free_port()
        self._bin = binaries()
        user = _unprivileged()
        self._uid = None if user is None else user.pw_uid
        self._gid = None if user is None else user.pw_gid
        self._groups: list[int] | None = None if user is None else []
        self._numbers = count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._make()
        self.start()

    def _make(self) -> None:
        if self._uid is not None and self._gid is not None:
            os.chown(self.folder, self._uid, self._gid)
        secret = self.folder / "secret"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        ask = ["--auth=scram-sha-256", f"--username={_USER}", f"--pwfile={secret}", "--encoding=UTF8", "--locale=C"]
        self._run([str(self._bin / "initdb"), "-D", str(self.folder / "data"), "--data-checksums", *ask])

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(
            command,
            check=False,
            capture_output=True,
            cwd="/",
            user=self._uid,
            group=self._gid,
            extra_groups=self._groups,
        )
        assert done.returncode == 0, done.stderr.decode()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = {
            "port": str(self.port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "fsync": "on",
            "full_page_writes": "on",
            "shared_buffers": "16MB",
            "max_wal_size": "64MB",
            "log_min_messages": "fatal",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        command = [str(self._bin / "postgres"), "-D", str(self.folder / "data"), *options]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                user=self._uid,
                group=self._gid,
                extra_groups=self._groups,
            )
        self._wait()

    def _wait(self) -> None:
        for _ in range(600):
            with contextlib.suppress(psycopg.OperationalError), self.connect("postgres"):
                return
            time.sleep(0.05)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self) -> None:
        """Stop it as an operator would who is in a hurry."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
            self._process = None

    def connect(self, name: str) -> psycopg.Connection[tuple[object, ...]]:
        """A connection by hand, for what a test does behind the store's back."""
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=_USER, password=PASSWORD, dbname=name, autocommit=True
        )

    def new(self) -> str:
        """The name of a new empty database."""
        name = f"t{next(self._numbers)}"
        with self.connect("postgres") as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0'.encode())
        return name

    def url(self, name: str, *, user: str = _USER, password: str = PASSWORD) -> str:
        """The address of a database."""
        escaped = "".join(letter if letter.isalnum() else f"%{ord(letter):02X}" for letter in password)
        return f"postgresql://{user}:{escaped}@127.0.0.1:{self.port}/{name}"


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom the server runs as: it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise Missing("PostgreSQL does not run as root, and there is no other user")


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """A server for some tests."""
    with tempfile.TemporaryDirectory(prefix="tapete-pg-") as name:
        Path(name).chmod(0o755)
        server = Server(Path(name))
        try:
            yield server
        finally:
            server.stop()


def server_or_reason() -> contextlib.AbstractContextManager[Server]:
    """The server; where there can be none the test is skipped, or fails if it runs for everybody."""
    try:
        binaries()
    except Missing as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))
    return running()
