"""The one process that answers an interpreter."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from importlib.metadata import distribution

import pytest

import touchstone_t2i as ts
from touchstone_t2i import child

WITHIN = 120.0
"""Seconds in which a process ends, however busy the machine."""


def is_gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_command_is_also_called_as_the_package_for_uvx():
    names = {one.name for one in distribution("touchstone-t2i").entry_points}
    assert {"touchstone", "touchstone-t2i"} <= names


def wait_until(holds):
    end = time.monotonic() + WITHIN
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def conclude(ratings):
    expected = ratings.expected["verdict"]

    def checked():
        assert ts.correlation(ratings.frame, **ratings.given).verdict == expected
        return child._child.pid

    return checked


def test_all_calls_go_to_one_process(conclude):
    assert conclude() == conclude()


def test_one_that_died_is_started_anew(conclude):
    first = conclude()
    os.kill(first, signal.SIGKILL)
    assert conclude() != first


def test_a_call_whose_process_dies_is_made_again(conclude, ratings):
    first = conclude()
    sent = threading.Event()
    send = child._child._send

    def send_and_tell(*message):
        send(*message)
        sent.set()

    child._child._send = send_and_tell
    thread = threading.Thread(target=conclude)
    os.kill(first, signal.SIGSTOP)
    thread.start()
    assert sent.wait(WITHIN)
    os.kill(first, signal.SIGKILL)
    thread.join()
    assert conclude() != first


def test_threads_are_answered_side_by_side(ratings):
    found = []
    tables = [ratings.frame, ratings.frame.head(8)] * 3
    threads = [
        threading.Thread(
            target=lambda table=table: found.append(
                (len(table), ts.correlation(table, **ratings.given).verdict)
            )
        )
        for table in tables
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == len(tables) and len(set(found)) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can't fork")
def test_a_fork_has_a_process_of_its_own(conclude):
    first = conclude()
    forked = os.fork()
    if forked == 0:
        # pytest goes on in the parent alone.
        code = 1
        try:
            code = 0 if conclude() != first else 2
            child._end()
        finally:
            os._exit(code)
    _, status = os.waitpid(forked, 0)
    assert status == 0
    assert conclude() == first


def python(text, cwd):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("way", ["ends", "is killed"])
def test_it_ends_with_the_interpreter(way, ratings, tmp_path):
    process = python(
        f"""
        import sys, touchstone_t2i as ts
        from touchstone_t2i import child
        ts.correlation({str(ratings.file)!r}, human="rating")
        print(child._child.pid, flush=True)
        if {way!r} == "is killed":
            sys.stdin.readline()
        """,
        tmp_path,
    )
    pid = int(process.stdout.readline())
    if way == "is killed":
        process.kill()
    process.communicate()
    wait_until(lambda: is_gone(pid))


def test_ctrl_c_ends_a_call_and_not_the_interpreter(tmp_path):
    (tmp_path / "slow.py").write_text(
        "import time\ndef slow(image, text):\n    print('asked', flush=True)\n"
        "    open('asked', 'w').close()\n    time.sleep(600)\n    return 1.0\n"
    )
    from PIL import Image

    Image.new("RGB", (4, 4)).save(tmp_path / "grey.png")
    process = python(
        """
        import touchstone_t2i as ts
        try:
            ts.score(image="grey.png", text="grey", metric="python:slow:slow", sanity=False)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """,
        tmp_path,
    )
    wait_until((tmp_path / "asked").exists)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=WITHIN)
    assert said == "interrupted\n"
