"""check.py - the ordering rules of destroying.md, held to what an apply did

Written from the document; it knows the plan, the state before, and the
dependencies that model.py worked out, nothing of how the program orders.

B depends on A; c is creating or updating, d destroying; "late" is what creates
before destroying (create_before_destroy, its own or forced):

  create          B c after A c                   Simple Resource Creation, Updates
  destroy         A d after B d                   Simple Resource Destruction
  replace         A c after A d, unless A is late Resource Replacement
  replace late    A d after A c, if A is late     Create Before Destroy
  gone first      B c after A d, unless A is late Replace Dependency
  last            A d after B c, if A is late     Replace dependency, ... is
                                                  create_before_destroy
  destroy, update A c after B d, unless B is late destroy_then_update
  late destroy    B d after A c, if B is late     Forced Create Before Destroy
                  and A c does not wait for A d: else "destroy, update";
                  A was there, for B cannot have depended on what is new

B depends on A by the new configuration where B is created or updated, and by the
state where B is destroyed; what goes last or first (A d, B c) is meant by
either.  An operation that must come after another does not begin when that
failed.  A data source is made when it is read, and never destroyed; with what it
says an update that was planned may turn out to be none.

After that the state must hold what the events say, and of each object that was
made what it depends on: by that it will be destroyed.
"""
import collections
import copy
import re


class Operation:
    """c or d of an instance, or of one of its deposed objects."""

    def __init__(self, kind, address, late=None, key=None):
        self.kind, self.address, self.late = kind, address, late
        self.key = key  # of the deposed object
        self.start = self.end = None  # positions among the events
        self.failed = False

    def __str__(self):
        return "%s %s" % ({"c": "make", "d": "destroy"}[self.kind],
                          self.address)


def is_managed(address):
    return ".data." not in "." + address


def resource_of(address):
    """Its resource, without any key."""
    return re.sub(r'\[("[^"]*"|\d+)\]', "", address)


def module_steps(address):
    """The module calls around it, with their keys."""
    return re.findall(r'module\.\w+(?:\[(?:"[^"]*"|\d+)\])?', address)


def may_mean(user, used):
    """May what the state calls a dependency be this instance?  In calls of
    modules that both share, only in the same instance."""
    for a, b in zip(module_steps(user), module_steps(used)):
        if resource_of(a) != resource_of(b):
            return True
        if a != b:
            return False
    return True


class State:
    """Of a state file: what there is, and what it depended on."""

    def __init__(self, document):
        self.current, self.deposed = {}, collections.defaultdict(dict)
        for r in (document or {}).get("resources", ()):
            if r["mode"] == "data":
                continue  # what is read is nobody's to lose
            head = (r["module"] + "." if "module" in r else "") + \
                "%s.%s" % (r["type"], r["name"])
            for i in r["instances"]:
                key = i.get("index_key")
                address = head + ("" if key is None else
                                  "[%d]" % key if isinstance(key, int) else
                                  '["%s"]' % key)
                if "deposed" in i:
                    self.deposed[address][i["deposed"]] = i
                else:
                    self.current[address] = i

    def addresses(self):
        return set(self.current) | {a for a, d in self.deposed.items() if d}

    def refreshed(self, records):
        """What planning has found of it since."""
        for r in records:
            if "deposed" not in r and not r.get("gone"):
                self.current[r["address"]] = r

    def dependencies(self, address, key=None, one=False):
        """Of all its objects; one: of that with the deposed key, or the current
        one."""
        objects = [self.current.get(address, {})] + \
            list(self.deposed[address].values())
        if one:
            objects = [self.deposed[address].get(key, {}) if key else
                       objects[0]]
        found = set()
        for i in objects:
            found.update(i.get("dependencies", ()))
        return found

    def late(self, address):
        return self.current.get(address, {}).get("create_before_destroy",
                                                 False)


