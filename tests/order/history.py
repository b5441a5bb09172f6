"""history.py - what a plan and an apply said, and what the states hold

After an apply the state must hold what the events say, and of each object that was
made what it depends on: by that it will be destroyed.
"""
import collections
import re

from model import Provider, Resource


class Operation:
    """c or d of an instance, or of one of its deposed objects."""

    def __init__(self, kind, address, late=None, key=None):
        self.kind, self.address, self.late = kind, address, late
        self.key = key  # of the deposed object
        self.action = self.provider = None  # planned
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


def alias_of(provider):
    """Of the test provider's configuration."""
    found = re.search(r'/test"\]\.(\w+)(\[.*)?$', provider or "")
    return found and found[1]


class State:
    """Of a state file: what there is, and what it depended on."""

    def __init__(self, document):
        self.current, self.deposed = {}, collections.defaultdict(dict)
        self.found = {}  # of what is current, by planning
        self.read = {}  # data sources: nobody's to lose
        self.outputs = (document or {}).get("outputs", {})
        for r in (document or {}).get("resources", ()):
            head = (r["module"] + "." if "module" in r else "") + \
                ("data." if r["mode"] == "data" else "") + \
                "%s.%s" % (r["type"], r["name"])
            for i in r["instances"]:
                key = i.get("index_key")
                address = head + ("" if key is None else
                                  "[%d]" % key if isinstance(key, int) else
                                  '["%s"]' % key)
                if r["mode"] == "data":
                    self.read[address] = i
                elif "deposed" in i:
                    self.deposed[address][i["deposed"]] = i
                else:
                    self.current[address] = i

    def ids(self, wanted=lambda address, key: True):
        """Of the test provider's objects."""
        found = [(a, None, i) for a, i in self.current.items()] + \
            [(a, k, i) for a, d in self.deposed.items() for k, i in d.items()]
        return {i["attributes"]["id"] for a, k, i in found
                if "test_thing." in a and wanted(a, k)}

    def addresses(self):
        return set(self.current) | {a for a, d in self.deposed.items() if d}

    def made_with(self, address, output):
        """Does what the provider has put into it begin with that?"""
        return output not in self.outputs or address not in self.current or \
            self.current[address]["attributes"]["comp"].startswith(
                self.outputs[output]["value"])

    def refreshed(self, run):
        """What planning has found of it since.  What has moved is gone from where
        it was."""
        there = {r.get("deposed") for r in run.prior if not r.get("gone")}
        for r in run.prior:
            address, key = r["address"], r.get("deposed")
            was = run.before.get(address, address)
            if key is not None:
                if r.get("gone") and key not in there:
                    self.deposed[was].pop(key, None)
            elif not r.get("gone"):
                self.current[address] = self.found[address] = r
            elif address not in run.before.values():
                self.current.pop(was, None)

    def dependencies(self, address, key=None, one=False, now=None):
        """Of all its objects; one: of that with the deposed key, or the current
        one.  now: its address since."""
        objects = [self.found.get(now) or self.current.get(address, {})] + \
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
        self.opened = {}  # address -> its last events
        self.prior = []  # records: what refreshing and moving changed
        for r in records:
            getattr(self, "_" + r["record"], lambda r: None)(r)

    def failed(self):
        """Then what waits for it is not forgotten, either."""
        return any(o.failed for o in self.operations.values())

    def _resource_change(self, r):
        if "previous_address" in r:
            self.before[r["address"]] = r["previous_address"]

    def _stage(self, r):
        if r["tool"] == "tf-apply":
            self.opened = {}  # before, that was for planning

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
        for kind in "cd":
            o = self.operations.get((kind, address, key))
            if o:
                o.action, o.provider = action, r.get("provider")
        if action.startswith("forget"):
            self.forgotten.append((address, key))

    def _event(self, r):
        kind, phase = r["type"], None
        if kind.startswith("ephemeral_action"):
            self.position += 1
            self._opened(r["hook"]["resource"]["addr"], r["hook"]["Msg"])
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

    def _opened(self, address, what):
        if what == "Opening...":
            self.opened[address] = {}
        self.opened[address][what] = self.position

    def _operation(self, r):
        address = r["hook"]["resource"]["addr"]
        kind = "d" if r["hook"]["action"] == "delete" else "c"
        for key in r.get("deposed"), None:
            if (kind, address, key) in self.operations:
                return self.operations[kind, address, key]
        if not is_managed(address):
            return None
        raise ValueError("it was not planned to %s" % Operation(kind, address))


