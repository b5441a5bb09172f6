"""mutant.py - a copy of the sources with a build of its own, where mutants are tried"""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
SECONDS = 300  # a test that takes longer hangs
# quick to build; what a mutant leaves unused is no matter
FLAGS = "CFLAGS=-O1 -w"


def read(path):
    with open(path) as f:
        return f.read()


def changed(line, new):
    """Makes the text of a source into one where the line is another."""
    def change(text):
        lines = text.split("\n")
        lines[line] = new
        return "\n".join(lines)

    return change


def test_source(name):
    return ("tests/tools/" + name if name.endswith(".bats")
            else "tests/unit/" + name + ".c")


def end_session(sid):
    """Ends what a test has begun, whatever group it is in (timeout makes one)."""
    for sig in (signal.SIGTERM, signal.SIGKILL):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.getsid(int(pid)) == sid:
                    os.kill(int(pid), sig)
            except ProcessLookupError:
                pass
        time.sleep(0.3)  # for what is cleaned up


class Copy:
    """The sources and what is built of them in build, copied; or built here."""

    def __init__(self, path, verbose):
        self.top = path
        self.build = os.path.join(path, "build")
        self.verbose = verbose
        self.sound = {}
        self.copy(".", r"\./(\.git|\.ci|build(-(?!aux)[^/]*)?|autom4te\.cache)$")
        if not os.path.exists(os.path.join(self.build, "Makefile")):
            if self.can_move():
                self.copy("build", r"build/(providers|servers)$", r"\.(log|trs)$")
            else:
                self.configure()
        if not self.make():
            raise SystemExit("the sources do not build")

    @staticmethod
    def can_move():
        """There is a build, and it names its sources by a relative path."""
        makefile = os.path.join(TOP, "build", "Makefile")
        return os.path.exists(makefile) and bool(
            re.search(r"^srcdir = \.\.$", read(makefile), re.M))

    def copy(self, top, but_dirs, but_files="^$"):
        for at, dirs, files in os.walk(os.path.join(TOP, top)):
            rel = os.path.relpath(at, TOP)
            rel = "./" + rel if top == "." and rel != "." else rel
            dirs[:] = [d for d in dirs if not re.match(but_dirs, rel + "/" + d)]
            os.makedirs(os.path.join(self.top, rel), exist_ok=True)
            for f in files:
                if re.search(but_files, f):
                    continue
                try:
                    self.copy_file(os.path.join(at, f),
                                   os.path.join(self.top, rel, f))
                except FileNotFoundError:
                    pass  # what tests that run meanwhile had there

    @staticmethod
    def copy_file(source, target):
        if not os.path.lexists(target):
            shutil.copy2(source, target, follow_symlinks=False)
            return
        with open(source, "rb") as s, open(target, "rb") as t:
            same = s.read() == t.read()
        if not same:
            shutil.copy(source, target)

    def configure(self):
        cc = "ccache gcc" if shutil.which("ccache") else "gcc"
        if not os.path.exists(os.path.join(self.top, "configure")):
            subprocess.run(["autoreconf", "-i"], cwd=self.top, check=True,
                           capture_output=not self.verbose)
        os.makedirs(self.build, exist_ok=True)
        subprocess.run(["../configure", "-q", "CC=" + cc, FLAGS],
                       cwd=self.build, check=True)

    def make(self, test=None):
        """All programs; or what the test needs: a unit test runs no other program."""
        goals = ["all"]
        if test and test[0].endswith(".bats"):
            # not "all", which is a make of its own, beside the one for the provider
            goals = ["all-am", "tests/provider/terraform-provider-test"]
        elif test:
            goals = ["tests/unit/" + test[0]]
        return self.make_goals(goals, FLAGS)

    def make_said(self, goals, *flags):
        """Whether it succeeded, and what it said."""
        p = subprocess.run(["make", "-s", "-j%d" % os.cpu_count(), *flags] + goals,
                           cwd=self.build, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True)
        return p.returncode == 0, p.stdout

    def make_goals(self, goals, *flags):
        ok, said = self.make_said(goals, *flags)
        if not ok or self.verbose:
            print(said)
        return ok

    def run(self, test, *options, reach=None, given={}):
        """Status and output of one test, up to the first part that fails; with reach
        up to its end, with a note there of what it comes to (reach.c).  given: what
        its environment has, too."""
        name, pattern, *seconds = test
        argv = ["tests/unit/" + name]
        if name.endswith(".bats"):
            argv = ["sh", "../tests/run-bats", "../" + test_source(name), *options]
            argv += ["-f", "(%s)" % pattern] if pattern else []
        env = {k: v for k, v in os.environ.items() if not k.startswith("TF") or k == "TFPIPE_TEST_SERVERS"}
        tmp = tempfile.mkdtemp(dir=self.top, prefix="tmp.")
        env.update(given, srcdir="..", TMPDIR=tmp)
        if reach:
            env["REACH_DIR"] = reach
        try:
            return self.wait(argv, env, *seconds or [SECONDS], reach is None)
        finally:
            shutil.rmtree(tmp, ignore_errors=True)

    def wait(self, argv, env, seconds, to_first):
        p = subprocess.Popen(argv, cwd=self.build, env=env, text=True,
                             stdin=subprocess.DEVNULL, errors="replace",
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             start_new_session=True)
        hung = []

        def end_hung():
            hung.append("not ok: does not come to an end\n")
            end_session(p.pid)

        alarm = threading.Timer(seconds, end_hung)
        alarm.start()
        out = []
        with p.stdout:
            for line in p.stdout:
                out.append(line)
                if to_first and line.startswith("not ok"):
                    end_session(p.pid)
                    break
        alarm.cancel()
        return p.wait(), "".join(out + hung)

    def verdict(self, test, given={}):
        """"passes", "skipped" or what has failed."""
        status, out = self.run(test, given=given)
        bad = re.search(r"^not ok[ :]*\d* *(.*)$", out, re.M)
        if bad or status not in (0, 77):
            return "fails: " + (bad.group(1) if bad else
                                "exit status %d" % status)
        ok = [l for l in out.split("\n") if re.match(r"ok \d", l)]
        if status == 77 or all("# skip" in l for l in ok) and (
                ok or test[0].endswith(".bats")):
            return "skipped"
        return "passes"

    def baseline(self, test):
        """The verdict without a mutant."""
        if test not in self.sound:
            self.sound[test] = (self.verdict(test) if self.make(test)
                                else "fails: does not build")
        return self.sound[test]

    def with_mutant(self, source, change, tests, again=None):
        """Verdicts of the tests up to the first that fails, if need be once more: of
        what again makes of it and of the verdict.  None: it does not build."""
        path = os.path.join(self.top, source)
        text = read(path)
        with open(path, "w") as f:
            f.write(change(text))
        try:
            if not tests and not self.make():
                return None
            return self.verdicts(tests, again, self.make)
        finally:
            with open(path, "w") as f:
                f.write(text)

    def verdicts(self, tests, again=None, make=lambda test: True, given={}):
        """As with_mutant; make builds what a test needs, given is for its environment."""
        verdicts = []
        for t in tests:
            if not make(t):
                return None
            verdicts.append(self.verdict(t, given))
            if verdicts[-1].startswith("fails") and again:
                verdicts[-1] = self.verdict(again(t, verdicts[-1]), given)
            if verdicts[-1].startswith("fails"):
                break
        return verdicts

    def try_mutant(self, source, change, tests):
        """Changes the text of a source; (what became of it, why)"""
        verdicts = self.with_mutant(source, change, tests)
        if verdicts is None:
            return "DOES NOT BUILD", ""
        last, test = verdicts[-1], tests[len(verdicts) - 1]
        if last.startswith("fails"):
            sound = self.baseline(test) == "passes"
            return ("killed" if sound else "FAILS ANYWAY",
                    "%s %s" % (test[0], last))
        if "passes" not in verdicts:
            return "skipped", "no test of it can be run here"
        return "SURVIVED", ", ".join(t[0] for t in tests)
