#!/usr/bin/env python3
"""tunnel.py DIR - a proxy that connects to any host: CONNECT of HTTP, and SOCKS 5

It listens at a port of 127.0.0.1, which it writes to DIR/port, and ends with its
standard input.  If there is DIR/login, a line USER:PASSWORD, it wants that.
DIR/asked has a line a connection: the protocol and where it was to go.
"""
import base64
import os
import socket
import socketserver
import struct
import sys
import threading

DIR = os.path.abspath(sys.argv[1])


def login():
    try:
        with open(os.path.join(DIR, "login"), encoding="utf-8") as f:
            return f.read().strip()
    except FileNotFoundError:
        return None


def note(text):
    with open(os.path.join(DIR, "asked"), "a", encoding="utf-8") as f:
        print(text, file=f)


def copy(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class Tunnel(socketserver.BaseRequestHandler):
    def take(self, n):
        data = b""
        while len(data) < n:
            more = self.request.recv(n - len(data))
            if not more:
                raise ConnectionError
            data += more
        return data

    def join(self, host, port, answer):
        other = socket.create_connection((host, port))
        self.request.sendall(answer)
        back = threading.Thread(target=copy, args=(other, self.request))
        back.start()
        copy(self.request, other)
        back.join()
        other.close()

    def socks(self):
        ways = self.take(self.take(1)[0])
        wanted = login()
        if wanted:
            if 2 not in ways:
                return self.request.sendall(b"\5\xff")
            self.request.sendall(b"\5\2")
            self.take(1)
            user = self.take(self.take(1)[0]).decode()
            password = self.take(self.take(1)[0]).decode()
            if f"{user}:{password}" != wanted:
                return self.request.sendall(b"\1\1")
            self.request.sendall(b"\1\0")
        else:
            self.request.sendall(b"\5\0")
        kind = self.take(4)[3]
        if kind == 3:
            host = self.take(self.take(1)[0]).decode()
        else:
            host = socket.inet_ntoa(self.take(4))
        port = struct.unpack(">H", self.take(2))[0]
        note(f"socks {host} {port}")
        return self.join(host, port, b"\5\0\0\1\0\0\0\0\0\0")

    def http(self, first):
        head = first
        while not head.endswith(b"\r\n\r\n"):
            head += self.take(1)
        lines = head.decode().split("\r\n")
        host, port = lines[0].split()[1].rsplit(":", 1)
        wanted = login()
        given = [line for line in lines if line.startswith("Proxy-Auth")]
        if wanted:
            code = base64.b64encode(wanted.encode()).decode()
            if given != ["Proxy-Authorization: Basic " + code]:
                return self.request.sendall(
                    b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
        note(f"connect {host} {port}")
        return self.join(host, int(port), b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n")

    def handle(self):
        try:
            first = self.take(1)
            if first == b"\5":
                self.socks()
            else:
                self.http(first)
        except OSError:
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


with Server(("127.0.0.1", 0), Tunnel) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(os.path.join(DIR, "port.new"), "w", encoding="utf-8") as f:
        print(server.server_address[1], file=f)
    os.rename(os.path.join(DIR, "port.new"), os.path.join(DIR, "port"))
    sys.stdin.buffer.read()
