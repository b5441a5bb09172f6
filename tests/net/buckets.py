"""buckets.py - stores of objects for server.py: DIR/buckets/BUCKET/KEY

s3(handler, at, rule) answers as S3 does, if the request is signed by the rule's
keys: "s3": {"id", "secret", "token" (may lack), "region"}.  gcs does as Google
Cloud Storage: "gcs": {"token" (may lack)}.  Lists come in pages of "page" (2).  A
file KEY@VERSION is that version of an object.  "says": {KEY: BYTES} is what a list
says of sizes, "names": [KEY...] what it has beside what is there, "message": what errors say;
"endless": each page says that there is another; "slow": as of server.py, of an
object.

sts answers as Amazon's Security Token Service: "sts": {"gives": {"id", "secret",
"token"}, "role": ARN} and who may ask, either "jwt": TOKEN, or keys as of "s3",
with "external": what they must say.

google answers as Google's token service: "google": {"gives": TOKEN} and who may
ask, either "account": ADDRESS, whose public key is the file account.pub, or
"form": {...}, which is all that must be sent.
"""

import base64
import hashlib
import hmac
import json
import os
import subprocess
import time
from urllib.parse import parse_qsl, quote, unquote
from xml.sax.saxutils import escape


def objects(root, bucket, prefix, rule):
    top = os.path.join(root, "buckets", bucket)
    keys = list(rule.get("names", []))
    for d, _, files in os.walk(top):
        keys += [os.path.relpath(os.path.join(d, f), top) for f in files]
    return sorted(k for k in keys if k.startswith(prefix) and "@" not in k)


def size(root, bucket, key, rule):
    try:
        known = os.path.getsize(os.path.join(root, "buckets", bucket, key))
    except OSError:
        known = 1
    return rule.get("says", {}).get(key, known)


def read(root, bucket, key, version):
    path = os.path.join(root, "buckets", bucket, key)
    try:
        with open(path + ("@" + version if version else ""), "rb") as f:
            return f.read()
    except OSError:
        return None


def page(keys, after, rule):
    """the keys of a page, and what asks for the next"""
    n = rule.get("page", 2)
    at = int(after or 0)
    if rule.get("endless"):
        return keys[:n], "0"
    return keys[at:at + n], str(at + n) if at + n < len(keys) else None


