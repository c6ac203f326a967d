import os
import tempfile
import threading
import unittest
from functools import partial

from touchstone_bridge.failure import Failure
from touchstone_bridge.pool import Pool, Task


def do(word):
    """A worker's own number with the word, or what the word tells it to."""
    if word == "exit":
        os._exit(3)
    if word == "hang":
        threading.Event().wait()
    if word == "throw":
        raise ValueError("told to")
    return word, os.getpid()


def doing():
    return do


def exit_once(path, word):
    if not os.path.exists(path):
        open(path, "w").close()
        os._exit(3)
    return word


def exiting_once(path):
    return partial(exit_once, path)


def broken():
    raise Failure("missing-package", "No module named PIL", "pip install Pillow")


def asked(pool, words):
    """What a pool makes of each, in order."""
    made = [None] * len(words)
    left = threading.Semaphore(0)

    def done(place, one):
        made[place] = one
        left.release()

    for place, word in enumerate(words):
        pool.add(Task((word,), partial(done, place)))
    for _ in words:
        assert left.acquire(timeout=60)
    return made


class TestPool(unittest.TestCase):
    def pool(self, make, count=2, seconds=30.0):
        made = Pool(make, count, seconds)
        self.addCleanup(made.close)
        return made

    def test_each_item_is_answered_in_several_processes(self):
        made = asked(self.pool(doing), [f"{n}" for n in range(40)])
        self.assertEqual([word for word, _ in made], [f"{n}" for n in range(40)])
        self.assertNotIn(os.getpid(), {pid for _, pid in made})

    def test_what_ends_a_worker_twice_alone_is_given_up(self):
        made = asked(self.pool(doing), ["a", "exit", "b", "throw", "c"])
        self.assertEqual([made[at][0] for at in (0, 2, 4)], ["a", "b", "c"])
        self.assertIsInstance(made[1], Failure)
        self.assertIn("exit code 3 (asked twice)", made[1].message)
        self.assertEqual(made[3].message, "ValueError: told to")

    def test_what_hangs_is_given_up_after_its_time(self):
        # Nothing else is asked: on a busy machine that could be late, too.
        [made] = asked(self.pool(doing, seconds=0.2), ["hang"])
        self.assertEqual(made.kind, "timeout")

    def test_what_a_worker_held_when_it_was_killed_is_asked_once_more(self):
        with tempfile.TemporaryDirectory() as folder:
            pool = self.pool(partial(exiting_once, os.path.join(folder, "once")), count=1)
            self.assertEqual(asked(pool, ["a", "b"]), ["a", "b"])

    def test_what_can_not_be_loaded_fails_each_item(self):
        made = asked(self.pool(broken), ["a", "b"])
        self.assertEqual([one.hint for one in made], ["pip install Pillow"] * 2)


if __name__ == "__main__":
    unittest.main()
