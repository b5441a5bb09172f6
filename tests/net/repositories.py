"""git repositories below a directory, for server.py: by git's own program"""

import os
import subprocess


def git(handler, at, where):
    """answers one request; at: HOST/PATH?QUERY, where: the directory"""
    path, _, query = at.partition("/")[2].partition("?")
    said = subprocess.run(["git", "http-backend"], input=handler.body, env={
        **os.environ, "GIT_PROJECT_ROOT": where, "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": "/" + path, "QUERY_STRING": query,
        "REQUEST_METHOD": handler.command,
        "CONTENT_LENGTH": str(len(handler.body)),
        "CONTENT_TYPE": handler.headers.get("Content-Type", ""),
        "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": handler.headers.get("Git-Protocol", ""),
    }, stdout=subprocess.PIPE, check=True).stdout
    head, _, body = said.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1)
                   for line in head.decode().splitlines())
    status = int(headers.pop("Status", "200 OK").split()[0])
    return handler.answer(status, body, {"headers": headers})
