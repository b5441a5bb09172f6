"""differ.py - finds how two views differ, and names each kind of difference

A difference is (part, signature, peer's, ours).  A signature has no names or
values of the case in it, so that differences of one kind have the same.
"""
import collections
import difflib
import json
import re

# The parts, the worst first; and after which the rest of a case is not worth
# looking at.
PARTS = ["exit", "state", "files", "json", "events", "diags", "text", "err",
         "snippets", "details"]
FATAL = {"exit", "state", "files"}

# Words of the published formats; others are a case's own.
WORDS = set("""
actions action action_reason address after after_sensitive after_unknown
applyable attributes attributes_flat before before_sensitive branch change
changes check_results checks child_modules complete component config
config_addr configuration constant_value count count_expression
create_before_destroy data default dependencies deposed deposed_key
depends_on description errored ephemeral expressions for_each_expression
format_version full_name generated_config hook identity identity_schema_version
identity_version id_key id_value importing index index_key instances lineage
kind message mode module module_address module_call module_calls name
object_addr object_kind objects operation output_changes outputs
planned_values prior_state previous_address previous_resource private
problems provider provider_config provider_config_key provider_name
provisioners reason references relevant_attributes replace_paths resource
resource_changes resource_drift resource_type resources root_module
schema_version sensitive sensitive_attributes sensitive_values serial source
state status tainted terraform_version to_display type valid values variables
value version version_constraint add import remove forget @level @message
implied_provider resource_key addr id instance lifecycle enabled removed
deprecated nullable each to
""".split())


def differences(peer, ours, details=False):
    """Of the views of one command."""
    out = []
    for part in PARTS:
        if part == "details" and not details:
            continue
        x, y = peer.get(part), ours.get(part)
        if part == "text" and (x is None or y is None):
            continue
        if x != y:
            out.extend((part,) + d for d in FINDERS[part](x, y, peer, ours))
    return out


def only(x, y):
    """What each has that the other has not, of lists of things."""
    x, y = ([json.dumps(e, sort_keys=True) for e in z or []] for z in (x, y))
    a, b = collections.Counter(x), collections.Counter(y)
    return ([json.loads(e) for e in (a - b).elements()],
            [json.loads(e) for e in (b - a).elements()])


def plainly(text):
    """Without the names, numbers and texts of a case."""
    text = re.sub(r'"(?:[^"\\]|\\.)*"', "S", str(text))
    text = re.sub(r"<[^<>]*>", "S", text)
    text = re.sub(r"\b((data|ephemeral|module)\.)?[a-z_]+\.[rcxlvok]\d+(_\w+)?"
                  r"(\[[^]]*\])*|\b[rclvok]\d+(_moved)?\b", "X", text)
    text = re.sub(r"module\.X|X(\.[X\w]+)*\.X|X\[[^]]*\]", "X", text)
    return re.sub(r"-?\d+(\.\d+)?", "#", text)


# --- each part ---

def find_exit(x, y, peer, ours):
    a, b = only(peer["diags"], ours["diags"])
    what = ""
    if a or b:
        errors = [d[0] for d in a + b if d[0].startswith("error")]
        what = " " + plainly(" | ".join(sorted(set(errors))[:2]))
    yield "%s instead of %s%s" % (y, x, what), x, y


def find_diags(x, y, peer, ours):
    a, b = only(x, y)
    texts = [[d[0] for d in z] for z in (a, b)]
    for d in a:
        if d[0] in texts[1]:
            other = b[texts[1].index(d[0])]
            what = "range" if d[1] != other[1] else "address"
            texts[1][texts[1].index(d[0])] = None
            yield "%s of %s" % (what, plainly(d[0])), d, other
        else:
            yield "missing " + plainly(d[0]), d, None
    for d, text in zip(b, texts[1]):
        if text:
            yield "added " + plainly(d[0]), None, d


def find_snippets(x, y, peer, ours):
    if len(x) != len(y) or peer["diags"] != ours["diags"]:
        return # that is said elsewhere
    names = ["", "context", "code", "offsets", "values"]
    for a, b in zip(*only(x, y)):
        what = [n for n, p, q in zip(names, a, b) if p != q]
        yield "%s of %s" % (" ".join(what), plainly(a[0])), a, b


def find_details(x, y, peer, ours):
    for what in x or {}:
        if x[what] != (y or {}).get(what):
            yield plainly(what), x[what], (y or {}).get(what)


