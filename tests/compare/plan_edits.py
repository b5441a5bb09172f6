"""plan_edits.py - random edits of a plan, member by member

edit(rng, records, others) gives the records changed, and says in words how.
records: parsed lines.  Framing records stay, or there would be no stream.
"""
import copy
import json

FRAMING = {"header", "stage", "end"}
# What people and programs go by stands here; the rest is edited as well.
LIKELY = ("resource_change", "planned", "output_change", "prior_state",
          "resource_drift", "plan", "previous_run_state", "schema",
          "prior_output", "previous_output", "output", "resource")
OTHER = [None, True, False, 0, 7, -1, "EVIL", "", [], {}, ["EVIL"],
         {"EVIL": "EVIL"}, "no-op", "delete", "create", "gone"]


def places(value, path=()):
    """The paths of all that is in it."""
    if path:
        yield path
    if isinstance(value, dict):
        for k in value:
            yield from places(value[k], path + (k,))
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from places(v, path + (i,))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def put(value, path, new):
    at(value, path[:-1])[path[-1]] = new


def has(value, path):
    try:
        at(value, path)
        return True
    except (KeyError, IndexError, TypeError):
        return False


class Editor:
    def __init__(self, rng, records, others):
        self.rng, self.records, self.others = rng, records, others
        self.said = []

    def pick(self):
        """A record that may be edited, and where it is."""
        rng = self.rng
        kinds = {r["record"] for r in self.records} - FRAMING
        if rng.random() < 0.85:
            kinds = kinds & set(LIKELY) or kinds
        kind = rng.choice(sorted(kinds))
        i = rng.choice([i for i, r in enumerate(self.records)
                        if r["record"] == kind])
        return i, self.records[i]

    def place(self, record):
        """Few levels down is where most means something."""
        all_ = [p for p in places(record) if p != ("record",)]
        if self.rng.random() < 0.5:
            all_ = [p for p in all_ if len(p) <= 2] or all_
        return self.rng.choice(all_) if all_ else None

    def tell(self, what, record, path=()):
        self.said.append("%s %s %s%s" % (
            what, record["record"], record.get("address", ""),
            " ." + ".".join(map(str, path)) if path else ""))

    # --- the edits ---

    def delete(self):
        _, r = self.pick()
        p = self.place(r)
        if p:
            self.tell("delete from", r, p)
            del at(r, p[:-1])[p[-1]]

    def replace(self):
        _, r = self.pick()
        p = self.place(r)
        if not p:
            return
        old = at(r, p)
        new = copy.deepcopy(self.rng.choice(OTHER))
        if isinstance(old, str) and self.rng.random() < 0.3:
            new = old + "x"
        elif isinstance(old, bool) and self.rng.random() < 0.7:
            new = not old
        self.tell("set to %s in" % json.dumps(new), r, p)
        put(r, p, new)

    def replace_everywhere(self):
        """The same text, in all records or in those of some kinds."""
        _, r = self.pick()
        texts = [p for p in places(r) if isinstance(at(r, p), str)
                 and p != ("record",)]
        if not texts:
            return
        old = at(r, self.rng.choice(texts))
        kinds = sorted({x["record"] for x in self.records} - FRAMING)
        if self.rng.random() < 0.6:
            kinds = self.rng.sample(kinds, self.rng.randint(1, len(kinds)))
        n = 0
        for x in self.records:
            if x["record"] not in kinds:
                continue
            for p in list(places(x)):
                if p != ("record",) and at(x, p) == old:
                    put(x, p, "EVIL")
                    n += 1
        self.said.append("set %s to EVIL %d times in %s"
                         % (json.dumps(old), n, ",".join(kinds)))

    def insert(self):
        _, r = self.pick()
        q = self.rng.choice([x for x in self.records
                             if x["record"] == r["record"]])
        more = [k for k in q if k not in r]
        key = self.rng.choice(more or ["gone", "deposed", "previous_address",
                                       "importing", "status", "import_id",
                                       "unknown", "sensitive", "numbers"])
        where = r
        if isinstance(r.get("change"), dict) and self.rng.random() < 0.5:
            where = r["change"]
        elif isinstance(r.get("planned"), dict) and self.rng.random() < 0.5:
            where = r["planned"]
        new = copy.deepcopy(q[key]) if key in q else \
            copy.deepcopy(self.rng.choice(OTHER))
        self.tell("add %s %s to" % (key, json.dumps(new)), r)
        where[key] = new

    def other_plans(self):
        """The value that another record of the kind has, here or there."""
        _, r = self.pick()
        pool = [x for x in self.records + self.others
                if x["record"] == r["record"] and x is not r]
        p = self.place(r)
        pool = [x for x in pool if p and has(x, p)]
        if pool:
            x = self.rng.choice(pool)
            self.tell("take of %s for" % x.get("address", "?"), r, p)
            put(r, p, copy.deepcopy(at(x, p)))

    def swap(self):
        i, r = self.pick()
        j, q = self.pick()
        self.tell("swap", r)
        self.tell("with", q)
        self.records[i], self.records[j] = q, r

    def double(self):
        i, r = self.pick()
        self.tell("double", r)
        again = copy.deepcopy(r)
        self.records.insert(self.rng.choice([i, i + 1]), again)
        p = self.place(again)
        if p and self.rng.random() < 0.7:
            put(again, p, copy.deepcopy(self.rng.choice(OTHER)))
            self.tell("and set there", again, p)

    def drop(self):
        i, r = self.pick()
        self.tell("drop", r)
        del self.records[i]

    def drop_all(self):
        _, r = self.pick()
        kind, address = r["record"], r.get("address")
        how = self.rng.choice(["kind", "address", "change"])
        self.said.append("drop all of %s %s %s" % (how, kind, address))
        self.records[:] = [
            x for x in self.records if x["record"] in FRAMING or not (
                x["record"] == kind if how == "kind" else
                x.get("address") == address and (
                    how == "address" or
                    x["record"] in ("planned", "resource_change")))]

    def add(self):
        """A record that another plan has."""
        pool = [x for x in self.others if x["record"] in LIKELY]
        if not pool:
            return
        r = copy.deepcopy(self.rng.choice(pool))
        i, _ = self.pick()
        self.tell("add", r)
        self.records.insert(i, r)

    def make_gone(self):
        """The object is gone, as planning would have found."""
        pool = [x for x in self.records if x["record"] == "previous_run_state"]
        if not pool:
            return
        r = self.rng.choice(pool)
        gone = {"record": "prior_state", "address": r["address"]}
        if "deposed" in r:
            gone["deposed"] = r["deposed"]
        gone["gone"] = True
        self.tell("gone", r)
        self.records.insert(self.records.index(r) + 1, gone)

    def found_otherwise(self):
        """The object has another attribute, as planning would have found."""
        pool = [x for x in self.records if x["record"] == "previous_run_state"]
        if not pool:
            return
        r = copy.deepcopy(self.rng.choice(pool))
        r["record"] = "prior_state"
        p = self.place(r["attributes"]) if r.get("attributes") else None
        if p:
            put(r["attributes"], p, "EVIL")
            self.tell("found otherwise", r, p)
            self.records.insert(len(self.records) - 2, r)

    def both(self):
        """One edit of both records of a change, and of more that agrees."""
        pool = [x for x in self.records if x["record"] == "resource_change"]
        if not pool:
            return
        r = self.rng.choice(pool)
        side = self.rng.choice(["after", "before"])
        value = r["change"].get(side)
        if not isinstance(value, dict) or not value:
            return
        key = self.rng.choice(sorted(value))
        new = copy.deepcopy(self.rng.choice(OTHER))
        for x in self.records:
            if x.get("address") != r["address"]:
                continue
            if x["record"] in ("resource_change", "resource_drift"):
                v = x["change"].get(side)
            elif x["record"] == "planned" and side == "after":
                v = x.get("planned", {}).get("value")
            elif x["record"] in ("previous_run_state", "prior_state") \
                    and side == "before" and self.rng.random() < 0.5:
                v = x.get("attributes")
            else:
                continue
            if isinstance(v, dict) and key in v:
                v[key] = copy.deepcopy(new)
        self.said.append("set %s.%s to %s in both records of %s"
                         % (side, key, json.dumps(new), r["address"]))

    EDITS = ((delete, 4), (replace, 6), (replace_everywhere, 3), (insert, 3),
             (other_plans, 4), (swap, 1), (double, 2), (drop, 3), (drop_all, 2),
             (add, 2), (make_gone, 2), (found_otherwise, 2), (both, 4))

    def edit(self):
        for _ in range(self.rng.choice([1, 1, 1, 2, 2, 3])):
            how = self.rng.choices([e for e, _ in self.EDITS],
                                   [n for _, n in self.EDITS])[0]
            try:
                how(self)
            except (AttributeError, KeyError, IndexError, TypeError,
                    ValueError):
                pass # of what an edit before has left


def edit(rng, records, others, sealed):
    """The records of an edited plan, and what was done to them."""
    e = Editor(rng, copy.deepcopy(records), others)
    if not sealed:
        e.records = [r for r in e.records if r["record"] != "seal"]
    while not e.said:
        e.edit()
    return e.records, "; ".join(e.said)
