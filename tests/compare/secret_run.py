"""secret_run.py - one configuration of tests/compare/secrets, gone through"""
import difflib
import json
import os
import re
import shutil
import subprocess

from execute import TIMEOUT, write
from mask import RULES, UUIDS
from secret_places import MODULES, WORLD

# Of the same lengths and kinds, so that what may be known of both is equal.
FIRST = {
    "s": "qzEph7xWq", "n": 48213, "l": ["qyEph7xWq", "b"],
    "m": {"a": "qxEph7xWq", "b": "qwEph7xWq"},
    "o": {"k": "qvEph7xWq", "name": "quEph7xWq", "size": 57312},
}
SECOND = {
    "s": "nkErj5vRj", "n": 57342, "l": ["njErj5vRj", "b"],
    "m": {"a": "niErj5vRj", "b": "nhErj5vRj"},
    "o": {"k": "ngErj5vRj", "name": "nfErj5vRj", "size": 48631},
}
OTHER = json.loads(json.dumps([FIRST, SECOND]).replace("Eph", "Sph").replace(
    "Erj", "Srj"))
UNCLEAR = "perhaps refused when applying"
PLACE = re.compile(r"\br(\d+)\b")


class Went:
    """What one way through left and told."""

    def __init__(self):
        self.kept, self.read = {}, {} # by what it is

    def differs(self, other, kinds):
        for kind in kinds:
            mine, theirs = getattr(self, kind), getattr(other, kind)
            for what in mine:
                yield what, mine[what], theirs.get(what, "")


