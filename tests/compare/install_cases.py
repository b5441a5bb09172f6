"""install_cases.py - what tests/compare/install takes through init, at random

A case has files, an environment, the text of the CLI configuration, and
commands.  @HERE@ in any of them is the directory of install_world.sh.
"""
import base64
import hashlib

PROVIDERS = ["registry.test/acme/one", "registry.test/acme/two",
             "other.test/beta/one", "acme/one", "hashicorp/null",
             "registry.test/acme/none", "gone.test/acme/one"]
CONSTRAINTS = ["", "", "", "1.0.0", "~> 1.0", ">= 1.0.0, < 2.0.0", "!= 1.2.0",
               "> 1.0", ">= 5.0", "2.0.0-beta1", ">= 2.0.0-beta1", "~> 0.1",
               "1.0", "= 3.0.0", "~> 3.0"]
WRONG = ["banana", "1.0.0.0", "~>", ">= 1.0,", "1.x", "v1.0.0"]
PATTERNS = ["*/*/*", "registry.test/*/*", "registry.test/acme/*",
            "registry.test/acme/one", "other.test/*/*", "hashicorp/*",
            "acme/one", "*/*", "registry.opentofu.org/*/*",
            "registry.test/acme/two"]
WRONG_PATTERNS = ["*", "registry.test/*/one", "a/b/c/d", "", "*/one",
                  "Registry.test/acme/*", "registry.test//one"]


class Case:
    def __init__(self):
        self.files, self.env, self.rc, self.commands = {}, {}, "", []


def some(rng, all_, most):
    return rng.sample(all_, rng.randint(1, most))


def quoted(words):
    return "[%s]" % ", ".join('"%s"' % w for w in words)


# --- the CLI configuration ---

def patterns(rng):
    words = some(rng, PATTERNS, 2)
    if rng.random() < .06:
        words.append(rng.choice(WRONG_PATTERNS))
    return quoted(words)


def method(rng):
    kind, place = rng.choice([
        ("direct", ""), ("direct", ""),
        ("filesystem_mirror", 'path = "@HERE@/packed"'),
        ("filesystem_mirror", 'path = "@HERE@/unpacked"'),
        ("filesystem_mirror", 'path = "@HERE@/none"'),
        ("network_mirror", 'url = "https://mirror.test/m/"'),
        ("network_mirror", 'url = "https://mirror.test/m"'),
        ("network_mirror", 'url = "https://mirror.test/none/"'),
    ])
    lines = [place] if place else []
    if rng.random() < .4:
        lines.append("include = " + patterns(rng))
    if rng.random() < .3:
        lines.append("exclude = " + patterns(rng))
    if kind == "network_mirror" and rng.random() < .3:
        lines.append("trust_all_hashes = true")
    if rng.random() < .03:
        lines.append("banana = 1")
    return "  %s {\n%s  }\n" % (kind, "".join("    %s\n" % x for x in lines))


def installation(rng):
    text = "".join(method(rng) for _ in range(rng.randint(0, 3)))
    if rng.random() < .2:
        text += '  dev_overrides {\n    "%s" = "@HERE@/dev"\n  }\n' % \
            rng.choice(["hashicorp/null", "registry.test/acme/one"])
    return "provider_installation {\n%s}\n" % text


