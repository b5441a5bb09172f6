"""execute.py - runs the script of a case with a program; keeps the results

An observation is a dict: "exit", "out", "err", and after it "state" (the text
of the state file), "files" (those that objects have become), "before" (the
state until then).
"""
import glob
import hashlib
import json
import os
import shutil
import subprocess
import zlib

TIMEOUT = 120
VERSION = "1" # of what is kept


class Program:
    """A program to run cases with.  name is what its messages call it."""

    def __init__(self, path, name=None, env=None):
        self.path = os.path.realpath(path) if os.sep in path \
            else shutil.which(path)
        if not self.path or not os.access(self.path, os.X_OK):
            raise SystemExit("cannot run " + path)
        self.name = name or os.path.basename(path)
        self.env = env or {}

    def identity(self):
        s = os.stat(self.path)
        return "%s %d %d" % (self.path, s.st_size, s.st_mtime_ns)


class Surroundings:
    """Which providers there are, and where cases are run and kept."""

    def __init__(self, work, mirror=None, test_provider=None, cache=None):
        self.work, self.cache = work, cache
        self.overrides = {}
        for path in sorted(glob.glob("%s/*/*/*/*/*/terraform-provider-*"
                                     % mirror)) if mirror else ():
            kind = path.split(os.sep)[-4]
            self.overrides["hashicorp/" + kind] = os.path.dirname(path)
        if test_provider:
            self.overrides["hashicorp/test"] = os.path.dirname(
                os.path.realpath(test_provider))

    def providers(self):
        return {name.split("/")[1] for name in self.overrides}

    def config(self):
        lines = ['    "%s" = "%s"\n' % x for x in self.overrides.items()]
        return "provider_installation {\n  dev_overrides {\n%s  }\n" \
            "  direct {}\n}\n" % "".join(lines)

    def slot(self, n):
        """A directory for the n-th case of those that run beside another;
        its name is as long as any other's."""
        return os.path.join(self.work, "slot%02d" % n)


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def silently(do, *args):
    try:
        do(*args)
    except OSError:
        pass


def read(path):
    try:
        with open(path, errors="surrogateescape") as f:
            return f.read()
    except OSError:
        return None


class Run:
    """One case in one directory."""

    def __init__(self, program, around, slot):
        self.program, self.around = program, around
        self.home = around.slot(slot)
        self.dir = os.path.join(self.home, "w")
        self.written = []

    def env(self):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("TF_", "TFPIPE_", "TEST_PROVIDER_"))}
        env.update(
            HOME=self.home, CHECKPOINT_DISABLE="1",
            TF_CLI_CONFIG_FILE=os.path.join(self.home, "rc"),
            TF_DISABLE_PLUGIN_TLS="1", TEST_PROVIDER_IDS="name",
            TFPIPE_CACHE_DIR=os.path.join(self.around.work, "schemas"),
            TEST_PROVIDER_DIR=os.path.join(self.dir, "objects"))
        env.update(self.program.env)
        return env

    def begin(self):
        shutil.rmtree(self.home, ignore_errors=True)
        os.makedirs(os.path.join(self.dir, "objects"))
        write(os.path.join(self.home, "rc"), self.around.config())

    def script(self, steps):
        self.begin()
        out = []
        for s in steps:
            seen = getattr(self, s["op"])(s)
            if seen:
                out.append(seen)
        shutil.rmtree(self.home, ignore_errors=True)
        return out

    def files(self, step):
        for path in self.written:
            if path not in step["files"]:
                os.unlink(os.path.join(self.dir, path))
        self.written = list(step["files"])
        for path, text in step["files"].items():
            write(os.path.join(self.dir, path), text)

    def objects(self):
        names = glob.glob(self.dir + "/out/**", recursive=True) + \
            glob.glob(self.dir + "/objects/*")
        return sorted(n for n in names if os.path.isfile(n))

    def drift(self, step):
        names = self.objects()
        if not names:
            return
        name = names[step["nth"] % len(names)]
        if step["how"] == "delete":
            os.unlink(name)
            return
        if name.endswith(".json"):
            with open(name) as f:
                o = json.load(f)
            for k in ("comp", "value", "oc"):
                if o.get(k) is not None:
                    o[k] = "drifted"
            write(name, json.dumps(o))
        else:
            write(name, (read(name) or "") + "drifted")

    def state(self):
        where = read(os.path.join(self.dir, ".terraform/environment"))
        name = "terraform.tfstate"
        if where and where != "default":
            name = "terraform.tfstate.d/%s/%s" % (where, name)
        return read(os.path.join(self.dir, name))

    def run(self, step):
        needs = step.get("needs")
        if needs and not os.path.exists(os.path.join(self.dir, needs)):
            return {"exit": "not run"}
        if "-out=p" in step["args"] and not needs:
            silently(os.unlink, os.path.join(self.dir, "p"))
        before = self.state()
        seen = self.command(step)
        seen["before"], seen["state"] = before, self.state()
        if seen["state"] == before:
            del seen["before"]
        seen["files"] = {os.path.relpath(n, self.dir): read(n)
                         for n in self.objects()}
        return seen

    def command(self, step):
        env = self.env()
        env.update(step.get("env", {}))
        try:
            p = subprocess.run(
                [self.program.path] + step["args"], cwd=self.dir, env=env,
                input=step.get("stdin", "").encode(), timeout=TIMEOUT,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            return {"exit": "timeout", "out": "", "err": ""}
        return {"exit": p.returncode,
                "out": p.stdout.decode(errors="surrogateescape"),
                "err": p.stderr.decode(errors="surrogateescape")}


def execute(program, around, slot, script, keep=False):
    """What the program did; with keep, from the results that are kept, and
    into them."""
    if not (keep and around.cache):
        return Run(program, around, slot).script(script)
    key = json.dumps([VERSION, program.identity(), around.config(), script],
                     sort_keys=True)
    name = hashlib.sha256(key.encode()).hexdigest()
    path = os.path.join(around.cache, name[:2], name)
    if os.path.exists(path):
        with open(path, "rb") as f:
            return json.loads(zlib.decompress(f.read()))
    seen = Run(program, around, slot).script(script)
    if any(s["exit"] == "timeout" for s in seen):
        return seen
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".%d" % slot, "wb") as f:
        f.write(zlib.compress(json.dumps(seen).encode()))
    os.rename(path + ".%d" % slot, path)
    return seen
