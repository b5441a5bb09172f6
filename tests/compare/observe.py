"""observe.py - what a command said, in a form that can be compared

A view is {part: value}; the parts are "exit", "diags", "snippets" (the code
that diagnostics show), "json" or "text" (what was printed), "events" (what
-json prints), "state" and "files".
"""
import json
import re

from mask import Masker, renamed

ANSI = re.compile(r"\x1b\[[0-9;]*m")
FRAME = re.compile(r"^(│ ?|[╷╵]$)", re.M)
HEAD = re.compile(r"^(Error|Warning): (.*)$")
PLACE = re.compile(r"^  on \S.* line \d+") # not OpenTofu's "on  line 0:"
# Lines after a diagnostic that are no part of it.
GOES_ON = re.compile(
    r"^(─{9}|Apply |Destroy |Refresh |Outputs:|"
    r"OpenTofu (?!0|tried to adjust|has planned to destroy these)|"
    r"No changes|Plan:|"
    r"Changes to Outputs|Success!|Saved|You can apply|Note:|Import|"
    r"Resource instance|The configuration|Releasing|Planning failed|"
    r"\S.*: (Creat|Destr|Read|Modif|Refresh|Provision|Import|Open|Clos))")
# Lines whose order is by chance.
BESIDE = re.compile(
    r"^\S.*: (Creating|Creation|Destroying|Destruction|Modif|Refreshing|"
    r"Read|Provisioning|Open|Clos|Import|Still|Prepar|\(local-exec|"
    r"Deferred|Configuration unknown)| \(local-exec\): ")
# What the provider is ordered to warn of: several are told as one, and it is
# by chance of which object they tell.
ORDERED = {"warning: careful", "warning: slow", "warning: done"}
SIMILAR = re.compile(r"^\(and .* more similar warnings? elsewhere\)$")
# What follows it in the same output is no detail.
ALONE = "warning: Due to the problems above, some expressions may produce " \
    "unexpected results."
OVERRIDES = "Provider development overrides are in effect"
OVERRIDDEN = re.compile(r"\n?Warning: %s\n.*?published\s+releases\.\n"
                        % OVERRIDES, re.S)
# What is told only where something takes long.
SLOW = {"version", "apply_progress", "state_lock_acquire",
        "state_lock_release"}
WAITING = re.compile(r"^(Acquiring|Releasing) state lock\. This may take ")
# Commands whose errors OpenTofu prints without their severity.
BARE = {"state", "taint", "untaint", "workspace", "import"}


def views(script, seen, program, dir):
    """The view of each command that was run."""
    m = Masker(dir)
    runs = [s for s in script if s["op"] == "run"]
    return [view(step, s, m, program) for step, s in zip(runs, seen)]


def view(step, seen, m, program):
    if seen["exit"] == "not run":
        return {"exit": "not run", "diags": [], "snippets": []}
    m.learn(seen["state"])
    out = m.text(seen["out"])
    err = m.text(seen["err"])
    for name in {"tofu", program.name}: # they name OpenTofu's or their own
        name = re.compile(r"\b%s\b" % re.escape(name))
        out, err = name.sub("tf", out), name.sub("tf", err)
    v = {"exit": seen["exit"], "diags": [], "snippets": []}
    printed(v, step, renamed(bare(out)))
    plain(v, renamed(bare(err)), "err")
    v["placed"] = any(d[0].startswith("error") and d[1] for d in v["diags"])
    if step["args"][0] in BARE and v["exit"] != 0:
        v.update(diags=[], snippets=[], err=[], details={})
    v["diags"].sort()
    v["snippets"].sort()
    v["state"] = settled(steady(document(m.text(seen["state"])), m))
    if step["args"][:2] == ["state", "pull"]:
        v["json"] = steady(v["json"], m)
    v["files"] = {n: settled(document(m.text(t)))
                  for n, t in seen["files"].items()}
    return v


def bare(text):
    """Without colours and frames, and the warning that the way of running
    brings with it."""
    text = FRAME.sub("", ANSI.sub("", text))
    text, found = OVERRIDDEN.subn("", text)
    if found and "\nWarning: " not in text:
        text = text.replace(", but there were some validation warnings\n"
                            "as shown above.", ".")
    return text


def document(text):
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


SETS = {"set", "nested_set", "blockset"}


def settled(doc):
    """Elements of sets that hold identifiers are in an order by chance."""
    if isinstance(doc, list):
        return [settled(e) for e in doc]
    if not isinstance(doc, dict):
        return doc
    doc = {k: settled(v) for k, v in doc.items()}
    for k in SETS & set(doc):
        doc[k] = settled_set(doc[k])
    if "value" in doc and isinstance(doc.get("type"), list):
        doc["value"] = settled_typed(doc["value"], doc["type"])
    return doc


def settled_set(v):
    if not isinstance(v, list) or "#" not in json.dumps(v):
        return v
    return sorted(v, key=lambda e: json.dumps(e, sort_keys=True))


def settled_typed(v, type):
    """The same of a value with the type that is written beside it."""
    if v is None or not isinstance(type, list):
        return v
    kind, of = type
    if kind == "map" and isinstance(v, dict):
        return {k: settled_typed(e, of) for k, e in v.items()}
    if kind == "object" and isinstance(v, dict):
        return {k: settled_typed(e, of.get(k)) for k, e in v.items()}
    if kind == "tuple" and isinstance(v, list):
        return [settled_typed(e, t) for e, t in zip(v, of)]
    if kind in ("list", "set") and isinstance(v, list):
        v = [settled_typed(e, of) for e in v]
    return settled_set(v) if kind == "set" else v


