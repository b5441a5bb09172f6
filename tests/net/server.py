#!/usr/bin/env python3
"""server.py DIR - a server of static files for tests, which counts requests

It is a proxy, too, for which every host is itself: with HTTPS_PROXY pointing at
it and SSL_CERT_FILE at DIR/ca.pem a program may ask any host named in
DIR/hosts.  Files are DIR/www/HOST/PATH.  DIR/rules.json, read at each request, is
a list of exceptions, of which the first that fits counts:

  "at": "HOST/PATH"     with * and ?, which stand for slashes, too
  "method", "times": N  fits requests of this method; only the first N
  "token": "T"          401 without this bearer token
  "auth": "Basic X"     401 unless these are the credentials
  "wants": {NAME: TEXT} 401 unless these headers are there
  "challenge": "TEXT"   the header WWW-Authenticate of such a 401
  "status", "headers", "body", "file": "PATH"   the answer (file: below DIR)
  "etag": "E"           as a header, and 304 to those who have it
  "redirect": "URL"     302
  "delay": SECONDS      before the answer
  "together": N         answers once N requests wait for this rule (503 after 8 s)
  "cut": N              closes after N bytes of the body
  "slow": SECONDS       in which the body comes, in ten parts
  "endless": true       a body that never ends
  "length": N           a Content-Length that is not the body's
  "s3", "gcs": {...}    a store of objects (buckets.py)
  "sts": {...}          who tells keys for it (buckets.py)
  "google": {...}       who tells tokens for it (buckets.py)
  "git": "DIR"          repositories below it (repositories.py)

Where a path is /v2/ or has /manifests/ in it, the answer is that of a registry of
containers.

DIR/log has a line a request: METHOD HOST/PATH, the credentials if there are any,
and cn=NAME for who showed a certificate; DIR/sent the last body.  DIR/port is written once it listens; it ends with its standard input.
"""

import fnmatch
import hashlib
import http.server
import json
import os
import socketserver
import ssl
import sys
import threading
import time

sys.dont_write_bytecode = True
import buckets  # noqa: E402
import repositories  # noqa: E402

ROOT = os.path.abspath(sys.argv[1])
lock = threading.Lock()
used = {}  # how often a rule was used, by its text
waiting = {}  # barriers


def inside(*parts):
    return os.path.join(ROOT, *parts)


def rules():
    try:
        with open(inside("rules.json"), encoding="utf-8") as f:
            return json.load(f)
    except FileNotFoundError:
        return []


def fits(rule, at, method):
    if not fnmatch.fnmatchcase(at, rule["at"]):
        return False
    if rule.get("method", method) != method:
        return False
    if "times" not in rule:
        return True
    key = json.dumps(rule, sort_keys=True)
    with lock:
        used[key] = used.get(key, 0) + 1
        return used[key] <= rule["times"]


def meet(rule):
    """waits until as many are here; False: they do not come"""
    with lock:
        barrier = waiting.setdefault(
            rule["at"], threading.Barrier(rule["together"]))
    try:
        barrier.wait(8)
        return True
    except threading.BrokenBarrierError:
        return False


TYPES = {".zip": "application/zip", ".sig": "application/octet-stream",
         ".gz": "application/gzip", ".html": "text/html"}


