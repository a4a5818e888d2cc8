"""Whatever is sent, the server neither fails nor changes anything that the sender may not change, and says why."""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import struct
from collections import Counter
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed

from scripts.protocol import CODES
from tests.protocol.house import PATIENCE, House, Json, Player, begin, company, finish, guest, level, run
from tests.protocol.noise import Noise, broken
from tests.protocol.schema import faults

PUBLISHED = {code for listed in CODES.values() for code in listed}
MANY = 600


async def quiet(everyone: list[Player]) -> None:
    """Waits until the table has done what it does by itself and everyone has heard it: each of these waits its turn."""
    for player in (*everyone[:1] * 6, *everyone):
        await player.ask("decide", box=7, hand=16, action="nothing")


async def rejected(player: Player, command: Json, everyone: list[Player]) -> str:
    """The answer's code, "" if it was accepted; whatever is refused must not be noticed by anyone."""
    witness = everyone[-1]
    before = (player.seq, json.dumps(player.view), len(player.heard), len(witness.heard))
    answer = await asyncio.wait_for(await player.send(command), PATIENCE)
    if answer["type"] == "accepted":
        await quiet(everyone)
        return ""
    after = (player.seq, json.dumps(player.view), len(player.heard) - 1, len(witness.heard))
    assert after == before, (command, player.heard[-3:])
    assert answer["code"] in PUBLISHED, answer
    assert set(answer["text"]) == {"en", "es"}
    assert "{" not in answer["text"]["en"].replace(str(command), ""), answer
    return str(answer["code"])


@pytest.mark.parametrize("preset", ["casino", "leaflet", "american-6d"])
def test_commands_of_the_schema_with_any_values_change_nothing_unless_they_are_accepted(
    house: House, preset: str
) -> None:
    async def scenario() -> Counter[str]:
        codes: Counter[str] = Counter()
        async with company(house, 2, preset) as players:
            stranger = await (await guest(house)).connect(players[0].code)
            witness = await Player(house, "").connect(players[0].code)
            everyone = [*players, stranger]
            noise = Noise(random.Random(preset), [player.you for player in everyone])
            await begin(players)
            await quiet([*everyone, witness])
            for turn in range(MANY):
                sender = everyone[turn % 3]
                codes[
                    await rejected(sender, noise.command(sender.view["round"], sender.seq), [*everyone, witness])
                ] += 1
            await level([*everyone, witness])
            assert [player.view for player in everyone] == [witness.view] * 3
            fresh = await Player(house, "").connect(players[0].code)
            assert fresh.view == witness.view
        return codes

    codes = run(scenario())
    assert codes[""] > 10
    assert len(codes) > 12
    house.check()
    assert sum(house.money().values()) == 0


def test_spoilt_commands_are_unreadable_and_change_nothing(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 2) as (player, witness):
            noise = Noise(random.Random(2), [player.you])
            await begin([player, witness])
            before = (player.seq, json.dumps(player.view))
            for turn in range(MANY):
                command = noise.command(player.view["round"], player.seq)
                if turn % 40 == 39:
                    await player.ask("decide", box=1, hand=9, action="hit")  # so that it is not taken for a flood
                spoilt = noise.spoilt(command)
                if reads(spoilt):
                    continue
                heard = len(player.heard)
                await player.say(json.dumps(spoilt))
                await player.until(lambda heard=heard: len(player.heard) > heard)  # type: ignore[misc]
                answer = player.heard[-1]
                assert (answer["type"], answer["code"]) == ("rejected", "message.unreadable"), spoilt
            assert (player.seq, json.dumps(player.view)) == before
            assert witness.view == player.view
            await finish([player, witness])

    run(scenario())


def reads(command: Any) -> bool:
    """Whether the published schema has nothing against a command after all."""
    return faults(command, "ClientMessage") == []


def test_the_server_reads_what_the_published_schema_allows_and_nothing_else(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1, seated=False) as (player,):
            noise = Noise(random.Random(3), [player.you])
            for turn in range(MANY):
                command = noise.command(10**9, 0)  # too late for everything that could be done
                command["round"] = 10**9
                if command["deed"]["do"] in ("leave", "pause"):
                    continue
                sent = noise.spoilt(command) if turn % 2 else command
                if not isinstance(sent.get("round"), int) or sent.get("round") != 10**9:
                    continue
                heard = len(player.heard)
                await player.say(json.dumps(sent))
                await player.until(lambda heard=heard: len(player.heard) > heard)  # type: ignore[misc]
                assert (player.heard[-1]["code"] != "message.unreadable") == reads(sent), (sent, player.heard[-1])

    run(scenario())