def left(run, before):
    """What the state must hold: addresses, and how many deposed objects each
    has."""
    moved = {old: new for new, old in run.before.items()}
    current = {moved.get(a, a) for a in before.current}
    deposed = collections.Counter(
        {moved.get(a, a): len(d) for a, d in before.deposed.items() if d})
    for r in run.prior:
        if "deposed" in r:
            deposed[r["address"]] -= bool(r.get("gone"))
        elif is_managed(r["address"]):
            (current.discard if r.get("gone") else current.add)(r["address"])
    for address, key in run.forgotten:
        if key is None:
            current.discard(address)
        else:
            deposed[address] -= 1
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
    late = {a for a, key in run.forgotten if run.failed()}
    found += ["still there: " + a
              for a in sorted(set(after.current) - current - late)]
    there = {a: len(d) for a, d in after.deposed.items() if d}
    if there != dict(deposed):
        found.append("deposed: %s instead of %s" % (there, dict(deposed)))
    return found


def unforced(run, after, world, static, given):
    """What has create_before_destroy, its own or forced by what depends on it,
    and was planned, or recorded, without; and what has not, and was planned so.
    given: a static world in which who needs a module needs what that is given."""
    made = {o.address for o in run.operations.values() if o.kind == "c"}
    first = {a for a in made if world.resources.get(a) in static.own}
    for address in list(first):
        first |= made & world.depends[address]
    return ["unforced: %s" % o for o in run.operations.values()
            if o.late is False and resource_of(o.address) in static.forced()
            ] + ["forced by nothing: %s" % o for o in run.operations.values()
                 if o.late and resource_of(o.address) not in given.forced()
                 ] + ["unrecorded: create_before_destroy of %s" % a
                      for a in sorted(first) if a in after.current and
                      not after.late(a)]


def unbegun(run, none):
    """What was planned and not done, though nothing failed.  none: was it
    found to be nothing?"""
    return ["never begun: %s" % o for o in run.operations.values()
            if o.start is None and not none(o) and
            (o.kind == "c" or is_managed(o.address))]


def _tokens(item):
    return ["ephemeral.test_token." + t.name for t in item.tokens]


def unopened(run, root, world):
    """Who used an ephemeral value when there was none: it is opened when what
    it needs is made, and closed when nobody is left who needs it."""
    found = ["unopened: %s, before %s" % (address, o)
             for address, events in run.opened.items()
             for o in run.operations.values()
             if o.kind == "c" and o.address in world.ephemerals.get(address, ())
             and (o.end or 0) > events.get("Opening...", 0)]
    users = {p.name: _tokens(p) for p in root.all(Provider)}
    makers = {r.head: _tokens(r) for r in root.all(Resource)}
    for o in run.operations.values():
        used = users.get(alias_of(o.provider), [])
        if o.kind == "c" and "create" in o.action:
            used = used + makers.get(resource_of(o.address), [])
        for address in used:
            events = run.opened.get(address, {})
            if o.start and not (events.get("Open complete", o.start) < o.start
                                and o.end < events.get("Closing...", 0)):
                found.append("unopened: %s for %s" % (address, o))
    return found


def unconfigured(run, after):
    """Who was made by a provider that did not know yet what it was configured
    with."""
    return ["unconfigured: %s" % o for o in run.operations.values()
            if o.kind == "c" and "create" in o.action and o.end
            and alias_of(o.provider) and not after.made_with(
                o.address, "prefix_" + alias_of(o.provider))]


def strayed(there, run, before, after, forgotten, lost):
    """Objects of the test provider, by their files, that no state has, and the
    other way round.  forgotten: ids of those that no state need have; lost: of
    those that need not exist."""
    names = {(run.before.get(a, a), key) for a, key in run.forgotten}
    forgotten |= before.ids(lambda *which: which in names)
    ids = {name.split(".")[1] for name in there if name.endswith(".json")}
    return ["nobody has %s" % i for i in sorted(ids - after.ids() - forgotten)] \
        + ["%s does not exist" % i for i in sorted(after.ids() - ids - lost)]
