"""rules.py - what a bats file may not hold: lines that cannot fail

    check(name, text, [text of a file it loads]...) -> [(line, rule)]

bats runs tests under `set -e`.  A command's failure then goes unnoticed where
the shell is asked to test it (before && and ||, after !, in a condition, under
run and in $( )), and in functions called there.  MESSAGES says each rule.
"""

import re

import shell
from walk import (commands_in, functions_in, literal, name_of, run_of,
                  words_of)

MESSAGES = {
    "dead-not": "`! command` cannot fail a test: run -1 command",
    "dead-and": "`a && b` passes when a fails: two lines",
    "dead-or": "what this finds is thrown away",
    "run-not": "`run !` takes a crash for a refusal: run -1, or the status",
    "run-unread": "the status is not looked at, nor what there ought to be "
                  "in the output: run -0",
    "helper-deaf": "called where failures are ignored, so this line must "
                   "say || return 1",
    "run-in-pipe": "what run found is lost in a pipe",
    "pipe-unread": "nothing reads what comes through the pipe",
    "pipe-in-string": "the status of all but the last part is lost: "
                      "bash -o pipefail -c",
    "no-pipefail": "the file must `load common` (or provider): with it a "
                   "pipe fails with any of its parts",
    "early-end": "the reader may leave before its writer is done, which then "
                 "fails: grep -c, sed -n 1p",
    "jq-unread": "jq prints false and succeeds: jq -e",
    "background-3": "what is left behind keeps bats waiting for ever: 3>&- &",
    "bare-wait": "`wait` succeeds always: wait PID",
    "masked-status": "local and export hide the status of $( )",
    "two-substitutions": "equal when both fail: compare with something known",
    "empty-substitution": "empty when the command fails: run -0, then "
                          '[ -z "$output" ]',
    "unequal-substitution": "unequal when the command fails: keep the value "
                            "in a variable",
    "unquoted-n": "true when the variable is empty: quote it",
    "constant": "a test of a constant",
    "maybe-empty": "passes when the list is empty: keep it in a variable, "
                   "see that it holds something, or count the rounds",
    "skip-reason": "skip without a reason",
    "peer-demanded": "CI has no tofu, so this would fail there: need_peer",
    "skip-failure": "a failure is not a reason to skip: test what is missing",
    "no-assertion": "a test that says nothing of what is to be",
}

CHECKS = {"[", "[[", "test", "((", "grep", "diff", "cmp", "false"}
WAYS_OUT = {"return", "break", "continue", "exit", "skip", "false"}
RESULT = re.compile(r"\$\{?#?!?(status|output|lines|stderr)\b")


def known(tree):
    """whether a substitution only writes down what it is given"""
    return all(name_of(c) in ("echo", "printf") for c in commands_in(tree))


def substituted(word):
    """whether a word is the output of a command and nothing else"""
    return re.fullmatch(r'"?[$<]\(.*\)"?', word.text, re.S) and \
        len(word.subs) == 1 and not known(word.subs[0][1])


def check_of(command):
    """whether a simple command is one that fails where something is wrong"""
    name = name_of(command)
    if name == "run":
        return run_of(command)[0] != ""
    if name == "jq":
        return any(re.fullmatch(r"-[a-zA-Z]*e[a-zA-Z]*", w.text)
                   for w in command.words)
    return name in CHECKS


def says_what_is_there(c):
    """whether a command is a look at the system, not at what a tool did"""
    return name_of(c) in ("[", "[[", "test", "command") and not any(
        RESULT.search(w.text) for w in c.words)