def test_a_command_sent_twice_is_done_once_and_answered_alike(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 2) as (player, other):
            command = player.command({"do": "bet", "box": 1, "amount": 1000})
            first = await (await player.send(command))
            seq = player.seq
            assert await (await player.send(command)) == first
            other_one = command | {"deed": {"do": "bet", "box": 1, "amount": 9000}}
            assert await (await player.send(other_one)) == first
            await player.again()
            assert await (await player.send(command)) == first
            assert player.seq == other.seq == seq
            assert player.view["boxes"][0]["bets"][0]["amount"] == 1000
            taken = await (await other.send(command))
            assert (taken["type"], taken["code"]) == ("rejected", "command.late" if seq < 0 else taken["code"])
            assert taken != first

    run(scenario())


def test_an_answer_to_an_earlier_question_is_late(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1, "american-6d") as (player,):
            witness = await Player(house, "").connect(player.code)
            while True:
                await begin([player])
                asked, seq = player.questions(), player.seq
                if asked and asked[0]["kind"] == "turn":
                    await player.decide(asked[0], "hit")
                    if player.questions():
                        break
                await finish([player])
            await quiet([player, witness])
            late = player.command({"do": "decide", "box": 1, "hand": 1, "action": "hit"}, seq=seq)
            assert await rejected(player, late, [player, witness]) == "command.late"
            old = player.command({"do": "decide", "box": 1, "hand": 1, "action": "hit"}, round=player.view["round"] - 1)
            assert await rejected(player, old, [player, witness]) == "command.late"
            await finish([player])

    run(scenario())


# --- noise that is no message


async def still_there(house: House, player: Player) -> None:
    """Another one's connection hears nothing of it, and plays on."""
    seq = player.seq
    await begin([player])
    await finish([player])
    assert player.seq > seq
    assert player.closed is None
    assert house.process.poll() is None


