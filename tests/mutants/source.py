"""source.py - functions and expressions of the sources, found whatever their layout"""
import functools
import os
import re

from mutant import TOP, read

TOKEN = re.compile(
    r'(?P<space>\s+|\\\n|/\*.*?\*/|//[^\n]*)'
    r'|"(?:\\[^\n]|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\w+'
    r'|->|\+\+|--|<<=|>>=|<<|>>|\.\.\.|&&|\|\||[-+*/%&|^!=<>]=|.', re.S)
FUNCTION = re.compile(
    r"^(?!typedef\b|struct \w+ \{|enum \{)[a-z][\w \t\n*]*?[ \t\n*](\w+)\([^;{}]*\)\s*\n?\{.*?^\}",
    re.M | re.S)


def tokens(text):
    """The tokens of C, each (text, begin, end); comments and spaces are none, and
    strings beside one another are one."""
    found = []
    for m in TOKEN.finditer(text):
        if m["space"] is not None:
            continue
        if found and len(m[0]) > 1 and m[0][0] == found[-1][0][0] == '"' != found[-1][0]:
            before, begin, _ = found.pop()
            found.append((before[:-1] + m[0][1:], begin, m.end()))
        else:
            found.append((m[0], m.start(), m.end()))
    return found


@functools.lru_cache(None)
def functions():
    """name -> the files of lib and tools that define it"""
    found = {}
    for folder in ("lib", "tools"):
        for at, _, names in os.walk(os.path.join(TOP, folder)):
            for name in names:
                if not name.endswith((".c", ".h")):
                    continue
                path = os.path.relpath(os.path.join(at, name), TOP)
                for m in FUNCTION.finditer(read(os.path.join(TOP, path))):
                    found.setdefault(m[1], []).append(path)
    return found


def within(text, function):
    """The part of a file that is the function (all of it, if that is None)."""
    if function is None:
        return 0, len(text)
    found = [m.span() for m in FUNCTION.finditer(text) if m[1] == function]
    return found[0] if len(found) == 1 else (0, 0)


def places(text, function, expression):
    """Where the expression stands in the function: pairs of begin and end."""
    begin, end = within(text, function)
    have = tokens(text[begin:end])
    want = [t[0] for t in tokens(expression)]
    names = [t[0] for t in have]
    return [(begin + have[i][1], begin + have[i + len(want) - 1][2])
            for i in range(len(have) - len(want) + 1)
            if want and names[i:i + len(want)] == want]


def locate(place):
    """"function", "file.c function" or "path" -> path, function; None: which one?"""
    if "/" in place:
        return place, None
    name, _, function = place.rpartition(" ")
    paths = [p for p in functions().get(function, ())
             if not name or p.endswith("/" + name)]
    return (paths[0], function) if len(paths) == 1 else (None, function)