def cli_config(rng):
    parts = []
    if rng.random() < .7:
        parts.append(installation(rng))
    if rng.random() < .25:
        parts.append('plugin_cache_dir = "@CACHE@"\n')
    if rng.random() < .2:
        parts.append('host "%s" {\n  services = {\n    "providers.v1" = "%s"\n'
                     "  }\n}\n" % (
                         rng.choice(["gone.test", "registry.test"]),
                         rng.choice(["https://registry.test/v1/providers/",
                                     "https://registry.test/none/",
                                     "https://registry.test/v1/providers",
                                     "/v1/providers/", "ftp://x.test/"])))
    if rng.random() < .2:
        parts.append('credentials "%s" {\n  token = "t0p"\n}\n' %
                     rng.choice(["registry.test", "gone.test", "a b"]))
    if rng.random() < .1:
        parts.append(rng.choice([
            "disable_checkpoint = true\n", "banana = true\n",
            "plugin_cache_may_break_dependency_lock_file = true\n",
            "registry_protocols {\n  retry_count = 0\n}\n",
            "provider_installation {\n}\n", "credentials {\n}\n", "host {}\n",
            'host "registry.test" {\n  services = "x"\n}\n', "{\n",
            'plugin_cache_dir = "@HERE@/none"\n']))
    rng.shuffle(parts)
    return "".join(parts)


# --- providers ---

def required(rng, names):
    lines = []
    for n, source in enumerate(names):
        c = rng.choice(WRONG if rng.random() < .04 else CONSTRAINTS)
        local = source.split("/")[-1] if source == "hashicorp/null" \
            else "p%d" % n
        lines.append('    %s = {\n      source = "%s"\n%s    }\n' % (
            local, source, '      version = "%s"\n' % c if c else ""))
    return "terraform {\n  required_providers {\n%s  }\n}\n" % "".join(lines)


def a_hash(rng, kind):
    data = hashlib.sha256(b"%d" % rng.randrange(99)).digest()
    return "zh:" + data.hex() if kind == "zh" else \
        "h1:" + base64.b64encode(data).decode()


def lock_block(rng, source):
    full = source if source.count("/") == 2 else \
        "registry.opentofu.org/" + source
    hashes = [a_hash(rng, rng.choice(["zh", "h1"]))
              for _ in range(rng.randint(0, 2))]
    if rng.random() < .1:
        hashes.append(rng.choice(["banana", "h1:x", "zh:", "h9:abc", ""]))
    version = rng.choice(["1.0.0", "1.2.0", "0.1.0", "3.0.0", "9.9.9", "1.0.1",
                          "x" if rng.random() < .1 else "1.0.0"])
    lines = ['version = "%s"' % version]
    if rng.random() < .4:
        lines.append('constraints = "%s"' % rng.choice(CONSTRAINTS[3:]))
    lines.append("hashes = %s" % quoted(hashes))
    if rng.random() < .05:
        lines.append("banana = 1")
    if rng.random() < .05:
        lines.pop(0)
    return 'provider "%s" {\n%s}\n' % (full, "".join("  %s\n" % x
                                                     for x in lines))


FLAGS = [[], [], [], ["-upgrade"], ["-lockfile=readonly"], ["-backend=false"],
         ["-plugin-dir=@HERE@/unpacked"], ["-plugin-dir=@HERE@/packed"],
         ["-get=false"]]


def variables(rng):
    env = {}
    for name, values, p in (
            ("TF_PLUGIN_CACHE_DIR", ["@CACHE@", "@HERE@/none", ""], .15),
            ("TF_TOKEN_registry_test", ["s3cret"], .1),
            ("TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE",
             ["1", "true", "0", ""], .1),
            ("TF_DATA_DIR", [".data", "a/b"], .08),
            ("OPENTOFU_ENFORCE_GPG_VALIDATION", ["true", "no"], .1)):
        if rng.random() < p:
            env[name] = rng.choice(values)
    return env


def providers(rng):
    c = Case()
    names = some(rng, PROVIDERS[:5] if rng.random() < .85 else PROVIDERS, 3)
    c.files["main.tf"] = required(rng, names)
    if rng.random() < .3:
        c.files["main.tf"] += 'module "in" {\n  source = "./in"\n}\n'
        c.files["in/main.tf"] = required(rng, some(rng, PROVIDERS[:5], 2))
    if rng.random() < .15:
        c.files["main.tf"] += 'data "null_data_source" "d" {}\n'
    if rng.random() < .4:
        c.files[".terraform.lock.hcl"] = "\n".join(
            lock_block(rng, n) for n in names if rng.random() < .8)
    c.rc, c.env = cli_config(rng), variables(rng)
    c.commands = [["init"] + rng.choice(FLAGS)]
    for _ in range(rng.randint(0, 2)):
        c.commands.append(rng.choice([
            ["init"] + rng.choice(FLAGS), ["init"],
            ["providers", "lock"], ["rm", "-rf", ".terraform"],
            ["providers", "lock", "-platform=plan9_mips"],
            ["providers", "mirror", "mirrored"]]))
    return c


