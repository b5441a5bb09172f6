#!/usr/bin/env python3
"""tencent.py DIR - what the backend cos asks of Tencent Cloud

It stands in for the store of objects (COS) and the services of tags and roles (STS),
which no registry has, and checks signatures by the keys id/secret, or those of a
role, r-id/r-secret with the token r-token.  It listens at DIR/port and ends with its
standard input; DIR/requests.jsonl has a line a request.  DIR/page: so many
objects a page of a list has.  Objects are in DIR/objects.
"""

import hashlib
import hmac
import json
import os
import threading
import time
from urllib.parse import parse_qsl, quote, unquote, urlsplit

import serving
from serving import inside, serve

SECRETS = {"id": "secret", "r-id": "r-secret"}
lock = threading.Lock()
tags = set()


def sign(key, text, algorithm):
    key = key.encode() if isinstance(key, str) else key
    return hmac.new(key, text.encode(), algorithm)


def crc64(data):
    """that of ECMA-182, reflected, which OpenTofu compares"""
    crc = 0xFFFFFFFFFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xC96C5795D7870F42 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFFFFFFFFFF


class Handler(serving.Quiet):
    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def refuse(self, status, code):
        self.answer(status, f"<Error><Code>{code}</Code><Message>no</Message>"
                            "</Error>".encode())

    # --- objects ---

    def signed(self, path, query):
        said = dict(p.split("=", 1)
                    for p in self.headers.get("Authorization", "").split("&") if p)
        secret = SECRETS.get(said.get("q-ak"))
        if not secret or (secret == "r-secret") != (
                self.headers.get("x-cos-security-token") == "r-token"):
            return False
        start, end = map(int, said["q-sign-time"].split(";"))
        names = [n for n in said["q-header-list"].split(";") if n]
        keys = [n for n in said["q-url-param-list"].split(";") if n]
        if not start - 5 <= time.time() <= end or names != sorted(names) or \
                sorted(query) != keys or "host" not in names or \
                {n.lower() for n in self.headers if n.lower().startswith("x-cos-")} \
                - set(names):
            return False
        text = "\n".join([
            self.command.lower(), path,
            "&".join(f"{k}={quote(query[k], safe='')}" for k in keys),
            "&".join(f"{n}={quote(self.headers[n], safe='')}" for n in names), ""])
        key = sign(secret, said["q-key-time"], "sha1").hexdigest()
        text = (f"sha1\n{said['q-sign-time']}\n"
                f"{hashlib.sha1(text.encode()).hexdigest()}\n")
        return sign(key, text, "sha1").hexdigest() == said["q-signature"]

    def place(self, path):
        return inside("objects", quote(path[1:], safe=""))

    def bucket(self, query):
        prefix, marker = query.get("prefix", ""), query.get("marker", "")
        names = sorted(unquote(n) for n in os.listdir(inside("objects"))
                       if not n.endswith(".meta"))
        names = [n for n in names if n.startswith(prefix) and n > marker]
        page = 1000
        if os.path.exists(inside("page")):
            with open(inside("page"), encoding="utf-8") as f:
                page = int(f.read())
        more = f"<NextMarker>{names[page - 1]}</NextMarker>" if names[page:] else ""
        self.answer(200, ("<ListBucketResult>" + "".join(
            f"<Contents><Key>{n}</Key></Contents>" for n in names[:page]) +
            f"<IsTruncated>{'true' if more else 'false'}</IsTruncated>{more}"
            "</ListBucketResult>").encode())

    def store(self, body):
        url = urlsplit(self.path)
        path, query = unquote(url.path), dict(parse_qsl(url.query))
        if not self.signed(path, query):
            return self.refuse(403, "SignatureDoesNotMatch")
        place = self.place(path)
        if path == "/":
            return self.bucket(query)
        if self.command == "PUT":
            with open(place, "wb") as f:
                f.write(body)
            with open(place + ".meta", "w", encoding="utf-8") as f:
                f.write(self.headers.get("x-cos-meta-md5", ""))
            return self.answer(200, headers=[("x-cos-hash-crc64ecma",
                                              str(crc64(body)))])
        if not os.path.exists(place):
            return self.refuse(404, "NoSuchKey")
        if self.command == "DELETE":
            os.remove(place)
            os.remove(place + ".meta")
            return self.answer(204)
        with open(place, "rb") as f, open(place + ".meta", encoding="utf-8") as m:
            return self.answer(200, f.read(), [("x-cos-meta-md5", m.read())])

    # --- services ---

    def called(self, service, body):
        said = dict(p.split("=", 1) for p in self.headers["Authorization"].split(
            " ", 1)[1].split(", "))
        who, day, *rest = said["Credential"].split("/")
        if rest != [service, "tc3_request"] or who not in SECRETS:
            return False
        text = "\n".join([
            "POST", "/", "", "content-type:" + self.headers["Content-Type"],
            "host:" + self.headers["Host"], "", "content-type;host",
            hashlib.sha256(body).hexdigest()])
        text = "\n".join(["TC3-HMAC-SHA256", self.headers["X-TC-Timestamp"],
                          "/".join([day, *rest]),
                          hashlib.sha256(text.encode()).hexdigest()])
        key = "TC3" + SECRETS[who]
        for step in (day, *rest):
            key = sign(key, step, "sha256").digest()
        return sign(key, text, "sha256").hexdigest() == said["Signature"]

    def service(self, service, body):
        def tell(**response):
            self.answer(200, json.dumps({"Response": {
                **response, "RequestId": "1"}}).encode())

        def error(code):
            tell(Error={"Code": code, "Message": "no"})

        if not self.called(service, body):
            return error("AuthFailure.SignatureFailure")
        action, asked = self.headers["X-TC-Action"], json.loads(body)
        if action == "AssumeRole":
            return tell(Credentials={"TmpSecretId": "r-id", "Token": "r-token",
                                     "TmpSecretKey": "r-secret"},
                        ExpiredTime=int(time.time()) + asked["DurationSeconds"])
        tag = (asked["TagKey"], asked["TagValue"])
        with lock:
            if action == "CreateTag":
                if tag in tags:
                    return error("ResourceInUse.TagDuplicate")
                tags.add(tag)
                return tell()
            if action == "DeleteTag":
                if tag not in tags:
                    return error("ResourceNotFound.TagNonExist")
                tags.remove(tag)
                return tell()
            return tell(TotalCount=1, Tags=[
                {"TagKey": k, "TagValue": v} for k, v in tags & {tag}])

    def do_any(self):
        body = self.whole_body()
        if body is None:
            return None
        host = self.headers["Host"].split(":")[0]
        serving.note(self, host=host, body=serving.short(body),
                     path=unquote(self.path.replace("+", "%20")))
        if host.endswith(".tencentcloudapi.com"):
            return self.service(host.split(".")[0], body)
        return self.store(body)

    do_GET = do_PUT = do_DELETE = do_POST = do_any


os.makedirs(inside("objects"), exist_ok=True)
serve(Handler)
