"""Real clusters: Dask schedulers and workers as programs of their own, some of which die in the middle."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

import tapete
from tapete import cluster
from tapete.cli import main
from tapete.errors import BadInput
from tapete.exact.analysis import analyse
from tapete.pricing import simkept, simtally
from tapete.rulefile import preset
from tapete.sim import running
from tapete.sim.results import Tally
from tapete.sim.running import Progress
from tapete.sim.setting import Setting, setting

pytestmark = pytest.mark.slow
SEED = 7
PATIENCE = 60
"""Seconds for a program to begin, or to notice; tests that need it do not fail for a slow machine."""


class Cluster:
    """A scheduler and its workers, without anybody who starts them again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        told = folder / "scheduler.json"
        self.scheduler = self._begun("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(told))
        self.address: str = json.loads(waited(told, lambda: told.read_text("utf-8"), "address"))["address"]
        self.programs = [self.scheduler]

    def worker(self, *options: str, path: Path | None = None) -> subprocess.Popen[bytes]:
        found = self._begun("worker", self.address, "--nthreads", "1", *(options or ("--no-nanny",)), path=path)
        self.programs.append(found)
        return found

    def _begun(self, *arguments: str, path: Path | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20"}
        if path:
            environment["PYTHONPATH"] = str(path)
        nowhere = subprocess.DEVNULL
        return subprocess.Popen(
            command, cwd=self._folder, env=environment, stdout=nowhere, stderr=nowhere, start_new_session=True
        )

    def gone(self) -> None:
        """Ends all, and what they have begun; nobody asks them to wait for each other."""
        for one in self.programs:
            with suppress(ProcessLookupError):
                os.killpg(one.pid, signal.SIGKILL)
            one.wait()


def waited(file: Path, read: Callable[[], str], part: str) -> str:
    """What a file says, once it is there whole."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if file.exists() and part in (found := read()):
            return found
        time.sleep(0.05)
    raise AssertionError(file)


@contextmanager
def begun(folder: Path) -> Iterator[Cluster]:
    found = Cluster(folder)
    try:
        yield found
    finally:
        found.gone()


@pytest.fixture(scope="module")
def casino() -> Setting:
    return setting(analyse(preset("casino").rules, level="td").round, boxes_=2)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of two workers."""
    with begun(tmp_path_factory.mktemp("cluster")) as found:
        found.worker()
        found.worker()
        yield found


def stages(set_: Setting, client: object, blocks: int, since: Progress | None = None) -> Generator[Progress]:
    """A run of so many blocks on a cluster."""
    return running.run(
        set_,
        SEED,
        begun=since,
        enough=lambda found: found.rounds > (blocks - 0.5) * running.BLOCK,
        tallies=partial(cluster.tallies, client, set_, SEED),
    )


def here(set_: Setting, blocks: int) -> Progress:
    """The same run by a thread."""
    *_, last = running.run(set_, SEED, enough=lambda found: found.rounds > (blocks - 0.5) * running.BLOCK)
    return last


def same(one: Tally, other: Tally) -> bool:
    """Whether two tallies are the same to the last bit."""
    return json.dumps(simtally.plain(one)) == json.dumps(simtally.plain(other))


def test_a_cluster_gives_the_same_bits_as_threads(casino: Setting, there: Cluster) -> None:
    with cluster.joined(there.address) as client:
        *_, last = stages(casino, client, 30)
        assert last.blocks == 30
        assert same(last.tally, here(casino, 30).tally)
        *_, on = stages(casino, client, 40, since=here(casino, 17))
    assert on.blocks == 40
    assert same(on.tally, here(casino, 40).tally)


def test_the_command_plays_on_a_cluster_and_says_nothing_else(there: Cluster, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("cluster.json", "here.json")]
    command = [sys.executable, "-W", "error", "-m", "tapete", "simulate", "home", "--rounds", "2e6", "--lang", "en"]
    command += ["--count", "hi-lo", "--spread", "1-8", "--boxes", "2"]
    for file, more in zip(
        files, (["--cluster", there.address.removeprefix("tcp://")], ["--workers", "1"]), strict=True
    ):
        done = subprocess.run([*command, *more, "--json", str(file)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert files[0].read_bytes() == files[1].read_bytes()


def test_workers_that_are_killed_lose_nothing_and_count_nothing_twice(casino: Setting, tmp_path: Path) -> None:
    with begun(tmp_path) as found:
        alone = found.worker()
        found.worker("--nanny")
        with cluster.joined(found.address) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
            seen = [0]
            for so_far in stages(casino, client, 60):
                if so_far.blocks >= 20 and alone.poll() is None:
                    pids = set(client.run(os.getpid).values())
                    assert alone.pid in pids
                    for one in pids:  # all of them, while they play: the nanny's comes again, as another process
                        os.kill(one, signal.SIGKILL)
                    alone.wait(PATIENCE)
                if so_far.blocks not in seen[-1:]:
                    seen.append(so_far.blocks)
            assert set(client.run(os.getpid).values()).isdisjoint(pids)
    assert seen == list(range(61))
    assert same(so_far.tally, here(casino, 60).tally)


def test_a_cluster_whose_last_worker_is_gone_is_told(
    casino: Setting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begun(tmp_path) as found:
        worker = found.worker()
        with cluster.joined(found.address) as client:
            monkeypatch.setattr(cluster, "PATIENCE", 3.0)
            played = stages(casino, client, 10**6)
            seen = [next(played) for _ in range(20)]
            worker.kill()
            with pytest.raises(BadInput) as told:
                seen.extend(played)
            assert told.value.code == "cluster.nobody"
            so_far = seen[-1]
        assert same(so_far.tally, here(casino, so_far.blocks).tally)
        monkeypatch.setattr(cluster, "PATIENCE", 1.0)
        with pytest.raises(BadInput) as told, cluster.joined(found.address):
            pass
        assert told.value.code == "cluster.nobody"


def test_a_scheduler_that_is_killed_leaves_what_was_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simkept, "EVERY", 0.2)
    file, straight = tmp_path / "run.json", tmp_path / "straight.json"
    asked = ["simulate", "home", "--lang", "en"]
    with begun(tmp_path) as found:
        found.worker()

        def kill() -> None:
            waited(file, lambda: "{", "{")
            found.scheduler.kill()

        killer = threading.Thread(target=kill)
        killer.start()
        assert main([*asked, "--rounds", "1e12", "--cluster", found.address, "--json", str(file)]) == 2
        killer.join()
    out, error = capfd.readouterr()
    assert "Stopped before its end" in out
    assert "House edge" in out
    assert error == "The scheduler of the cluster is gone.\n"
    rounds = json.loads(file.read_text("utf-8"))["rounds"]
    assert main([*asked, "--rounds", str(rounds + 1), "--continue", str(file), "--json", str(file)]) == 0
    assert main([*asked, "--rounds", str(rounds + 1), "--json", str(straight)]) == 0
    assert file.read_bytes() == straight.read_bytes()


def test_what_goes_wrong_on_a_worker_is_told(casino: Setting, there: Cluster) -> None:
    broken = casino._replace(cards=None)  # type: ignore[arg-type]
    with cluster.joined(there.address) as client, pytest.raises(BadInput) as told:
        deque(stages(broken, client, 2), maxlen=0)
    assert told.value.code == "cluster.fault"
    assert "Error: " in str(told.value.facts["why"])


def test_ctrl_c_stops_a_run_on_a_cluster(there: Cluster, tmp_path: Path) -> None:
    file, straight = tmp_path / "run.json", tmp_path / "straight.json"
    asked = ["simulate", "home", "--lang", "en"]
    often = "import sys; from tapete.pricing import simkept; simkept.EVERY = 0.2; from tapete.cli import main"
    command = [sys.executable, "-W", "error", "-c", f"{often}; sys.exit(main(sys.argv[1:]))", *asked]
    pipe = subprocess.PIPE
    played = ["--rounds", "1e12", "--cluster", there.address, "--json", str(file)]
    with subprocess.Popen([*command, *played], stdout=pipe, stderr=pipe, text=True) as run:
        waited(file, lambda: "{", "{")
        run.send_signal(signal.SIGINT)
        run.send_signal(signal.SIGINT)
        out, error = run.communicate(timeout=PATIENCE)
    assert (run.returncode, error) == (130, "")
    assert "Stopped before its end" in out
    rounds = json.loads(file.read_text("utf-8"))["rounds"]
    assert main([*asked, "--rounds", str(rounds), "--json", str(straight)]) == 0
    told = [json.loads(one.read_text("utf-8")) | {"finished": True} for one in (file, straight)]
    assert told[0] == told[1]


def test_workers_with_another_tapete_or_none_are_refused(casino: Setting, there: Cluster, tmp_path: Path) -> None:
    other, none = tmp_path / "other", tmp_path / "none"
    shutil.copytree(Path(tapete.__file__).parent, other / "tapete", ignore=shutil.ignore_patterns("__pycache__"))
    streams = other / "tapete/sim/streams.py"
    streams.write_text(streams.read_text("utf-8").replace("0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17"), "utf-8")
    (none / "tapete").mkdir(parents=True)
    (none / "tapete/__init__.py").write_text("raise ImportError('no such thing')\n", "utf-8")
    for path in (other, none):
        with begun(path) as found:
            found.worker(path=path)
            with pytest.raises(BadInput) as told, cluster.joined(found.address):
                pass
            assert (told.value.code, told.value.facts["many"]) == ("cluster.another", 1)
    with cluster.joined(there.address) as client:  # one that comes later
        late = there.worker(path=other)
        with pytest.raises(BadInput) as told:
            deque(stages(casino, client, 10**6), maxlen=0)
        late.kill()
    assert told.value.code == "cluster.late"
    assert str(told.value.facts["worker"]).startswith("tcp://127.0.0.1:")


def test_the_mark_is_of_all_that_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, mark = Path(tapete.__file__).parent, cluster.mark()
    files = [home / "cluster.py", home / "lookup.py", *home.glob("exact/*.py"), *home.glob("sim/*.py")]
    for file in files:
        copy = tmp_path / file.relative_to(home)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))  # as a checkout on Windows may have it
    monkeypatch.setattr(cluster, "__file__", str(tmp_path / "cluster.py"))
    assert cluster.mark.__wrapped__() == mark
    for name in ("cluster.py", "lookup.py", "exact/boxes.py", "sim/kernel.py"):
        changed = tmp_path / name
        changed.write_bytes(changed.read_bytes() + b"#")
        found = cluster.mark.__wrapped__()
        assert found != mark
        mark = found


def test_who_is_away_for_a_moment_is_waited_for_however_long_the_run_was(monkeypatch: pytest.MonkeyPatch) -> None:
    now, there = [0.0], {"tcp://worker": 2}
    client = SimpleNamespace(scheduler=SimpleNamespace(ncores=None), sync=lambda *_, **__: there)
    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=lambda: now[0]))
    crew = cluster._Crew(client)
    for _ in range(40):
        now[0] += cluster.LOOK
        crew.look()
    assert crew.threads == 2
    there.clear()
    for _ in range(int(cluster.PATIENCE / cluster.LOOK)):
        now[0] += cluster.LOOK
        crew.look()
    assert crew.threads == 0
    now[0] += cluster.LOOK
    with pytest.raises(BadInput) as told:
        crew.look()
    assert told.value.code == "cluster.nobody"


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("nonsense", "host:8786"),
        ("host:port", "host:8786"),
        ("host:0", "host:8786"),
        ("host:٨٧٨٦", "host:8786"),
        ("ftp://host:8786", "host:8786"),
        ("tls://127.0.0.1:8786", "distributed.comm.tls"),
        ("127.0.0.1:9", "no scheduler"),
        ("no.such.host.invalid:8786", "no scheduler"),
    ],
)
def test_an_address_without_a_scheduler_is_told(
    address: str, part: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    assert main(["simulate", "home", "--lang", "en", "--cluster", address]) == 2
    out, error = capsys.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    assert part in error


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 400 Bad Request\r\nContent-Length: 4000000\r\n\r\n"])
def test_something_else_that_listens_there_is_told(
    says: bytes, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []

        def answer() -> None:
            for _ in count():
                try:
                    held.append(server.accept()[0])
                    held[-1].sendall(says)
                except OSError:
                    return

        threading.Thread(target=answer, daemon=True).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert main(["simulate", "home", "--lang", "en", "--cluster", address]) == 2
        server.shutdown(socket.SHUT_RDWR)
        for one in held:
            one.close()
    assert "Dask cluster" in capsys.readouterr().err


def test_a_cluster_has_its_own_workers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "home", "--lang", "en", "--cluster", "host:8786", "--workers", "2"]) == 2
    assert "not both" in capsys.readouterr().err


def test_a_missing_extra_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["simulate", "home", "--lang", "en", "--cluster", "host:8786"]) == 2
    told = capsys.readouterr().err
    assert "needs: distributed." in told
    assert "pip install 'tapete[cluster]'" in told


def test_dask_is_loaded_by_nobody_else() -> None:
    played = "import sys; from tapete.cli import main; main(['simulate', 'home', '--rounds', '10', '--json', '-'])"
    code = f"{played}; assert not {{'dask', 'distributed'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
