"""mistakes.py - what is wrong with a configuration

Each mistake is a function of a World and one of its modules; it may do nothing
where there is nothing to do.  COMMON are those that a change brings now and
then, MISTAKES all that a case of mistakes is made of (case.py).
"""
import copy

import resources as res
from mistakes_bodies import bodies, others
from mistakes_text import calls, refactorings, terraform_blocks, variables
from mutate import add_moved, add_removed, chosen
from tree import Attr, Block, Expr, exprs


def mistake(w, m):
    w.rng.choice(COMMON)(w, m)


def some_mistakes(w):
    """One to four of all kinds."""
    for _ in range(w.rng.choice([1, 1, 2, 3, 4])):
        m = w.rng.choice(list(w.modules.values()))
        w.rng.choice(MISTAKES + COMMON)(w, m)


def some_block(w, m):
    return chosen(w, m, "resource", "output", "module", "data", "locals",
                  "check")


def undeclared(w, m):
    b = some_block(w, m)
    if b:
        wrong(w, b, w.rng.choice([
            "var.nope", "local.nope", "terraform_data.nope.id", "nope.x.y",
            "module.nope.o", "data.terraform_remote_state.nope.outputs",
            "each.value", "count.index", "self.id", "path.nope",
            "terraform.nope", "random_pet.nope[0].id"]))


def wrong(w, b, text):
    """Puts the text somewhere in the block."""
    found = [e for e in exprs(b) if e.type]
    if found:
        e = w.rng.choice(found)
        e.parts, e.kind = [text], "lit"


def wrong_type(w, m):
    b = some_block(w, m)
    if b:
        wrong(w, b, w.rng.choice(
            ['"text"', "[]", "{}", "null", "true", "1 / 0",
             'tonumber("x")', "[for x in 5 : x]", "{ a = 1 }.b",
             "file(\"missing\")", "nofunc(1)", "upper()", "[][0]",
             'lookup({}, "a")', "true + 1"]))


def wrong_argument(w, m):
    b = some_block(w, m)
    if b:
        b.body.append(Attr("nope", Expr(w.rng.choice(['"x"', "var.nope"]))))


def wrong_block(w, m):
    b = some_block(w, m)
    if b:
        b.body.append(Block(w.rng.choice(["nope", "lifecycle", "content"]),
                            (), [Attr("x", Expr("1"))]))


def twice(w, m):
    b = chosen(w, m, "resource", "output", "module", "variable", "locals",
               "check", "data", "provider")
    if b:
        m.add(copy.deepcopy(b), "more.tf")


def cycle(w, m):
    blocks = [b for b in m.blocks() if b.type == "resource"
              and b.attr("input")]
    if len(blocks) < 1:
        return
    a, b = w.rng.choice(blocks), w.rng.choice(blocks)
    for x, y in ((a, b), (b, a)):
        x.set("input", Expr(res.address(y), root=res.address(y),
                            kind="ref"))


def failing(w, m):
    b = chosen(w, m, "resource", "data", "output")
    if not b:
        return
    bad = Block("precondition", (), [
        Attr("condition", Expr(w.rng.choice(
            ["false", "1 == 2", "null", '"x"', "[]"]))),
        Attr("error_message", Expr('"It failed."'))])
    (b if b.type == "output" else res.lifecycle(b)).body.append(bad)


def missing(w, m):
    """An argument is left out."""
    b = chosen(w, m, "resource", "output", "module", "data", "variable",
               "check", "moved")
    if b and b.body:
        b.body.remove(w.rng.choice(b.body))


def wrong_move(w, m):
    b = chosen(w, m, "resource", "module")
    if b:
        a = res.address(b)
        w.rng.choice([
            lambda: add_moved(w, m, a, a),
            lambda: add_moved(w, m, a, a + "_x"),
            lambda: add_moved(w, m, a + "[0]", a + '["a"]'),
            lambda: add_moved(w, m, "data.x.y", a),
            lambda: add_moved(w, m, "terraform_data.gone", a),
            lambda: add_removed(w, m, b),
        ])()


COMMON = [undeclared, undeclared, wrong_type, wrong_type, wrong_argument,
          wrong_block, twice, cycle, failing, failing, missing, missing,
          wrong_move]

# --- those that a change does not bring ---


def leave_out_required(w, m):
    """An argument that the schema asks for."""
    bs = [b for b in m.blocks() if "spec" in b.meta]
    if not bs:
        return
    b = w.rng.choice(bs)
    names = [n for n, (t, c) in b.meta["spec"].args.items()
             if c == 1 or n == "name"]
    if names:
        b.unset(w.rng.choice(names))


def computed_given(w, m):
    """An argument that the provider decides."""
    bs = [b for b in m.blocks() if "spec" in b.meta]
    if bs:
        b = w.rng.choice(bs)
        name = w.rng.choice(["id", "comp", "output", "nope", "outputs"])
        if not b.attr(name):
            b.body.append(Attr(name, Expr(w.rng.choice(
                ['"x"', "var.nope", "null", "[]"]))))


def no_such_attribute(w, m):
    """Something of an object that it does not have."""
    bs = [b for b in m.blocks() if "form" in b.meta]
    b = some_block(w, m)
    if bs and b:
        x = w.rng.choice(bs)
        wrong(w, b, res.address(x) + w.rng.choice(
            [".nope", "[0].nope", '["a"].nope', "[*].nope", ".id.nope", "[0]",
             ".x[0].nope", "[each.key].id", "[count.index]", ""]))


def wrong_output(w, m):
    """An output of a module that it does not have."""
    cs = [b for b in m.blocks() if b.type == "module"]
    b = some_block(w, m)
    if cs and b:
        c = w.rng.choice(cs)
        wrong(w, b, res.address(c) + w.rng.choice(
            [".nope", "[0].nope", '["a"].nope', "[*].nope", "", "[0]"]))


def input_of_call(w, m):
    """A variable of a module is not given, or one that it does not have."""
    cs = [b for b in m.blocks() if b.type == "module"]
    if cs:
        c = w.rng.choice(cs)
        if w.rng.random() < 0.5:
            names = [b for b in c.body if isinstance(b, Attr)
                     and b.name != "source"]
            if names:
                c.body.remove(w.rng.choice(names))
        else:
            c.body.append(Attr("nope", Expr(w.rng.choice(
                ["1", "var.nope", "each.value", "terraform_data.nope"]))))


MISTAKES = [variables, variables, terraform_blocks, refactorings,
            refactorings, calls, bodies, bodies, bodies, others, others,
            leave_out_required, computed_given, no_such_attribute,
            no_such_attribute, wrong_output, input_of_call]