def find_events(x, y, peer, ours):
    a, b = only(x, y)
    for label, events in (("missing", a), ("added", b)):
        for e in events:
            yield "%s %s" % (label, event_text(e)), \
                e if label == "missing" else None, \
                e if label == "added" else None


def event_text(e):
    if not isinstance(e, dict):
        return plainly(e)[:60]
    parts = [str(e.get("type"))]
    for inner in (e.get("hook"), e.get("change")):
        if isinstance(inner, dict):
            parts += [str(inner.get(k)) for k in ("action", "reason")
                      if inner.get(k)]
    if "changes" in e or e.get("type") == "outputs":
        parts.append(plainly(e["@message"]))
    return " ".join(parts)


def find_text(x, y, peer, ours):
    """The first lines that are not the same."""
    lines = difflib.unified_diff(x or [], y or [], n=0, lineterm="")
    changed = [l for l in lines if l[0] in "+-" and
               not l.startswith(("---", "+++"))]
    if not changed:
        return
    some = [re.sub(r"\s+", " ", plainly(l)) for l in changed[:2]]
    yield " ; ".join(some)[:160], \
        "\n".join(l[1:] for l in changed if l[0] == "-"), \
        "\n".join(l[1:] for l in changed if l[0] == "+")


def find_json(x, y, peer, ours):
    seen = set()
    for path, what, a, b in walk(x, y, ()):
        sig = ".".join(map(word, path)) + " " + what
        if sig not in seen:
            seen.add(sig)
            yield sig, {"at": list(path), "is": a}, \
                {"at": list(path), "is": b}


def word(key):
    return key if key in WORDS else "*"


LISTS = {"resources", "resource_changes", "resource_drift", "child_modules",
         "checks", "check_results", "objects", "instances"}


def keyed(path, v):
    """A list of things with addresses by those."""
    if not path or path[-1] not in LISTS or not isinstance(v, list) or \
            not v or not all(isinstance(e, dict) for e in v):
        return None
    for names in (("address", "deposed", "deposed_key"),
                  ("module", "mode", "type", "name"),
                  ("index_key", "deposed"), ("object_kind", "config_addr"),
                  ("object_addr",)):
        if any(n in e for e in v for n in names):
            keys = [" ".join(json.dumps(e.get(n)) for n in names)
                    for e in v]
            if len(set(keys)) == len(keys):
                return dict(zip(keys, v))
    return None


def walk(x, y, path):
    """(path, what, peer's, ours) of each difference."""
    if x == y:
        return
    if isinstance(x, dict) and isinstance(y, dict):
        for k in sorted(set(x) | set(y)):
            if k not in y:
                yield path + (k,), "missing" + hint(path, x[k]), x[k], None
            elif k not in x:
                yield path + (k,), "added" + hint(path, y[k]), None, y[k]
            else:
                yield from walk(x[k], y[k], path + (k,))
        return
    if isinstance(x, list) and isinstance(y, list):
        yield from walk_lists(x, y, path)
        return
    what = "value"
    if path and path[-1] in WORDS:
        what = "%s not %s" % (hint(path, y) or "other",
                              hint(path, x) or "this")
    yield path, what, x, y


def hint(path, v):
    """Values that come from the formats, not from the case."""
    if v is None or isinstance(v, bool):
        return " " + json.dumps(v)
    if path and path[-1] in ("action_reason", "status", "mode", "reason",
                             "kind"):
        return " " + json.dumps(v)
    if not path and not isinstance(v, (list, dict)):
        return " " + json.dumps(v)
    return ""


def walk_lists(x, y, path):
    a, b = keyed(path, x), keyed(path, y)
    if a is not None and b is not None:
        if set(a) == set(b) and list(a) != list(b):
            yield path, "order", list(a), list(b)
        yield from walk(a, b, path)
        return
    if path and path[-1] == "actions":
        yield path, "%s not %s" % (y, x), x, y
        return
    if len(x) == len(y) and path[-1:] != ("references",):
        p, q = only(x, y)
        if not p:
            yield path, "order", x, y
            return
        for i, (e, f) in enumerate(zip(x, y)):
            yield from walk(e, f, path + (str(i),))
        return
    p, q = only(x, y)
    yield path, "elements%s%s" % (" missing" if p else "",
                                  " added" if q else ""), p, q


def find_files(x, y, peer, ours):
    yield from find_json(x, y, peer, ours)


FINDERS = {"exit": find_exit, "diags": find_diags, "state": find_json,
           "files": find_files, "json": find_json, "events": find_events,
           "text": find_text, "err": find_text, "snippets": find_snippets,
           "details": find_details}
