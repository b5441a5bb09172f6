#!/usr/bin/env python3
"""keys.py DIR - fakes of services that make and keep keys, for tests

It writes where it listens to DIR/port and each request to DIR/requests.jsonl: method,
path, the headers that matter, body; what is secret in them is part of a test.  It
ends with its standard input.  DIR/refuse, if there, makes all answers 403.

  OpenBao   PUT /v1/ENGINE/datakey/plaintext/KEY, /v1/ENGINE/decrypt/KEY
  GCP KMS   POST /v1/KEY:encrypt and /v1/KEY:decrypt
  AWS KMS   POST /, X-Amz-Target TrentService.GenerateDataKey and .Decrypt
  Azure     POST /keys/KEY/encrypt and /keys/KEY/VERSION/decrypt, with a token that
            POST /tests/oauth2/v2.0/token gives; DIR/resource: whom the vault says
            that its tokens are for

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


def url64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def opened(name, text):
    of, _, key = base64.b64decode(text).partition(b"\0")
    return key[::-1] if of == name.encode() else None


class Handler(Quiet):
    def answer(self, status, value, headers=()):
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
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

    def account(self, asked):
        """STS, asked who somebody is, or for the keys of a role"""
        text = (b"<GetCallerIdentityResponse><Arn>arn:aws:iam::123456789012:user/a"
                b"</Arn></GetCallerIdentityResponse>")
        for action in (b"AssumeRoleWithWebIdentity", b"AssumeRole"):
            if b"Action=" + action + b"&" in asked:
                text = (b"<%sResponse><%sResult><Credentials>"
                        b"<AccessKeyId>role</AccessKeyId>"
                        b"<SecretAccessKey>rolesecret</SecretAccessKey>"
                        b"<SessionToken>roletoken</SessionToken>"
                        b"<Expiration>2999-01-01T00:00:00Z</Expiration>"
                        b"</Credentials></%sResult></%sResponse>"
                        % ((action,) * 4))
                break
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def kms(self, body):
        name = body["KeyId"]
        if self.headers["X-Amz-Target"].endswith("GenerateDataKey"):
            key = os.urandom({"AES_256": 32, "AES_128": 16}[body["KeySpec"]])
            return {"KeyId": name, "Plaintext": b64(key),
                    "CiphertextBlob": sealed(name, key)}
        key = opened(name, body["CiphertextBlob"])
        return {"KeyId": name, "Plaintext": b64(key)} if key else None

    def vault(self, body):
        _, _, name, *version, what = self.path.partition("?")[0].split("/")
        if what == "encrypt":
            key = base64.urlsafe_b64decode(body["value"] + "==")
            aead = body["alg"].endswith("GCM")
            return {"kid": f"https://tests.vault.azure.net/keys/{name}/v7",
                    "value": url64(name.encode() + b"\0" + key[::-1])} | (
                        {"iv": url64(b"of tests"), "tag": url64(b"\xff\xfe"),
                         "aad": url64(b"more")} if aead else {})
        key = opened(name, body["value"].translate({45: 43, 95: 47}) + "==")
        whole = body["alg"].startswith("RSA") or body.get("tag") == url64(b"\xff\xfe")
        return {"value": url64(key)} if key and whole and version == ["v7"] else None

    def microsoft(self, text):
        if self.path.endswith("/token"):
            return self.answer(200, {"access_token": "a-token", "expires_in": 3600,
                                     "token_type": "Bearer"})
        if self.path.startswith("/keys/"):
            if self.headers["Authorization"] == "Bearer a-token":
                return False
            whom = "https://vault.azure.net"
            if os.path.exists(inside("resource")):
                with open(inside("resource"), encoding="utf-8") as f:
                    whom = f.read()
            return self.answer(401, {"error": {"message": "no token"}}, [(
                "WWW-Authenticate", "Bearer authorization="
                f'"https://login.microsoftonline.com/tests", resource="{whom}"')])
        return False

    def do_GET(self):
        """what OpenTofu asks before a token"""
        login = "https://login.microsoftonline.com/tests"
        if "/discovery/instance" in self.path:
            return self.answer(200, {
                "tenant_discovery_endpoint": f"{login}/v2.0/.well-known/"
                                             "openid-configuration",
                "metadata": [{"preferred_network": "login.microsoftonline.com",
                              "preferred_cache": "login.windows.net",
                              "aliases": ["login.microsoftonline.com"]}]})
        return self.answer(200, {"issuer": f"{login}/v2.0",
                                 "authorization_endpoint": f"{login}/authorize",
                                 "token_endpoint": f"{login}/oauth2/v2.0/token"})

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
        if self.microsoft(text) is not False:
            return None
        if b"Action=" in text and not text.startswith(b"{"):
            return self.account(text)
        body = json.loads(text)
        ask = (self.vault if self.path.startswith("/keys/") else
               self.kms if self.path == "/" else
               self.gcp if ":" in self.path else self.openbao)
        found = ask(body)
        if found is None:
            return self.answer(400, {"errors": ["it is of another key"],
                                     "error": {"message": "it is of another key"},
                                     "__type": "InvalidCiphertextException"})
        return self.answer(200, found)

    do_PUT = do_POST


serve(Handler)
