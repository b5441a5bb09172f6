"""The texts of a day's commands, and what the file patterns finds in them."""
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CLI = os.environ["CLI"]
PROVIDERS = """terraform {
  required_providers {
    test = { source = "hashicorp/test" }
  }
}
"""
texts = {}


def run(*words, env=None, name=None):
    """What a command says, to whom it may concern."""
    done = subprocess.run([CLI, *words], env=dict(os.environ, **(env or {})), text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if name:
        texts[name] = done.stdout
    return done


def plan(name, *words, env=None):
    return run("plan", "-no-color", "-input=false", *words, name=name, env=env)


def apply(name, *words, env=None):
    return run("apply", "-no-color", "-input=false", "-auto-approve", *words, name=name,
               env=env)


def write(text, path="main.tf"):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def edit(old, new):
    with open("main.tf") as f:
        text = f.read()
    write(text.replace(old, new))


class Server(threading.Thread):
    """A server that never answers, or breaks connections off."""

    def __init__(self, breaks):
        super().__init__(daemon=True)
        self.breaks, self.held = breaks, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.start()

    def run(self):
        while True:
            c, _ = self.socket.accept()
            self.held.append(c)
            if self.breaks:
                c.recv(1)
                c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                             struct.pack("ii", 1, 0))
                self.held.pop().close()


class Busy(Server):
    """A web server of git repositories that has no time."""

    def __init__(self):
        super().__init__(False)

    def run(self):
        while True:
            c, _ = self.socket.accept()
            c.recv(65536)
            c.sendall(b"HTTP/1.1 429 Too Many Requests\r\n"
                      b"Content-Length: 0\r\nConnection: close\r\n\r\n")
            c.close()


def plans():
    run("version", name="version")
    run("init")
    plan("create", "-out=p")
    apply("apply")
    plan("none")
    write('output "more" {\n  value = 1\n}\n', "more.tf")
    plan("outputs", "-out=p")
    apply(None)
    edit("b = 2", "c = 3")
    plan("change", "-var", "name=db")
    apply("applysome", "-var", "name=db")
    run("taint", "terraform_data.one")
    plan("tainted", "-var", "name=db")
    run("untaint", "terraform_data.one")
    plan("replace", "-var", "name=db", "-replace=terraform_data.one")
    plan("refresh", "-var", "name=db", "-refresh-only")
    plan("targets", "-target=terraform_data.one")
    texts["warning"] = texts["targets"]
    plan("undeclared", "-var", "gone=1")
    edit("input    = { size", "lifecycle {\n    replace_triggered_by = "
         "[terraform_data.one]\n  }\n  input    = { size")
    plan("triggered")
    edit('"one"', '"first"')
    edit(".one", ".first")
    write("moved {\n  from = terraform_data.one\n  to   = terraform_data.first\n}\n",
          "moved.tf")
    plan("moved", "-var", "name=db")
    plan("movedtoo")
    write('import {\n  to = terraform_data.new\n  id = "an-id"\n}\n'
          'resource "terraform_data" "new" {\n  input = 1\n}\n', "import.tf")
    plan("import", "-var", "name=db")
    write('import {\n  to = terraform_data.new\n  id = "an-id"\n}\n'
          'resource "terraform_data" "new" {\n}\n', "import.tf")
    plan("importonly", "-var", "name=db")
    os.remove("import.tf")
    os.remove("more.tf")
    write("removed {\n  from = module.child\n  lifecycle {\n    destroy = false\n  }\n"
          "}\n", "removed.tf")
    edit('module "child" {\n  source = "./child"\n  name   = var.name\n}\n', "")
    plan("forget", "-var", "name=db")
    run("destroy", "-no-color", "-auto-approve", name="destroy")
    run("workspace", "new", "stage")
    run("workspace", "list", name="workspaces")


