"""case.py - a case: versions of a configuration and what is done with them

A step is a dict:

    {"op": "files", "version": N}   the files of a version are put in place
    {"op": "run", "args": [...]}    a command; there may be "env", "stdin", and
                                    "needs", a file without which it is not run
    {"op": "drift", "nth": N, "how": "delete" or "edit"}
                                    an object changes behind everybody's back
"""
import random

import build
import expr as ex
import resources as res
from mistakes import some_mistakes
from mutate import key_text, mutate
from tree import Node, Text, render
import itertools


class Case:
    def __init__(self, seed, versions, steps, edits=None):
        self.seed, self.versions, self.steps = seed, versions, steps
        self.edits = edits or {}

    def script(self):
        """The steps with the files' text in them: all there is to run."""
        out, texts = [], {}
        for s in self.steps:
            if s["op"] == "files":
                n = s["version"]
                if n not in texts:
                    texts[n] = render(self.versions[n], self.edits)
                s = {"op": "files", "files": texts[n]}
            out.append(s)
        return out


def make_case(seed, providers=(), mistakes=False):
    """The case of the seed, with these providers beside the built-in one; with
    mistakes, one of a configuration that is wrong."""
    Node.numbers = itertools.count(1)
    rng = random.Random(seed)
    world = build.make_world(rng, providers)
    plot = Plot(rng, world)
    if mistakes:
        plot.wrong()
        return Case(seed, plot.versions, plot.steps)
    plot.write()
    for i in range(rng.choice([1, 2, 2, 3, 3, 4, 5])):
        if i:
            plot.change()
        plot.round()
    if rng.random() < 0.4:
        plot.end()
    return Case(seed, plot.versions, plot.steps)


# --- addresses ---

def addresses(w, m=None, prefix=""):
    """Likely addresses: (address, is it a resource instance)."""
    m = m or w.root
    for b in m.blocks():
        if "form" not in b.meta:
            continue
        base = prefix + res.address(b)
        yield base, b.meta["form"].kind == "one" and b.type == "resource"
        for k in b.meta["form"].keys:
            addr = base + key_text(k)
            if k is not None:
                yield addr, b.type == "resource"
            if b.type == "module":
                yield from addresses(w, w.modules[b.meta["child"]],
                                     addr + ".")


# --- steps ---

# How things are shown.
SHOWN = ["-compact-warnings", "-concise", "-show-sensitive",
         "-consolidate-warnings=false", "-consolidate-errors",
         "-deprecation=module:none", "-deprecation=module:local",
         "-parallelism=1"]


