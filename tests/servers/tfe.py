#!/usr/bin/env python3
"""tfe.py DIR - a fake of the TFE API (v2), as far as states and outputs need it

It listens with DIR/server.pem and server.key at the port in DIR/port, serves
discovery, and ends with its standard input.  Its one organization is "tests"; tokens
are "token-USER", whose locks are USER's.  It keeps workspaces, their locks
and state versions in DIR/workspaces.json, which it reads at each request.  As the
service does, it takes a state version from who holds the lock alone, and refuses
one whose serial is not higher.

What tests may put into DIR: mode (execution mode of new workspaces, "local" where
there is none), api (version of the API), old (there: states come within the
request that makes a version, as before 2023), foreign (HOST:PORT of the links to
states; its server is this one), outputs_only (a user who is not given states).

DIR/log has a line a request: METHOD PATH STATUS; DIR/requests.jsonl has them with
headers and bodies.  DIR/answers.json, read at each request, is a list of other
answers: {"match": "GET /x*", "times": N, "status": S, "body": TEXT, "headers":
{...}, "do": "drop" or "lose"}, where the last says that all is done but the answer.
"""

import base64
import fnmatch
import hashlib
import json
import os
import threading
import urllib.parse

import serving
from serving import inside, serve

ORG = "tests"
TYPE = "application/vnd.api+json"
PAGE = 3
lock = threading.RLock()
used = {}


