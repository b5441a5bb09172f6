#!/usr/bin/env python3
"""run.py NAME DIR - a real server for tests, as long as standard input is open

A line there makes azurite, which takes seconds to start, forget what it has.

NAME is moto, versitygw, gcs, azurite or postgres.  Where it listens is written
to DIR/port, once it does and has what tests need; what it says is in DIR/said.
Programs are taken from TFPIPE_TEST_SERVERS, where scripts/servers put them, or from
PATH; exit code 3 says that the program is not there.

  moto       S3 with bucket "state", DynamoDB with table "locks", STS; checks nothing
  versitygw  S3 with bucket "state"; takes requests signed by tests / testsecret
  gcs        Google Cloud Storage with bucket "state"; asks nobody who he is,
             and looks at generations when it writes, not when it deletes
  azurite    blobs, TLS with DIR/server.pem and server.key, account "tests", key
             AZURE_KEY (below), container "state"; of a token it looks at the claims
  postgres   database "state", user "tests", password "secret"; TLS if there is a
             DIR/server.pem; all statements are in DIR/said
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from email.utils import formatdate

AZURE_KEY = base64.b64encode(b"a key of the tests, 32 bytes it is").decode()
HOST = "127.0.0.1"


def inside(name):
    return os.path.join(DIR, name)


def program(name, *places):
    top = os.environ.get("TFPIPE_TEST_SERVERS", "")
    for place in places if top else ():
        path = os.path.join(top, place)
        if os.access(path, os.X_OK):
            return path
    found = shutil.which(name)
    if not found:
        print(f"{name} is not installed", file=sys.stderr)
        sys.exit(3)
    return found


def free_port():
    with socket.socket() as s:
        s.bind((HOST, 0))
        return s.getsockname()[1]


def start(*args, **more):
    said = open(inside("said"), "ab")
    return subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=said,
                            stderr=said, start_new_session=True, **more)


def wait_for(child, port, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if child.poll() is not None:
            break
        try:
            socket.create_connection((HOST, port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    with open(inside("said"), encoding="utf-8", errors="replace") as f:
        sys.exit(f"it does not listen: {f.read()[-2000:]}")


def ask(port, method, path, body=b"", headers=None, tls=False):
    if tls:
        context = ssl._create_unverified_context()
        c = http.client.HTTPSConnection(HOST, port, timeout=30,
                                        context=context)
    else:
        c = http.client.HTTPConnection(HOST, port, timeout=30)
    c.request(method, path, body, headers or {})
    answer = c.getresponse()
    text = answer.read()
    if answer.status >= 300:
        sys.exit(f"{method} {path}: {answer.status} {text[:500]}")
    return text


def aws_signed(method, path, host, who, secret):
    """headers of an S3 request without a body"""
    now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    empty = hashlib.sha256(b"").hexdigest()
    names = "host;x-amz-content-sha256;x-amz-date"
    canonical = (f"{method}\n{path}\n\nhost:{host}\nx-amz-content-sha256:"
                 f"{empty}\nx-amz-date:{now}\n\n{names}\n{empty}")
    scope = f"{now[:8]}/us-east-1/s3/aws4_request"
    text = (f"AWS4-HMAC-SHA256\n{now}\n{scope}\n"
            + hashlib.sha256(canonical.encode()).hexdigest())
    key = ("AWS4" + secret).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    return {"x-amz-content-sha256": empty, "x-amz-date": now,
            "Authorization": f"AWS4-HMAC-SHA256 Credential={who}/{scope}, "
            f"SignedHeaders={names}, Signature={signature}"}


def moto(port):
    child = start(program("moto_server", "python/bin/moto_server"),
                  "-H", HOST, "-p", str(port))
    wait_for(child, port)
    ask(port, "PUT", "/state")
    ask(port, "POST", "/", json.dumps({
        "TableName": "locks", "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "LockID", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "LockID",
                                  "AttributeType": "S"}]}),
        {"X-Amz-Target": "DynamoDB_20120810.CreateTable",
         "Content-Type": "application/x-amz-json-1.0",
         "Authorization": "AWS4-HMAC-SHA256 Credential=tests/20260101/"
         "us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0"})
    return child


def versitygw(port):
    os.makedirs(inside("objects"), exist_ok=True)
    child = start(program("versitygw", "bin/versitygw"), "--access", "tests",
                  "--secret", "testsecret", "--port", f"{HOST}:{port}",
                  "posix", inside("objects"))
    wait_for(child, port)
    ask(port, "PUT", "/state", b"",
        aws_signed("PUT", "/state", f"{HOST}:{port}", "tests", "testsecret"))
    return child


def gcs(port):
    child = start(program("fake-gcs-server", "bin/fake-gcs-server"),
                  "-scheme", "http", "-host", HOST, "-port", str(port),
                  "-backend", "memory", "-public-host", f"{HOST}:{port}")
    wait_for(child, port)
    ask(port, "POST", "/storage/v1/b", json.dumps({"name": "state"}),
        {"Content-Type": "application/json"})
    return child


def azurite(port):
    child = start(
        program("azurite-blob", "node_modules/.bin/azurite-blob"),
        "--blobHost", HOST, "--blobPort", str(port), "--location",
        inside("blobs"), "--cert", inside("server.pem"), "--key",
        inside("server.key"), "--oauth", "basic", "--silent", "--skipApiVersionCheck",
        "--disableTelemetry",
        env={**os.environ, "AZURITE_ACCOUNTS": f"tests:{AZURE_KEY}"})
    wait_for(child, port)
    azurite_container(port, "PUT")
    return child


def azurite_container(port, method):
    now = formatdate(usegmt=True)
    text = (f"{method}\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:{now}\n"
            "x-ms-version:2021-10-04\n/tests/tests/state\nrestype:container")
    signature = base64.b64encode(hmac.new(
        base64.b64decode(AZURE_KEY), text.encode(), hashlib.sha256).digest())
    ask(port, method, "/tests/state?restype=container", b"", {
        "x-ms-date": now, "x-ms-version": "2021-10-04",
        "Authorization": f"SharedKey tests:{signature.decode()}"}, tls=True)


def pg_program(name):
    for version in range(30, 12, -1):
        path = f"/usr/lib/postgresql/{version}/bin/{name}"
        if os.access(path, os.X_OK):
            return path
    return program(name)


def postgres(port):
    data = inside("data")
    more = {}
    if os.getuid() == 0:  # it refuses to run as root
        more["user"] = more["group"] = "postgres"
        more["extra_groups"] = []
        os.makedirs(data, exist_ok=True)
        for path in (DIR, data):
            shutil.chown(path, "postgres", "postgres")
        up = DIR
        while up != "/":
            up = os.path.dirname(up)
            if os.stat(up).st_uid == 0 and not os.stat(up).st_mode & 1:
                os.chmod(up, os.stat(up).st_mode | 1)
    with open(inside("password"), "w", encoding="utf-8") as f:
        f.write("secret")
    os.chmod(inside("password"), 0o644)
    with open(inside("said"), "ab") as said:
        subprocess.run(
            [pg_program("initdb"), "-D", data, "-U", "tests", "--pwfile",
             inside("password"), "-A", "scram-sha-256", "-E", "UTF8",
             "--locale=C", "--no-sync"], check=True, stdout=said, stderr=said,
            **more)
    with open(os.path.join(data, "postgresql.conf"), "a",
              encoding="utf-8") as f:
        f.write(f"listen_addresses = '{HOST}'\nport = {port}\n"
                "unix_socket_directories = ''\nfsync = off\n"
                "log_statement = 'all'\nlog_line_prefix = '%p '\n"
                "max_connections = 300\n")
        if os.path.exists(inside("server.pem")):
            for name in ("server.pem", "server.key"):
                copy = os.path.join(data, name)
                shutil.copy(inside(name), copy)
                os.chmod(copy, 0o600)
                if more:
                    shutil.chown(copy, "postgres", "postgres")
            f.write("ssl = on\nssl_cert_file = 'server.pem'\n"
                    "ssl_key_file = 'server.key'\n")
    child = start(pg_program("postgres"), "-D", data, **more)
    wait_for(child, port)
    env = {**os.environ, "PGPASSWORD": "secret", "PGSSLMODE": "prefer"}
    for _ in range(200):
        made = subprocess.run(
            [pg_program("psql"), "-h", HOST, "-p", str(port), "-U", "tests",
             "-d", "postgres", "-c", "create database state"], env=env,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if made.returncode == 0:
            return child
        time.sleep(0.05)
    sys.exit(made.stderr.decode())


def main():
    port = free_port()
    child = globals()[NAME](port)

    def end(*_):
        try:
            os.killpg(child.pid, signal.SIGKILL if NAME != "postgres"
                      else signal.SIGQUIT)
            child.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            pass
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    tell(port)
    while sys.stdin.readline():
        azurite_container(port, "DELETE")
        azurite_container(port, "PUT")
        tell(port)
    end()


def tell(port):
    with open(inside("port.new"), "w", encoding="utf-8") as f:
        f.write(f"{port}\n")
    os.rename(inside("port.new"), inside("port"))


NAME = sys.argv[1]
DIR = os.path.abspath(sys.argv[2])
main()
