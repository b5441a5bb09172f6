#!/usr/bin/env python3
"""kubernetes.py DIR [tls|mtls] - what the backend kubernetes asks of an API server

It stands in for Kubernetes, which no registry has: secrets and leases of namespaces,
with resource versions, label selectors and limits.  It listens at DIR/port and ends
with its standard input; DIR/requests.jsonl has a line a request.  DIR/token, if
there, is what requests must bear; with tls it has DIR/server.pem and DIR/server.key,
with mtls it wants a certificate that DIR/ca.pem has signed.
"""

import json
import re
import sys
import threading
import uuid
from urllib.parse import parse_qs

import serving
from serving import inside, serve

MODE = sys.argv[2] if len(sys.argv) > 2 else ""
LIMIT = 1048576  # of the data of a secret
PATH = re.compile(r"/(?:api/v1|apis/coordination\.k8s\.io/v1)/namespaces/"
                  r"([^/]+)/(secrets|leases)(?:/([^/]+))?$")
lock = threading.RLock()
objects = {}
version = 0


def number(data, at):
    """a varint, and where it ends"""
    n = shift = 0
    while True:
        n |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return n, at


def members(data):
    """number and value of each field of a protobuf message"""
    at = 0
    while at < len(data):
        key, at = number(data, at)
        value, at = number(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def lease(data):
    """a Lease in protobuf, which Go's clients send, as JSON has it"""
    meta, out = {}, {"spec": {}}
    raw = dict(members(data[4:]))[2]
    for field, value in members(raw):
        for n, part in members(value) if field in (1, 2) else ():
            if field == 2 and n == 1:
                out["spec"]["holderIdentity"] = part.decode()
            elif field == 1 and n in (11, 12):
                name = "labels" if n == 11 else "annotations"
                pair = dict(members(part))
                meta.setdefault(name, {})[pair[1].decode()] = \
                    pair.get(2, b"").decode()
            elif field == 1 and n in (1, 6) and part:
                meta["name" if n == 1 else "resourceVersion"] = part.decode()
    return {**out, "metadata": meta}


def failure(status, reason, message):
    return status, {"kind": "Status", "apiVersion": "v1", "metadata": {},
                    "status": "Failure", "message": message,
                    "reason": reason, "code": status}


def stored(where, given, old=None):
    global version
    version += 1
    meta = {**given.get("metadata", {}), "namespace": where[0],
            "resourceVersion": str(version)}
    meta["uid"] = old["metadata"]["uid"] if old else str(uuid.uuid4())
    one = {"kind": "Secret" if where[1] == "secrets" else "Lease",
           "apiVersion": "v1" if where[1] == "secrets"
           else "coordination.k8s.io/v1", **given, "metadata": meta}
    objects[where] = one
    return one


def answer_of(method, path, query, body):
    found = PATH.match(path)
    if not found:
        return failure(404, "NotFound", "the server could not find the "
                       "requested resource")
    space, kind, name = found.groups()
    if method == "POST":
        name = body["metadata"]["name"]
        if (space, kind, name) in objects:
            return failure(409, "AlreadyExists",
                           f"{kind} \"{name}\" already exists")
    if method == "GET" and not name:
        want = dict(x.split("=") for x in
                    query.get("labelSelector", [""])[0].split(",") if x)
        items = [o for (s, k, _), o in sorted(objects.items())
                 if (s, k) == (space, kind) and want.items()
                 <= o["metadata"].get("labels", {}).items()]
        return 200, {"kind": "List", "apiVersion": "v1",
                     "metadata": {"resourceVersion": str(version)},
                     "items": items}
    where = space, kind, name
    if method == "POST":
        return 201, stored(where, body)
    if where not in objects:
        return failure(404, "NotFound", f"{kind} \"{name}\" not found")
    old = objects[where]
    if method == "GET":
        return 200, old
    if method == "DELETE":
        del objects[where]
        return 200, {"kind": "Status", "apiVersion": "v1",
                     "status": "Success"}
    said = body["metadata"].get("resourceVersion")
    if said and said != old["metadata"]["resourceVersion"]:
        return failure(409, "Conflict", f"Operation cannot be fulfilled on "
                       f"{kind} \"{name}\": the object has been modified; "
                       "please apply your changes to the latest version and "
                       "try again")
    if sum(len(v) * 3 // 4 for v in body.get("data", {}).values()) > LIMIT:
        return failure(422, "Invalid", f"Secret \"{name}\" is invalid: data: "
                       f"Too long: must have at most {LIMIT} bytes")
    return 200, stored(where, body, old)


class Handler(serving.Quiet):
    disable_nagle_algorithm = True

    def do_any(self):
        text = self.whole_body()
        if text is None:
            return None
        path, _, query = self.path.partition("?")
        with lock:
            status, value = self.checked(path, parse_qs(query), text)
            self.note(text, status)
        out = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)

    do_GET = do_POST = do_PUT = do_DELETE = do_any

    def checked(self, path, query, text):
        try:
            with open(inside("token"), encoding="utf-8") as f:
                token = f.read().strip()
        except FileNotFoundError:
            token = None
        if token and self.headers.get("Authorization") not in (
                "Bearer " + token, "Basic " + token):
            return failure(401, "Unauthorized", "Unauthorized")
        try:
            body = lease(text) if text[:4] == b"k8s\0" \
                else json.loads(text or b"{}")
        except ValueError:
            return failure(400, "BadRequest", "the body is not JSON")
        return answer_of(self.command, path, query, body)

    def note(self, text, status):
        serving.note(self, status=status,
                     body=json.dumps(lease(text)) if text[:4] == b"k8s\0"
                     else text.decode(errors="replace")[:4000],
                     certificate=bool(MODE and self.connection.getpeercert()))


serve(Handler, MODE)
