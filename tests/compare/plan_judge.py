"""plan_judge.py - was what was shown what was done?

Shown is what tf-show says, to people and with -json; done is what the state was
and is, and what the test provider was asked to do.
"""
import json
import re

NOTES = (
    (" will be created", {("create",)}),
    (" will be updated in-place", {("update",)}),
    (" will be destroyed", {("delete",)}),
    (" will be read during apply", {("read",)}),
    (" will be removed from the", {("forget",)}),
    ("replaced", {("delete", "create"), ("create", "delete"),
                  ("forget", "create")}),
)


def key_of(resource, instance):
    """The address of an instance of a state, and its deposed key."""
    a = "%s." % resource["module"] if "module" in resource else ""
    if resource["mode"] != "managed":
        a += resource["mode"] + "."
    a += "%s.%s" % (resource["type"], resource["name"])
    if "index_key" in instance:
        a += "[%s]" % json.dumps(instance["index_key"])
    return a, instance.get("deposed", "")


def objects(state):
    return {key_of(r, i): i for r in state.get("resources", [])
            for i in r["instances"]}


def plain(value):
    """The value without the types that a state has beside those without one."""
    if isinstance(value, dict):
        if set(value) == {"value", "type"}:
            return plain(value["value"])
        return {k: plain(v) for k, v in value.items() if v is not None}
    if isinstance(value, list):
        return [plain(v) for v in value]
    return value


def completes(known, now, unknown):
    """Is `now` what `known` says, where that is not unknown?"""
    if unknown is True:
        return True
    if isinstance(known, dict) and isinstance(now, dict):
        unknown = unknown if isinstance(unknown, dict) else {}
        return all(completes(known.get(k), now.get(k), unknown.get(k, False))
                   for k in set(known) | set(now))
    if isinstance(known, list) and isinstance(now, list):
        unknown = unknown if isinstance(unknown, list) else []
        if len(known) != len(now):
            return False
        return all(completes(k, n, unknown[i] if i < len(unknown) else False)
                   for i, (k, n) in enumerate(zip(known, now)))
    return known == now


def is_data(address):
    return re.search(r"(^|\.)data\.", address) is not None