class Trial:
    def __init__(self, work, program, provider, entries):
        self.dir, self.program = os.path.join(work, "w"), program
        self.provider = os.path.dirname(os.path.realpath(provider))
        self.entries, self.said, self.refused = entries, {}, {}
        self.ephemeral, self.sensitive = FIRST, OTHER[0]
        shutil.rmtree(work, ignore_errors=True)
        self.write_all()

    def remove(self):
        shutil.rmtree(os.path.dirname(self.dir), ignore_errors=True)

    def write_all(self):
        write(os.path.join(self.dir, "..", "rc"),
              "provider_installation {\n  dev_overrides {\n"
              '    "hashicorp/test" = "%s"\n  }\n  direct {}\n}\n'
              % self.provider)
        write(os.path.join(self.dir, "main.tf"), WORLD)
        modules = [{"Key": "", "Source": "", "Dir": "."}]
        for n, text in enumerate(self.entries):
            write(os.path.join(self.dir, "e%d.tf" % n), text)
            m = re.search(r'source = "(\./((.*)-r\d+))"', text)
            if m:
                modules.append({"Key": "r%d" % n, "Source": m.group(1),
                                "Dir": m.group(2)})
                write(os.path.join(self.dir, m.group(2), "main.tf"),
                      MODULES[m.group(3)])
        write(os.path.join(self.dir, ".terraform/modules/modules.json"),
              json.dumps({"Modules": modules}))

    # --- commands ---

    def run(self, *args, stdin=None, command=None):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("TF_", "TFPIPE_", "TEST_PROVIDER_"))}
        env.update(
            CHECKPOINT_DISABLE="1", TF_DISABLE_PLUGIN_TLS="1",
            TF_CLI_CONFIG_FILE=os.path.join(self.dir, "..", "rc"),
            TFPIPE_CACHE_DIR="",
            TEST_PROVIDER_DIR=os.path.join(self.dir, "objects"),
            TF_VAR_e=json.dumps(self.ephemeral),
            TF_VAR_s=json.dumps(self.sensitive))
        os.makedirs(os.path.join(self.dir, "objects"), exist_ok=True)
        p = subprocess.run(
            command or [self.program.path] + list(args), cwd=self.dir,
            env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, timeout=TIMEOUT)
        return p.returncode, p.stdout.decode(errors="surrogateescape")

    def read_file(self, name):
        try:
            with open(os.path.join(self.dir, name), "rb") as f:
                return f.read().decode("latin-1")
        except OSError:
            return ""

    def state(self):
        """A line an object or output, with its name."""
        text = self.read_file("terraform.tfstate")
        try:
            s = json.loads(text)
        except ValueError:
            return text
        lines = ["%s: %s" % o for o in s.pop("outputs").items()]
        for r in s.pop("resources"):
            at = " ".join([r.get("module", ""), r["type"], r["name"]])
            lines += [at + " " + json.dumps(i) for i in r["instances"]]
        return "\n".join(lines + [json.dumps(s)])

    # --- what is refused ---

    def blamed(self, out):
        """{n: text} of the expressions that errors are about."""
        found = {}
        for line in out.splitlines():
            try:
                d = json.loads(line).get("diagnostic", {})
            except (ValueError, AttributeError):
                continue
            if d.get("severity") != "error":
                continue
            name = d.get("range", {}).get("filename", "")
            at = re.match(r"(?:e|.*-r)(\d+)(?:\.tf|/)", name) \
                or PLACE.search(d.get("address", "")) \
                or PLACE.search(d.get("detail", ""))
            key = int(at.group(1)) if at else None
            found.setdefault(key, "%s: %s" % (d["summary"], d.get("detail")))
        return found

    def outcomes(self):
        """What becomes of each: "refused when planning", …"""
        while True:
            code, out = self.run("plan", "-json", "-out=p")
            bad = self.blamed(out) if code else {}
            if code == 0:
                break
            if None in bad or not bad:
                self.give_up(bad.get(None, out))
                break
            for n, text in bad.items():
                self.refused[n] = "refused when planning"
                self.said[n] = text
                os.unlink(os.path.join(self.dir, "e%d.tf" % n))
        code, out = self.run("apply", "-json", "p")
        for n, text in self.blamed(out).items():
            for k in [n] if n is not None else self.nobodys():
                self.refused.setdefault(k, "refused when applying"
                                        if n is not None else UNCLEAR)
                self.said.setdefault(k, text)
        return [self.refused.get(n, "done")
                for n in range(len(self.entries))]

    def nobodys(self):
        """What OpenTofu says of data sources when it applies is of no place:
        it may be of any of them."""
        return [n for n, text in enumerate(self.entries)
                if text.startswith("data")]

    def give_up(self, why):
        """It is nobody's: nothing can be said of all that are left."""
        print("broken: %s" % why[-2000:], flush=True)
        left = [n for n in range(len(self.entries)) if n not in self.refused]
        for n in left:
            self.refused[n], self.said[n] = "broken", why
            os.unlink(os.path.join(self.dir, "e%d.tf" % n))

    # --- what comes out ---

    def go(self):
        w = Went()
        for name in ("objects", "terraform.tfstate", "terraform.tfstate.backup",
                     "p"):
            path = os.path.join(self.dir, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif os.path.exists(path):
                os.unlink(path)
        _, w.read["plan"] = self.run("plan", "-no-color", "-parallelism=1",
                                     "-out=p")
        _, w.read["show plan"] = self.run("show", "-no-color", "p")
        w.kept["plan JSON"] = pretty(self.run("show", "-json", "p")[1])
        w.kept["plan file"] = self.read_file("p")
        _, w.kept["values"] = self.run(command=[
            "sh", "-c", "tf-parse | tf-eval 2>&1"])
        _, w.read["apply"] = self.run("apply", "-no-color", "-parallelism=1",
                                      "p")
        w.kept["state"] = self.state()
        _, w.read["show"] = self.run("show", "-no-color")
        _, w.read["output"] = self.run("output", "-no-color")
        _, w.kept["output JSON"] = self.run("output", "-json")
        _, w.read["plan again"] = self.run("plan", "-no-color",
                                           "-parallelism=1")
        _, w.kept["events"] = self.run("apply", "-json", "-parallelism=1",
                                       "-auto-approve")
        w.kept["state again"] = self.state()
        return w

    def leaks(self):
        """(kind, n, text) for what depends on a secret."""
        first = self.go()
        self.ephemeral = SECOND
        yield from told("ephemeral", first.differs(self.go(),
                                                   ("kept", "read")))
        self.ephemeral, self.sensitive = FIRST, OTHER[1]
        yield from told("sensitive", first.differs(self.go(), ("read",)))


def pretty(text):
    try:
        return json.dumps(json.loads(text), indent=1)
    except ValueError:
        return text


# The identifiers are numbers in the order of creation.
OWN = [(re.compile(p), r) for p, r in (
    (r"\[id=[^]]*\]", "[id]"), (r'(\bid +=) .*', r"\1"),
    (r'"id(?:_value)?": ?"\d+"', '"id":""'), (r'("record":"seal").*', r"\1"))]
MADE = re.compile(r"([-~+ ]*)(?:output|comp|implicit) += ")


def without_made(lines):
    """Without what providers make of what they are given: they tell it."""
    made = None
    for l in lines:
        indent = len(l) - len(l.lstrip(" -~+"))
        if made is not None and (indent > made or l.strip(" -~+")[:1] in "]})"
                                 or l.strip(" -~+") == "EOT"):
            continue
        m = MADE.match(l)
        made = len(m.group(1)) if m else None
        if not m:
            yield l


def masked(text):
    """Its lines, in any order: what is done beside one another has none."""
    text = UUIDS.sub("<uuid>", text)
    for pattern, name in RULES:
        text = pattern.sub(name, text)
    lines = without_made(text.splitlines())
    for pattern, name in OWN:
        lines = [pattern.sub(name, l) for l in lines]
    return sorted(lines)


def told(kind, differences):
    for what, mine, theirs in differences:
        a, b = masked(mine), masked(theirs)
        if a == b:
            continue
        lines = [l for l in difflib.unified_diff(a, b, lineterm="", n=0)
                 if l[:1] in "+-" and l[:3] not in ("+++", "---")]
        at = PLACE.search(" ".join(lines))
        yield "%s value in: %s" % (kind, what), \
            int(at.group(1)) if at else None, "\n".join(
                l[:300] for l in lines[:6])
