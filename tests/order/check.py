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
  configured      B c, B d after A c, if what B's provider is configured with
                  depends on A
  check           the data source of a check after every c of the configuration

B depends on A by the new configuration where B is created or updated, and by the
state where B is destroyed; what goes last or first (A d, B c) is meant by
either.  An operation that must come after another does not begin when that
failed.  A data source is made when it is read, and never destroyed; with what it
says an update that was planned may turn out to be none.
"""
import collections
import copy

from history import alias_of, is_managed, may_mean, resource_of


NOT_NECESSARY = "gone first", "last of new"
MOVED = ", as before a move"  # at the end of a rule's name
UNNECESSARY, OF_PROVIDERS, OF_MOVES, NECESSARY = range(4)


def components(waits):
    """Numbers what waits for one another alike: the strongly connected
    components, as Tarjan finds them."""
    low, done, path = {}, {}, []

    def visit(x):
        index = low[x] = len(low)
        path.append(x)
        for y in waits.get(x, ()):
            if y not in low:
                visit(y)
            if y not in done:
                low[x] = min(low[x], low[y])
        if low[x] == index:
            while x not in done:
                done[path.pop()] = index

    for x in list(waits):
        if x not in low:
            visit(x)
    return done


class Checker:
    def __init__(self, run, state, world, static, given):
        self.run, self.state, self.world = run, copy.deepcopy(state), world
        self.state.refreshed(run)
        self.forced, self.waits = static.forced(), given.depends
        self.configured = static.providers
        self.rules = []  # (name, later, earlier)
        self.open = []  # such that may be kept, or not
        self.made = self._by("c")
        self.gone = self._by("d")
        self.lates = {o: self._late(o, key) for (_, _, key), o
                      in run.operations.items()}
        self._force()
        self._all()
        self._settle()

    def _settle(self):
        """What only goes goes early where going late would close a circle with
        what else is kept: of rules that may give way the stronger ones."""
        lates, hurrying = self.lates, self._hurrying()
        self.lates = {**lates, **dict.fromkeys(hurrying)}
        self._all()
        others, kept = set(self.rules), []
        for strength in NECESSARY, OF_MOVES, OF_PROVIDERS:
            more = [r for r in self.rules if self._strength(r) == strength]
            circles = set(self._in_circles(kept + more))
            kept += more if strength == NECESSARY else \
                [r for r in more if r not in circles]
        self.lates = lates
        self._all()
        late = {r for r in self.rules if r not in others and
                self._strength(r) > UNNECESSARY}
        early = {r[1] for r in self._in_circles([*kept, *late]) if r in late}
        if early:
            self.lates = {**lates, **dict.fromkeys(early)}
            self._all()

    def _hurrying(self):
        """What only goes, and late, and may have to go before that."""
        return [o for address, gone in self.gone.items() for o in gone
                if o.late is None and self.lates[o] and
                self._too_early(address)]

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

    def after_perhaps(self, rule, later, earlier):
        """An order that may be kept, or not."""
        self.open.append((rule, later, earlier))

    def contradictory(self):
        """Cannot all rules be kept that are necessary?"""
        return bool(self._in_circles(
            [r for r in self.rules if self._strength(r) == NECESSARY]))

    @staticmethod
    def _strength(rule):
        """When it gives way where not all can be kept: the less, the sooner."""
        name, later, earlier = rule
        if name in NOT_NECESSARY:
            return UNNECESSARY
        if name.startswith("destroy") and later.provider != earlier.provider:
            return OF_PROVIDERS
        return OF_MOVES if name.endswith(MOVED) else NECESSARY

    @staticmethod
    def _in_circles(rules):
        """Those between operations that wait for one another."""
        waits = collections.defaultdict(list)
        for _, later, earlier in rules:
            waits[later].append(earlier)
        number = components(waits)
        return [r for r in rules if number[r[1]] == number[r[2]]]

    def was_none(self, o):
        """Did an update turn out to be none, when a data source was read?"""
        return o.start is None and o.kind == "c" and any(
            not is_managed(a) and self.made.get(a) for a in self.new(o.address))

    @staticmethod
    def _pair(rule):
        """What gives way with a rule."""
        name, later, earlier = rule
        if name == "gone first":
            return name, resource_of(later.address)
        return rule

    def kept(self):
        """What was not kept of the rules.  Where all of them cannot be kept
        "gone first", which the document calls not necessary, may give way, "last"
        where B did not depend on A so far, and what orders the objects of two
        providers, one of which is configured with the other's: for a resource, for
        what waits for it waits for all of its instances."""
        giving_way = {self._pair(r) for r in
                      self._in_circles(self.rules + self.open)
                      if self._strength(r) < NECESSARY}
        wrong = []
        for r in self.rules:
            rule, later, earlier = r
            if later.start is None or self._pair(r) in giving_way or \
                    self.was_none(earlier):
                continue
            if earlier.end is None or earlier.failed or \
                    earlier.end > later.start:
                wrong.append("%s: %s after %s" % (rule, later, earlier))
        return wrong

    def new(self, address):
        return self.world.depends.get(address, ())

    def old(self, address, used, gone=None):
        """Did the one depend on the other by the state, which has the names of
        before a move and, since it was refreshed, those of after?  gone: what
        is done to the object that is meant, a deposed one or the current."""
        return self._means(address, used, address, gone) or \
            self._meant(address, used, gone)

    def _means(self, user, used, address, gone):
        """Does a dependency that the state has of an object, which is at the
        address now, mean that instance, as seen by that user?"""
        return resource_of(user) != resource_of(used) and \
            resource_of(used) in self.state.dependencies(
                self._before(address), gone and gone.key, gone is not None,
                address) and may_mean(user, used)

    def _meant(self, address, used, gone=None):
        """As it was before something moved."""
        return self._means(self._before(address), self._before(used), address,
                           gone)

    def _moved(self, address, used, gone=None):
        """What the name of a rule ends with."""
        return "" if self._means(address, used, address, gone) else MOVED

    def _all(self):
        self.rules, self.open = [], []
        self._pairs()
        for address, made in self.made.items():
            for b in made:
                self._make(address, b)
        for address, gone in self.gone.items():
            for b in gone:
                self._go(address, b)
        for o in self.run.operations.values():
            self._configured(o)
        for address in self.world.checks:
            for data in self.made.get(address, ()):
                self._last(data)

    def _configured(self, b):
        alias = alias_of(b.provider)
        for used, made in self.made.items():
            for a in made:
                if used in self.world.providers.get(alias, ()):
                    self.after("configured", b, a)
                elif resource_of(used) in self.configured.get(alias, ()):
                    self.after_perhaps("configured", b, a)

    def _last(self, data):
        for address, made in self.made.items():
            for o in made:
                if is_managed(address):
                    self.after("check", data, o)

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

    def _may_wait(self, address, used):
        """Does a resource of the one need that of the other?  A program that
        knows dependencies by their names orders some instances for nothing."""
        return resource_of(used) in self.waits.get(resource_of(address), ())

    def _make(self, address, b):
        for used, made in self.made.items():
            for a in made:
                if used in self.new(address):
                    self.after("create", b, a)
                elif self._may_wait(address, used):
                    self.after_perhaps("create", b, a)
        for used, gone in self.gone.items():
            was = self.old(address, used, b)
            if used in self.new(address) or was:
                add = self.after
            elif self._may_wait(address, used):
                add = self.after_perhaps
            else:
                continue
            for a in gone:
                if self.lates[a]:
                    add("last" + self._moved(address, used, b)
                        if was else "last of new", a, b)
                elif self.lates[a] is False:
                    add("gone first", b, a)

    def _by_old(self, address, used, b):
        """How b, which destroys, is ordered by what its object used: one that is
        deposed perhaps also by what the current one does.  None: not at all."""
        if self.old(address, used, b):
            return self.after
        if b.key is not None and self.old(address, used):
            return self.after_perhaps
        return None

    def _go(self, address, b):
        for used, gone in self.gone.items():
            add = self._by_old(address, used, b)
            for a in gone if add else ():
                add("destroy" + self._moved(address, used, b), a, b)
        for used, made in self.made.items():
            add = self._by_old(address, used, b)
            if not add:
                continue
            moved = self._moved(address, used, b)
            for a in made:
                if self.lates[b] is False or a.late is False:
                    add("destroy, update" + moved, a, b)
                elif self.lates[b] is None:
                    self.after_perhaps("destroy, update" + moved, a, b)
                elif self.lates[b] and self._before(used) in \
                        self.state.current:
                    add("late destroy" + moved, b, a)