def errors():
    os.mkdir("errors")
    os.chdir("errors")
    write('variable "x" {}\n')
    plan("required")
    plan("novarfile", "-var-file=none.tfvars")
    write('output "x" {\n  value = nothing.x\n}\n')
    plan("error")
    write('module "m" {\n  source = "./m"\n}\n')
    write("", "m/main.tf")
    plan("nomodule")
    run("validate", "-json", name="validatenomodule")
    write(PROVIDERS + 'resource "test_thing" "a" {\n  name = "a"\n}\n')
    plan("nolock")
    run("validate", "-json", name="validatenoprovider")
    run("init")
    shutil.rmtree(".terraform/providers")
    plan("noprovider")
    run("validate", "-json", name="validatenopackage")
    write('terraform {\n  backend "local" {\n    path = "else"\n  }\n}\n')
    plan("nobackend")
    write('terraform {\n  required_providers {\n    x = { source = "hashicorp/none" }\n'
          "  }\n}\n")
    run("init", "-no-color", name="unknownprovider")
    write('resource "terraform_data" "slow" {\n  provisioner "local-exec" {\n'
          '    command = "touch began; while [ ! -e done ]; do sleep 0.1; done"\n'
          "  }\n}\n")
    run("init", "-reconfigure")
    other = threading.Thread(target=apply, args=(None,))
    other.start()
    while other.is_alive() and not os.path.exists("began"):
        time.sleep(0.05)
    plan("locked")
    write("", "done")
    other.join()


def provider():
    """What a provider has to do with."""
    os.mkdir("drift")
    os.chdir("drift")
    write(PROVIDERS + 'resource "test_thing" "a" {\n  name = "a"\n}\n'
          'resource "terraform_data" "b" {\n  input = test_thing.a.oc\n}\n')
    run("init")
    apply(None)
    plan("driftplan", env={"TEST_PROVIDER_DO": 'read:set:oc="other"'})
    plan("log", env={"TEST_PROVIDER_DO": "read:log=greeting", "TF_LOG": "debug"})
    drift = {"TEST_PROVIDER_DO": 'read:set:name="other"'}
    plan("drift", "-refresh-only", env=drift)
    edit('= "a"', '= "b"')
    apply("applyerror", env={"TEST_PROVIDER_DO": 'apply:set:name="other"'})


def network():
    os.mkdir("network")
    os.chdir("network")
    write("provider_installation {\n  direct {}\n}\n", "rc")
    env = {"TF_CLI_CONFIG_FILE": "rc", "TF_REGISTRY_CLIENT_TIMEOUT": "1",
           "TF_REGISTRY_DISCOVERY_RETRY": "0", "GIT_TERMINAL_PROMPT": "0"}
    of_provider = "terraform {{\n  required_providers {{\n" \
        '    x = {{ source = "localhost:{}/x/x" }}\n  }}\n}}\n'
    of_module = 'module "m" {{\n  source = "{}"\n}}\n'
    hangs, breaks, busy = Server(False), Server(True), Busy()
    for name, text in (
            ("serverhangs", of_provider.format(hangs.port)),
            ("serverreset", of_provider.format(breaks.port)),
            ("modulereset", of_module.format(
                "https://localhost:%d/m.zip" % breaks.port)),
            ("modulegone", of_module.format("git::file:///nowhere")),
            ("module429", of_module.format(
                "git::http://localhost:%d/m" % busy.port))):
        write(text)
        run("init", "-no-color", env=env, name=name)


def found(pattern, text):
    """What it finds: its groups, or all of it, each once; of a pattern over lines,
    (?s), whether it finds anything."""
    all_of_it = [m.groups() or m.group() for m in re.finditer(pattern, text)]
    if pattern.startswith("(?s)"):
        return bool(all_of_it)
    return list(dict.fromkeys(all_of_it))


def main():
    top = os.getcwd()
    for part in plans, errors, provider, network:
        part()
        os.chdir(top)
    with open(HERE + "/patterns") as f:
        rows = [line.rstrip("\n").split("\t") for line in f if line[0] not in "#\n"]
    for program, names, pattern in rows:
        print(program, pattern)
        for name in names.split(","):
            what = found(pattern, texts[name])
            print("\t%s: %s" % (name, re.sub(r"v?1\.\d+\.\d+", "VERSION",
                                             json.dumps(what))))
    if os.environ.get("SHOW"):
        for name, text in texts.items():
            print("=== %s\n%s" % (name, text))


main()
