#!/usr/bin/env python3
"""consul.py DIR [token] - what the backend consul asks of Consul's HTTP API

It stands in for Consul, which no registry has: keys with indexes, sessions,
transactions, blocking queries.  It listens at DIR/port and ends with its standard
input; DIR/requests.jsonl has a line a request.  With a token, requests must have
it.  DIR/tls: it speaks TLS.  A transaction of more than 524,288 bytes is too large; a session is
invalid once its TTL is over twice.
"""

import base64
import json
import os
import sys
import threading
import time
import uuid
from urllib.parse import parse_qs, unquote

import serving
from serving import inside, serve

TOKEN = sys.argv[2] if len(sys.argv) > 2 else None
LIMIT = 524288
changed = threading.Condition()
keys = {}
sessions = {}
index = 1


def next_index():
    global index
    index += 1
    changed.notify_all()
    return index


def expire():
    for name, session in list(sessions.items()):
        if session["ttl"] and \
                time.monotonic() > session["seen"] + 2 * session["ttl"]:
            end_session(name)


def end_session(name):
    if sessions.pop(name, None) is None:
        return
    for key in keys.values():
        if key.get("Session") == name:
            del key["Session"]
            key["ModifyIndex"] = next_index()


def put(key, value, flags=0):
    old = keys.get(key)
    n = next_index()
    keys[key] = {"LockIndex": 0, "CreateIndex": n, **(old or {}), "Key": key,
                 "Flags": flags, "ModifyIndex": n,
                 "Value": base64.b64encode(value).decode() if value else None}
    return keys[key]


def holds(key, cas):
    """is the key's index that one, or 0 where there is none?"""
    return (keys[key]["ModifyIndex"] if key in keys else 0) == cas


def seconds(text):
    return float(text[:-1]) * {"s": 1, "m": 60}[text[-1]] \
        if text and text[-1] in "sm" and text[-2:] != "ms" else 0


class Handler(serving.Quiet):
    disable_nagle_algorithm = True

    def do_any(self):
        body = self.whole_body()
        if body is None:
            return None
        path, _, text = self.path.partition("?")
        query = {k: v[0] for k, v in
                 parse_qs(text, keep_blank_values=True).items()}
        if TOKEN and self.headers.get("X-Consul-Token") != TOKEN and \
                self.headers.get("Authorization") != "Bearer " + TOKEN:
            return self.answer(body, 403, "Permission denied", text=True)
        with changed:
            expire()
            status, value, *plain = self.handle_api(path, query, body)
        self.answer(body, status, value, bool(plain))

    do_GET = do_PUT = do_DELETE = do_any

    def handle_api(self, path, query, body):
        if path.startswith("/v1/kv/"):
            key = unquote(path[len("/v1/kv/"):])
            return getattr(self, "kv_" + self.command.lower())(
                key, query, body)
        if path == "/v1/txn":
            return self.txn(body)
        if path == "/v1/session/create":
            said = json.loads(body or b"{}")
            name = str(uuid.uuid4())
            sessions[name] = {"ttl": seconds(said.get("TTL", "")),
                              "seen": time.monotonic(), **said}
            return 200, {"ID": name}
        if path.startswith("/v1/session/renew/"):
            name = path.rsplit("/", 1)[1]
            if name not in sessions:
                return 404, f"Session id '{name}' not found", True
            sessions[name]["seen"] = time.monotonic()
            return 200, [{"ID": name, "TTL": sessions[name].get("TTL")}]
        if path.startswith("/v1/session/destroy/"):
            end_session(path.rsplit("/", 1)[1])
            return 200, True
        if path.startswith("/v1/session/info/"):
            name = path.rsplit("/", 1)[1]
            return 200, [{"ID": name}] if name in sessions else []
        return 404, "no such endpoint", True

    def kv_get(self, key, query, _):
        if "index" in query:
            end = time.monotonic() + (seconds(query.get("wait", "")) or 300)
            while index <= int(query["index"]) and \
                    time.monotonic() < end:
                changed.wait(max(0, min(1, end - time.monotonic())))
                expire()
        if "keys" in query:
            found = set()
            for k in keys:
                if k.startswith(key):
                    rest = k[len(key):]
                    cut = rest.find(query["separator"]) \
                        if query.get("separator") else -1
                    found.add(key + (rest if cut < 0 else rest[:cut + 1]))
            return (200, sorted(found)) if found else (404, "", True)
        if key not in keys:
            return 404, "", True
        return 200, [keys[key]]

    def kv_put(self, key, query, body):
        if len(body) > LIMIT:
            return 413, (f"Request body({len(body)} bytes) too large, max "
                         f"size: {LIMIT} bytes."), True
        flags = int(query.get("flags", 0))
        if "cas" in query and not holds(key, int(query["cas"])):
            return 200, False
        if "acquire" in query:
            if query["acquire"] not in sessions:
                return 500, "invalid session", True
            held = keys.get(key, {}).get("Session")
            if held and held != query["acquire"]:
                return 200, False
            entry = put(key, body, flags)
            entry["LockIndex"] += not held
            entry["Session"] = query["acquire"]
            return 200, True
        if "release" in query:
            if keys.get(key, {}).get("Session") != query["release"]:
                return 200, False
            put(key, body, flags).pop("Session", None)
            return 200, True
        put(key, body, flags)
        return 200, True

    def kv_delete(self, key, query, _):
        if "recurse" in query:
            for k in [k for k in keys if k.startswith(key)]:
                del keys[k]
        elif "cas" in query and not holds(key, int(query["cas"])):
            return 200, False
        else:
            keys.pop(key, None)
        next_index()
        return 200, True

    def txn(self, body):
        if len(body) > LIMIT:
            return 413, (f"Request body({len(body)} bytes) too large, max "
                         f"size: {LIMIT} bytes."), True
        results = []
        for op in json.loads(body):
            kv = op["KV"]
            if kv["Verb"] == "cas" and not holds(kv["Key"], kv["Index"]):
                return 409, {"Results": None, "Errors": [{
                    "OpIndex": 0, "What": f"failed to set key "
                    f"\"{kv['Key']}\", index is stale"}]}
            entry = put(kv["Key"], base64.b64decode(kv["Value"] or ""))
            results.append({"KV": {**entry, "Value": None}})
        return 200, {"Results": results, "Errors": None}

    def answer(self, body, status, value, text=False):
        out = (value if text else json.dumps(value)).encode()
        with changed:
            serving.note(self, status=status, body=serving.short(body),
                         told=out.decode()[:500])
        self.send_response(status)
        self.send_header("Content-Type",
                         "text/plain" if text else "application/json")
        self.send_header("X-Consul-Index", str(index))
        self.send_header("X-Consul-Knownleader", "true")
        self.send_header("X-Consul-Lastcontact", "0")
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)


serve(Handler, "tls" if os.path.exists(inside("tls")) else "")
