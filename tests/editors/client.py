"""An editor's side of the Language Server Protocol, for tests: frames, requests, what came meanwhile."""
import json
import os
import select
import subprocess
import sys
import time

PATIENCE = 120  # seconds; only a server that never answers meets it


def frame(content):
    return b'Content-Length: %d\r\n\r\n' % len(content) + content


class Server:
    def __init__(self, *options, initialize=True, settings=None):
        self.process = subprocess.Popen([os.environ['CRASHLIT'], 'lsp', *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self.bytes, self.notes, self.replies, self.last = b'', [], {}, 0
        if initialize:
            self.initialized = self.ask('initialize', {'capabilities': {}, 'initializationOptions': settings or {}})
            self.tell('initialized', {})

    # ---- Out ----

    def raw(self, data):
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def send(self, message):
        self.raw(frame(json.dumps(message).encode()))

    def tell(self, method, params):
        self.send({'jsonrpc': '2.0', 'method': method, 'params': params})

    def begin(self, method, params):
        self.last += 1
        self.send({'jsonrpc': '2.0', 'id': self.last, 'method': method, 'params': params})
        return self.last

    def open(self, uri, text, language='litmus', version=1):
        self.tell('textDocument/didOpen', {'textDocument': {'uri': uri, 'languageId': language, 'version': version,
                                                            'text': text}})

    def change(self, uri, text, version):
        self.tell('textDocument/didChange', {'textDocument': {'uri': uri, 'version': version},
                                             'contentChanges': [{'text': text}]})

    # ---- In ----

    def read(self):
        """The next message; None at the end of output."""
        end = time.monotonic() + PATIENCE
        while True:
            head, found, rest = self.bytes.partition(b'\r\n\r\n')
            if found:
                length = int(head.split(b':')[1])
                if len(rest) >= length:
                    self.bytes = rest[length:]
                    return json.loads(rest[:length])
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError('the server says nothing')
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.bytes += data

    def await_reply(self, number):
        while number not in self.replies:
            message = self.read()
            if message is None:
                raise EOFError('the server left')
            if 'id' in message:
                self.replies[message['id']] = message
            else:
                self.notes.append(message)
        return self.replies.pop(number)

    def ask(self, method, params):
        return self.await_reply(self.begin(method, params))

    def await_diagnostics(self, uri, wanted):
        """Those of the first list for `uri` that `wanted` holds of, from now on."""
        while True:
            while self.notes:
                note = self.notes.pop(0)
                if note['method'] == 'textDocument/publishDiagnostics' and note['params']['uri'] == uri and \
                        wanted(note['params']):
                    return note['params']['diagnostics']
            message = self.read()
            if message is None:
                raise EOFError('the server left')
            if 'id' in message:
                self.replies[message['id']] = message
            else:
                self.notes.append(message)

    def await_message(self, words):
        """Whether it shows a message with these words."""
        while True:
            for note in self.notes:
                if note['method'] == 'window/showMessage' and words in note['params']['message']:
                    return True
            message = self.read()
            if message is None:
                return False
            if 'id' in message:
                self.replies[message['id']] = message
            else:
                self.notes.append(message)

    def at(self, method, uri, line, character):
        reply = self.ask('textDocument/' + method, {'textDocument': {'uri': uri},
                                                    'position': {'line': line, 'character': character}})
        return reply.get('result', reply)

    def leave(self):
        """The status after shutdown and exit."""
        self.ask('shutdown', None)
        self.tell('exit', None)
        return self.process.wait(PATIENCE)

    def end(self):
        """The status after the end of input."""
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


def alive(session):
    """Processes of a session that have not ended."""
    found = []
    for entry in os.listdir('/proc'):
        try:
            with open('/proc/%s/stat' % entry) as file:
                fields = file.read().rpartition(')')[2].split()
        except (OSError, ValueError):
            continue
        if int(fields[3]) == session and fields[0] != 'Z':
            found.append(int(entry))
    return found


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def holds(self, right, what, seen=''):
        self.passed += bool(right)
        self.failed += not right
        if not right:
            print('failed: %s%s' % (what, ' (%r)' % (seen,) if seen != '' else ''))

    def same(self, found, wanted, what):
        self.holds(found == wanted, what, (found, wanted) if found != wanted else '')

    def end(self):
        print('%d passed, %d failed' % (self.passed, self.failed))
        sys.exit(self.failed > 0)
