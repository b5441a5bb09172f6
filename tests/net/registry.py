#!/usr/bin/env python3
"""registry.py NET HOST NAMESPACE/TYPE VERSION... - a provider in a registry

Writes what the provider registry protocol has below NET/www/HOST, with a package
for this platform and one for another, checksums, and a signature by the key of
GNUPGHOME (the armored key is NET/key.asc).  With MIRROR=PATH also a network
mirror of it, below NET/www/PATH.  ENTRIES is JSON, other entries of the packages:
[[NAME, TEXT, MODE]...]; with PROGRAM=no there is no program in them.  PAYLOAD is
a file whose bytes are in this platform's packages, too.
"""

import base64
import hashlib
import json
import os
import platform
import subprocess
import sys
import zipfile

net, host, name = sys.argv[1:4]
namespace, kind = name.split("/")
ARCH = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
PLATFORMS = [("linux", ARCH), ("plan9", "mips")]


def put(path, data):
    path = os.path.join(net, "www", path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else
                json.dumps(data, indent=1).encode())
    return path


def get(path):
    try:
        with open(os.path.join(net, "www", path), encoding="utf-8") as f:
            return json.load(f)
    except FileNotFoundError:
        return None


def package(version, os_, arch):
    """a zip file whose bytes depend on nothing else; and its h1 hash"""
    program = f"terraform-provider-{kind}_v{version}"
    text = f"#!/bin/sh\necho {name} {version} {os_}_{arch}\nexit 1\n".encode()
    path = os.path.join(net, "package.zip")
    entries = [("LICENSE", b"none\n", 0o100644)]
    if os.environ.get("PROGRAM") != "no":
        entries.append((program, text, 0o100755))
    entries += [(n, t.encode(), int(m, 8))
                for n, t, m in json.loads(os.environ.get("ENTRIES", "[]"))]
    if "PAYLOAD" in os.environ and (os_, arch) == PLATFORMS[0]:
        with open(os.environ["PAYLOAD"], "rb") as f:
            entries.append(("payload", f.read(), 0o100644))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for entry, data, mode in entries:
            info = zipfile.ZipInfo(entry, (2020, 1, 1, 0, 0, 0))
            info.create_system = 3
            info.external_attr = mode << 16
            if entry == "payload":
                info.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(info, data, compresslevel=6)
    lines = "".join(f"{hashlib.sha256(d).hexdigest()}  {e}\n"
                    for e, d, _ in sorted(entries))
    h1 = base64.b64encode(hashlib.sha256(lines.encode()).digest()).decode()
    with open(path, "rb") as f:
        return f.read(), "h1:" + h1


def sign(sums):
    return subprocess.run(
        ["gpg", "--batch", "--quiet", "--detach-sign", "--output", "-"],
        input=sums, stdout=subprocess.PIPE, check=True).stdout


def publish(version):
    base = f"{host}/v1/providers/{name}/{version}/download"
    stem = f"terraform-provider-{kind}_{version}"
    files = f"{host}/files/{name}"
    sums, answers, archives = "", {}, {}
    for os_, arch in PLATFORMS:
        data, h1 = package(version, os_, arch)
        digest = hashlib.sha256(data).hexdigest()
        filename = f"{stem}_{os_}_{arch}.zip"
        put(f"{files}/{filename}", data)
        sums += f"{digest}  {filename}\n"
        archives[f"{os_}_{arch}"] = {"url": filename,
                                     "hashes": [h1, "zh:" + digest]}
        answers[os_, arch] = {
            "protocols": ["5.0"], "os": os_, "arch": arch,
            "filename": filename, "shasum": digest,
            "download_url": f"/files/{name}/{filename}",
            "shasums_url": f"/files/{name}/{stem}_SHA256SUMS",
            "shasums_signature_url": f"/files/{name}/{stem}_SHA256SUMS.sig",
        }
        if "MIRROR" in os.environ:
            put(f"{os.environ['MIRROR']}/{host}/{name}/{filename}", data)
    with open(os.path.join(net, "key.asc"), encoding="utf-8") as f:
        keys = {"gpg_public_keys": [{"ascii_armor": f.read()}]}
    put(f"{files}/{stem}_SHA256SUMS", sums.encode())
    put(f"{files}/{stem}_SHA256SUMS.sig", sign(sums.encode()))
    for (os_, arch), answer in answers.items():
        put(f"{base}/{os_}/{arch}", {**answer, "signing_keys": keys})
    mirror(version, archives)


def mirror(version, archives):
    if "MIRROR" not in os.environ:
        return
    top = f"{os.environ['MIRROR']}/{host}/{name}"
    index = get(f"{top}/index.json") or {"versions": {}}
    index["versions"][version] = {}
    put(f"{top}/index.json", index)
    put(f"{top}/{version}.json", {"archives": archives})


put(f"{host}/.well-known/terraform.json", {"providers.v1": "/v1/providers/"})
known = get(f"{host}/v1/providers/{name}/versions") or {"versions": []}
for v in sys.argv[4:]:
    publish(v)
    known["versions"].append({
        "version": v, "protocols": ["5.0"],
        "platforms": [{"os": o, "arch": a} for o, a in PLATFORMS]})
put(f"{host}/v1/providers/{name}/versions", known)