def test_frames_that_are_no_message_get_a_code_and_harm_nobody(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (neighbour,):
            player = await (await guest(house)).connect(neighbour.code)
            whole = json.dumps(player.command({"do": "sit", "box": 2}))
            heard = len(neighbour.heard)
            for raw, text in broken(random.Random(4), whole):
                if not is_message(raw):
                    await send_noise(player, raw, text=text)
            assert neighbour.seq == player.seq
            assert [one["type"] for one in neighbour.heard[heard:] if one["type"] != "room"] == []
            codes = {one["code"] for one in player.heard if one["type"] in ("rejected", "bye")}
            assert codes == {"message.unreadable"}
            await still_there(house, neighbour)

    run(scenario())
    house.check()


def is_message(raw: str | bytes) -> bool:
    """Whether noise has become a message by chance."""
    try:
        return reads(json.loads(raw))
    except (ValueError, RecursionError):
        return False


async def send_noise(player: Player, raw: str | bytes, *, text: bool) -> None:
    """Sends a frame; each one has to be answered by a code or by a close."""
    if player.closed is not None:
        assert player.closed[0] in (1007, 1008, 1009)
        await player.again()
    heard = len(player.heard)
    try:
        await player.say(raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw, text=text)
    except ConnectionClosed:
        return
    await player.until(lambda: player.closed is not None or len(player.heard) > heard)


@pytest.mark.parametrize(
    ("raw", "text", "code"),
    [
        (b'{"id":"\xff\xfe","round":0}', True, 1007),
        (b'{"id":"\xff\xfe","round":0}', False, 1007),
        (b"x" * 5000, True, 1009),
        (b"x" * (1 << 20), True, 1009),
        (b"\x00" * (1 << 20), False, 1009),
    ],
    ids=[
        "invalid UTF-8",
        "invalid UTF-8 in a binary frame",
        "longer than a message may be",
        "a megabyte",
        "a megabyte of zeros",
    ],
)
def test_a_frame_that_cannot_be_taken_ends_the_connection_with_a_code(
    house: House, raw: bytes, text: bool, code: int
) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (neighbour,):
            player = await (await guest(house)).connect(neighbour.code)
            await send_noise(player, raw, text=text)
            await player.until(lambda: player.closed is not None)
            assert player.closed is not None
            assert player.closed[0] == code
            await still_there(house, neighbour)

    run(scenario())


def test_fragments_are_put_together(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (player,):
            whole = json.dumps(player.command({"do": "bet", "box": 1, "amount": 1000}))
            assert player.socket is not None
            await player.socket.send(whole[start : start + 7] for start in range(0, len(whole), 7))
            await player.until(lambda: bool(player.view["boxes"][0]["bets"]))

    run(scenario())


FRAMES = {
    "an unmasked frame": b"\x81\x02{}",
    "a reserved opcode": b"\x83\x80\x00\x00\x00\x00",
    "reserved bits": b"\xf1\x80\x00\x00\x00\x00",
    "a length beyond everything": b"\x81\xff" + struct.pack(">Q", 2**63 - 1) + b"\x00" * 8,
    "a continuation of nothing": b"\x80\x82\x00\x00\x00\x00{}",
    "a long ping": b"\x89\xfe\x01\x00" + b"\x00" * 260,
    "half a frame": b"\x81\xfe\x01",
    "noise": bytes(range(256)) * 4,
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_what_is_no_websocket_frame_ends_that_connection_alone(house: House, frame: bytes) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (neighbour,):
            await asyncio.to_thread(raw_frame, house, neighbour.code, frame)
            await still_there(house, neighbour)

    run(scenario())


def raw_frame(house: House, code: str, frame: bytes) -> None:
    """Upgrades by hand, sends bytes, and hangs up in the middle of them."""
    with socket.create_connection(split(house), timeout=PATIENCE) as line:
        line.sendall(upgrade(house, code))
        assert line.recv(12) == b"HTTP/1.1 101"
        line.sendall(frame)


def upgrade(house: House, code: str) -> bytes:
    """What asks for a WebSocket."""
    lines = (
        f"GET /ws/{code} HTTP/1.1", f"Host: {urlsplit(house.url).netloc}", f"Origin: {house.url}", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "",
    )  # fmt: skip
    return "\r\n".join(lines).encode()


def split(house: House) -> tuple[str, int]:
    parts = urlsplit(house.url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00" * 100,
        b"GET",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x01" * 40,
        b"GET /ws/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n",
        b"POST /tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\nx",
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n",
        b"GET /../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
    ids=[
        "nothing",
        "zeros",
        "a word",
        "another HTTP",
        "TLS",
        "half an upgrade",
        "huge length",
        "huge header",
        "a climb",
    ],
)
def test_noise_instead_of_http_harms_nobody(house: House, raw: bytes) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (neighbour,):
            await asyncio.to_thread(raw_bytes, house, raw)
            await still_there(house, neighbour)

    run(scenario())


def raw_bytes(house: House, raw: bytes) -> None:
    with socket.create_connection(split(house), timeout=2) as line:
        line.sendall(raw)
        line.shutdown(socket.SHUT_WR)
        while line.recv(4096):
            pass


# --- a house with its usual limits


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Any:
    running = House(tmp_path_factory.mktemp("strict"), limits="Limits()")
    try:
        yield running
        running.check()
        running.stop()
    finally:
        running.kill()


def test_thousands_of_messages_at_once_are_refused_and_then_end_the_connection(strict: House) -> None:
    async def scenario() -> None:
        async with company(strict, 1) as (neighbour,):
            player = await (await guest(strict)).connect(neighbour.code)
            seq = neighbour.seq
            try:
                for number in range(5000):
                    await player.say(json.dumps(player.command({"do": "ready"}, id=f"flood{number}")))
            except ConnectionClosed:
                pass
            await player.until(lambda: player.closed is not None)
            codes = Counter(one["code"] for one in player.heard if one["type"] == "rejected")
            assert set(codes) == {"command.no_box", "limit.messages"}
            assert codes["limit.messages"] >= 50
            assert player.closed is not None
            assert player.closed[0] == 1008
            assert player.heard[-1] == {"type": "bye", "code": "limit.messages"}
            assert neighbour.seq == seq
            await still_there(strict, neighbour)

    run(scenario())


def test_an_address_has_so_many_connections_and_no_more(strict: House) -> None:
    async def scenario() -> None:
        async with company(strict, 1) as (player,):
            crowd = [await Player(strict, "").connect(player.code) for _ in range(99)]
            late = Player(strict, "")
            await late.connect(player.code)
            assert late.heard[-1] == {"type": "bye", "code": "limit.connections"}
            assert late.closed == (1008, "limit.connections")
            await crowd.pop().close()
            for _ in range(50):  # the server hears of the closing a moment later
                if (await late.again()).view:
                    break
                await asyncio.sleep(0.1)
            assert late.view == player.view

    run(scenario())


def test_who_does_not_read_is_let_go_and_holds_up_nobody(house: House) -> None:
    async def scenario() -> None:
        async with company(house, 1) as (player,):
            lazy = socket.socket()
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            lazy.connect(split(house))
            lazy.sendall(upgrade(house, player.code))
            await player.until(lambda: player.room["watching"] == 1)
            amount = 0
            while player.room["watching"]:
                amount = 1000 - amount
                await player.do("bet", box=1, amount=amount or 500)
            lazy.close()
            await still_there(house, player)

    run(scenario())


def test_nothing_that_was_sent_stands_in_the_log_of_the_server(house: House) -> None:
    marked = os.urandom(8).hex()

    async def scenario() -> None:
        async with company(house, 1) as (player,):
            assert await player.refused("remove", name=marked) == "table.nobody"
            await player.say(f'{{"id":"{marked}"}}')
            await player.until(lambda: player.heard[-1]["type"] == "rejected")
            cookie = player.cookie.partition("=")[2]
            assert cookie not in house.said.read_text("utf-8")

    run(scenario())
    assert marked not in house.said.read_text("utf-8")