def read(name):
    try:
        with open(inside(name), "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def setting(name, otherwise=""):
    return (read(name) or otherwise.encode()).decode().strip()


class Refused(Exception):
    def __init__(self, status, title):
        super().__init__(title)
        self.status = status
        self.title = title


class Store:
    """What there is: DIR/workspaces.json"""

    def __enter__(self):
        self.all = json.loads(read("workspaces.json") or
                              b'{"workspaces": [], "projects": [], "n": 0}')
        return self

    def __exit__(self, *_):
        with open(inside("workspaces.new"), "w", encoding="utf-8") as f:
            json.dump(self.all, f, indent=1)
        os.rename(inside("workspaces.new"), inside("workspaces.json"))

    def id(self, kind):
        self.all["n"] += 1
        return f"{kind}-{self.all['n']:016d}"

    def workspace(self, **key):
        for w in self.all["workspaces"]:
            if all(w[k] == v for k, v in key.items()):
                return w
        raise Refused(404, "not found")

    def version(self, vid):
        for w in self.all["workspaces"]:
            for v in w["versions"]:
                if v["id"] == vid:
                    return w, v
        raise Refused(404, "not found")


class Handler(serving.Quiet):
    disable_nagle_algorithm = True

    def do_any(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        if len(body) < size:
            self.close_connection = True  # it was cut
            return
        self.path, _, query = self.path.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query))
        self.full = self.path + ("?" + query if query else "")
        with lock:
            other = self.other()
            if other.get("do") == "drop":
                answer = (0, b"")
            elif other and other.get("do") != "lose":
                answer = other.get("status", 200), \
                    other.get("body", "").encode()
            else:
                try:
                    answer = self.answer_of(body)
                except Refused as e:
                    answer = e.status, {"errors": [{
                        "status": str(e.status), "title": e.title}]}
            if other.get("do") == "lose":
                answer = (0, b"")
            self.note(body, answer[0])
        if not answer[0]:
            self.close_connection = True
            return
        self.answer(*answer, other.get("headers", {}))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_any

    def other(self):
        for rule in json.loads(read("answers.json") or b"[]"):
            key = json.dumps(rule, sort_keys=True)
            if not fnmatch.fnmatchcase(f"{self.command} {self.full}",
                                       rule["match"]):
                continue
            used[key] = used.get(key, 0) + 1
            if used[key] <= rule.get("times", 1):
                return rule
        return {}

    # --- what it is asked ---

    def answer_of(self, body):
        path = [urllib.parse.unquote(p) for p in self.path.split("/")[1:]]
        if self.path == "/.well-known/terraform.json":
            return 200, {"tfe.v2": "/api/v2/", "tfe.v2.1": "/api/v2/",
                         "state.v2": "/api/v2/"}
        if path[0] == "stored":
            return self.stored(path[1], body)
        if path[:2] != ["api", "v2"]:
            raise Refused(404, "not found")
        token = self.headers.get("Authorization", "")
        if not token.startswith("Bearer token-"):
            raise Refused(401, "unauthorized")
        self.user = token.removeprefix("Bearer token-")
        path = path[2:]
        if path == ["ping"]:
            return 204, b""
        data = json.loads(body)["data"] if path[-1:] != ["lock"] and \
            body.startswith(b"{\"data") else None
        with Store() as store:
            if path[:2] == ["organizations", ORG]:
                return self.organization(store, path[2:], data)
            if path[0] == "workspaces":
                w = store.workspace(id=path[1])
                return self.workspace(store, w, path[2:], data, body)
            if path[0] == "state-version-outputs":
                vid, _, name = path[1].partition(".")
                return 200, {"data": self.output(store.version(vid)[1], name,
                                                 True)}
            if path[0] == "state-versions":
                return 200, self.version(*store.version(path[1]))
        raise Refused(404, "not found")

    def organization(self, store, path, data):
        if path == ["entitlement-set"]:
            return 200, {"data": {
                "id": "org-1", "type": "entitlement-sets", "attributes": {
                    "operations": True, "state-storage": True}}}
        if path == ["projects"]:
            return self.projects(store, data)
        if path == ["workspaces"] and self.command == "POST":
            return 201, self.make(store, data)
        if path == ["workspaces"]:
            return self.list(store)
        if path[0] != "workspaces":
            raise Refused(404, "not found")
        w = store.workspace(name=path[1])
        if path[2:] == ["actions", "safe-delete"]:
            if w["versions"] and w["versions"][-1].get("resources"):
                raise Refused(409, "workspace is not safe to delete")
        elif self.command != "DELETE":
            return 200, self.shown(w)
        store.all["workspaces"].remove(w)
        return 204, b""

    def projects(self, store, data):
        if self.command == "POST":
            p = {"id": store.id("prj"), "name": data["attributes"]["name"]}
            store.all["projects"].append(p)
            return 201, {"data": self.project(p)}
        name = self.query.get("filter[names]")
        return 200, self.paged([self.project(p) for p in store.all["projects"]
                                if not name or p["name"] == name])

    @staticmethod
    def project(p):
        return {"id": p["id"], "type": "projects",
                "attributes": {"name": p["name"]}}

    def list(self, store):
        tags = [t for t in self.query.get("search[tags]", "").split(",") if t]
        name = self.query.get("search[name]", "")
        project = self.query.get("filter[project][id]")
        return 200, self.paged([
            self.shown(w)["data"] for w in store.all["workspaces"]
            if name in w["name"] and set(tags) <= set(w["tags"]) and
            (not project or w["project"] == project)])

    def paged(self, items):
        size = int(self.query.get("page[size]", PAGE))
        page = int(self.query.get("page[number]", 1))
        pages = max(1, -(-len(items) // size))
        return {"data": items[(page - 1) * size:page * size],
                "meta": {"pagination": {
                    "current-page": page, "total-pages": pages,
                    "prev-page": page - 1 or None,
                    "next-page": page + 1 if page < pages else None,
                    "total-count": len(items)}}}

    def make(self, store, data):
        a = data["attributes"]
        if any(w["name"] == a["name"] for w in store.all["workspaces"]):
            raise Refused(422, "invalid attribute: Name has already been taken")
        rel = data.get("relationships", {})
        w = {"id": store.id("ws"), "name": a["name"],
             "mode": a.get("execution-mode", setting("mode", "local")),
             "version": a.get("terraform-version", "1.9.9"),
             "tags": [t["attributes"]["name"]
                      for t in rel.get("tags", {}).get("data", [])],
             "project": rel.get("project", {}).get("data", {}).get("id"),
             "locked": None, "reason": "", "versions": []}
        store.all["workspaces"].append(w)
        return self.shown(w)

    def workspace(self, store, w, path, data, body):
        if not path:
            if self.command == "PATCH":
                a = data["attributes"]
                w["version"] = a.get("terraform-version", w["version"])
                w["mode"] = a.get("execution-mode", w["mode"])
            return 200, self.shown(w)
        if path == ["relationships", "tags"]:
            w["tags"] += [t["attributes"]["name"] for t in
                          json.loads(body)["data"]
                          if t["attributes"]["name"] not in w["tags"]]
            return 204, b""
        if path[0] == "actions":
            return self.act(w, path[1], body)
        if path == ["current-state-version"]:
            whole = [v for v in w["versions"] if v["whole"]]
            if not whole or self.user == setting("outputs_only"):
                raise Refused(404, "not found")
            return 200, self.version(w, whole[-1])
        if path == ["current-state-version-outputs"]:
            whole = [v for v in w["versions"] if v["whole"]]
            if not whole:
                raise Refused(404, "not found")
            return 200, self.paged([
                self.output(whole[-1], n, False) for n in whole[-1]["outputs"]])
        if path == ["state-versions"]:
            return self.create(store, w, data)
        raise Refused(404, "not found")

    def act(self, w, action, body):
        if action == "lock":
            if w["locked"]:
                raise Refused(409, "workspace already locked")
            w["locked"] = self.user
            w["reason"] = json.loads(body or b"{}").get("reason", "")
        elif action in ("unlock", "force-unlock"):
            if not w["locked"]:
                raise Refused(409, "workspace already unlocked")
            if action == "unlock" and w["locked"] != self.user:
                raise Refused(409, "Unable to unlock: the workspace is locked "
                              f"by User {w['locked']}")
            w["locked"] = None
        else:
            raise Refused(404, "not found")
        return 200, self.shown(w)

    def create(self, store, w, data):
        a = data["attributes"]
        if w["locked"] != self.user:
            raise Refused(409, "the workspace must be locked by who saves")
        old = os.path.exists(inside("old"))
        if old and "state" not in a:
            raise Refused(400, "param is missing or the value is empty: state")
        last = [v for v in w["versions"] if v["whole"]]
        if last and not a.get("force"):
            if a.get("lineage") != last[-1]["lineage"]:
                raise Refused(409, "lineage does not match")
            if a["serial"] <= last[-1]["serial"]:
                raise Refused(409, "serial is not higher than that of the "
                              "current state version")
        v = {"id": store.id("sv"), "serial": a["serial"], "md5": a["md5"],
             "lineage": a.get("lineage"), "whole": False,
             "outputs": json.loads(base64.b64decode(
                 a.get("json-state-outputs", "e30=") or "e30=")),
             "run": data.get("relationships", {}).get("run", {})
             .get("data", {}).get("id")}
        w["versions"].append(v)
        if "state" in a:
            self.keep(v, base64.b64decode(a["state"]))
        return 201, self.version(w, v)

    @staticmethod
    def keep(v, text):
        if hashlib.md5(text).hexdigest() != v["md5"]:
            raise Refused(422, "the state does not match its md5")
        v["whole"] = True
        v["resources"] = len(json.loads(text).get("resources", ()))
        with open(inside(f"{v['id']}.tfstate"), "wb") as f:
            f.write(text)

    def stored(self, name, body):
        """The object store, whose addresses are secret instead of a token."""
        vid, _, kind = name.partition(".")
        if self.command == "GET":
            return 200, read(f"{vid}.tfstate")
        with Store() as store:
            v = store.version(vid)[1]
            if kind == "json":
                v["json"] = len(body)
            else:
                self.keep(v, body)
        return 200, b""

    # --- what it shows ---

    def shown(self, w):
        d = {"id": w["id"], "type": "workspaces", "attributes": {
            "name": w["name"], "execution-mode": w["mode"],
            "operations": w["mode"] != "local", "locked": bool(w["locked"]),
            "locked-reason": w["reason"] if w["locked"] else "",
            "terraform-version": w["version"], "tag-names": w["tags"],
            "created-at": "2026-01-02T03:04:05.000Z",
            "permissions": {"can-lock": True, "can-force-delete": True}},
            "relationships": {"organization": {"data": {
                "id": ORG, "type": "organizations"}}}}
        out = {"data": d}
        if w["locked"]:
            d["relationships"]["locked-by"] = {"data": {
                "id": f"user-{w['locked']}", "type": "users"}}
            if "locked_by" in self.query.get("include", ""):
                out["included"] = [{
                    "id": f"user-{w['locked']}", "type": "users",
                    "attributes": {"username": w["locked"]}}]
        return out

    def version(self, w, v):
        host = setting("foreign") or self.headers["Host"]
        return {"data": {
            "id": v["id"], "type": "state-versions", "attributes": {
                "serial": v["serial"], "created-at": "2026-01-02T03:04:05.000Z",
                "status": "finalized" if v["whole"] else "pending",
                "hosted-state-download-url": f"https://{host}/stored/{v['id']}",
                "hosted-state-upload-url": f"https://{host}/stored/{v['id']}",
                "hosted-json-state-upload-url":
                    f"https://{host}/stored/{v['id']}.json"}}}

    @staticmethod
    def output(v, name, secret):
        o = v["outputs"][name]
        hidden = o.get("sensitive") and not secret
        return {"id": f"{v['id']}.{name}", "type": "state-version-outputs",
                "attributes": {
                    "name": name, "sensitive": o.get("sensitive", False),
                    "type": "string", "detailed-type": o["type"],
                    "value": None if hidden else o["value"]}}

    def answer(self, status, body, headers):
        kind = TYPE
        if not isinstance(body, bytes):
            if self.path.startswith("/.well-known"):
                kind = "application/json"
            body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("TFP-API-Version", setting("api", "2.6"))
        for k, v in {"Content-Type": kind, **headers}.items():
            self.send_header(k, v)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)

    def note(self, body, status):
        with open(inside("log"), "a", encoding="utf-8") as f:
            f.write(f"{self.command} {self.full} {status or 'cut'}\n")
        serving.note(self, path=self.full, body=serving.short(body), status=status)


serve(Handler, "tls")
