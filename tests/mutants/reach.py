"""reach.py - which tests come to a line, seen once, so that a mutant meets those first

The sources are built once more with a call at the beginning of each basic block
(reach.c), every test is run with that, and what it came to is kept in a folder until
somebody removes it.
"""
import collections
import concurrent.futures
import os
import pickle
import re
import shutil
import subprocess
import tempfile
import time

from mutant import HERE, TOP, Copy, read  # noqa: E402
from source import FUNCTION  # noqa: E402

CALL = "__sanitizer_cov_trace_pc"
BEHIND = 4  # lines
# They look at the sources or at other programs, or take many minutes.
NOT = ("compare.bats", "kill.bats", "manuals.bats", "packages.bats", "readme.bats")


class Instrumented(Copy):
    """A copy whose programs note what they come to, below REACH_DIR."""

    @staticmethod
    def can_move():
        return False

    def make(self, test=None):
        note = os.path.join(self.top, "reach.o")
        subprocess.run(["gcc", "-O2", "-fPIC", "-c", os.path.join(HERE, "reach.c"),
                        "-o", note], check=True)
        return self.make_goals(["all-tested"], "LDFLAGS=" + note, "CFLAGS=-O1 -g1 -w "
                               "-fno-inline -fsanitize-coverage=trace-pc")


def offsets(path):
    """Where a file, most of which is holes, has a byte."""
    found, at = [], 0
    fd = os.open(path, os.O_RDONLY)
    try:
        size = os.fstat(fd).st_size
        while at < size:
            try:
                at = os.lseek(fd, at, os.SEEK_DATA)
            except OSError:
                break  # nothing but a hole follows
            end = os.lseek(fd, at, os.SEEK_HOLE)
            data = os.pread(fd, end - at, at)
            found += [at + m.start() for m in re.finditer(rb"[^\0]", data)]
            at = end
    finally:
        os.close(fd)
    return found


def see(copy, name):
    """What the tests of a file came to: {title: (seconds, {program: offsets})}"""
    maps = tempfile.mkdtemp(prefix="reach.", dir="/dev/shm")
    begin = time.monotonic()
    try:
        out = copy.run((name, ""), "-T", reach=maps)[1]
        took = time.monotonic() - begin
        seen = collections.defaultdict(dict)
        for f in os.listdir(maps):
            test, _, program = f.partition(":")
            seen[int(test)][program] = offsets(os.path.join(maps, f))
    finally:
        shutil.rmtree(maps)
    if not name.endswith(".bats"):
        return {"": (took, seen[0])}
    every = seen.pop(0, {})  # what setup_file came to
    found = {}
    # what fails or is skipped here notices nothing
    for n, title, ms in re.findall(r"^ok (\d+) (.*) in (\d+)ms$", out, re.M):
        programs = {p: set(o) for p, o in seen[int(n)].items()}
        for p, o in every.items():
            programs.setdefault(p, set()).update(o)
        found[title] = (int(ms) / 1000, {p: sorted(o) for p, o in programs.items()})
    return found


def sites(program):
    """The places of a program where something is noted: {offset: path:line}"""
    nm = subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True).stdout
    note = re.search(r"^([0-9a-f]+) t %s$" % CALL, nm, re.M)
    if not note:
        return {}
    note = int(note[1], 16)
    with open(program, "rb") as f:
        text = f.read()
    # code lies in memory as it does in the file; a call is relative to its end
    found = [m.end() for m in re.finditer(rb"(?=\xe8(....))", text, re.S)
             if int.from_bytes(m[1], "little", signed=True) + m.end() + 5 == note]
    found = [at + 5 for at in found]
    lines = subprocess.run(["addr2line", "-e", program], stdout=subprocess.PIPE,
                           input="".join("%x\n" % (at - 1) for at in found),
                           text=True).stdout.split("\n")
    return dict(zip(found, lines))


class Reach:
    """tests: [(file, title, seconds)]; lines: {path: {line: which of these}}

    What has been seen is kept once a minute; if it is not all, the next one goes on
    from there, as long as the sources are the same."""

    def __init__(self, work, names, verbose):
        self.top = os.path.join(work, "reach")
        self.kept = os.path.join(work, "reach.kept")
        self.tests, self.lines, self.programs, self.files = [], {}, {}, set()
        if os.path.exists(self.kept):
            with open(self.kept, "rb") as f:
                kept = pickle.load(f)
            if kept[-1] or all(self.is_same(path) for path in kept[1]):
                self.tests, self.lines, self.programs, self.files, whole = kept
                if whole:
                    return
        self.see_all(Instrumented(self.top, verbose),
                     [n for n in names if n not in NOT and n not in self.files])
        self.keep(True)

    def is_same(self, path):
        """Is the source as it was when it was seen what tests come to?"""
        then, now = os.path.join(self.top, path), os.path.join(TOP, path)
        return all(map(os.path.exists, (then, now))) and read(then) == read(now)

    def see_all(self, copy, names):
        last = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = [pool.submit(lambda n: (n, see(copy, n)), n) for n in names]
            for future in concurrent.futures.as_completed(done):
                name, seen = future.result()
                done.remove(future)
                self.add(name, seen)
                self.files.add(name)
                if time.monotonic() - last > 60:
                    self.keep(False)
                    last = time.monotonic()

    def keep(self, whole):
        with open(self.kept + ".new", "wb") as f:
            pickle.dump((self.tests, self.lines, self.programs, self.files, whole), f)
        os.replace(self.kept + ".new", self.kept)

    def add(self, name, seen):
        for title, (seconds, programs) in seen.items():
            bit = 1 << len(self.tests)
            self.tests.append((name, title, seconds))
            for program, found in programs.items():
                if program not in self.programs:
                    self.programs[program] = self.places(program)
                for at in found:
                    if at in self.programs[program]:
                        lines, n = self.programs[program][at]
                        lines[n] |= bit

    def places(self, program):
        """{offset: (the lines of its file, line)}"""
        path = os.path.join(self.top, "build", program)
        if not os.path.exists(path):
            path = os.path.join(self.top, "build", "tests", "unit", program)
        found = {}
        for at, place in sites(path).items() if os.path.exists(path) else ():
            source, _, n = place.partition(":")
            source = os.path.relpath(source, self.top)
            n = re.match(r"\d+", n)
            if source.startswith("..") or not n:
                continue
            lines = self.lines.setdefault(source, {})
            lines.setdefault(int(n[0]), 0)
            found[at] = (lines, int(n[0]))
        return found

    def of(self, path, line):
        """Those that come to the line; of these, those that come to what fewest do of
        the lines behind it; those that come to its function: lists of numbers of tests.
        Of a file that is another by now: all that come to it."""
        lines = self.lines.get(path, {})
        if self.is_same(path):
            text = read(os.path.join(self.top, path))
            begin, end = 1, line
            for m in FUNCTION.finditer(text):
                first = text.count("\n", 0, m.start()) + 1
                last = first + m[0].count("\n")
                if first <= line <= last:
                    begin, end = first, last
            lines = {n: t for n, t in lines.items() if begin <= n <= end}
        before = [n for n in lines if n <= line]
        at = lines[max(before)] if before else 0
        behind = [numbers(t & at) for n, t in lines.items() if line < n <= line + BEHIND]
        every = 0
        for t in lines.values():
            every |= t
        return (numbers(at), min(filter(None, behind), key=len, default=[]),
                numbers(every & ~at))


def numbers(bits):
    return [n for n, b in enumerate(reversed(bin(bits)[2:])) if b == "1"]