def steady(state, m):
    """OpenTofu writes the results of checks in an order by chance: that they
    are in another order is a new state, so the serial is by chance as well.
    After an error it keeps resources without instances."""
    if isinstance(state, dict) and state.get("resources"):
        state["resources"] = [r for r in state["resources"]
                              if r.get("instances")]
    if isinstance(state, dict) and state.get("check_results"):
        results = state["check_results"]
        for c in results:
            (c.get("objects") or []).sort(key=lambda o: o["object_addr"])
        results.sort(key=lambda c: (c["object_kind"], c["config_addr"]))
        m.serial_by_chance |= len(results) > 1 or any(
            len(c.get("objects") or []) > 1 for c in results)
    if isinstance(state, dict) and m.serial_by_chance:
        state["serial"] = "by chance"
    return state


def ordered(doc):
    """OpenTofu has the modules within modules in an order by chance, and the
    attributes of a resource among the relevant ones."""
    if isinstance(doc, list):
        return [ordered(e) for e in doc]
    if not isinstance(doc, dict):
        return doc
    doc = {k: ordered(v) for k, v in doc.items()}
    if isinstance(doc.get("child_modules"), list):
        doc["child_modules"].sort(key=lambda m: m["address"])
    if isinstance(doc.get("relevant_attributes"), list):
        doc["relevant_attributes"].sort(
            key=lambda r: (r["resource"], json.dumps(r["attribute"])))
    return doc


def undescribed(doc):
    if isinstance(doc, list):
        return [undescribed(e) for e in doc]
    if not isinstance(doc, dict):
        return doc
    return {k: undescribed(e) for k, e in doc.items()
            if k != "description" or not isinstance(e, str)}


def printed(v, step, out):
    args = step["args"]
    if "-json" in args and args[0] in ("plan", "apply", "refresh",
                                       "destroy"):
        events(v, out)
    elif "-json" in args or args[:2] == ["state", "pull"]:
        doc = document(out)
        if isinstance(doc, dict):
            for d in doc.pop("diagnostics", []):
                diagnostic(v, d)
            for k in ("error_count", "warning_count"):
                doc.pop(k, None)
        if args[0] in ("metadata", "providers"): # said in words of our own
            doc = undescribed(doc)
        v["json"] = settled(ordered(doc)) if args[0] == "show" else doc
    else:
        plain(v, out, "text")
        # Who knows where OpenTofu's warnings end and its answers begin?
        if args[0] == "console" and len(v["diags"]) > out.count(ALONE[9:]):
            v["text"] = None
        if args[0] in ("init", "workspace"): # names are not of one length
            v["text"] = " ".join(v["text"]).split()


def events(v, out):
    v["events"] = []
    for line in out.splitlines():
        e = document(line)
        if not isinstance(e, dict):
            v["events"].append(line)
        elif e.get("type") == "diagnostic":
            diagnostic(v, e["diagnostic"])
        elif e.get("type") not in SLOW:
            for k in ("@timestamp", "@module"):
                e.pop(k, None)
            v["events"].append(e)


def place(r):
    if not r:
        return ""
    return "%s:%s,%s-%s,%s" % (
        r["filename"], r["start"]["line"], r["start"]["column"],
        r["end"]["line"], r["end"]["column"])


def summary(text):
    text = " ".join(text.split())
    # ours is the shortest, OpenTofu's all that belongs together
    return "Cycle" if text.startswith("Cycle: ") else text


def diagnostic(v, d):
    if d["summary"] == OVERRIDES:
        return
    what = "%s: %s" % (d["severity"], summary(d["summary"]))
    v["diags"].append([what, place(d.get("range")),
                       d.get("address") or ""])
    v.setdefault("details", {})[what] = d.get("detail")
    s = d.get("snippet")
    if s:
        v["snippets"].append([
            what, s.get("context") or "", s.get("code"),
            json.dumps([s.get(k) for k in (
                "start_line", "highlight_start_offset",
                "highlight_end_offset")]),
            json.dumps(sorted(s.get("values") or [], key=str))])


def plain(v, text, part):
    """Takes the diagnostics out of a text for people."""
    rest, inside = [], None
    for line in (text or "").split("\n"):
        m = HEAD.match(line)
        if m:
            inside = ["%s: %s" % (m.group(1).lower(), summary(m.group(2))),
                      "", ""]
            v["diags"].append(inside)
            if inside[0] == ALONE:
                inside = None
        elif inside and part == "text" and GOES_ON.match(line):
            inside = None
            rest.append(line)
        elif inside is None:
            rest.append(line.rstrip())
        elif SIMILAR.match(line) and inside[0] in ORDERED:
            inside[1:] = ["somewhere", ""]
        elif PLACE.match(line) and not inside[1]:
            inside[1] = line.strip().replace("<dir>/", "")
        elif line.startswith("  with ") and not inside[2]:
            inside[2] = line.strip()
    v[part] = in_order(rest)


def in_order(lines):
    """Without blank lines at the ends and in a row, and what depends on time;
    what is by chance is sorted."""
    lines = [l for l in lines if not WAITING.search(l)]
    beside = sorted(l for l in lines if BESIDE.search(l))
    lines = [l for l in lines if not BESIDE.search(l)]
    out = []
    for l in lines:
        if l or (out and out[-1]):
            out.append(l)
    while out and not out[-1]:
        out.pop()
    return beside + out