class Judge:
    """What one edited plan showed and did.  wrong: in words."""

    def __init__(self, before, after, text, shown, failed, calls, targeted):
        self.was, self.now = json.loads(before), json.loads(after)
        self.text, self.failed, self.calls = text, failed, calls
        self.shown, self.targeted = shown, targeted
        self.wrong = []
        self.changes, self.drift, self.prior = {}, {}, {}

    def read(self):
        shown = self.shown
        for c in shown.get("resource_changes", []):
            self.changes[(c["address"], c.get("deposed", ""))] = c
        for c in shown.get("resource_drift", []):
            self.drift[(c["address"], c.get("deposed", ""))] = c
        self.values(shown.get("prior_state", {}).get("values", {})
                    .get("root_module", {}))

    def values(self, module):
        for r in module.get("resources", []):
            self.prior[(r["address"], r.get("deposed_key", ""))] = r["values"]
        for m in module.get("child_modules", []):
            self.values(m)

    def say(self, what, *about):
        self.wrong.append(what % about)

    # --- objects ---

    def moved(self, c):
        """Does the change have its object from another address?"""
        return c.get("previous_address", c["address"]) != c["address"]

    def origin(self, key):
        c = self.changes.get(key) or self.drift.get(key)
        if c and self.moved(c):
            return (c["previous_address"], key[1])
        return key

    def left(self, key):
        """The object was moved from there, as is shown."""
        return any(self.moved(c) and c["previous_address"] == key[0]
                   for c in list(self.changes.values()) +
                   list(self.drift.values()))

    def told(self, key):
        """Do people read of it?"""
        return key[0] in self.text

    def check_gone(self, key, was):
        c = self.changes.get(key)
        actions = c["change"]["actions"] if c else ["no-op"]
        if actions[0] in ("delete", "forget") or "create" in actions:
            return
        if self.left(key):
            return
        d = self.drift.get(key)
        if d and d["change"]["actions"] == ["delete"] and self.told(key):
            return
        if key not in self.prior and self.told(key):
            return
        if any(k[0] == key[0] and k[1] == "" and
               x["change"]["actions"][0] == "forget"
               for k, x in self.changes.items()):
            return
        self.say("%s %s is gone", *key)

    def deposed(self, address, values):
        """The old object of a replacement that did not get far."""
        c = self.changes.get((address, ""))
        return c and c["change"]["actions"] == ["create", "delete"] and \
            plain(c["change"]["before"]) == values

    def check_there(self, key, was, now):
        c = self.changes.get(key)
        values = plain(now["attributes"])
        actions = c["change"]["actions"] if c else ["no-op"]
        acts = actions != ["no-op"] and actions != ["read"]
        if acts and completes(plain(c["change"]["after"]), values,
                              c["change"]["after_unknown"]):
            if actions[0] not in ("create", "update", "delete", "forget"):
                self.say("%s %s: %s", key[0], key[1], actions)
            return
        if self.failed and key[1] and self.deposed(key[0], values):
            return
        before = plain(was["attributes"]) if was else None
        if values == before:
            return
        if acts and self.failed and plain(self.prior.get(key)) == values:
            return
        if acts:
            self.say("%s %s is %s, shown as %s", key[0], key[1], values,
                     c["change"]["after"])
        elif c and c["change"].get("importing") and self.told(key):
            return
        elif key in self.prior and self.told(key):
            return
        else:
            self.say("%s %s is %s and was %s, of which nothing is shown",
                     key[0], key[1], values, before)

    def check_before(self, key, c):
        """What a change says was there is there, or what drift says."""
        before = c["change"]["before"]
        was = objects(self.was).get(self.origin(key))
        if before is None or is_data(key[0]) or c["change"].get("importing"):
            return
        if was == objects(self.now).get(key):
            return # nothing came of it
        if plain(self.prior.get(key)) != plain(before):
            self.say("%s %s: before is not the prior state", *key)
        elif was is None:
            self.say("%s %s: before is nowhere in the state", *key)
        elif plain(was["attributes"]) != plain(before) and not self.told(key):
            self.say("%s %s: what was found is not shown", *key)

    def check_done(self):
        now = objects(self.now)
        for key, c in self.changes.items():
            actions = c["change"]["actions"]
            if actions in (["delete"], ["forget"]) and key in now:
                self.say("%s %s was to be %s", *key, actions)
            if "create" in actions and key not in now:
                self.say("%s %s was to be made", *key)

    def check_objects(self):
        was, now = objects(self.was), objects(self.now)
        for key in set(was) | set(now):
            if is_data(key[0]):
                continue
            if key not in now:
                self.check_gone(key, was[key])
            else:
                self.check_there(key, was.get(self.origin(key)), now[key])
        for key, c in self.changes.items():
            self.check_before(key, c)
        if not self.failed:
            self.check_done()

    # --- outputs ---

    def check_outputs(self):
        was, now = self.was.get("outputs", {}), self.now.get("outputs", {})
        changes = self.shown.get("output_changes", {})
        for name in set(was) | set(now):
            if was.get(name) == now.get(name):
                continue
            c = changes.get(name)
            if not c and self.targeted:
                continue # evaluated, as OpenTofu does it
            if not c:
                if name not in self.text:
                    self.say("output %s changed", name)
                continue
            after = c.get("after")
            value = now.get(name, {}).get("value")
            if not completes(plain(after), plain(value), c["after_unknown"]):
                self.say("output %s is %s, shown as %s", name, value, after)
            if name in now and now[name].get("sensitive", False) and \
                    not c["after_sensitive"]:
                self.say("output %s was not sensitive", name)
            if name not in self.text:
                self.say("output %s is not in the text", name)

    # --- the text, and the provider's calls ---

    def check_text(self):
        told = {}
        for line in self.text.splitlines():
            m = re.match(r"  # (\S+)(?: \(deposed object (\w+)\))?( .*)", line)
            for words, actions in NOTES:
                if m and words in m[3]:
                    told[(m[1], m[2] or "")] = actions
        for key, c in self.changes.items():
            actions = tuple(c["change"]["actions"])
            if actions == ("no-op",) or key[0].startswith("ephemeral"):
                continue
            if " " in key[0]:
                continue
            if actions not in told.get(key, ()):
                self.say("%s %s: the text has not %s", *key, actions)

    def check_calls(self):
        """Names in the log stand for addresses."""
        allowed = {"create": "apply-create", "update": "apply-update",
                   "delete": "apply-delete", "read": "read-data"}
        ok = set()
        for c in self.changes.values():
            for a in c["change"]["actions"]:
                for side in ("before", "after"):
                    v = c["change"].get(side) or {}
                    ok.add("%s %s %s" % (allowed.get(a, a), c["type"],
                                         v.get("name", "?")))
                if a == "read":
                    ok.add("read-data %s %s" % (
                        c["type"], c["change"]["after"].get("name", "?")))
        for call in self.calls:
            if call.startswith(("apply-", "read-data", "import")) and \
                    call not in ok:
                self.say("call: %s", call)

    def check(self):
        try:
            self.read()
            self.check_objects()
            self.check_outputs()
            self.check_text()
            self.check_calls()
        except (TypeError, KeyError, AttributeError, IndexError) as e:
            self.say("what is shown has no sense: %r", e)
        return self.wrong
