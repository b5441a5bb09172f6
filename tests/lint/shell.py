"""shell.py - reads bash as far as bats files need it: a tree with line numbers

    parse(text) -> List

A List holds AndOrs, an AndOr Pipelines joined by && and ||, a Pipeline
commands: Simple, Compound or Function.  A Word is source text and the lists of
the $( ), <( ) and ` ` in it.  Here-documents are skipped, [[ ]] and (( ))
are Simple commands whose first word says so.
"""

import re


class Node:
    def __init__(self, **members):
        self.__dict__.update(members)


class Word(Node):
    """text, line, subs: [(opening, List)]"""


class Simple(Node):
    """assigns, words: [Word]; redirects: [(operator, Word)]; line"""


class Compound(Node):
    """kind ({ ( if while until for case); conditions, bodies: [List];
    words (of for and case): [Word]; redirects; line"""


class Function(Node):
    """name, body: a command; test: whether it is an @test; line"""


class Pipeline(Node):
    """negated, commands, line"""


class AndOr(Node):
    """pipelines; operators between them; background; line"""


class List(Node):
    """items: [AndOr]"""


class SyntaxTrouble(Exception):
    pass


CLOSERS = {"}", ")", "then", "do", "done", "fi", "else", "elif", "esac", ";;"}
ASSIGNMENT = re.compile(r"\w+(\[[^]]*\])?\+?=")
OPERATORS = ("&&", "||", ";;", "<<<", "<<-", "<<", "<&", ">&", "&>>", "&>",
             "<>", ">>", ">|", "|&", "|", "&", ";", "<", ">", "(", ")")


def parse(text):
    p = Parser(text)
    tree = p.list()
    if p.pos < len(text):
        p.fail("what is left over")
    return tree