def manifest_headers(body):
    digest = "sha256:" + hashlib.sha256(body).hexdigest()
    try:
        kind = json.loads(body)["mediaType"]
    except (ValueError, KeyError):
        kind = "application/octet-stream"
    return {"Content-Type": kind, "Docker-Content-Digest": digest}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    host = None
    body = b""
    disable_nagle_algorithm = True

    def do_CONNECT(self):
        self.host = self.path.rsplit(":", 1)[0]
        self.wfile.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        self.connection = TLS.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb", -1)
        self.wfile = socketserver._SocketWriter(self.connection)
        self.close_connection = False

    def do_any(self):
        n = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(n)
        if n:
            with open(inside("sent"), "wb") as f:
                f.write(self.body)
        path = self.path
        if path.startswith("http://"):
            host, _, path = path[len("http://"):].partition("/")
            path = "/" + path
        else:
            host = self.host or self.headers.get("Host", "")
        host = host.rsplit(":", 1)[0]
        at = host + path
        self.note(at)
        for rule in rules():
            if fits(rule, at.split("?")[0], self.command):
                return self.obey(rule, at)
        return self.send_file(inside("www", at.split("?")[0]), {})

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_any

    def note(self, at):
        with lock, open(inside("log"), "a", encoding="utf-8") as f:
            auth = self.headers.get("Authorization")
            f.write(f"{self.command} {at}{' ' + auth if auth else ''}"
                    f"{self.shown()}\n")

    def shown(self):
        shows = getattr(self.connection, "getpeercert", dict)()
        return "".join(" cn=" + value
                       for names in (shows or {}).get("subject", ())
                       for name, value in names if name == "commonName")

    def obey(self, rule, at):
        if "together" in rule and not meet(rule):
            return self.answer(503, b"nobody came", {})
        time.sleep(rule.get("delay", 0))
        want = rule.get("auth") or "Bearer " + rule.get("token", "")
        if ("token" in rule or "auth" in rule) and \
                self.headers.get("Authorization") != want:
            asks = {"WWW-Authenticate": rule["challenge"]} \
                if "challenge" in rule else {}
            return self.answer(401, b"", {"headers": asks})
        if any(self.headers.get(k) != v
               for k, v in rule.get("wants", {}).items()):
            return self.answer(401, b"", {})
        if "etag" in rule:
            rule = {**rule, "headers": {**rule.get("headers", {}),
                                        "ETag": rule["etag"]}}
            if self.headers.get("If-None-Match") == rule["etag"]:
                return self.answer(304, b"", rule)
        for store in ("s3", "gcs", "sts", "google"):
            if store in rule:
                return getattr(buckets, store)(self, ROOT, at, rule[store])
        if "git" in rule:
            return repositories.git(self, at, rule["git"])
        if "redirect" in rule:
            return self.answer(rule.get("status", 302), b"",
                               {"Location": rule["redirect"]})
        if "body" in rule or "status" in rule or "endless" in rule:
            return self.answer(rule.get("status", 200),
                               rule.get("body", "").encode(), rule)
        return self.send_file(inside(rule["file"]) if "file" in rule
                              else inside("www", at.split("?")[0]), rule)

    def send_file(self, path, rule):
        if path.endswith("/v2/"):
            return self.answer(200, b"{}", rule)
        try:
            with open(path, "rb") as f:
                body = f.read()
        except OSError:
            return self.answer(404, b"Not Found", {})
        kind = TYPES.get(os.path.splitext(path)[1], "application/json")
        headers = {"Content-Type": kind}
        if "/manifests/" in path:
            headers = manifest_headers(body)
        return self.answer(200, body, {
            **rule, "headers": {**headers, **rule.get("headers", {})}})

    def answer(self, status, body, rule):
        self.send_response(status)
        headers = dict(rule.get("headers", {}))
        if "Location" in rule:
            headers["Location"] = rule["Location"]
        headers.setdefault("Content-Type", "application/json")
        for name, value in headers.items():
            self.send_header(name, value)
        endless = rule.get("endless")
        if endless or "cut" in rule:
            self.close_connection = True
        if not endless and status not in (204, 304):
            self.send_header("Content-Length",
                             str(rule.get("length", len(body))))
        self.end_headers()
        if self.command == "HEAD":
            return
        if "cut" in rule:
            body = body[:rule["cut"]]
        parts = 10 if "slow" in rule else 1
        size = len(body) // parts + 1
        for i in range(parts):
            self.wfile.write(body[i * size:(i + 1) * size])
            time.sleep(rule.get("slow", 0) / parts)
        while endless:
            self.wfile.write(b" " * 65536)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # clients that go away are what tests are about


TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
TLS.load_cert_chain(inside("server.pem"), inside("server.key"))
if os.path.exists(inside("ca.pem")):
    TLS.load_verify_locations(inside("ca.pem"))
    TLS.verify_mode = ssl.CERT_OPTIONAL
server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with open(inside("port.new"), "w", encoding="utf-8") as f:
    f.write(str(server.server_port))
os.rename(inside("port.new"), inside("port"))
sys.stdin.read()