class File:
    """What is found in one file."""

    def __init__(self, text, loaded):
        self.found = []
        self.functions = {}
        for t in loaded:
            for f in functions_in(shell.parse(t)):
                self.functions[f.name] = f
        self.own = shell.parse(text)
        self.own_functions = list(functions_in(self.own))
        for f in self.own_functions:
            self.functions[f.name] = f
        self.asserting = self.closure(check_of)
        self.reading = self.closure(lambda c: any(
            RESULT.search(w.text) for w in words_of(c)) and name_of(c) != "run")
        self.deaf = {}

    def closure(self, has):
        """names of the functions that hold such a command, or call one"""
        names = set()
        while True:
            more = {n for n, f in self.functions.items()
                    if n not in names and any(
                        isinstance(c, shell.Simple) and
                        (has(c) or self.called(c) & names)
                        for c in commands_in(f.body))}
            if not more:
                return names
            names |= more

    def called(self, command):
        """the functions that a simple command runs: itself, or by a helper"""
        words = [w.text for w in command.words]
        if words[:1] == ["run"]:
            words = [w.text for w in run_of(command)[1]]
        names = {words[0]} if words else set()
        while words and words[0] in self.functions and \
                self.forwards(words[0]):
            words = words[1:]
            names |= set(words[:1])
        return names & set(self.functions)

    def forwards(self, name):
        """whether a function runs its arguments"""
        return any(name_of(c) in ('"$@"', '"$1"', '"${command[@]}"')
                   for c in commands_in(self.functions[name].body))

    def say(self, line, rule):
        if (line, rule) not in self.found:
            self.found.append((line, rule))

    # --- functions called where the shell ignores failures ---

    def find_deaf(self):
        for f in self.functions.values():
            self.deaf_list(f.body, False)

    def make_deaf(self, name, line):
        if name not in self.deaf:
            self.deaf[name] = line
            self.deaf_list(self.functions[name].body, True)

    def deaf_list(self, node, off):
        if isinstance(node, shell.List):
            for ao in node.items:
                self.deaf_and_or(ao, off)
        elif isinstance(node, shell.Compound):
            for c in node.conditions:
                self.deaf_list(c, True)
            for b in node.bodies:
                self.deaf_list(b, off)
            self.deaf_words(node)
        elif isinstance(node, shell.Simple):
            self.deaf_words(node)
            names = self.called(node)
            if name_of(node) == "run":
                off = True
            elif node.words and name_of(node) in self.functions and \
                    self.ignores_its_command(name_of(node)):
                names, off = names - {name_of(node)}, True
            if off:
                for n in names:
                    self.make_deaf(n, node.line)

    def deaf_and_or(self, ao, off):
        for i, p in enumerate(ao.pipelines):
            for c in p.commands:
                self.deaf_list(c, off or p.negated or
                               i + 1 < len(ao.pipelines))

    def deaf_words(self, node):
        for w in words_of(node):
            for _, sub in w.subs:
                self.deaf_list(sub, True)

    def ignores_its_command(self, name):
        """whether a function runs its arguments where failures are ignored"""
        def search(node, off):
            if isinstance(node, shell.List):
                return any(search(i, off) for i in node.items)
            if isinstance(node, shell.AndOr):
                return any(search(c, off or p.negated or
                                  i + 1 < len(node.pipelines))
                           for i, p in enumerate(node.pipelines)
                           for c in p.commands)
            if isinstance(node, shell.Compound):
                return any(search(c, True) for c in node.conditions) or \
                    any(search(b, off) for b in node.bodies)
            return off and name_of(node) in ('"$@"', '"${command[@]}"')
        return search(self.functions[name].body, False)

    # --- statements ---

    def statements(self, node, used, deaf):
        """used: the status of the last one is that of the whole"""
        if isinstance(node, shell.List):
            for i, ao in enumerate(node.items):
                self.and_or(ao, used and i + 1 == len(node.items), deaf)
        elif isinstance(node, shell.Compound):
            for c in node.conditions:
                self.condition(c, deaf)
            for b in node.bodies:
                self.statements(b, node.kind == "(" or
                                used and node.kind != "(" and
                                node.kind not in ("for", "while", "until"),
                                deaf)
            self.loop(node)
            self.simple(node)
        elif isinstance(node, shell.Function):
            if node in self.own_functions:
                self.statements(node.body, True, node.name in self.deaf)
        else:
            self.simple(node)

    def condition(self, node, deaf):
        for ao in node.items:
            for p in ao.pipelines:
                self.pipeline(p, deaf, False, True)

    def and_or(self, ao, last, deaf):
        end = ao.pipelines[-1]
        name = name_of(end.commands[-1])
        guarded = ao.operators[-1:] == ["||"]
        if end.negated:
            self.say(end.line, "dead-not")
        elif ao.operators[-1:] == ["&&"] and not last and \
                name not in WAYS_OUT:
            self.say(ao.line, "dead-and")
        thrown = guarded and name in ("true", ":", "echo", "printf")
        if thrown and any(check_of(p.commands[-1])
                          for p in ao.pipelines[:-1]
                          if isinstance(p.commands[-1], shell.Simple)):
            self.say(ao.line, "dead-or")
        if name == "skip" and guarded and not all(
                says_what_is_there(p.commands[-1])
                for p in ao.pipelines[:-1]):
            self.say(ao.line, "skip-failure")
        if deaf and not last and len(ao.pipelines) == 1 and \
                isinstance(end.commands[-1], shell.Simple) and (
                    check_of(end.commands[-1]) or
                    self.called(end.commands[-1]) & self.asserting):
            self.say(ao.line, "helper-deaf")
        for p in ao.pipelines:
            self.pipeline(p, deaf, thrown, last)

    def pipeline(self, p, deaf, thrown, last):
        for i, c in enumerate(p.commands):
            self.statements(c, last, deaf)
            if name_of(c) == "run" and len(p.commands) > 1:
                self.say(c.line, "run-in-pipe")
            if i and any(op in ("<", "<<", "<<-", "<<<")
                         for op, _ in c.redirects):
                self.say(c.line, "pipe-unread")
            if i and not thrown and self.leaves_early(c) and not all(
                    name_of(b) in ("echo", "printf", "tail")
                    for b in p.commands[:i]):
                self.say(c.line, "early-end")

    def leaves_early(self, c):
        words = [w.text for w in getattr(c, "words", [])]
        if name_of(c) == "head":
            return not any(re.fullmatch(r"-[nc]?-\d+", w) or
                           re.fullmatch(r'-.*', v) and
                           re.fullmatch(r"-\d+", w)
                           for v, w in zip(words, words[1:]))
        if name_of(c) == "grep": # GNU grep does as -q if nothing is read
            return ("/dev/null" in (w.text for _, w in c.redirects)) or any(re.fullmatch(r"-[a-zA-Z]*[qm][a-zA-Z0-9]*", w)
                       for w in words)
        return False

    def loop(self, node):
        if node.kind == "for":
            sources = [s for w in node.words for s in w.subs]
        elif node.kind in ("while", "until"):
            sources = [s for op, w in node.redirects for s in w.subs
                       if op == "<" and s[0] == "<("]
        else:
            return
        first = [name_of(c) for _, s in sources for c in commands_in(s)][:1]
        counted = any(re.match(r"(\w+)=\$\(\(\1 \+ 1\)\)", w.text)
                      for b in node.bodies for c in commands_in(b)
                      for w in getattr(c, "assigns", []))
        if sources and first not in (["seq"], ["echo"], ["printf"]) and \
                not counted:
            self.say(node.line, "maybe-empty")

    # --- simple commands ---

    def simple(self, c):
        for w in words_of(c):
            for opening, sub in w.subs:
                self.substitution(sub)
        name = name_of(c)
        words = c.words
        if name == "run":
            demanded, words = run_of(c)
            if demanded == "!":
                self.say(c.line, "run-not")
            name = words[0].text if words else ""
        if name == "wait" and len(words) == 1:
            self.say(c.line, "bare-wait")
        elif name == "skip" and not "".join(
                w.text for w in words[1:]).strip("\"' "):
            self.say(c.line, "skip-reason")
        elif name in ("need", "cannot") and any(
                re.search(r"\btofu\b", w.text) for w in words[1:]):
            self.say(c.line, "peer-demanded")
        elif name in ("local", "export", "declare", "readonly"):
            if any(s[0] == "$(" for w in words for s in w.subs):
                self.say(c.line, "masked-status")
        elif name in ("cmp", "diff"):
            if sum(bool(substituted(w)) for w in words) > 1:
                self.say(c.line, "two-substitutions")
        elif name in ("bash", "sh"):
            self.script(c.line, words)
        elif name in ("[", "[[", "test"):
            self.test(c.line, words)

    def substitution(self, tree):
        for ao in tree.items:
            for p in ao.pipelines:
                self.pipeline(p, True, False, True)

    def script(self, line, words):
        texts = [w.text for w in words]
        if "-c" not in texts or "pipefail" in texts:
            return
        text = literal(words[texts.index("-c") + 1])
        if text is None or "pipefail" in text:
            return
        if words[texts.index("-c") + 1].text[0] == '"':
            text = re.sub(r'\\([\\$"`])', r"\1", text)
        for p in (p for ao in shell.parse(text).items for p in ao.pipelines):
            if any(name_of(b) not in ("echo", "printf")
                   for b in p.commands[:-1]):
                self.say(line, "pipe-in-string")

    def test(self, line, words):
        part = []
        for w in words[1:]:
            if w.text in ("&&", "||", "]", "]]", "-a", "-o", "(", ")"):
                self.test_part(line, words[0].text, part)
                part = []
            else:
                part.append(w)

    def test_part(self, line, kind, part):
        while part and part[0].text == "!":
            part = part[1:]
        texts = [w.text for w in part]
        if len(part) == 1 and "$" not in texts[0]:
            self.say(line, "constant")
        elif len(part) == 2 and texts[0] == "-z" and substituted(part[1]):
            self.say(line, "empty-substitution")
        elif len(part) == 2 and texts[0] == "-n" and kind != "[[" and \
                texts[1].startswith("$"):
            self.say(line, "unquoted-n")
        elif len(part) == 3 and texts[1] in ("=", "=="):
            both = [w for w in (part[0], part[2]) if substituted(w)]
            if len(both) == 2:
                self.say(line, "two-substitutions")
            elif both and {texts[0], texts[2]} & {"''", '""'}:
                self.say(line, "empty-substitution")
        elif len(part) == 3 and texts[1] in ("!=", "-ne") and any(
                substituted(w) for w in (part[0], part[2])):
            self.say(line, "unequal-substitution")

    # --- what is printed and not looked at; run ---

    def unread(self, node):
        """jq as the end of a statement, its output going nowhere"""
        if any(op in (">", ">>") for op, _ in
               getattr(node, "redirects", [])):
            return
        if isinstance(node, shell.List):
            for ao in node.items:
                if len(ao.pipelines) == 1:
                    self.unread(ao.pipelines[0].commands[-1])
        elif isinstance(node, shell.Compound):
            for b in node.bodies:
                self.unread(b)
        elif name_of(node) == "jq" and not check_of(node):
            self.say(node.line, "jq-unread")

    def runs(self, body):
        """[line of a run | "good" | "bad"] in order: what is asked of each"""
        events = []
        for c in commands_in(body):
            if not isinstance(c, shell.Simple):
                continue
            name = name_of(c)
            if name == "run":
                demanded, words = run_of(c)
                if demanded == "-0" and any(RESULT.search(w.text)
                                            for w in words_of(c)):
                    events.append("good")
                events.append(("run", c.line, demanded != ""))
            elif name in ("[", "[[", "test"):
                events += self.looks(c)
            elif any(RESULT.search(w.text) for w in words_of(c)) or \
                    self.called(c) & self.reading - self.running:
                events.append("good")
            elif self.called(c) & self.running:
                events.append(("run", c.line, False))
        return events

    def looks(self, c):
        part = []
        for w in c.words[1:]:
            if w.text not in ("&&", "||", "]", "]]"):
                part.append(w.text)
                continue
            m = [RESULT.search(t) for t in part]
            if any(x and x.group(1) == "status" for x in m):
                yield "good"
            elif any(m) and not {"!", "!=", "-z"} & set(part):
                yield "good"
            part = []
        if any(s for w in c.words for s in w.subs) and any(
                self.called(x) & self.reading
                for w in c.words for _, s in w.subs
                for x in commands_in(s) if isinstance(x, shell.Simple)):
            yield "good"

    def check_runs(self):
        self.running = set()
        while True: # functions that end in a run leave it to their callers
            more = set()
            for n, f in self.functions.items():
                events = self.runs(f.body)
                if n not in self.running and not f.test and events and \
                        events[-1] != "good" and not events[-1][2]:
                    more.add(n)
            if not more:
                break
            self.running |= more
        for f in self.own_functions:
            events = self.runs(f.body)
            for i, e in enumerate(events):
                after = events[i + 1] if i + 1 < len(events) else None
                if e == "good" or e[2] or after == "good" or (
                        after is None and f.name in self.running):
                    continue
                self.say(e[1], "run-unread")


def check(text, loaded, main=True):
    f = File(text, loaded)
    f.find_deaf()
    f.statements(f.own, False, False)
    f.check_runs()
    for t in f.own_functions:
        if not t.test:
            continue
        f.unread(t.body)
        if not any(check_of(c) or f.called(c) & f.asserting
                   for c in commands_in(t.body)
                   if isinstance(c, shell.Simple)):
            f.say(t.line, "no-assertion")
    for n, line in enumerate(text.splitlines(), 1):
        if re.search(r"[^&>] &( # bad.*)?$", line) and "3>&-" not in line:
            f.say(n, "background-3")
    if main and not re.search(r"^load (common|provider)$", text, re.M):
        f.say(1, "no-pipefail")
    return sorted(f.found)
