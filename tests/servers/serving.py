"""serving - what the servers of the tests share: a directory of their own, a note of
each request, and an end with their standard input"""
import http.server
import json
import os
import ssl
import sys
import threading

DIR = os.path.abspath(sys.argv[1])


def inside(*parts):
    return os.path.join(DIR, *parts)


def note(request, **members):
    """adds a line to DIR/requests.jsonl"""
    members.setdefault("method", request.command)
    members.setdefault("path", request.path)
    members["headers"] = {k.lower(): v for k, v in request.headers.items()}
    with open(inside("requests.jsonl"), "a", encoding="utf-8") as f:
        f.write(json.dumps(members) + "\n")


def short(body):
    """a body if it is text and short, else its size"""
    try:
        return body.decode() if len(body) < 4000 else len(body)
    except UnicodeDecodeError:
        return len(body)


class Quiet(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def whole_body(self):
        """the body of a request; None if it was cut: nobody acts on that"""
        size = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(size)
        if len(body) == size:
            return body
        self.close_connection = True
        return None


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # clients that go away are what tests are about


def serve(handler, mode=""):
    """serves until the standard input ends; mode: "", "tls", or "mtls", which wants
    a certificate that DIR/ca.pem has signed"""
    server = Server(("127.0.0.1", 0), handler)
    if mode:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(inside("server.pem"), inside("server.key"))
        if mode == "mtls":
            tls.verify_mode = ssl.CERT_REQUIRED
            tls.load_verify_locations(inside("ca.pem"))
        server.socket = tls.wrap_socket(server.socket, server_side=True,
                                        do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(inside("port.new"), "w", encoding="utf-8") as f:
        f.write(f"{server.server_address[1]}\n")
    os.rename(inside("port.new"), inside("port"))
    sys.stdin.read()
