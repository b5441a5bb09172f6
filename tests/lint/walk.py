"""walk.py - what there is in a tree of shell.py"""

import shell


def literal(word):
    """the text of a word that is quoted as a whole, or None"""
    t = word.text
    if t[:1] in "'\"" and len(t) > 1 and t[-1] == t[0]:
        return t[1:-1]
    return None


def name_of(command):
    if isinstance(command, shell.Simple) and command.words:
        return command.words[0].text
    return ""


def run_of(command):
    """of a `run`: (the status it demands or "", the words of its command)"""
    words, demanded = command.words[1:], ""
    while words and (words[0].text == "!" or words[0].text.startswith("-")):
        if words[0].text == "!" or words[0].text[1:].isdigit():
            demanded = words[0].text
        words = words[1:]
        if demanded and not words:
            break
    return demanded, words


def commands_in(node):
    """all commands below a node, in order, functions' bodies left out"""
    if isinstance(node, shell.List):
        for i in node.items:
            yield from commands_in(i)
    elif isinstance(node, shell.AndOr):
        for p in node.pipelines:
            for c in p.commands:
                yield from commands_in(c)
    elif isinstance(node, shell.Compound):
        for part in node.conditions + node.bodies:
            yield from commands_in(part)
        yield node
    elif isinstance(node, shell.Simple):
        for w in words_of(node):
            for _, sub in w.subs:
                yield from commands_in(sub)
        yield node


def words_of(c):
    found = list(getattr(c, "assigns", [])) + list(c.words)
    return found + [target for _, target in c.redirects]


def functions_in(node):
    """all functions below a node, nested ones too"""
    if isinstance(node, shell.Function):
        yield node
        yield from functions_in(node.body)
    elif isinstance(node, shell.List):
        for i in node.items:
            yield from functions_in(i)
    elif isinstance(node, shell.AndOr):
        for p in node.pipelines:
            for c in p.commands:
                yield from functions_in(c)
    elif isinstance(node, shell.Compound):
        for part in node.conditions + node.bodies:
            yield from functions_in(part)
