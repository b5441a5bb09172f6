"""switched.py - many mutants in one build, of which the environment chooses one

A function stands there once more for each mutant of it, changed, under a name of its
own, and begins with a call of the one that is chosen.  So nothing is built for each,
and several can be tried at once.  What is in no function that looks like one is tried in
a copy of its own.
"""
import os
import re
import threading

from mutant import FLAGS, TOP, Copy, changed, read
from source import FUNCTION

CHOSEN = "TEST_MUTANT"
HEAD = """char *getenv(const char *);
int atoi(const char *);
static int mutant_is(int n)
{
	static int chosen = -1;
	if (chosen < 0)
		chosen = getenv("%s") ? atoi(getenv("%s")) : 0;
	return chosen == n;
}
#line 1
""" % (CHOSEN, CHOSEN)
# Result, name, parameters; what has arrays of functions or "..." is none.
BEGIN = re.compile(r"([\w \t\n*]*?[ \t\n*])(\w+)\(([\w \t\n*,]*)\)\s*\{")


def second(text, n, line, new):
    """The function in which the line is new, as number n, and what calls that."""
    begin = BEGIN.match(text)
    result, name, params = begin.groups()
    given = "" if params.strip() == "void" else ", ".join(
        re.search(r"(\w+)\s*$", p)[1] for p in params.split(","))
    call = "%s__%d(%s);" % (name, n, given)
    void = re.sub(r"\b(static|inline)\b", "", result).split() == ["void"]
    body = changed(line, new)(text)[begin.end():]
    result = re.sub(r"\bstatic\b", "", result)
    return ("static %s%s__%d(%s) {%s" % (result, name, n, params, body),
            "if (mutant_is(%d)) %s" % (n, "{ %s return; }" % call if void
                                       else "return " + call))


def switched(text, mutants):
    """The text of a source with mutants (number, line, new) in it, and the numbers of
    those that are."""
    out, held, end = [], [], 0
    for m in FUNCTION.finditer(text):
        first = text.count("\n", 0, m.start())
        begin = BEGIN.match(m[0])
        made = {n: second(m[0], n, line - first, new) for n, line, new in mutants
                if begin and first < line <= first + m[0].count("\n")}
        if not made:
            continue
        held += made
        out += [text[end:m.start()], begin[0][:-1].rstrip(), ";\n"]
        out += [copy + "\n" for copy, _ in made.values()]
        out += [begin[0], *(call for _, call in made.values()), m[0][begin.end():]]
        end = m.end()
    return HEAD + "".join(out) + text[end:] if held else text, held


class Switched(Copy):
    """held: the numbers, from 1, of the mutants (path, line, old, new) that it has;
    wrong: of those that do not build."""

    def __init__(self, path, mutants, verbose):
        self.mutants, self.held, self.wrong = mutants, set(), set()
        self.one, self.lock = None, threading.Lock()
        super().__init__(path, verbose)

    def put(self):
        self.held = set()
        for path in {m[0] for m in self.mutants}:
            text, held = switched(read(os.path.join(TOP, path)), [
                (n, line, new) for n, (p, line, _, new) in enumerate(self.mutants, 1)
                if p == path and n not in self.wrong])
            self.held |= set(held)
            if read(os.path.join(self.top, path)) != text:
                with open(os.path.join(self.top, path), "w") as f:
                    f.write(text)

    def of_mutant(self, n, tests, again):
        """Verdicts, as of with_mutant."""
        path, line, _, new = self.mutants[n - 1]
        if n in self.wrong:
            return None
        if n in self.held:
            return self.verdicts(tests, again, given={CHOSEN: str(n)})
        with self.lock:
            self.one = self.one or Copy(os.path.join(self.top, "one"), self.verbose)
            return self.one.with_mutant(path, changed(line, new), tests, again)

    def of_error(self, path, line):
        """The number of the mutant in which the compiler has found an error."""
        text = read(os.path.join(self.build, path)).removeprefix(HEAD)
        before = "".join(text.splitlines(True)[:int(line)])
        return int(re.findall(r"__(\d+)\([^;{}]*\) \{", before)[-1])

    def make(self, test=None):
        while True:
            self.put()
            ok, said = self.make_said(["-k", "all-tested"], FLAGS)
            bad = {self.of_error(*e) for e in
                   re.findall(r"^(\S+\.c):(\d+):\d+: error", said, re.M)}
            if not bad - self.wrong:
                break
            self.wrong |= bad
        if not ok or self.verbose:
            print(said)
        return ok