def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def fault(handler, path, query, rule, of="s3"):
    """what is wrong with the signature of a request; None: nothing"""
    words = handler.headers.get("Authorization", "")
    if not words.startswith("AWS4-HMAC-SHA256 "):
        return "AccessDenied"
    fields = dict(w.strip().split("=", 1)
                  for w in words.split(" ", 1)[1].split(","))
    who, day, region, service, end = fields["Credential"].split("/")
    if who != rule["id"]:
        return "InvalidAccessKeyId"
    if handler.headers.get("x-amz-security-token") != rule.get("token"):
        return "InvalidToken"
    if (region, service, end) != (rule["region"], of, "aws4_request"):
        return "AuthorizationHeaderMalformed"
    names = fields["SignedHeaders"].split(";")
    if "host" not in names or "x-amz-date" not in names:
        return "AccessDenied"
    canonical = "\n".join([
        handler.command, quote(unquote(path), safe="/-_.~"),
        "&".join(quote(k, safe="-_.~") + "=" + quote(v, safe="-_.~")
                 for k, v in sorted(query)),
        "".join(f"{n}:{' '.join(handler.headers.get(n, '').split())}\n"
                for n in names),
        ";".join(names), handler.headers.get(
            "x-amz-content-sha256",
            hashlib.sha256(handler.body).hexdigest())])
    scope = "/".join([day, region, service, end])
    text = "\n".join(["AWS4-HMAC-SHA256", handler.headers["x-amz-date"],
                      scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + rule["secret"]).encode()
    for part in (day, region, service, end):
        key = sign(key, part)
    if sign(key, text).hex() != fields["Signature"]:
        return "SignatureDoesNotMatch"
    return None


def s3_list(root, bucket, query, rule):
    keys = objects(root, bucket, query.get("prefix", ""), rule)
    here, more = page(keys, query.get("continuation-token"), rule)
    items = "".join(
        f"<Contents><Key>{escape(k)}</Key><Size>"
        f"{size(root, bucket, k, rule)}</Size></Contents>" for k in here)
    next_ = f"<NextContinuationToken>{more}</NextContinuationToken>" \
        if more else ""
    return ("<?xml version=\"1.0\"?><ListBucketResult>"
            f"<Name>{bucket}</Name><IsTruncated>{str(bool(more)).lower()}"
            f"</IsTruncated>{items}{next_}</ListBucketResult>").encode()


def s3(handler, root, at, rule):
    path, _, text = at.partition("?")
    path = path[path.index("/"):]
    query = parse_qsl(text, keep_blank_values=True)
    xml = {"headers": {"Content-Type": "application/xml"}}
    why = fault(handler, path, query, rule)
    bucket, _, key = unquote(path).lstrip("/").partition("/")
    if why:
        status, body = 403, None
    elif not key:
        return handler.answer(200, s3_list(root, bucket, dict(query), rule),
                              xml)
    else:
        status, why = 404, "NoSuchKey"
        body = read(root, bucket, key, dict(query).get("versionId"))
    if body is None:
        words = rule.get("message", "it is refused")
        body = (f"<Error><Code>{why}</Code><Message>{words}</Message>"
                "</Error>").encode()
        return handler.answer(status, body, xml)
    tag = hashlib.md5(body).hexdigest()
    headers = {"headers": {"Content-Type": "application/octet-stream",
                           "ETag": f"\"{tag}\""}}
    if "slow" in rule:
        headers["slow"] = rule["slow"]
    if handler.headers.get("If-None-Match") == f"\"{tag}\"":
        return handler.answer(304, b"", headers)
    return handler.answer(200, body, headers)


def gcs(handler, root, at, rule):
    path, _, text = at.partition("?")
    path = path[path.index("/"):]
    query = dict(parse_qsl(text, keep_blank_values=True))
    if "token" in rule and \
            handler.headers.get("Authorization") != "Bearer " + rule["token"]:
        return handler.answer(401, b"{}", {})
    if path.startswith("/storage/v1/b/"):
        bucket = unquote(path.split("/")[4])
        keys = objects(root, bucket, query.get("prefix", ""), rule)
        here, more = page(keys, query.get("pageToken"), rule)
        answer = {"kind": "storage#objects", "items": [
            {"name": k, "bucket": bucket,
             "size": str(size(root, bucket, k, rule))} for k in here]}
        if more:
            answer["nextPageToken"] = more
        return handler.answer(200, json.dumps(answer).encode(), {})
    bucket, _, key = unquote(path).lstrip("/").partition("/")
    body = read(root, bucket, key, query.get("generation"))
    if body is None:
        return handler.answer(404, b"<Error><Code>NoSuchKey</Code></Error>",
                              {})
    return handler.answer(200, body, {"headers": {
        "Content-Type": "application/octet-stream"}})


def sts(handler, _, at, rule):
    form = dict(parse_qsl(handler.body.decode()))
    wrong = None
    if handler.command != "POST" or at.partition("/")[2] or \
            form.get("Version") != "2011-06-15" or \
            not form.get("RoleSessionName"):
        wrong = "InvalidAction"
    elif "jwt" in rule:
        if (form.get("Action"), form.get("WebIdentityToken")) != \
                ("AssumeRoleWithWebIdentity", rule["jwt"]):
            wrong = "InvalidIdentityToken"
    elif form.get("Action") != "AssumeRole" or \
            form.get("ExternalId") != rule.get("external"):
        wrong = "AccessDenied"
    else:
        wrong = fault(handler, "/", [], rule, "sts")
        sent = handler.headers.get("x-amz-content-sha256")
        if sent and sent != hashlib.sha256(handler.body).hexdigest():
            wrong = "SignatureDoesNotMatch"
    if not wrong and form.get("RoleArn") != rule["role"]:
        wrong = "AccessDenied"
    xml = {"headers": {"Content-Type": "text/xml"}}
    if wrong:
        return handler.answer(403, (
            f"<ErrorResponse><Error><Code>{wrong}</Code><Message>no"
            "</Message></Error></ErrorResponse>").encode(), xml)
    gives = rule["gives"]
    action = form["Action"]
    return handler.answer(200, (
        f"<{action}Response><{action}Result><Credentials>"
        f"<AccessKeyId>{gives['id']}</AccessKeyId><SecretAccessKey>"
        f"{gives['secret']}</SecretAccessKey><SessionToken>{gives['token']}"
        "</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>"
        f"</Credentials></{action}Result></{action}Response>").encode(), xml)


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def assertion_fault(root, text, account, at):
    head, claims, sum_ = text.split(".")
    with open(os.path.join(root, "signature"), "wb") as f:
        f.write(unpadded(sum_))
    signed = subprocess.run(
        ["openssl", "dgst", "-sha256", "-verify",
         os.path.join(root, "account.pub"), "-signature",
         os.path.join(root, "signature")], input=(head + "." + claims).encode(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    head, claims = json.loads(unpadded(head)), json.loads(unpadded(claims))
    if signed.returncode or head != {"alg": "RS256", "typ": "JWT",
                                     "kid": "k1"}:
        return "signature"
    if claims["iss"] != account or claims["aud"] != "https://" + at or \
            "https://www.googleapis.com/auth/cloud-platform" not in \
            claims["scope"].split():
        return "claims"
    if not time.time() - 60 < claims["iat"] < claims["exp"] <= \
            time.time() + 3660:
        return "times"
    return None


def google(handler, root, at, rule):
    form = dict(parse_qsl(handler.body.decode()))
    wrong = None
    if handler.command != "POST":
        wrong = "method"
    elif "form" in rule:
        wrong = None if form == rule["form"] else "form"
    elif form.get("grant_type") != \
            "urn:ietf:params:oauth:grant-type:jwt-bearer":
        wrong = "grant"
    else:
        wrong = assertion_fault(root, form["assertion"], rule["account"], at)
    if wrong:
        return handler.answer(400, json.dumps(
            {"error": "invalid_grant", "error_description":
             "wrong " + wrong}).encode(), {})
    return handler.answer(200, json.dumps(
        {"access_token": rule["gives"], "token_type": "Bearer",
         "expires_in": 3599}).encode(), {"headers": {
             "Content-Type": "application/json"}})