class Plot:
    def __init__(self, rng, world):
        self.rng, self.world = rng, world
        self.versions, self.steps = [], []
        self.known = set() # addresses that have been possible

    def write(self):
        self.versions.append(self.world.version())
        self.steps.append({"op": "files",
                           "version": len(self.versions) - 1})
        # what is overridden cannot be installed
        if "providers" in self.world.features:
            self.run("get", "-no-color")
        else:
            self.run("init", "-no-color", "-input=false")
        self.known |= set(addresses(self.world))

    def run(self, *args, **more):
        step = {"op": "run", "args": list(args)}
        step.update((k, v) for k, v in more.items() if v)
        self.steps.append(step)

    def change(self):
        roll = self.rng.random()
        if roll < 0.85:
            self.world = mutate(self.world, self.rng)
            self.write()
        if roll > 0.7 and "providers" in self.world.features:
            self.steps.append({"op": "drift", "nth": self.rng.randint(0, 9),
                               "how": self.rng.choice(["delete", "edit"])})

    def instance(self):
        known = sorted(a for a, instance in self.known if instance)
        return self.rng.choice(known) if known else "terraform_data.none"

    def anything(self):
        known = sorted(a for a, _ in self.known)
        return self.rng.choice(known) if known else "module.none"

    def vars(self):
        """-var options now and then."""
        out = []
        for name, t, _, b in self.world.root.variables:
            if self.rng.random() < 0.1 or b.attr("default") is None \
                    and name not in self.world.values:
                value = Text({}).expr(build.constant(self.rng, t))
                if t == "string":
                    value = value.strip('"')
                out.append("-var=%s=%s" % (name, value))
        return out

    def options(self, verb):
        out = self.vars()
        roll = self.rng.random
        if roll() < 0.12:
            for _ in range(self.rng.choice([1, 1, 2])):
                out.append("-target=" + self.anything())
        elif roll() < 0.12:
            for _ in range(self.rng.choice([1, 1, 2])):
                out.append("-exclude=" + self.anything())
        replace = roll() < 0.12
        if replace:
            out.append("-replace=" + self.instance())
        if roll() < 0.08:
            out.append("-refresh=false")
        elif roll() < (0.005 if replace else 0.07): # refused together
            out.append("-refresh-only")
        if verb != "destroy" and roll() < (0.005 if replace else 0.07) and \
                "-refresh-only" not in out:
            out.append("-destroy")
        if verb == "plan" and roll() < 0.3:
            out.append("-detailed-exitcode")
        if roll() < 0.12:
            out.append(self.rng.choice(SHOWN))
        return out

    def env(self):
        """Values of variables, and orders for the test provider."""
        env = self.orders() or {}
        for name, t, _, _ in self.world.root.variables:
            if self.rng.random() < 0.04:
                value = Text({}).expr(build.constant(self.rng, t))
                env["TF_VAR_" + name] = value.strip('"')
        return env

    def orders(self):
        """What cannot be destroyed stays as a deposed object if something new
        takes its place."""
        if "stuck" in self.world.features and self.rng.random() < 0.3:
            return {"TEST_PROVIDER_DO": "destroy:error=stuck"}
        if "orders" in self.world.features and self.rng.random() < 0.12:
            orders = [o for o in res.ORDERS]
            return {"TEST_PROVIDER_DO":
                    self.rng.choice(orders).replace("\\", "")}
        return None

    def round(self):
        for what, chance in ((self.validate, 0.15), (self.meddle, 0.2),
                             (self.look, 0.15)):
            if self.rng.random() < chance:
                what()
        if self.rng.random() < 0.65:
            self.saved_plan()
        else:
            self.direct()
        if self.rng.random() < 0.4:
            self.look()

    def wrong(self):
        """What is said of mistakes, without a state and with one."""
        some_mistakes(self.world)
        self.write()
        self.run("validate", "-json")
        if self.rng.random() < 0.2:
            self.run("validate", "-no-color")
        self.run("plan", "-json", "-input=false", *self.vars())
        if self.rng.random() < 0.2:
            self.run("plan", "-no-color", "-input=false")

    def validate(self):
        self.run("validate", *self.rng.choice([["-json"], ["-no-color"]]))

    def saved_plan(self):
        env = self.env()
        options = self.options("plan")
        style = self.rng.choice(["-json", "-no-color"])
        self.run("plan", style, "-input=false", "-out=p", *options, env=env)
        self.run("show", "-json", "p", needs="p")
        if self.rng.random() < 0.15:
            self.run("show", "-no-color", "p", needs="p")
        if self.rng.random() < 0.85:
            self.run("apply", self.rng.choice(["-json", "-json",
                                               "-no-color"]),
                     "-input=false", "p", env=env, needs="p")

    def direct(self):
        verb = self.rng.choices(["apply", "refresh", "destroy", "plan"],
                                [8, 1, 1, 2])[0]
        args = self.options(verb) if verb != "refresh" else self.vars()
        if verb in ("apply", "destroy"):
            args.append("-auto-approve")
        style = self.rng.choice(["-json", "-no-color"])
        self.run(verb, style, "-input=false", *args, env=self.env())

    def look(self):
        """Commands that only read."""
        what = self.rng.choice(["show -json", "show -no-color",
                                "output -json", "output -no-color",
                                "output -raw o1", "output -json o2",
                                "show -json", "state list",
                                "state list", "state show", "console",
                                "state pull", "validate -json",
                                "providers", "version -json",
                                "metadata functions -json",
                                "providers schema -json"])
        if what == "state show":
            return self.run("state", "show", "-no-color", self.instance())
        if what == "console":
            return self.console()
        return self.run(*what.split())

    def console(self):
        maker = self.world.maker(self.world.root, ex.EPHEMERAL)
        lines = [Text({}).expr(maker.make(ex.pick_type(self.rng), 2))
                 for _ in range(self.rng.randint(1, 4))]
        lines = [l for l in lines if "\n" not in l] or ["1"]
        self.run("console", "-no-color", *self.vars(),
                 stdin="\n".join(lines) + "\n")

    def meddle(self):
        """Commands that change the state."""
        a, b = self.instance(), self.instance()
        self.run(*self.rng.choice([
            ["taint", "-no-color", a], ["taint", a],
            ["untaint", "-no-color", a],
            ["state", "mv", a, b], ["state", "mv", a, a + "_moved"],
            ["state", "mv", self.anything(), self.anything()],
            ["state", "rm", self.anything()],
            ["import", "-no-color", "-input=false", a, "imported"],
            ["workspace", "new", "other"], ["workspace", "list"],
            ["workspace", "select", "default"],
        ]))

    def end(self):
        self.run("destroy", self.rng.choice(["-json", "-no-color"]),
                 "-input=false", "-auto-approve", *self.vars())
