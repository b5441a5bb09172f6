#!/usr/bin/env python3
"""keys.py DIR - fakes of services that make and keep keys, for tests

It writes where it listens to DIR/port and each request to DIR/requests.jsonl: method,
path, the headers that matter, body; what is secret in them is part of a test.  It
ends with its standard input.  DIR/refuse, if there, makes all answers 403.

  OpenBao   PUT /v1/ENGINE/datakey/plaintext/KEY, /v1/ENGINE/decrypt/KEY
  GCP KMS   POST /v1/KEY:encrypt and /v1/KEY:decrypt
  AWS KMS   POST /, X-Amz-Target TrentService.GenerateDataKey and .Decrypt

A key is encrypted by turning it round; of another name it is refused.
"""

import base64
import json
import os

from serving import Quiet, inside, serve

KEPT = ("x-vault-token", "x-vault-request", "x-vault-namespace", "x-amz-target",
        "authorization", "content-type")


def b64(data):
    return base64.b64encode(data).decode()


def sealed(name, key):
    return b64(name.encode() + b"\0" + key[::-1])


def opened(name, text):
    of, _, key = base64.b64decode(text).partition(b"\0")
    return key[::-1] if of == name.encode() else None


class Handler(Quiet):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def openbao(self, body):
        parts = self.path.split("/")
        name = parts[-1]
        if parts[-2] == "plaintext":
            key = os.urandom(body["bits"] // 8)
            return {"data": {"plaintext": b64(key), "key_version": 1,
                             "ciphertext": "vault:v1:" + sealed(name, key)}}
        key = opened(name, body["ciphertext"].removeprefix("vault:v1:"))
        return {"data": {"plaintext": b64(key)}} if key else None

    def gcp(self, body):
        name, _, what = self.path.removeprefix("/v1/").rpartition(":")
        if what == "encrypt":
            key = base64.b64decode(body["plaintext"])
            return {"name": name, "ciphertext": sealed(name, key)}
        key = opened(name, body["ciphertext"])
        return {"plaintext": b64(key)} if key else None

    def kms(self, body):
        name = body["KeyId"]
        if self.headers["X-Amz-Target"].endswith("GenerateDataKey"):
            key = os.urandom({"AES_256": 32, "AES_128": 16}[body["KeySpec"]])
            return {"KeyId": name, "Plaintext": b64(key),
                    "CiphertextBlob": sealed(name, key)}
        key = opened(name, body["CiphertextBlob"])
        return {"KeyId": name, "Plaintext": b64(key)} if key else None

    def do_POST(self):
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with open(inside("requests.jsonl"), "a", encoding="utf-8") as f:
            headers = {k.lower(): v for k, v in self.headers.items()
                       if k.lower() in KEPT}
            f.write(json.dumps([self.command, self.path, headers,
                                text.decode()], sort_keys=True) + "\n")
        if os.path.exists(inside("refuse")):
            return self.answer(403, {"errors": ["permission denied"],
                                     "__type": "AccessDeniedException",
                                     "message": "permission denied"})
        body = json.loads(text)
        ask = (self.kms if self.path == "/" else
               self.gcp if ":" in self.path else self.openbao)
        found = ask(body)
        if found is None:
            return self.answer(400, {"errors": ["it is of another key"],
                                     "error": {"message": "it is of another key"},
                                     "__type": "InvalidCiphertextException"})
        return self.answer(200, found)

    do_PUT = do_POST


serve(Handler)