class Run:
    """What was planned and what happened."""

    def __init__(self, records):
        self.operations = {}  # (kind, address, deposed key) -> Operation
        self.before = {}  # address -> that in the state, if another
        self.forgotten = []  # (address, deposed key)
        self.position = 0
        self.prior = []  # records: what refreshing and moving changed
        for r in records:
            getattr(self, "_" + r["record"], lambda r: None)(r)

    def _resource_change(self, r):
        if "previous_address" in r:
            self.before[r["address"]] = r["previous_address"]

    def _prior_state(self, r):
        self.prior.append(r)

    def _planned(self, r):
        address, action = r["address"], r["action"]
        key = r.get("deposed")
        late = {"create-then-delete": True,
                "delete-then-create": False}.get(action)
        if "delete" in action:
            self.operations["d", address, key] = Operation(
                "d", address, late, key)
        if "create" in action or action in ("update", "read"):
            self.operations["c", address, key] = Operation("c", address, late)
        if action == "forget":
            self.forgotten.append((address, key))

    def _event(self, r):
        kind, phase = r["type"], None
        if kind in ("apply_start", "apply_complete", "apply_errored"):
            phase = kind[len("apply_"):]
        if not phase:
            return
        o = self._operation(r)
        if not o:
            return  # read while planning
        self.position += 1
        if phase == "start":
            o.start = self.position
        else:
            o.end, o.failed = self.position, phase == "errored"

    def _operation(self, r):
        address = r["hook"]["resource"]["addr"]
        kind = "d" if r["hook"]["action"] == "delete" else "c"
        for key in r.get("deposed"), None:
            if (kind, address, key) in self.operations:
                return self.operations[kind, address, key]
        if not is_managed(address):
            return None
        raise ValueError("it was not planned to %s" % Operation(kind, address))


class Checker:
    def __init__(self, run, state, world, static):
        self.run, self.state, self.world = run, copy.deepcopy(state), world
        self.state.refreshed(run.prior)
        self.forced = static.forced()
        self.rules = []  # (name, later, earlier)
        self.made = self._by("c")
        self.gone = self._by("d")
        self.lates = {o: self._late(o, key) for (_, _, key), o
                      in run.operations.items()}
        self._force()
        self._all()
        if self.contradictory():
            self._give_way()

    def _give_way(self):
        """What only goes need not go late where that closes a circle."""
        for address, gone in self.gone.items():
            for o in gone:
                if o.late is None and self.lates[o] and \
                        self._too_early(address):
                    self.lates[o] = None
        self.rules = []
        self._all()

    def _by(self, kind):
        found = collections.defaultdict(list)
        for (k, address, _), o in self.run.operations.items():
            if k == kind:
                found[address].append(o)
        return found

    def _late(self, o, key):
        """By its own account: as planned, or as the state has it."""
        if o.late is not None or o.kind == "c":
            return o.late
        return key is not None or \
            bool(self.state.late(o.address)) or \
            bool(self.state.late(self._before(o.address)))

    def _force(self):
        """What is forced forces what it depended on."""
        left = [o for gone in self.gone.values() for o in gone
                if o.late is None and not self.lates[o]]
        known = None
        while known != len(left):
            known = len(left)
            for o in left:
                self.lates[o] = self._forced(o)
            left = [o for o in left if not self.lates[o]]

    def _forced(self, o):
        """Forced Create Before Destroy, by what goes late and depended on it.
        None where the configuration alone says so: the order is left open."""
        if any(self.lates[late] and self.old(address, o.address)
               for address, gone in self.gone.items() for late in gone):
            return True
        return None if resource_of(o.address) in self.forced else False

    def _too_early(self, address):
        """What it depended on is made again when the old object is gone: it may
        have to go before that."""
        return any(a.late is False and self.old(address, used)
                   for used, made in self.made.items() for a in made)

    def _before(self, address):
        return self.run.before.get(address, address)

    def after(self, rule, later, earlier):
        if later is not earlier:
            self.rules.append((rule, later, earlier))

    def contradictory(self):
        """Cannot all rules be kept that are necessary?"""
        return bool(self._in_circles(
            [r for r in self.rules if r[0] != "gone first"]))

    @staticmethod
    def _in_circles(rules):
        """Those that nothing can begin or end with, again and again."""
        while True:
            laters = {id(later) for _, later, _ in rules}
            earliers = {id(earlier) for _, _, earlier in rules}
            left = [r for r in rules
                    if id(r[1]) in earliers and id(r[2]) in laters]
            if len(left) == len(rules):
                return left
            rules = left

    def _was_none(self, o):
        """Did an update turn out to be none, when a data source was read?"""
        return o.start is None and o.kind == "c" and any(
            not is_managed(a) and self.made.get(a) for a in self.new(o.address))

    def kept(self):
        """What was not kept of the rules; "gone first", which the document calls
        not necessary, may give way for a resource where all of them cannot be
        kept: what waits for a resource waits for all of its instances."""
        giving_way = {resource_of(later.address) for rule, later, _
                      in self._in_circles(self.rules) if rule == "gone first"}
        wrong = []
        for rule, later, earlier in self.rules:
            if later.start is None or (
                    rule == "gone first" and
                    resource_of(later.address) in giving_way) or \
                    self._was_none(earlier):
                continue
            if earlier.end is None or earlier.failed or \
                    earlier.end > later.start:
                wrong.append("%s: %s after %s" % (rule, later, earlier))
        return wrong

    def new(self, address):
        return self.world.depends.get(address, ())

    def old(self, address, used, gone=None):
        """Did the one depend on the other by the state?  gone: what destroys the
        object that is meant."""
        found = set()
        for a in {self._before(address), address}:
            found |= self.state.dependencies(
                a, gone and gone.key, gone is not None)
        names = {resource_of(a) for a in (used, self._before(used))}
        return bool(names & found) and may_mean(address, used) and \
            resource_of(address) != resource_of(used)

    def _all(self):
        self._pairs()
        for address, made in self.made.items():
            for b in made:
                self._make(address, b)
        for address, gone in self.gone.items():
            for b in gone:
                self._go(address, b)

    def _pairs(self):
        for (kind, address, key), o in self.run.operations.items():
            other = self.run.operations.get(("c", address, key))
            if kind == "d" and other:
                if self.lates[o]:
                    self.after("replace late", o, other)
                else:
                    self.after("replace", other, o)
            elif kind == "d" and key is not None and \
                    ("c", address, None) in self.run.operations:
                self.after("deposed", o,
                           self.run.operations["c", address, None])

    def _make(self, address, b):
        for used in self.new(address):
            for a in self.made.get(used, ()):
                self.after("create", b, a)
        for used, gone in self.gone.items():
            if used not in self.new(address) and not self.old(address, used):
                continue
            for a in gone:
                if self.lates[a]:
                    self.after("last", a, b)
                elif self.lates[a] is False:
                    self.after("gone first", b, a)

    def _go(self, address, b):
        for used, gone in self.gone.items():
            if self.old(address, used, b):
                for a in gone:
                    self.after("destroy", a, b)
        for used, made in self.made.items():
            if not self.old(address, used, b):
                continue
            for a in made:
                if self.lates[b] is False or a.late is False:
                    self.after("destroy, update", a, b)
                elif self.lates[b] and self._before(used) in \
                        self.state.current:
                    self.after("late destroy", b, a)


