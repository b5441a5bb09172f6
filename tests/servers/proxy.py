#!/usr/bin/env python3
"""proxy.py DIR HOST:PORT [raw] - passes on what is sent to a server, with faults

It listens at a port of its own, which it writes to DIR/port, and ends with its
standard input.  Each connection is HTTP: as a server is spoken to, or as a
proxy is (CONNECT and absolute addresses, of whatever host: all goes to HOST:PORT).
After CONNECT it speaks TLS with DIR/server.pem and DIR/server.key; DIR/tls says
that the server behind wants TLS, too; DIR/host is the Host that it wants to be.  With `raw` it is any protocol: what
arrives at once is a request.

DIR/requests.jsonl has a line a request, in the order of their beginnings: n, method,
path, headers, body (if it is text and short, else its size), status, answer (its
headers), fault, size and told_size (bytes of the request and of the answer).
DIR/faults.json, read at each request, is a list of faults, of which the first that
fits counts:

  "n": N                fits the Nth request
  "match": "PUT /x*"    fits by method and path, with * and ?
  "from": N             fits from the Nth one on
  "times": K            fits only K times (1) as long as the file is the same
  "unless": TEXT        fits if the request is not authorized by TEXT

  "do": "refuse"        closes: the server never hears of it
        "lose"          the server does it, but the answer is not passed on
        "cut-request"   passes on "bytes" of the request, then closes
        "cut-answer"    passes on "bytes" of the answer (-1: all but one), then closes
        "answer"        answers "status" with "body", and the server hears nothing;
                        of another protocol it answers the bytes "hex", and
                        closes if "last" is true
        "stall"         waits "seconds" before it passes the request on
        "slow-answer"   waits "seconds" before it passes the answer on
        "hold"          passes on "bytes" of the request, never all, makes DIR/held,
                        waits until the client is gone, at most "seconds", closes
  "reset": true         closes by a reset of the connection
"""

import fnmatch
import json
import os
import re
import select
import socket
import ssl
import struct
import sys
import threading
import time

DIR = os.path.abspath(sys.argv[1])
TARGET = sys.argv[2].rsplit(":", 1)
RAW = sys.argv[3:] == ["raw"]
HOST = re.compile(rb"(\r\nhost: *)[^\r]*", re.IGNORECASE)
lock = threading.Lock()
count = 0
used = {}


class Closed(Exception):
    """somebody went away"""


def inside(name):
    return os.path.join(DIR, name)


def read(name):
    with open(inside(name), "rb") as f:
        return f.read().strip()


def fault(n, line, who=None):
    """the fault that a request suffers; {}: none"""
    try:
        with open(inside("faults.json"), encoding="utf-8") as f:
            rules = json.load(f)
            made = os.fstat(f.fileno())
    except FileNotFoundError:
        return {}
    for rule in rules:
        if rule.get("n", n) != n or rule.get("from", n) > n or \
                not fnmatch.fnmatchcase(line, rule.get("match", "*")) or \
                ("unless" in rule and rule["unless"] == who):
            continue
        # of this file: what another one said as well was another fault
        key = (made.st_ino, made.st_mtime_ns,
               json.dumps(rule, sort_keys=True))
        with lock:
            used[key] = used.get(key, 0) + 1
            if used[key] <= rule.get("times", 1):
                return rule
    return {}


def number():
    global count
    with lock:
        count += 1
        return count


def note(entry):
    with lock, open(inside("requests.jsonl"), "a", encoding="utf-8") as f:
        f.write(json.dumps(entry) + "\n")


def read_head(stream):
    """the lines of a message's head, as bytes"""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline(65536)
        if not line:
            raise Closed
        head += line
    return head


def fields(head):
    lines = head.decode("latin-1").split("\r\n")
    return lines[0], {k.lower(): v.strip() for k, _, v in
                      (x.partition(":") for x in lines[1:] if x)}


def read_chunked(stream):
    raw = b""
    while True:
        line = stream.readline(65536)
        raw += line
        n = int(line.split(b";")[0] or b"0", 16)
        part = stream.read(n + 2) if n else b""
        raw += part
        if n == 0:
            while line not in (b"\r\n", b""):
                line = stream.readline(65536)
                raw += line
            return raw


def read_body(stream, headers, answer_to=None, status=200):
    if answer_to == "HEAD" or status in (204, 304) or 100 <= status < 200:
        return b""
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return read_chunked(stream)
    if "content-length" in headers:
        return stream.read(int(headers["content-length"]))
    return stream.read() if answer_to else b""


def shown(body):
    if len(body) > 4000:
        return len(body)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return len(body)


UPSTREAM = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
UPSTREAM.check_hostname = False
UPSTREAM.verify_mode = ssl.CERT_NONE


def connect():
    s = socket.create_connection((TARGET[0], int(TARGET[1])), timeout=60)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if os.path.exists(inside("tls")):
        s = UPSTREAM.wrap_socket(s)
    return s


def end(*sockets, reset=False):
    for s in sockets:
        try:
            if reset and s is sockets[0]:
                s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                             struct.pack("ii", 1, 0))
            else:
                s.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        s.close()


def part(data, rule):
    return data[:min(rule.get("bytes", 0), len(data) - 1)]


