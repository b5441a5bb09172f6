#!/usr/bin/env python3
"""archive.py tar|zip FILE - an archive of entries that nobody makes by accident

Standard input has one a line: NAME=TEXT, NAME->TARGET (a link), NAME=>TARGET (a
hard link), NAME! (a device).  A tar is compressed with gzip.
"""

import io
import re
import stat
import sys
import tarfile
import zipfile


def entries():
    for line in sys.stdin.read().split("\n"):
        m = re.match(r"(.*?)(=>|->|=|!)(.*)", line)
        if m:
            yield m.groups()


def write_tar(path):
    with tarfile.open(path, "w:gz") as t:
        for name, kind, rest in entries():
            e = tarfile.TarInfo(name)
            e.mode = 0o644
            body = rest.encode() if kind == "=" else b""
            e.size = len(body)
            e.type = {"=": tarfile.REGTYPE, "->": tarfile.SYMTYPE,
                      "=>": tarfile.LNKTYPE, "!": tarfile.FIFOTYPE}[kind]
            if kind in ("->", "=>"):
                e.linkname = rest
            t.addfile(e, io.BytesIO(body))


def write_zip(path):
    with zipfile.ZipFile(path, "w") as z:
        for name, kind, rest in entries():
            e = zipfile.ZipInfo(name)
            e.create_system = 3
            mode = stat.S_IFLNK | 0o777 if kind == "->" else \
                stat.S_IFREG | 0o644
            e.external_attr = mode << 16
            z.writestr(e, rest)


{"tar": write_tar, "zip": write_zip}[sys.argv[1]](sys.argv[2])
