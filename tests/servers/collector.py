#!/usr/bin/env python3
"""collector.py DIR - takes spans by OTLP/HTTP, in JSON

It writes where it listens to DIR/port.  DIR/requests.jsonl has a line a request, with
its path, headers and body, DIR/spans.jsonl a line a span.  DIR/status, if there, is
answered instead of 200.  It ends with its standard input.
"""

import json
import os

import serving
from serving import inside


class Handler(serving.Quiet):
    def do_POST(self):
        body = self.whole_body()
        if body is None:
            return
        told = json.loads(body)
        serving.note(self, body=told, size=len(body))
        with open(inside("spans.jsonl"), "a", encoding="utf-8") as f:
            for resource in told["resourceSpans"]:
                for scope in resource["scopeSpans"]:
                    f.writelines(json.dumps(s) + "\n" for s in scope["spans"])
        status = 200
        if os.path.exists(inside("status")):
            with open(inside("status"), encoding="utf-8") as f:
                status = int(f.read())
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")


serving.serve(Handler)
