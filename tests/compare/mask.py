"""mask.py - what differs from run to run is given a name

An identifier that a state has is called after the instance that had it first:
so "the same id as before" and "a new id" are told apart, in whatever order
things were done.  Masking works on texts, before they are parsed.
"""
import json
import os
import re

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
TIME = r"20(?:2[4-9]|[3-9]\d)-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?" \
       r"(?:Z|[+-]\d\d:\d\d)"

FILE = ["id", "content_md5", "content_sha1", "content_sha256",
        "content_sha512", "content_base64sha256", "content_base64sha512"]

# Attributes that are different in every run, by the type's beginning.
VOLATILE = {
    "random_pet": ["id"],
    "random_string": ["result"],
    "random_password": ["result", "bcrypt_hash"],
    # what they hold may be different
    "local_file": FILE, "local_sensitive_file": FILE,
    "tls_private_key": ["private_key_pem", "private_key_openssh",
                        "private_key_pem_pkcs8", "public_key_pem",
                        "public_key_openssh", "public_key_fingerprint_md5",
                        "public_key_fingerprint_sha256", "id"],
}

RULES = [(re.compile(a), b) for a, b in (
    (r'("lineage": ?)"[^"]*"', r'\1"<lineage>"'),
    (r'("serial": ?)(\d+)', r'\1\2'),
    (TIME, "<time>"),
    (r"\bafter (?:\d+h)?(?:\d+m)?\d+s\b", "after 0s"),
    (r'"elapsed_seconds": ?\d+', '"elapsed_seconds":0'),
    (r"(deposed object )[0-9a-f]{8}\b", r"\1<key>"),
    (r'("deposed(?:_key)?": ?)"[0-9a-f]{8}"', r'\1"<key>"'),
)]
UUIDS = re.compile(UUID, re.I)


def product():
    """What our sentences call the program, where the peer's say OpenTofu."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "../../lib/base/product.h")) as f:
        return re.search(r'#define PRODUCT "(.*)"', f.read()).group(1)


PRODUCT = re.compile(r"\b%s\b" % re.escape(product()))
PROGRESS = re.compile(r": [A-Z][a-z ]+(\.\.\.|after \d+s)( \[id=.*\])?$")


def renamed(text):
    """With one name for the program; a paragraph that has it is one line, for
    the names are not of one length and break it at other words."""
    out, paragraph = [], []
    for line in PRODUCT.sub("OpenTofu", text).split("\n") + [""]:
        if re.match(r"[^\s{]", line) and not PROGRESS.search(line):
            paragraph.append(line)
            continue
        if any("OpenTofu" in l for l in paragraph):
            paragraph = [" ".join(paragraph)]
        out += paragraph + [line]
        paragraph = []
    return "\n".join(out[:-1])


def quoted(value):
    """The text within JSON, as it is and with Go's escapes."""
    text = json.dumps(value)[1:-1]
    return text, text.replace("<", "\\u003c").replace(">", "\\u003e") \
        .replace("&", "\\u0026")


class Masker:
    def __init__(self, dir):
        self.dir = re.compile(dir)
        self.names, self.counts = {}, {}
        self.others = 0
        self.serial_by_chance = False # see observe.py
        self.pattern = None

    def name(self, value, what):
        if value.lower() in self.names:
            return
        n = self.counts[what] = self.counts.get(what, 0) + 1
        self.names[value.lower()] = "<%s#%d>" % (what.replace('"', "'"), n)
        self.pattern = None

    def learn(self, text):
        """The identifiers of a state."""
        try:
            state = json.loads(text or "{}")
        except ValueError:
            return
        for r in state.get("resources", []):
            for i in r.get("instances", []):
                self.learn_instance(r, i)

    def learn_instance(self, r, i):
        where = "%s.%s.%s[%s]" % (r.get("module", ""), r["type"], r["name"],
                                  i.get("index_key", ""))
        if i.get("deposed"):
            self.name(i["deposed"], where + " deposed")
        attrs = i.get("attributes") or {}
        if r["type"] == "terraform_data" and UUIDS.fullmatch(
                str(attrs.get("id"))):
            self.name(attrs["id"], where)
        for a in VOLATILE.get(r["type"], []):
            if isinstance(attrs.get(a), str) and len(attrs[a]) > 4:
                self.name(attrs[a], "%s.%s" % (where, a))

    def known(self):
        if self.pattern is None and self.names:
            forms = set(self.names)
            forms |= {f for v in self.names for f in quoted(v)}
            for v in self.names: # texts show them line by line
                forms |= {l for l in v.split("\n") if len(l) > 30}
            longest = sorted(forms, key=lambda v: (-len(v), v))
            self.pattern = re.compile("|".join(map(re.escape, longest)),
                                      re.I)
        return self.pattern

    def found(self, m):
        v = m.group(0).lower()
        if v not in self.names:
            for k, n in self.names.items():
                if v in quoted(k) or v in k:
                    return n
        return self.names.get(v, v)

    def other(self, m):
        self.others += 1
        v = m.group(0).lower()
        self.names[v] = "<uuid %d>" % self.others
        self.pattern = None
        return self.names[v]

    def text(self, s):
        if not s:
            return s
        s = self.dir.sub("<dir>", s)
        if self.known():
            s = self.known().sub(self.found, s)
        s = self.rest(s)
        for pattern, name in RULES:
            s = pattern.sub(name, s)
        return s

    def rest(self, s):
        """Identifiers that no state has, by their first appearance."""
        while True:
            m = UUIDS.search(s)
            if not m:
                return s
            s = s.replace(m.group(0), self.other(m))