# --- modules ---

PLACES = ["git::file://@HERE@/repo", "git::@HERE@/repo", "@HERE@/repo",
          "file://@HERE@/dir", "@HERE@/dir", "./in", "../w/in", "./none", "in",
          "registry.test/acme/net/x", "registry.test/acme/dns/x",
          "registry.test/acme/none/x", "acme/net/x", "registry.test/acme/x",
          "files.test/a.zip", "https://files.test/a.zip",
          "https://files.test/a.tar.gz", "https://files.test/a.tgz",
          "https://files.test/a.tar.xz", "https://files.test/a.tar.bz2",
          "https://files.test/deep/b.zip", "https://files.test/plain",
          "https://files.test/page", "https://files.test/sub",
          "https://files.test/header", "https://files.test/none",
          "https://files.test/gone", "https://files.test/moved.zip",
          "https://files.test/moved", "http::https://files.test/a.zip",
          "git::https://files.test/x.git", "https://gone.test/a.zip",
          "@HERE@/net/www/files.test/a.zip", "github.com", "github.com/a",
          "bitbucket.org/a/b", "git@gone.test:a/b.git", "banana::x",
          "banana://x", "", " ", "https://", "git::", "file://", "./",
          "https://files.test:x/a.zip", "registry.test/a b/c/d"]
SUBDIRS = ["", "", "", "//sub", "//m", "//m/n", "//none", "//*", "//m/*", "//",
           "//./m", "//m/../m", "//../x", "//m//n", "//link", "//s?b",
           "///sub", "//sub/"]
QUERIES = ["", "", "", "?ref=v1", "?ref=dev", "?ref=none", "?ref=", "?ref=-x",
           "?depth=1", "?depth=1&ref=dev", "?archive=zip", "?archive=tgz",
           "?archive=false", "?archive=banana", "?checksum=md5:00",
           "?checksum=banana", "?ref=v1&ref=dev", "?x=1", "?", "?ref=v1#f",
           "?checksum=sha256:" + "0" * 64, "?ref=%64ev"]
VERSIONS = ["", "", "", "", "1.0.0", "~> 1.0", ">= 9", "banana", "0.1.0",
            "< 2"]


def modules(rng):
    c = Case()
    c.files["in/main.tf"] = 'output "x" {\n  value = 1\n}\n'
    text = ""
    for n in range(1 if rng.random() < .6 else rng.randint(2, 4)):
        source = rng.choice(PLACES)
        if rng.random() < .5:
            source += rng.choice(SUBDIRS)
        if rng.random() < .4:
            source += rng.choice(QUERIES)
        version = rng.choice(VERSIONS) if "registry" in source or \
            rng.random() < .05 else ""
        text += 'module "c%d" {\n  source = "%s"\n%s}\n' % (
            n, source, '  version = "%s"\n' % version if version else "")
    c.files["main.tf"] = text
    c.commands = [rng.choice([["init"], ["get"], ["init", "-get=false"],
                              ["init", "-backend=false"], ["init"], ["init"]])]
    if rng.random() < .3:
        c.commands.append(rng.choice([["init"], ["get", "-update"],
                                      ["init", "-upgrade"], ["validate"],
                                      ["modules", "-json"]]))
    if rng.random() < .1:
        c.files = {}
        c.commands = [["init", "-from-module=" + rng.choice(PLACES) +
                       rng.choice(SUBDIRS) + rng.choice(QUERIES)]]
    return c
