"""reduce.py - makes a case small that shows a kind of difference"""
import case as cases
from tree import DROP, Attr, Block, Expr, File, Item, children, walk

LITERALS = {"string": '"a"', "number": "1", "bool": "true"}


class Reducer:
    """At most `budget` runs of both programs."""

    def __init__(self, judge, slot, kind, budget):
        self.judge, self.slot, self.kind = judge, slot, kind
        self.left = budget

    def shows(self, case):
        if self.left <= 0:
            return False
        self.left -= 1
        try:
            script = case.script()
        except Exception: # edits that do not go together
            return False
        if not any(s["op"] == "run" for s in script):
            return False
        return any(f.kind == self.kind
                   for f in self.judge.findings(case, self.slot))

    def reduce(self, case):
        found = [f for f in self.judge.findings(case, self.slot)
                 if f.kind == self.kind]
        if not found:
            return None
        case = with_steps(case, case.steps[:found[0].step + 1])
        size = None
        while self.left > 0 and size != measure(case):
            size = measure(case)
            case = self.fewer_steps(case)
            for wanted in (File, Block, (Attr, Item)):
                case = self.fewer(case, lambda n: isinstance(n, wanted))
            case = self.fewer_options(case)
            case = self.simpler(case)
        return case

    def fewer_steps(self, case):
        def of(steps):
            return with_steps(case, steps)
        return of(self.minimal(case.steps, of))

    def fewer(self, case, wanted):
        """Leaves out nodes of a kind."""
        ids = numbers(case, wanted)

        def of(kept):
            gone = set(ids) - set(kept)
            edits = dict(case.edits)
            edits.update((i, DROP) for i in gone)
            return cases.Case(case.seed, case.versions, case.steps, edits)
        return of(self.minimal(ids, of))

    def minimal(self, items, of):
        """Fewer and fewer of the items, as long as of(items) shows it."""
        chunk = max(len(items) // 2, 1)
        while items and self.left > 0:
            n = 0
            while n < len(items):
                fewer = items[:n] + items[n + chunk:]
                if self.shows(of(fewer)):
                    items = fewer
                else:
                    n += chunk
            if chunk == 1:
                break
            chunk = max(chunk // 2, 1)
        return items

    def fewer_options(self, case):
        for n, s in enumerate(case.steps):
            for word in [a for a in s.get("args", []) if a[0] == "-"]:
                less = dict(s, args=[a for a in case.steps[n]["args"]
                                     if a != word])
                smaller = with_steps(case, case.steps[:n] + [less] +
                                     case.steps[n + 1:])
                if word not in ("-json", "-auto-approve") and \
                        self.shows(smaller):
                    case = smaller
        return case

    def simpler(self, case):
        """Literals, or parts, in place of expressions."""
        for e in expressions(case):
            if self.left <= 0:
                break
            if e.id in case.edits or not any(
                    isinstance(p, (Expr, Item)) for p in e.parts) and \
                    e.kind != "ref":
                continue
            for edit in ways(e):
                edits = dict(case.edits)
                edits[e.id] = edit
                smaller = cases.Case(case.seed, case.versions, case.steps,
                                     edits)
                if self.shows(smaller):
                    case = smaller
                    break
        return case


def ways(e):
    if e.type in LITERALS:
        yield "lit", LITERALS[e.type]
    elif e.type:
        yield "lit", "{}" if e.type[0] in ("map", "object") else "[]"
    for p in e.parts:
        inner = p.value if isinstance(p, Item) else p
        if isinstance(inner, Expr):
            yield "sub", inner.id


def with_steps(case, steps):
    return cases.Case(case.seed, case.versions, list(steps), case.edits)


def used(case):
    return sorted({s["version"] for s in case.steps if s["op"] == "files"})


def live(case):
    """Nodes that are still there, by number."""
    out = {}
    for n in used(case):
        for f in case.versions[n].values():
            collect(f, case.edits, out)
    return out


def collect(node, edits, out):
    edit = edits.get(node.id)
    if edit == DROP or edit and edit[0] == "lit":
        return
    if edit:
        node = next((n for n in walk(node) if n.id == edit[1]), node)
    out.setdefault(node.id, node)
    for c in children(node):
        collect(c, edits, out)


def numbers(case, wanted):
    return [i for i, n in live(case).items() if wanted(n)]


def expressions(case):
    return [n for n in live(case).values() if isinstance(n, Expr)]


def measure(case):
    return sum(len(str(s)) for s in case.script())
