#!/usr/bin/env python3
"""ssh.py DIR [METHOD...] - a server of ssh that lets in whoever has a password

It listens at a port of 127.0.0.1, which it writes to DIR/port, has the key
DIR/host, and ends with its standard input.  The methods are `password` and
`keyboard-interactive`, both unless some are named; the password is that of
DIR/password.  Commands run as its user's.  DIR/asked has the method of each
password that was sent, a line each.
"""
import asyncio
import os
import sys

import asyncssh

DIR = os.path.abspath(sys.argv[1])
METHODS = sys.argv[2:] or ["password", "keyboard-interactive"]


def inside(name):
    return os.path.join(DIR, name)


class Server(asyncssh.SSHServer):
    def begin_auth(self, username):
        return True

    def fits(self, method, password):
        with open(inside("asked"), "a", encoding="utf-8") as f:
            print(method, file=f)
        with open(inside("password"), encoding="utf-8") as f:
            return password == f.read()

    def password_auth_supported(self):
        return "password" in METHODS

    def validate_password(self, username, password):
        return self.fits("password", password)

    def kbdint_auth_supported(self):
        return "keyboard-interactive" in METHODS

    def get_kbdint_challenge(self, username, lang, submethods):
        return "", "", "", [("Say the word: ", False)]

    def validate_kbdint_response(self, username, responses):
        return self.fits("keyboard-interactive", responses[0])


async def run(process):
    child = await asyncio.create_subprocess_shell(
        process.command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    await process.redirect(
        stdin=child.stdin, stdout=child.stdout, stderr=child.stderr,
        send_eof=False,
    )
    status = await child.wait()
    await process.stdout.drain()
    process.exit(status)


async def main():
    server = await asyncssh.create_server(
        Server, "127.0.0.1", 0, server_host_keys=[inside("host")],
        process_factory=run, encoding=None, allow_scp=False,
    )
    with open(inside("port.new"), "w", encoding="utf-8") as f:
        print(server.sockets[0].getsockname()[1], file=f)
    os.rename(inside("port.new"), inside("port"))
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.buffer.read)
    os._exit(0)


asyncio.run(main())
