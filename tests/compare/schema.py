"""schema.py - the resource types that are generated, and their arguments

An argument is (type, how often it is given, flags...); `exports` are what
others refer to, beside the arguments.  ANY is a dynamic argument.
"""
from expr import EPHEMERAL, SENSITIVE, UNKNOWN, VOLATILE

ANY = "any"
LATE = UNKNOWN | VOLATILE
KEEPERS = (("map", "string"), 0.4)
SMALL = ("small", 0.8) # a number of 1 to 3


class Spec:
    def __init__(self, provider, type, args, exports=(), mode="managed",
                 blocks=None, weight=1):
        self.provider, self.type, self.mode = provider, type, mode
        self.args, self.exports = args, dict(exports)
        self.blocks = blocks or {}
        self.weight = weight

    def __deepcopy__(self, memo):
        return self


ITEM = {"name": ("string", 0.8), "num": ("number", 0.3),
        "oc": ("string", 0.2)}
INNER = {"name": ("string", 0.8)}
NESTED = ("object", (("name", "string"), ("num", "number")))
BLOCKS = {
    "single": (1, dict(ITEM, secret=("string", 0.2), wo=("secret", 0.1))),
    "group": (1, ITEM),
    "block": (3, dict(ITEM, secret=("string", 0.1))),
    "blockset": (3, ITEM),
    "blockmap": (2, ITEM), # labelled
    "limited": (2, INNER),
    "dynblock": (2, {"name": ("string", 0.5), "value": (ANY, 0.8)}),
}
LABELLED = {"blockmap"}

SPECS = [
    Spec("terraform", "terraform_data",
         {"input": (ANY, 0.85), "triggers_replace": (ANY, 0.3)},
         {"id": ("string", LATE)}, weight=8),
    Spec("random", "random_pet",
         {"length": ("pet", SMALL[1]), "prefix": ("string", 0.4),
          "keepers": KEEPERS},
         {"id": ("string", LATE)}),
    Spec("random", "random_integer",
         {"min": ("small", 1), "max": ("large", 1), "seed": ("word", 1),
          "keepers": KEEPERS},
         {"result": ("number", UNKNOWN)}),
    Spec("random", "random_string",
         {"length": ("long", 1), "special": ("bool", 0.3),
          "keepers": KEEPERS},
         {"result": ("string", LATE)}),
    Spec("random", "random_password",
         {"length": ("long", 1), "keepers": KEEPERS},
         {"result": ("string", LATE | SENSITIVE)}),
    Spec("random", "random_shuffle",
         {"input": (("list", "string"), 1), "seed": ("word", 1),
          "result_count": ("small", 0.3)},
         {"result": (("list", "string"), UNKNOWN)}),
    Spec("local", "local_file",
         {"filename": ("file", 1), "content": ("string", 1)},
         {"id": ("string", UNKNOWN), "content_md5": ("string", UNKNOWN)},
         weight=2),
    Spec("local", "local_sensitive_file",
         {"filename": ("file", 1), "content": ("string", 1)},
         {"id": ("string", UNKNOWN)}),
    Spec("time", "time_offset",
         {"base_rfc3339": ("date", 1), "offset_days": ("small", 1),
          "triggers": KEEPERS},
         {"rfc3339": ("string", UNKNOWN), "day": ("number", UNKNOWN)}),
    Spec("tls", "tls_private_key", {"algorithm": ("algorithm", 1)},
         {"public_key_pem": ("string", LATE)}),
    Spec("test", "test_thing",
         {"name": ("unique", 1), "value": ("string", 0.6),
          "oc": ("string", 0.2), "ci": ("string", 0.2),
          "force": ("string", 0.3), "list": (("list", "string"), 0.3),
          "do": ("order", 0.06)},
         {"id": ("string", UNKNOWN), "comp": ("string", UNKNOWN),
          "oc": ("string", UNKNOWN)}, weight=5),
    Spec("test", "test_all",
         {"name": ("unique", 1), "oc": ("string", 0.2),
          "force": ("string", 0.2), "secret": ("string", 0.2),
          "wo": ("secret", 0.2), "old": ("string", 0.05),
          "num": ("number", 0.3), "flag": ("bool", 0.3),
          "list": (("list", "string"), 0.3),
          "set": (("set", "string"), 0.4), "map": (("map", "string"), 0.3),
          "obj": (("object", (("a", "string"), ("b", "number"))), 0.2),
          "dyn": (ANY, 0.3), "oc_list": (("list", "string"), 0.2),
          "nested_single": (NESTED, 0.2),
          "nested_list": (("list", NESTED), 0.3),
          "nested_set": (("list", NESTED), 0.3),
          "nested_map": (("map", NESTED), 0.2),
          "nested_oc": (("list", NESTED), 0.2),
          "do": ("order", 0.06)},
         {"id": ("string", UNKNOWN), "comp": ("string", UNKNOWN),
          "comp_num": ("number", UNKNOWN),
          "comp_list": (("list", "string"), UNKNOWN)},
         blocks=BLOCKS, weight=5),
    Spec("test", "test_identified",
         {"name": ("unique", 1), "region": ("string", 0.5)},
         {"id": ("string", UNKNOWN)}),
    Spec("test", "test_versioned", {"name": ("unique", 1)},
         {"id": ("string", UNKNOWN)}),

    Spec("terraform", "terraform_remote_state",
         {"backend": ("local", 1), "config": ("statefile", 1),
          "defaults": (("map", "string"), 0.2)},
         {"outputs.s": ("string", 0), "outputs.l": (("list", "string"), 0),
          "outputs.secret": ("string", SENSITIVE)}, mode="data", weight=3),
    Spec("local", "local_file", {"filename": ("given", 1)},
         {"content": ("string", 0)}, mode="data"),
    Spec("test", "test_thing",
         {"name": ("unique", 1), "value": ("string", 0.6),
          "do": ("order", 0.03)},
         {"id": ("string", 0), "comp": ("string", 0)}, mode="data",
         weight=3),
    Spec("test", "test_all",
         {"name": ("unique", 1), "list": (("list", "string"), 0.4),
          "nested_list": (("list", NESTED), 0.3)},
         {"id": ("string", 0), "comp": ("string", 0)}, mode="data",
         blocks={"block": BLOCKS["block"]}),

    Spec("random", "random_password", {"length": ("long", 1)},
         {"result": ("string", LATE | SENSITIVE | EPHEMERAL)},
         mode="ephemeral"),
    Spec("test", "test_token", {"name": ("unique", 0.8)},
         {"token": ("string", SENSITIVE | EPHEMERAL)}, mode="ephemeral"),
]

ORDERS = ["apply:error=boom", "apply:partial=half", "plan:warning=careful",
          "read:absent", "read:set:comp=\\\"drift\\\"", "plan:legacy",
          "plan:error=no", "read:warning=slow", "apply:warning=done",
          "plan:replace:value", "apply:set:comp=\\\"new\\\""]

# A state that terraform_remote_state reads.
GIVEN_STATE = """{
  "version": 4, "terraform_version": "1.12.6", "serial": 3,
  "lineage": "0b6c8d0a-7d4b-4a7e-8a53-6a8b4c1b2f10",
  "outputs": {
    "s": {"value": "remote", "type": "string"},
    "l": {"value": ["x", "y"], "type": ["list", "string"]},
    "secret": {"value": "hush", "type": "string", "sensitive": true}
  },
  "resources": []
}
"""
