#!/usr/bin/env python3
"""oci.py NET provider HOST/NAME TYPE VERSION... | module HOST/NAME TAG DIR
oci.py NET push HOST/NAME URL USER:PASSWORD

The first two write what a registry of the OCI distribution protocol has below NET/www/HOST/v2:
an index of a provider with a package for this platform and one for another, or a
module's archive.  The server gives manifests the headers that registries do.
Prints the digest of each manifest that a tag names.  The third sends what was
written to another registry, whose repository the URL (.../v2/NAME) is.
"""

import base64
import hashlib
import io
import json
import os
import platform
import ssl
import sys
import urllib.request
import zipfile

net, what, place = sys.argv[1:4]
host, _, name = place.partition("/")
top = os.path.join(net, "www", host, "v2", name)
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
PLATFORMS = [("linux", ARCH), ("plan9", "mips")]
INDEX = "application/vnd.oci.image.index.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
EMPTY = {"mediaType": "application/vnd.oci.empty.v1+json",
         "digest": "sha256:" + hashlib.sha256(b"{}").hexdigest(), "size": 2}


def put(data, *path):
    path = os.path.join(top, *path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def descriptor(data, media_type, folder, **more):
    digest = "sha256:" + hashlib.sha256(data).hexdigest()
    put(data, folder, digest)
    return {"mediaType": media_type, "digest": digest, "size": len(data),
            **more}


def manifest(media_type, artifact_type, body):
    data = json.dumps({"schemaVersion": 2, "mediaType": media_type,
                       "artifactType": artifact_type, **body},
                      indent=1).encode()
    put(b"{}", "blobs", EMPTY["digest"])
    return data, descriptor(data, media_type, "manifests",
                            artifactType=artifact_type)


def tag(data, text):
    put(data, "manifests", text)
    path = os.path.join(top, "tags", "list")
    tags = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            tags = json.load(f)["tags"]
    put(json.dumps({"name": name, "tags": tags + [text]}).encode(),
        "tags", "list")
    print("sha256:" + hashlib.sha256(data).hexdigest())


def archive(entries):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for path, data, mode in entries:
            info = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = (0o100000 | mode) << 16
            z.writestr(info, data)
    return descriptor(out.getvalue(), "archive/zip", "blobs")


def provider(kind, version):
    images = []
    for os_, arch in PLATFORMS:
        program = f"terraform-provider-{kind}_v{version}"
        text = f"#!/bin/sh\necho {kind} {version} {os_}_{arch}\nexit 1\n"
        layer = archive([("LICENSE", b"none\n", 0o644),
                         (program, text.encode(), 0o755)])
        _, image = manifest(
            MANIFEST, "application/vnd.opentofu.provider-target",
            {"config": EMPTY, "layers": [layer]})
        images.append({**image, "platform": {"os": os_,
                                             "architecture": arch}})
    data, _ = manifest(INDEX, "application/vnd.opentofu.provider",
                       {"manifests": images})
    tag(data, version.replace("+", "_"))


def module(text, folder):
    entries = []
    for d, _, files in sorted(os.walk(folder)):
        for f in sorted(files):
            path = os.path.join(d, f)
            with open(path, "rb") as content:
                entries.append((os.path.relpath(path, folder), content.read(),
                                os.stat(path).st_mode & 0o777))
    data, _ = manifest(MANIFEST, "application/vnd.opentofu.modulepkg",
                       {"config": EMPTY, "layers": [archive(entries)]})
    tag(data, text)


def push(url, user):
    """all blobs, then manifests, indexes last: they name the others"""
    trust = ssl.create_default_context(cafile=os.path.join(net, "ca.pem"))
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        urllib.request.HTTPSHandler(context=trust))
    auth = "Basic " + base64.b64encode(user.encode()).decode()

    def send(method, to, data, kind):
        with opener.open(urllib.request.Request(
                to, data, {"Authorization": auth, "Content-Type": kind},
                method=method)) as answer:
            return answer.headers.get("Location")

    def files(folder):
        for n in sorted(os.listdir(os.path.join(top, folder))):
            with open(os.path.join(top, folder, n), "rb") as f:
                yield n, f.read()

    for digest, data in files("blobs"):
        to = send("POST", url + "/blobs/uploads/", b"", "text/plain")
        to += ("&" if "?" in to else "?") + "digest=" + digest
        send("PUT", to, data, "application/octet-stream")
    manifests = [(n, data, json.loads(data)["mediaType"])
                 for n, data in files("manifests")]
    for n, data, kind in sorted(manifests, key=lambda m: (
            m[2] == INDEX, not m[0].startswith("sha256:"))):
        send("PUT", f"{url}/manifests/{n}", data, kind)


if what == "push":
    push(*sys.argv[4:])
elif what == "provider":
    for v in sys.argv[5:]:
        provider(sys.argv[4], v)
else:
    module(*sys.argv[4:])