class Parser:
    def __init__(self, text):
        self.text, self.pos, self.documents = text, 0, []

    def fail(self, what):
        raise SyntaxTrouble("line %d: not understood: %s: %r" % (
            self.line(), what, self.text[self.pos:self.pos + 30]))

    def line(self):
        return self.text.count("\n", 0, self.pos) + 1

    # --- characters ---

    def at(self, s):
        return self.text.startswith(s, self.pos)

    def blanks(self):
        while True:
            m = re.compile(r"[ \t]+|\\\n|(?<![^\s;&|()])#[^\n]*").match(
                self.text, self.pos)
            if not m or not m.group():
                return
            self.pos = m.end()

    def newline(self):
        self.pos += 1
        for tabs, end in self.documents:
            while self.pos < len(self.text):
                stop = self.text.find("\n", self.pos)
                stop = len(self.text) if stop < 0 else stop
                got = self.text[self.pos:stop]
                self.pos = stop + 1
                if (got.lstrip("\t") if tabs else got) == end:
                    break
        self.documents = []

    def gaps(self):
        """blanks, comments and line ends"""
        while True:
            self.blanks()
            if not self.at("\n"):
                return
            self.newline()

    def operator(self):
        for o in OPERATORS:
            if self.at(o):
                return o
        return None

    def peek(self):
        """the word that comes, if it is plain: for keywords"""
        m = re.compile(r"[^\s;&|()<>\"'`$\\]+").match(self.text, self.pos)
        return m.group() if m else ""

    def take(self, word):
        self.gaps()
        if self.peek() != word and not (word in "(){}" and self.at(word)):
            self.fail("'%s' is missing" % word)
        self.pos += len(word)

    # --- words ---

    def quoted(self, subs):
        """a "..." with what is in it; the position is at the opening quote"""
        self.pos += 1
        while not self.at('"'):
            if self.pos >= len(self.text):
                self.fail("an open quote")
            self.part(subs)
        self.pos += 1

    def part(self, subs):
        """one character, escape, quotation or expansion"""
        if self.at("\\"):
            self.pos += 2
        elif self.at("$(("):
            self.arithmetic(3)
        elif self.at("$("):
            self.substitution(2, subs)
        elif self.at("${"):
            self.pos += 2
            while not self.at("}"):
                if self.at('"'):
                    self.quoted(subs)
                else:
                    self.part(subs)
            self.pos += 1
        elif self.at("`"):
            end = self.text.index("`", self.pos + 1)
            subs.append(("`", parse(self.text[self.pos + 1:end])))
            self.pos = end + 1
        else:
            self.pos += 1

    def arithmetic(self, skip):
        self.pos += skip
        depth = 2
        while depth:
            depth += {"(": 1, ")": -1}.get(self.text[self.pos], 0)
            self.pos += 1

    def substitution(self, skip, subs):
        opening = self.text[self.pos:self.pos + skip]
        self.pos += skip
        subs.append((opening, self.list()))
        self.take(")")

    def word(self):
        start, line, subs = self.pos, self.line(), []
        while self.pos < len(self.text):
            if self.text[self.pos] in "<>" and \
                    self.text[self.pos + 1:self.pos + 2] == "(":
                self.substitution(2, subs)
            elif self.text[self.pos] == "(" and ASSIGNMENT.fullmatch(
                    self.text[start:self.pos]):
                self.pos += 1
                self.gaps()
                while not self.at(")"):
                    subs += self.word().subs
                    self.gaps()
                self.pos += 1
            elif self.text[self.pos] in " \t\n;&|()<>":
                break
            elif self.at("$'"):
                self.pos = re.compile(r"\$'(\\.|[^'\\])*'", re.S).match(
                    self.text, self.pos).end()
            elif self.at("'"):
                self.pos = self.text.index("'", self.pos + 1) + 1
            elif self.at('"'):
                self.quoted(subs)
            else:
                self.part(subs)
        if self.pos == start:
            self.fail("a word")
        return Word(text=self.text[start:self.pos], line=line, subs=subs)

    # --- commands ---

    def list(self):
        items = []
        while True:
            self.gaps()
            if self.pos >= len(self.text) or self.peek() in CLOSERS or \
                    self.at(")") or self.at(";;"):
                return List(items=items)
            items.append(self.and_or())
            self.blanks()
            if self.at(";") and not self.at(";;"):
                self.pos += 1

    def and_or(self):
        line = self.line()
        pipelines, operators = [self.pipeline()], []
        while True:
            self.blanks()
            if not self.at("&&") and not self.at("||"):
                break
            operators.append(self.text[self.pos:self.pos + 2])
            self.pos += 2
            self.gaps()
            pipelines.append(self.pipeline())
        background = self.at("&")
        if background:
            self.pos += 1
        return AndOr(pipelines=pipelines, operators=operators, line=line,
                     background=background)

    def pipeline(self):
        line, negated = self.line(), False
        while self.peek() == "!":
            negated = not negated
            self.pos += 1
            self.blanks()
        commands = [self.command()]
        while True:
            self.blanks()
            if not self.at("|") or self.at("||"):
                break
            self.pos += 2 if self.at("|&") else 1
            self.gaps()
            commands.append(self.command())
        return Pipeline(negated=negated, commands=commands, line=line)

    def command(self):
        self.blanks()
        word = self.peek()
        if word == "@test":
            return self.test()
        if self.at("(("):
            return self.arithmetic_command()
        if self.at("(") or word in ("{", "if", "while", "until", "for",
                                    "case"):
            return self.compound("(" if self.at("(") else word)
        if word == "[[":
            return self.condition()
        m = re.compile(r"([\w-]+)[ \t]*\(\)").match(self.text, self.pos)
        if m:
            line, self.pos = self.line(), m.end()
            self.gaps()
            return Function(name=m.group(1), body=self.command(), line=line,
                            test=False)
        return self.simple()

    def test(self):
        line = self.line()
        self.pos += len("@test")
        self.blanks()
        name = self.word().text[1:-1]
        self.gaps()
        return Function(name=name, body=self.command(), line=line, test=True)

    def arithmetic_command(self):
        start, line = self.pos, self.line()
        self.arithmetic(2)
        word = Word(text=self.text[start:self.pos], line=line, subs=[])
        return Simple(assigns=[], line=line, redirects=[], words=[
            Word(text="((", line=line, subs=[]), word])

    def condition(self):
        line, words = self.line(), []
        while not words or words[-1].text != "]]":
            self.gaps()
            if self.text[self.pos] in "()<>&|" and \
                    not re.match(r"[<>]\(", self.text[self.pos:]):
                size = 2 if self.operator() in ("&&", "||") else 1
                words.append(Word(text=self.text[self.pos:self.pos + size],
                                  line=self.line(), subs=[]))
                self.pos += size
            else:
                words.append(self.word())
        return Simple(assigns=[], words=words, line=line,
                      redirects=self.redirects())

    def redirect(self):
        """a redirection, or None: nothing is taken"""
        m = re.compile(r"\d*(<<<|<<-|<<|<&|>&|&>>|&>|<>|>>|>\||<|>)(?!\()"
                       ).match(self.text, self.pos)
        if not m:
            return None
        self.pos = m.end()
        self.blanks()
        target = self.word()
        if m.group(1) in ("<<", "<<-"):
            self.documents.append((m.group(1) == "<<-",
                                   re.sub(r"[\"'\\]", "", target.text)))
        return (m.group(1), target)

    def redirects(self):
        found = []
        while True:
            self.blanks()
            r = self.redirect()
            if not r:
                return found
            found.append(r)

    def simple(self):
        line, assigns, words, redirects = self.line(), [], [], []
        while True:
            self.blanks()
            r = self.redirect()
            if r:
                redirects.append(r)
                continue
            if self.pos >= len(self.text) or self.at("\n") or (
                    self.operator() and not self.at("<(") and
                    not self.at(">(")):
                break
            w = self.word()
            if not words and ASSIGNMENT.match(w.text):
                assigns.append(w)
            else:
                words.append(w)
        if not words and not assigns and not redirects:
            self.fail("a command")
        return Simple(assigns=assigns, words=words, redirects=redirects,
                      line=line)

    def compound(self, kind):
        line = self.line()
        self.pos += len(kind)
        c = Compound(kind=kind, conditions=[], bodies=[], words=[], line=line)
        getattr(self, {"{": "group", "(": "subshell", "until": "while_"}.get(
            kind, kind + "_"))(c)
        c.redirects = self.redirects()
        return c

    def group(self, c):
        c.bodies.append(self.list())
        self.take("}")

    def subshell(self, c):
        c.bodies.append(self.list())
        self.take(")")

    def if_(self, c):
        while True:
            c.conditions.append(self.list())
            self.take("then")
            c.bodies.append(self.list())
            if self.peek() != "elif":
                break
            self.pos += 4
        if self.peek() == "else":
            self.pos += 4
            c.bodies.append(self.list())
        self.take("fi")

    def while_(self, c):
        c.conditions.append(self.list())
        self.take("do")
        c.bodies.append(self.list())
        self.take("done")

    def for_(self, c):
        self.blanks()
        self.word()
        self.blanks()
        if self.peek() == "in":
            self.pos += 2
            self.blanks()
            while not self.at(";") and not self.at("\n"):
                c.words.append(self.word())
                self.blanks()
        self.blanks()
        if self.at(";"):
            self.pos += 1
        self.take("do")
        c.bodies.append(self.list())
        self.take("done")

    def case_(self, c):
        self.blanks()
        c.words.append(self.word())
        self.take("in")
        while True:
            self.gaps()
            if self.peek() == "esac":
                break
            while not self.at(")"):
                self.blanks()
                if self.at("|") or self.at("("):
                    self.pos += 1
                else:
                    self.word()
            self.pos += 1
            c.bodies.append(self.list())
            self.gaps()
            if self.at(";;"):
                self.pos += 2
        self.take("esac")
