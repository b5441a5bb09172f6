"""judge.py - runs a case with both programs and says what differs"""
import json
import os
import re

import differ
import observe
from execute import execute

# What OpenTofu exits with when it has crashed: nothing to compare with.
CRASHED = 11

# Where the peer cannot write the plan that it has shown, ours has found the
# error before.
LOST = "any: diags: missing error: Failed to write plan file"

NO_SCHEMA = "warning: Missing resource schema from provider"
NO_FUNCTION = "error: Unknown function provider"

# A configuration in which something has instances by keys.
KEYS = re.compile(r'^\s*(count|for_each)\s*=|"(count|for_each)":', re.M)

# How often the peer is run again where something differs.
AGAIN = 2

# After a difference in one of these, what follows follows from it.
ENDS = {"exit", "state", "files", "json", "events"}


class Known:
    """Differences that are wanted.  The file has paragraphs: lines that are
    regular expressions for whole kinds, or KIND ~~ TEXT, where TEXT is found in
    what differs, of either, or KIND @@ TEXT, where it is found in the command
    line, in that of the plan that is applied, or among the words of around();
    then an indented reason, MANUAL: WORDS, whose words stand in the DEVIATIONS
    of that manual."""

    def __init__(self, paths):
        self.rules = []
        for path in paths:
            with open(path) as f:
                self.parse(f.read())

    def parse(self, text):
        waiting = []
        for line in text.splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            if line[0].isspace():
                self.rules += [(r, line.strip()) for r in waiting]
                waiting = []
            else:
                kind, _, args = line.partition(" @@ ")
                kind, _, text = kind.partition(" ~~ ")
                waiting.append(tuple(map(re.compile, (kind, text, args))))
        self.rules += [(r, "") for r in waiting]

    def unfounded(self, manuals):
        """Rules without a reason in the manuals."""
        for (kind, _, _), reason in self.rules:
            name, _, words = reason.partition(": ")
            path = os.path.join(manuals, name)
            if not words:
                yield "no reason: " + kind.pattern
            elif not os.path.exists(path) or words not in deviations(path):
                yield "not in the manual: " + reason

    def __contains__(self, finding):
        both = json.dumps([finding.peer, finding.ours], ensure_ascii=False)
        return any(k.fullmatch(finding.kind) and t.search(both) and
                   a.search(finding.options)
                   for (k, t, a), _ in self.rules)


def deviations(path):
    with open(path) as f:
        text = f.read().partition("\n.Sh DEVIATIONS\n")[2]
    lines = [re.sub(r"^\.[A-Z][a-z] ", "", l) for l in text.splitlines()]
    return " ".join(lines)


class Finding:
    """A difference at a step: kind is its signature with the command."""

    def __init__(self, step, args, part, signature, peer, ours):
        self.step, self.args, self.part = step, args, part
        words = [a for a in args if not a.startswith("-")][:2]
        if words[:1] == ["state"] or words[:1] == ["workspace"]:
            command = " ".join(words)
        elif words[1:] == ["p"]:
            command = words[0] + " p"
        else:
            command = words[0]
        if part in ("diags", "snippets", "details"):
            command = "any"
        self.kind = "%s: %s: %s" % (command, part, signature)
        self.peer, self.ours = peer, ours
        self.options = " ".join(args) # and those of the plan


def around(steps, seen):
    """Words for what is there at a step: import blocks in the configuration,
    keys of instances in it or in one before, another workspace, errors that
    have a place in the configuration, or are before the answers of the console,
    or of functions; objects without a schema."""
    files = [s["files"] for s in steps if s["op"] == "files"]
    if any(re.search(r'^import \{|"import":', t, re.M)
           for f in files[-1:] for t in f.values()):
        yield "with:import"
    if any(KEYS.search(t) for f in files for t in f.values()):
        yield "with:keys"
    if any(s.get("args", ())[:2] == ["workspace", "new"] for s in steps):
        yield "with:workspace"
    if seen.get("placed"):
        yield "with:mistakes"
    if any(d[0] == observe.ALONE for d in seen["diags"]):
        yield "with:problems"
    if any(d[0] == NO_SCHEMA for d in seen["diags"]):
        yield "with:no-schema"
    if any(d[0] == NO_FUNCTION for d in seen["diags"]):
        yield "with:no-function"


class Judge:
    def __init__(self, peer, ours, around, known, details=False):
        self.peer, self.ours = peer, ours
        self.around, self.known, self.details = around, known, details
        self.runs = 0

    def views(self, program, slot, script, keep):
        seen = execute(program, self.around, slot, script, keep)
        dir = os.path.join(self.around.slot(slot), "w")
        dir = re.sub(r"slot\d\d", "slot..", re.escape(dir))
        return observe.views(script, seen, program, dir)

    def unwanted(self, found):
        """Where failing is not wanted, what is said of it is not, either."""
        left = [f for f in found if f not in self.known]
        if any(f.part == "exit" for f in found if f not in left):
            return []
        return left

    def findings(self, case, slot, keep=True):
        """What differs, but for what differs between runs of the peer, too:
        a case may show a part of an identifier, or what an order by chance
        makes of it."""
        script = case.script()
        self.runs += 1
        peer = self.views(self.peer, slot, script, keep)
        out = self.between(case, script, peer,
                           self.views(self.ours, slot, script, False))
        for _ in range(AGAIN):
            if not out:
                break
            again = self.views(self.peer, slot, script, False)
            chance = {(f.step, f.kind) for f in
                      self.between(case, script, peer, again)}
            out = [f for f in out if (f.step, f.kind) not in chance]
        return out

    def between(self, case, script, peer, ours):
        """What differs, up to the first step that spoils the rest."""
        runs = [(n, s) for n, s in enumerate(case.steps)
                if s["op"] == "run"]
        out, planned = [], ""
        for (n, step), x, y in zip(runs, peer, ours):
            if x["exit"] == CRASHED:
                break
            here = [Finding(n, step["args"], *d) for d in
                    differ.differences(x, y, self.details)]
            words = list(around(script[:n], x))
            if "-out=p" in step["args"]:
                planned = " ".join(step["args"] + words)
            for f in here:
                if "p" in step["args"]:
                    f.options += " " + planned
                f.options = " ".join([f.options, *words])
            if any(f.kind == LOST and f in self.known for f in here):
                break
            left = self.unwanted(here)
            out += left
            if any(f.part in ENDS for f in left) or \
                    any(f.part in ("state", "files") for f in here) or \
                    "-out=p" in step["args"] and \
                    any(f.part == "exit" for f in here):
                break
        return out


def kinds(findings):
    """The kinds, without those that come with a worse one of their step."""
    out, steps = {}, {}
    for f in findings:
        steps.setdefault(f.step, []).append(f)
    for some in steps.values():
        worst = min(differ.PARTS.index(f.part) for f in some)
        for f in some:
            if differ.PARTS.index(f.part) == worst:
                out.setdefault(f.kind, f)
    return out
