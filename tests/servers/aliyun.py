#!/usr/bin/env python3
"""aliyun.py DIR - what the backend oss asks of Alibaba Cloud

It stands in for the store of objects (OSS), the service of roles (STS) and what a
machine says of its role, which no registry has, and checks signatures by the keys
id/secret, or those of a role, r-id/r-secret with the token r-token.  It listens at
DIR/port and ends with its standard input; DIR/requests.jsonl has a line a request.
DIR/page: so many objects a page of a list has.  DIR/seconds: so long keys are valid
(3600).  Objects are in DIR/objects.
"""

import base64
import hashlib
import hmac
import json
import os
import time
from urllib.parse import parse_qs, parse_qsl, quote, quote_plus, unquote, urlsplit

import serving
from serving import inside, serve

SECRETS = {"id": "secret", "r-id": "r-secret"}
BUCKET = "tests-1"


def sign(key, text):
    return base64.b64encode(hmac.new(key.encode(), text.encode(),
                                     "sha1").digest()).decode()


def crc64(data):
    """that of ECMA-182, reflected, which OpenTofu compares"""
    crc = 0xFFFFFFFFFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xC96C5795D7870F42 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFFFFFFFFFF


def number(name, otherwise):
    if not os.path.exists(inside(name)):
        return otherwise
    with open(inside(name), encoding="utf-8") as f:
        return int(f.read())


def session():
    until = time.gmtime(time.time() + number("seconds", 3600))
    return {"AccessKeyId": "r-id", "AccessKeySecret": "r-secret",
            "SecurityToken": "r-token",
            "Expiration": time.strftime("%Y-%m-%dT%H:%M:%SZ", until)}


class Handler(serving.Quiet):
    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, code):
        self.answer(status, f"<Error><Code>{code}</Code><Message>no</Message>"
                            "</Error>".encode())

    # --- objects ---

    def signed(self, resource):
        who, _, said = self.headers.get("Authorization", "")[4:].partition(":")
        token = self.headers.get("x-oss-security-token")
        if who not in SECRETS or (who == "r-id") != (token == "r-token"):
            return False
        when = self.headers["Date"]
        if abs(time.mktime(time.strptime(when, "%a, %d %b %Y %H:%M:%S GMT"))
               - time.mktime(time.gmtime())) > 900:
            return False
        own = sorted((n.lower(), v) for n, v in self.headers.items()
                     if n.lower().startswith("x-oss-"))
        text = "\n".join([self.command, self.headers.get("Content-MD5", ""),
                          self.headers.get("Content-Type", ""), when,
                          *(f"{n}:{v}" for n, v in own), resource])
        return sign(SECRETS[who], text) == said

    def bucket(self, query):
        assert query["encoding-type"] == "url"
        prefix, marker = query.get("prefix", ""), query.get("marker", "")
        names = sorted(unquote(n) for n in os.listdir(inside("objects")))
        names = [n for n in names if n.startswith(prefix) and n > marker]
        page = number("page", 1000)
        more = "true" if names[page:] else "false"
        self.answer(200, ("<ListBucketResult>" + "".join(
            f"<Contents><Key>{quote_plus(n)}</Key></Contents>"
            for n in names[:page]) + "<EncodingType>url</EncodingType>"
            f"<IsTruncated>{more}</IsTruncated></ListBucketResult>").encode())

    def store(self, body):
        url = urlsplit(self.path)
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        _, bucket, name = (unquote(url.path) + "/").split("/", 2)
        name = name.removesuffix("/")
        if bucket != BUCKET:
            return self.refuse(404, "NoSuchBucket")
        meta = "?objectMeta" if "objectMeta" in query else ""
        if not self.signed(f"/{bucket}/{name}{meta}"):
            return self.refuse(403, "SignatureDoesNotMatch")
        place = inside("objects", quote(name, safe=""))
        if not name:
            return self.bucket(query)
        if self.command == "PUT":
            said = self.headers.get("Content-MD5")
            if said and base64.b64decode(said) != hashlib.md5(body).digest():
                return self.refuse(400, "InvalidDigest")
            with open(place, "wb") as f:
                f.write(body)
            return self.answer(200, headers=[("x-oss-hash-crc64ecma",
                                              str(crc64(body)))])
        if not os.path.exists(place):
            if self.command == "DELETE":
                return self.answer(204)
            return self.refuse(404, "NoSuchKey")
        if self.command == "DELETE":
            os.remove(place)
            return self.answer(204)
        with open(place, "rb") as f:
            return self.answer(200, f.read())

    # --- roles ---

    def role(self, body):
        rows = {k: v[0] for k, v in parse_qs(
            urlsplit(self.path).query + "&" + body.decode(),
            keep_blank_values=True).items()}
        said = rows.pop("Signature", "")

        def escaped(text):
            return quote(text, safe="-_.~")

        text = "&".join(f"{escaped(k)}={escaped(rows[k])}" for k in sorted(rows))
        text = f"{self.command}&%2F&{escaped(text)}"
        secret = SECRETS.get(rows.get("AccessKeyId"))
        if not secret or sign(secret + "&", text) != said:
            return self.answer(403, b'{"Code":"SignatureDoesNotMatch",'
                                    b'"Message":"no"}')
        return self.answer(200, json.dumps(
            {"RequestId": "1", "Credentials": session()}).encode())

    def do_any(self):
        body = self.whole_body()
        if body is None:
            return None
        host = self.headers["Host"].split(":")[0]
        serving.note(self, host=host, body=serving.short(body),
                     path=unquote(self.path.replace("+", "%20")))
        if host.startswith("sts."):
            return self.role(body)
        if host == "100.100.100.200":
            return self.answer(200, json.dumps(
                {"Code": "Success", **session()}).encode())
        return self.store(body)

    do_GET = do_PUT = do_DELETE = do_POST = do_HEAD = do_any


os.makedirs(inside("objects"), exist_ok=True)
serve(Handler)