def hold(client, seconds):
    """until the client is gone; what it still says is not wanted"""
    with open(inside("held"), "w", encoding="utf-8"):
        pass
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not select.select([client], [], [], 0.1)[0]:
            continue
        try:
            if not client.recv(65536):
                return
        except OSError:
            return


def serve_http(client):
    """requests of one connection, one after the other"""
    stream = client.makefile("rb")
    server = back = None
    rule = {}
    try:
        while True:
            head = read_head(stream)
            line, headers = fields(head)
            method, path, _ = line.split(" ", 2)
            if method == "CONNECT":
                client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                client = TLS().wrap_socket(client, server_side=True)
                stream = client.makefile("rb")
                continue
            if path.startswith("http://"):
                at = path.find("/", 7)
                path = path[at:] if at > 0 else "/"
                head = head.replace(line.split(" ")[1].encode("latin-1"),
                                    path.encode("latin-1"), 1)
            if headers.get("expect", "").lower() == "100-continue":
                client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                head = b"\r\n".join(
                    x for x in head.split(b"\r\n")
                    if not x.lower().startswith(b"expect:"))
            if os.path.exists(inside("host")):
                head = HOST.sub(b"\\g<1>" + read("host"), head, count=1)
            n = number()
            entry = {"n": n, "method": method, "path": path,
                     "headers": headers}
            rule = fault(n, method + " " + path,
                         headers.get("authorization"))
            do = rule.get("do")
            if rule:
                entry["fault"] = rule
            if do == "refuse":
                note(entry)
                raise Closed
            body = read_body(stream, headers)
            entry["body"] = shown(body)
            entry["size"] = len(head + body)
            if do == "answer":
                note({**entry, "status": rule["status"]})
                text = rule.get("body", "").encode()
                client.sendall(
                    f"HTTP/1.1 {rule['status']} Fault\r\nContent-Length: "
                    f"{len(text)}\r\n\r\n".encode() + text)
                continue
            if do == "stall":
                time.sleep(rule.get("seconds", 1))
            if server is None:
                server = connect()
                back = server.makefile("rb")
            if do in ("cut-request", "hold"):
                note(entry)
                server.sendall(part(head + body, rule))
                if do == "hold":
                    hold(client, rule.get("seconds", 60))
                raise Closed
            server.sendall(head + body)
            answer = read_head(back)
            first, said = fields(answer)
            while first.split(" ")[1].startswith("1"):
                answer = read_head(back)
                first, said = fields(answer)
            status = int(first.split(" ")[1])
            told = read_body(back, said, method, status)
            note({**entry, "status": status, "answer": said,
                  "told": shown(told),
                  "told_size": len(answer + told)})
            if do == "slow-answer":
                time.sleep(rule.get("seconds", 1))
            if do == "lose":
                raise Closed
            if do == "cut-answer":
                client.sendall((answer + told)[:rule.get("bytes", 0)])
                raise Closed
            client.sendall(answer + told)
            if said.get("connection", "").lower() == "close":
                raise Closed
    except (Closed, OSError, ValueError):
        pass
    finally:
        end(client, *([server] if server else []),
            reset=rule.get("reset", False))


def pass_answers(server, client, state):
    try:
        while True:
            data = server.recv(65536)
            if not data:
                break
            rule = state.pop("rule", {})
            if rule.get("do") == "slow-answer":
                time.sleep(rule.get("seconds", 1))
            if rule.get("do") == "lose":
                break
            if rule.get("do") == "cut-answer":
                client.sendall(data[:rule.get("bytes", 0)])
                break
            client.sendall(data)
    except OSError:
        pass
    end(server, client)


def serve_raw(client):
    server = None
    state = {}
    rule = {}
    try:
        server = connect()
        threading.Thread(target=pass_answers, args=(server, client, state),
                         daemon=True).start()
        while True:
            data = client.recv(65536)
            if not data:
                break
            n = number()
            rule = fault(n, data[:200].decode("latin-1"))
            note({"n": n, "body": len(data), "size": len(data), **({"fault": rule}
                                                if rule else {})})
            do = rule.get("do")
            if do == "refuse":
                break
            if do == "answer":
                client.sendall(bytes.fromhex(rule["hex"]))
                if rule.get("last"):
                    break
                continue
            if do == "stall":
                time.sleep(rule.get("seconds", 1))
            if do in ("cut-request", "hold"):
                server.sendall(part(data, rule))
                if do == "hold":
                    hold(client, rule.get("seconds", 60))
                break
            if rule:
                state["rule"] = rule
            server.sendall(data)
    except OSError:
        pass
    finally:
        end(client, *([server] if server else []),
            reset=rule.get("reset", False))


def TLS():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(inside("server.pem"), inside("server.key"))
    return context


def accept():
    while True:
        client, _ = listening.accept()
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve_raw if RAW else serve_http,
                         args=(client,), daemon=True).start()


listening = socket.create_server(("127.0.0.1", 0), backlog=128)
threading.Thread(target=accept, daemon=True).start()
with open(inside("port.new"), "w", encoding="utf-8") as f:
    f.write(f"{listening.getsockname()[1]}\n")
os.rename(inside("port.new"), inside("port"))
sys.stdin.read()