def left(run, before):
    """What the state must hold: addresses, and how many deposed objects each
    has."""
    moved = {old: new for new, old in run.before.items()}
    current = {moved.get(a, a) for a in before.current}
    for r in run.prior:
        if "deposed" not in r and is_managed(r["address"]):
            (current.discard if r.get("gone") else current.add)(r["address"])
    deposed = collections.Counter(
        {moved.get(a, a): len(d) for a, d in before.deposed.items() if d})
    for (kind, address, key), o in run.operations.items():
        done = o.end is not None and not o.failed
        if kind == "c":
            if o.start is None or not is_managed(address):
                continue
            if o.late and ("d", address, key) in run.operations:
                deposed[address] += 1
            current.add(address)
        elif done and (key is not None or o.late and
                       run.operations["c", address, key].start):
            deposed[address] -= 1
        elif done and (not o.late) and \
                not made_again(run, address, key):
            current.discard(address)
    for address, key in run.forgotten:
        if key is None:
            current.discard(address)
        else:
            deposed[address] -= 1
    return current, +deposed


def unrecorded(run, world, after):
    """What the state does not know of the dependencies of what was made: by them
    it will be destroyed."""
    found = []
    for (kind, address, _), o in run.operations.items():
        if kind == "d" or o.end is None or address not in after.current:
            continue
        known = after.dependencies(address, one=True)
        found += ["unrecorded: %s depends on %s" % (address, name) for name in
                  sorted({resource_of(a) for a in world.depends[address]} -
                         known)]
    return found


def made_again(run, address, key):
    other = run.operations.get(("c", address, key))
    return other is not None and other.start is not None


def lost(run, before, after):
    """What is not as the events say."""
    current, deposed = left(run, before)
    found = ["lost: " + a for a in sorted(current - set(after.current))]
    found += ["still there: " + a
              for a in sorted(set(after.current) - current)]
    there = {a: len(d) for a, d in after.deposed.items() if d}
    if there != dict(deposed):
        found.append("deposed: %s instead of %s" % (there, dict(deposed)))
    return found
