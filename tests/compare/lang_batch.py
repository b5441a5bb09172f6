"""lang_batch.py - many small things in one configuration, each told apart

An Entry is a few files of one root module, with @ where its number stands, and
what the console is asked of it.  A batch is one configuration: `plan -json`
tells of those that are wrong, with ranges; `console` prints the values of the
others and their types.
"""
import collections
import json
import os
import re
import shutil
import subprocess

from lang_values import FILES, PRELUDE

SECRET = "(sensitive value)"
MARK = '"@@%d@@"'


class Entry:
    def __init__(self, form, text, files, ask, args=(), env=()):
        """files: by what comes behind x@ in their names."""
        self.form, self.text, self.files, self.ask = form, text, files, ask
        self.args, self.env = list(args), dict(env)


def expression(form, text):
    return Entry(form, text, {".tf": "locals {\n  x@ = %s\n}\n" % text},
                 "local.x@")


def put(text, n):
    return text.replace("@", str(n))


class Batch:
    """Entries in one directory."""

    def __init__(self, work, entries, validate, details):
        self.dir, self.entries = os.path.join(work, "w"), entries
        self.validate, self.details = validate, details

    def lay_out(self, wanted):
        """Writes the configuration."""
        self.wanted = sorted(wanted)
        shutil.rmtree(self.dir, ignore_errors=True)
        for name, data in FILES.items():
            self.write(name, data)
        for n in self.wanted:
            for name, text in self.entries[n].files.items():
                self.write("x%d%s" % (n, name), put(text, n))
        self.write("prelude.tf", PRELUDE)

    def write(self, name, data):
        path = os.path.join(self.dir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data if isinstance(data, bytes) else data.encode())

    def run(self, program, args, text=None):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("TF_", "TFPIPE_"))}
        rc = os.path.join(self.dir, "..", "rc")
        open(rc, "w").close()
        env.update(HOME=self.dir, CHECKPOINT_DISABLE="1", TZ="UTC",
                   TF_CLI_CONFIG_FILE=rc)
        if args[0] in ("plan", "console"):
            for n in self.wanted:
                e = self.entries[n]
                args = args + [put(a, n) for a in e.args]
                env.update({put(k, n): put(v, n) for k, v in e.env.items()})
        p = subprocess.run([program.path] + args, cwd=self.dir, env=env,
                           input=text, text=True, errors="replace",
                           capture_output=True, timeout=300)
        return p.stdout, p.stderr

    def told(self, program, wanted):
        """{number: what is said of the entry}; None: of others"""
        self.lay_out(wanted)
        if self.validate:
            out, err = self.run(program, ["validate", "-json"])
            found = json.loads(out).get("diagnostics", [])
        else:
            out, err = self.run(program, ["plan", "-json", "-refresh=false",
                                          "-input=false"])
            found = [json.loads(x) for x in out.split("\n") if x]
            found = [x["diagnostic"] for x in found if "diagnostic" in x]
        said = collections.defaultdict(list)
        for d in found:
            n = re.search(r"\b[xvr](\d+)(\b|_)", "%s %s %s" % (
                (d.get("range") or {}).get("filename", ""), d["summary"],
                d["detail"]))
            said[int(n[1]) if n else None].append(self.plain(d))
        if err:
            said[None].append(err)
        return said

    def plain(self, d):
        """What of a diagnostic is compared: of the detail what comes after
        words that are each program's own."""
        r, s = d.get("range") or {}, d.get("snippet") or {}
        _, colon, reason = d.get("detail", "").partition(": ")
        return {
            "severity": d["severity"], "summary": d["summary"],
            "reason": None if SECRET in reason
            else reason if self.details else "",
            "detail": d["detail"], "file": re.sub(
                r"([xvr])\d+", r"\1", r.get("filename", "")),
            "range": [[r[k]["line"], r[k]["column"]]
                      for k in ("start", "end") if k in r],
            "values": s.get("values"), "code": s.get("code"),
            "context": s.get("context"),
            "call": (s.get("function_call") or {}).get("called_as")}

    def all_told(self, program):
        """The same, taking out what is wrong until nothing is: what does not
        parse hides the mistakes of others."""
        left, said = set(range(len(self.entries))), {}
        while left:
            new = self.told(program, left)
            said.update(new)
            wrong = {n for n, ds in new.items() if n is not None
                     and any(d["severity"] == "error" for d in ds)}
            if not wrong & left:
                break
            left -= wrong
        return said

    def values(self, program, wanted):
        """{number: what the console prints}"""
        left, seen = list(wanted), {}
        while left:
            text = "".join("%s\n%s\ntype(%s)\n" % (
                MARK % n, put(self.entries[n].ask, n),
                put(self.entries[n].ask, n)) for n in left)
            out, err = self.run(program, ["console", "-no-color"], text)
            parts = re.split(r'^"@@(\d+)@@"\n', out, flags=re.M)[1:]
            for n, printed in zip(parts[::2], parts[1::2]):
                seen[int(n)] = printed
            if not parts:
                seen[left[0]] = "no answer: " + out + err
                left = left[1:]
                continue
            last = int(parts[-2])
            if err:
                seen[last] += "\n".join(re.findall("^Error: .*", err, re.M))
            left = left[left.index(last) + 1:]
        return seen

    def differences(self, ours, peer):
        """(number, part, of the peer, ours)"""
        everything = range(len(self.entries))
        said = [self.all_told(p) for p in (peer, ours)]
        wrong = set()
        for n in [None] + list(everything):
            theirs, mine = [s.get(n, []) for s in said]
            alike(theirs, mine)
            x, y = compared(theirs), compared(mine)
            if any('"severity": "error"' in t for t in x + y):
                wrong.add(n)
            if x != y and not any("panic in function" in t.get("detail", "")
                                  for t in theirs if isinstance(t, dict)):
                yield n, "said", *told_apart(theirs, mine)
        if self.validate:
            return
        fine = [n for n in everything if n not in wrong]
        self.lay_out(fine)
        x, y = [self.values(p, fine) for p in (peer, ours)]
        for n in fine:
            if x.get(n) != y.get(n):
                yield n, "value", x.get(n), y.get(n)


def text_of(said):
    return json.dumps(said, ensure_ascii=False)


def compared(said):
    """A text for each thing that is said, the same if nothing differs."""
    return sorted(text_of({k: v for k, v in d.items() if k != "detail"}
                          if isinstance(d, dict) else d) for d in said)


def told_apart(peer, ours):
    """What differs between two lists of diagnostics, in short."""
    if len(peer) == len(ours) and all(
            isinstance(d, dict) for d in peer + ours):
        out = [[], []]
        for x, y in zip(sorted(peer, key=text_of), sorted(ours, key=text_of)):
            ks = [k for k in x if x[k] != y[k] and k != "detail"]
            if x["reason"] != y["reason"]:
                ks.append("detail")
            for o, d in zip(out, (x, y)):
                if ks:
                    o.append(text_of({k: d[k] for k in ks + ["summary"]}))
        return ["\n".join(o) for o in out]
    return ["\n".join(map(text_of, s)) for s in (peer, ours)]


def alike(x, y):
    """Where ours hides a reason the peer's is not asked for."""
    if not all(isinstance(d, dict) for d in x + y):
        return
    for a, b in zip(sorted(x, key=rank), sorted(y, key=rank)):
        if b["reason"] is None:
            a["reason"] = None


def rank(d):
    return text_of([d["range"], d["summary"]])
