#!/usr/bin/env python3
"""http_state.py DIR [tls|mtls] - a store of states for the http backend's tests

It keeps what is posted to a path in DIR/states (a file a path, / as %), locks in
DIR/locks, and writes where it listens to DIR/port.  It ends with its standard input.
With tls it has DIR/server.pem and server.key, with mtls it wants a certificate
that DIR/ca.pem has signed, too.

LOCK, or POST to a path that ends with /lock, locks (200; 423 with the
holder's information); UNLOCK, or DELETE of such a path, unlocks (200; 409 with
the holder's where another ID is given).  A state that is written while it is
locked needs the query ID (409).  GET answers 200 or 404.

DIR/auth, if there, is "USER:PASSWORD", which requests must have.  DIR/log has a line a
request: METHOD PATH STATUS; DIR/requests.jsonl has them with headers and bodies.
DIR/answers.json, read at each request, is a list of other answers: {"match":
"GET /x*", "times": N, "status": S, "body": TEXT, "headers": {...}, "do": "drop"}.
"""

import base64
import fnmatch
import json
import os
import sys
import threading

import serving
from serving import inside, serve

MODE = sys.argv[2] if len(sys.argv) > 2 else ""
lock = threading.RLock()
used = {}


def name(path):
    return path.replace("/", "%")


def read(*parts):
    try:
        with open(inside(*parts), "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def write(data, *parts):
    with open(inside(*parts), "wb") as f:
        f.write(data)


class Handler(serving.Quiet):
    disable_nagle_algorithm = True

    def do_any(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        if len(body) < size or (self.command in ("POST", "PUT") and
                                "Content-Length" not in self.headers):
            self.close_connection = True  # it was cut
            return
        path, _, query = self.path.partition("?")
        with lock:
            other = self.other()
            if other.get("do") == "drop":
                self.note(body, 0)
                self.close_connection = True
                return
            if other:
                answer = other.get("status", 200), \
                    other.get("body", "").encode(), other.get("headers", {})
            else:
                answer = (*self.answer_of(path, query, body), {})
            self.note(body, answer[0])
        self.answer(*answer)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_any
    do_LOCK = do_UNLOCK = do_HEAD = do_any

    def other(self):
        for rule in json.loads(read("answers.json") or b"[]"):
            key = json.dumps(rule, sort_keys=True)
            if not fnmatch.fnmatchcase(f"{self.command} {self.path}",
                                       rule["match"]):
                continue
            used[key] = used.get(key, 0) + 1
            if used[key] <= rule.get("times", 1):
                return rule
        return {}

    def answer_of(self, path, query, body):
        auth = read("auth")
        if auth and self.headers.get("Authorization") != \
                "Basic " + base64.b64encode(auth.strip()).decode():
            return 401, b"who are you?"
        if self.command == "LOCK" or \
                (self.command == "POST" and path.endswith("/lock")):
            return self.lock_state(path.removesuffix("/lock"), body)
        if self.command == "UNLOCK" or \
                (self.command == "DELETE" and path.endswith("/lock")):
            return self.unlock_state(path.removesuffix("/lock"), body)
        if self.command == "GET":
            state = read("states", name(path))
            return (404, b"") if state is None else (200, state)
        if self.command == "DELETE":
            try:
                os.unlink(inside("states", name(path)))
            except FileNotFoundError:
                return 404, b""
            return 200, b""
        held = read("locks", name(path))
        if held and f"ID={json.loads(held)['ID']}" not in query.split("&"):
            return 409, held
        write(body, "states", name(path))
        return 200, b""

    def lock_state(self, path, body):
        held = read("locks", name(path))
        if held:
            return 423, held
        write(body, "locks", name(path))
        return 200, b""

    def unlock_state(self, path, body):
        held = read("locks", name(path))
        if held and body and json.loads(body).get("ID") != \
                json.loads(held)["ID"]:
            return 409, held
        if held:
            os.unlink(inside("locks", name(path)))
        return 200, b""

    def answer(self, status, body, headers):
        self.send_response(status)
        for k, v in headers.items():
            self.send_header(k, v)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def note(self, body, status):
        with open(inside("log"), "a", encoding="utf-8") as f:
            f.write(f"{self.command} {self.path} {status}\n")
        serving.note(self, body=serving.short(body), status=status)


for d in ("states", "locks"):
    os.makedirs(inside(d), exist_ok=True)
serve(Handler, MODE)
