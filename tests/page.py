#!/usr/bin/python3
# page.py - opens a page in headless Chromium and evaluates expressions in it
#
#   page.py [--dark] [--size WxH] [--shot FILE] PAGE EXPRESSION...
#
# Prints the value of each as JSON, a line each.  What the page logs as an error, what
# its policy blocks and what it asks a network for is printed to standard error, and
# fails.  Chromium is spoken to through pipes, so nothing listens anywhere.
import argparse, base64, json, os, shutil, subprocess, sys, tempfile


class Browser:
    def __init__(self, folder):
        to, self.out = os.pipe()
        self.inp, back = os.pipe()
        os.set_inheritable(to, True)
        os.set_inheritable(back, True)
        # Chromium wants them as descriptors 3 and 4.
        words = ['sh', '-c', f'exec 5<&{to} 6>&{back} && exec "$@" 3<&5 4>&6 5<&- 6>&-',
                 'sh', 'chromium', '--headless', '--no-sandbox', '--disable-gpu',
                 '--disable-dev-shm-usage', '--remote-debugging-pipe',
                 '--user-data-dir=' + folder, 'about:blank']
        self.process = subprocess.Popen(words, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to)
        os.close(back)
        self.rest, self.last, self.session, self.wrong = b'', 0, None, []
        self.events = []

    def read(self):
        while b'\0' not in self.rest:
            part = os.read(self.inp, 1 << 20)
            if not part:
                sys.exit('page.py: chromium has ended')
            self.rest += part
        text, self.rest = self.rest.split(b'\0', 1)
        return json.loads(text)

    def note(self, m):
        method, p = m.get('method'), m.get('params', {})
        if method == 'Runtime.exceptionThrown':
            self.wrong.append(json.dumps(p['exceptionDetails'])[:500])
        elif method == 'Log.entryAdded' and p['entry']['level'] == 'error':
            self.wrong.append(p['entry']['text'])
        elif method == 'Network.requestWillBeSent' and \
                not p['request']['url'].startswith(('file:', 'about:', 'data:')):
            self.wrong.append('it asks for ' + p['request']['url'])
        self.events.append(method)

    def call(self, method, **params):
        self.last += 1
        m = {'id': self.last, 'method': method, 'params': params}
        if self.session:
            m['sessionId'] = self.session
        os.write(self.out, json.dumps(m).encode() + b'\0')
        while True:
            answer = self.read()
            if answer.get('id') == self.last:
                if 'error' in answer:
                    sys.exit(f'page.py: {method}: {answer["error"]}')
                return answer['result']
            self.note(answer)

    def wait(self, event):
        while event not in self.events:
            self.note(self.read())


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--dark', action='store_true')
    p.add_argument('--size', default='1200x1000')
    p.add_argument('--shot')
    p.add_argument('page')
    p.add_argument('expressions', nargs='*')
    o = p.parse_args()
    folder = tempfile.mkdtemp()
    b = Browser(folder)
    try:
        target = b.call('Target.createTarget', url='about:blank')['targetId']
        b.session = b.call('Target.attachToTarget', targetId=target,
                           flatten=True)['sessionId']
        for area in 'Page', 'Runtime', 'Log', 'Network':
            b.call(area + '.enable')
        wide, high = map(int, o.size.split('x'))
        b.call('Emulation.setDeviceMetricsOverride', width=wide, height=high,
               deviceScaleFactor=1, mobile=False)
        b.call('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'dark' if o.dark else 'light'}])
        b.events = []
        b.call('Page.navigate', url='file://' + os.path.abspath(o.page))
        b.wait('Page.loadEventFired')
        for e in o.expressions:
            r = b.call('Runtime.evaluate', expression=e, awaitPromise=True,
                       returnByValue=True)
            if 'exceptionDetails' in r:
                sys.exit('page.py: ' + json.dumps(r['exceptionDetails'])[:800])
            print(json.dumps(r['result'].get('value')))
        if o.shot:
            png = b.call('Page.captureScreenshot')['data']
            with open(o.shot, 'wb') as f:
                f.write(base64.b64decode(png))
        for w in b.wrong:
            print('page.py: ' + w, file=sys.stderr)
        sys.exit(1 if b.wrong else 0)
    finally:
        b.process.kill()
        b.process.wait()
        shutil.rmtree(folder, ignore_errors=True)


main()
