"""lsp_session.py FOLDER: `crashlit lsp` with a scripted editor, and with what no editor sends. FOLDER is one to
write in. Texts are small, so that what has to be said of each can be told by hand."""
import os
import subprocess
import sys
import time
import traceback

from client import Server, Tally, alive, frame

tally = Tally()
holds, same = tally.holds, tally.same
folder = os.path.abspath(sys.argv[1])


def put(name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write(text)
    return path


def uri_of(path):
    return 'file://' + path.replace(' ', '%20').replace('é', '%C3%A9')


def span(found):
    start, end = found['range']['start'], found['range']['end']
    return start['line'], start['character'], end['line'], end['character']


# Under epoch nothing orders the two writes without a barrier: `key` may be durable alone. Under strict a write is
# durable before what follows it executes.
LOST = '''OPENCL lost
{ nvm key = 0; nvm val = 0; }
P0 (global int* key, global int* val) {
  *val = 1;
  *key = 1;
}
crash ~exists (key = 1 /\\ val = 0)
expect sc + epoch : ok
'''


def life():
    server = Server(initialize=False)
    same(server.ask('textDocument/hover', {}).get('error', {}).get('code'), -32002, 'a request before initialize')
    answer = server.ask('initialize', {'capabilities': {}})
    same(answer['result']['capabilities']['positionEncoding'], 'utf-16', 'positions are UTF-16')
    same(server.ask('initialize', {'capabilities': {}})['error']['code'], -32600, 'initialize a second time')
    same(server.ask('workspace/nothing', {})['error']['code'], -32601, 'an unknown request')
    server.tell('workspace/nothing', {})
    server.tell('$/nothing', {})
    same(server.ask('textDocument/hover', {'textDocument': {'uri': 'file:///not/open.litmus'},
                                           'position': {'line': 0, 'character': 0}})['error']['code'], -32602,
         'a text that is not open')
    server.ask('shutdown', None)
    same(server.ask('textDocument/hover', {})['error']['code'], -32600, 'a request after shutdown')
    server.tell('exit', None)
    same(server.process.wait(60), 0, 'the status after shutdown and exit')
    server = Server()
    server.tell('exit', None)
    same(server.process.wait(60), 1, 'the status of exit without shutdown')
    same(Server().end(), 1, 'the status at the end of input')


def diagnostics():
    server = Server(settings={'check': 'never'})
    uri = uri_of(put('faults.litmus', ''))
    # `y` is no parameter's location: a warning of its own is not what is tested; `p_barrer_wi` is no function.
    # In the comment an e with an accent is two bytes and one unit of UTF-16, and a character beyond the first
    # plane four bytes and two units: /* é𝄞 */ and a blank are units 0 to 9, so p_barrer_wi is 10 to 21.
    text = 'OPENCL faults\n{ nvm x = 0; }\nP0 (global int* x) {\n/* é\U0001d11e */ p_barrer_wi();\n}\ncrash forall (x = 0)\n'
    server.open(uri, text)
    found = server.await_diagnostics(uri, lambda p: True)
    same(len(found), 1, 'one fault')
    same(span(found[0]), (3, 10, 3, 21), 'its place in UTF-16')
    same((found[0]['severity'], found[0]['code'], found[0]['source']), (1, 'E-lit-function', 'crashlit'), 'what it is')
    holds('p_barrier_wi' in found[0]['message'], 'how to mend it', found[0]['message'])
    # With a byte order mark the first line has a unit more than the source that is read: `OPEN` is 1 to 5.
    server.change(uri, '\ufeffOPEN faults\n', 2)
    found = server.await_diagnostics(uri, lambda p: p['version'] == 2)
    same(span(found[0]), (0, 1, 0, 5), 'behind a byte order mark')
    # CR LF: lines end as in any system.
    server.change(uri, text.replace('\n', '\r\n'), 3)
    found = server.await_diagnostics(uri, lambda p: p['version'] == 3)
    same(span(found[0]), (3, 10, 3, 21), 'the place where lines end with CR LF')
    # `x = 1` where C has `*x = 1` is taken so, with a warning.
    server.change(uri, 'OPENCL w\n{ nvm x = 0; }\nP0 (global int* x) {\n  x = 1;\n}\ncrash forall (x <= 1)\n', 4)
    found = server.await_diagnostics(uri, lambda p: p['version'] == 4)
    same([(d['severity'], d['range']['start']['line']) for d in found], [(2, 3)], 'a warning')
    server.change(uri, LOST.replace('sc + epoch', 'sk + epoch'), 5)
    found = server.await_diagnostics(uri, lambda p: p['version'] == 5)
    same([(d['severity'], d['range']['start']['line'], d['code']) for d in found], [(1, 7, 'E-cli-expect-model')],
         'a model that there is not')
    server.change(uri, LOST, 6)
    same(server.await_diagnostics(uri, lambda p: p['version'] == 6), [], 'a test without faults')
    server.tell('textDocument/didChange', {'textDocument': {'uri': uri, 'version': 7}, 'contentChanges': [
        {'range': {'start': {'line': 0, 'character': 0}, 'end': {'line': 0, 'character': 0}}, 'text': 'x'}]})
    holds(server.at('hover', uri, 1, 3)['contents'], 'a change of a part is refused, and the text is what it was')
    server.tell('textDocument/didClose', {'textDocument': {'uri': uri}})
    same(server.await_diagnostics(uri, lambda p: 'version' not in p), [], 'a closed text has none')
    same(server.leave(), 0, 'the status')


# Texts with one mistake each, as «what stands there|what is meant»: the edit makes it that, and then nothing is wrong.
TYPOS = (
    ('litmus', 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) {\n/* é\U0001d11e */ «p_barrer_wi|p_barrier_wi»();\n}\ncrash forall (x = 0)\n'),
    ('litmus', 'OPENCL t\n{ nvm x = 0; }\nP0 («globl|global» int* x) { *x = 1; }\ncrash forall (x <= 1)\n'),
    ('litmus', 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash «exits|exists» (x = 1)\n'),
    ('litmus', 'OPENCL t\n{ nvm flag = 0; }\nP0 (global int* flag) { *flag = 1; }\ncrash exists («flagg|flag» = 1)\n'),
    ('litmus', 'OPENCL t\n{ «atomic_itn|atomic_int» A = 0; }\nP0 (global atomic_int* A) { A.store(1, mo_rel, dev_scope); }\nexists (A = 1)\n'),
    ('litmus', 'OPENCL t\n{ atomic_int A = 0; }\nP0 (global atomic_int* A) { A.store(1, mo_rel, «dev_scpoe|dev_scope»); }\nexists (A = 1)\n'),
    ('litmus', 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { int value = 1; *x = «valeu|value»; }\ncrash forall (x <= 1)\n'),
    ('litmus', 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash forall (x <= 1)\nexpect sc + «epohc|epoch» : ok\n'),
    ('litmus', 'OPENCL t\n{ nvm x = 0; }\nP0 (global int* x) { int checkpoint = *x; }\nexists (0:«checkpont|checkpoint» = 0)\n'),
    ('cat', '"m"\nlet hb = «pob|po»\nacyclic hb\n'),
    ('cat', '"m"\nacyclic (po | «R|[R]»)\n'),
    ('cat', '"m"\ninclude "«sbpr-base.cat|sbrp-base.cat»"\nacyclic po\n'),
    ('def', 'flush(X)  { /* é\U0001d11e */ «p_barrer_wi|p_barrier_wi»; }\nF(X)  { flush(X); }\n'),
    ('machine', 'machine = «nvw-fifi|nvw-fifo»\n'),
    ('machine', 'machine = nvw-fifo # é\n«unitz|units» = 1\n'),
    ('machine', 'machine = pipeline\npromises = sc + «epohc|epoch»\nstage L2 per device order any\ndurable\n'),
    ('machine', 'machine = pipeline\npromises = sc + none\nstage L2 per «devise|device» order any\ndurable\n'),
    ('map', 'uses "lin.def"\n/* é\U0001d11e */ «pragme|pragma» p {\n  after store X : clwb(X);\n}\n'),
    # What the models of cuda.def take for a work-item of the GPU; what recovery finds lost.
    ('litmus', 'OPENCL t\nuses "cuda.def"\n{ nvm x = 0; }\n«P0|P0{cpu}»@wg 1 { launch 1; }\nP1@kr 1 { *x = 1; }\ncrash exists (x = 1)\n'),
    ('litmus', 'OPENCL t\n{ int «b|nvm b»[2]; nvm x = 0; }\nP0 { b[1] = 1; }\nrecovery { *x = b[1]; }\nrecovered exists (x = 0)\n'),
    ('def', '// mine\nmodels ptx + «gmp|gpm»\nF { p_barrier_wi; }\n'),
    ('map', 'uses "«linn.def|lin.def»"\npragma p {\n  after store X : clwb(X);\n}\n'),
    ('map', 'uses "lin.def"\npragma p {\n  after store X : «clwbb|clwb»(X);\n}\n'),
)


def typos():
    server = Server(settings={'check': 'never'})
    for number, (language, marked) in enumerate(TYPOS):
        before, _, rest = marked.partition('«')
        (wrong, _, right), behind = rest.partition('»')[0].partition('|'), rest.partition('»')[2]
        uri = uri_of(put('typo-%d.%s' % (number, language), ''))
        text = before + wrong + behind
        server.open(uri, text, language)
        found = server.await_diagnostics(uri, lambda p: True)
        holds(found, 'a mistake is told: %s' % wrong)
        # What line and UTF-16 unit the word stands at.
        line, start = before.count('\n'), len(before.rpartition('\n')[2].encode('utf-16-le')) // 2
        place = {'start': {'line': line, 'character': start}, 'end': {'line': line, 'character': start + len(wrong)}}

        def fixes(where, **context):
            return server.ask('textDocument/codeAction', {'textDocument': {'uri': uri}, 'range': where,
                                                          'context': dict(diagnostics=[], **context)})['result']
        offered = fixes(found[0]['range'], triggerKind=2) if found else []
        same([f['edit']['changes'][uri] for f in offered], [[{'range': place, 'newText': right}]], 'a quick fix of %s' % wrong)
        same([f['title'] for f in offered], ["Change '%s' to '%s'" % (wrong, right)], 'what it does')
        same([f.get('diagnostics') for f in offered], [found[:1]], 'of which diagnostic')
        same(fixes({'start': {'line': 0, 'character': 0}, 'end': {'line': 0, 'character': 0}}, triggerKind=2), [], 'it is offered where it is')
        same(fixes(found[0]['range'] if found else {}, only=['refactor']), [], 'and to who asks for quick fixes')
        server.change(uri, before + right + behind, 2)
        same([d['message'] for d in server.await_diagnostics(uri, lambda p: p['version'] == 2)], [], 'nothing is wrong then: %s' % right)
    # Selections that are none.
    uri = uri_of(put('typo.cat', ''))
    server.open(uri, '"m"\nlet hb = pob ; pob\n', 'cat')
    server.await_diagnostics(uri, lambda p: True)
    for at in ({'line': 4294967295, 'character': 4294967295}, {'line': -1, 'character': 'x'}, None):
        reply = server.ask('textDocument/codeAction', {'textDocument': {'uri': uri}, 'range': {'start': at, 'end': at}, 'context': 7})
        holds('result' in reply, 'a selection at %r' % (at,), reply)
    same(server.leave(), 0, 'the status')


def parts():
    """Definition files, machines, mappings: what the command says of each, in its place."""
    server = Server(settings={'check': 'never'})
    # Each fault by itself, as (line, from, to): severity and id; the words are the program's.
    texts = {
        # `S` again is a parameter that is there, column 10; a declaration is no statement of a definition; F is defined
        # twice, and the first is empty, which is a warning.
        'a.def': ('drain(S, S)  { int x = 1; }\nG {}\nF { p_barrier_wi; }\nF { p_barrier_wg; }\n',
                  [((0, 9, 0, 10), 1, 'E-lit-duplicate'), ((0, 15, 0, 24), 1, 'E-lit-definition'), ((3, 0, 3, 1), 1, 'E-lit-duplicate')]),
        'b.def': ('G {}\n', [((0, 0, 0, 1), 2, 'E-lit-definition')]),
        # What it calls may be of a file that is used before: a warning.
        # gmp is no model, and gpm is one.
        'd.def': ('models ptx + gmp\nF { p_barrier_wi; }\n', [((0, 0, 0, 16), 1, 'E-cli-expect-model')]),
        'e.def': ('models hrf-direct + gpm\nF { p_barrier_wi; }\n', []),
        'c.def': ('F(X)  { mine(X); }\n', [((0, 8, 0, 12), 2, 'E-lit-definition')]),
        # `fofo` is none of a stage's attributes; `y` none of the choices of entries.
        'a.machine': ('machine = pipeline\npromises = sc + none\nstage L2 per device order any fofo\ndurable\non cm : drain y L2\n',
                      [((2, 30, 2, 34), 1, 'E-machine-unknown'), ((4, 14, 4, 15), 1, 'E-machine-unknown')]),
        # 9 is more units than there may be; a tag that no model of the promises knows is a warning.
        'b.machine': ('machine = nvw-fifo\nunits = 9\n', [((1, 8, 1, 9), 1, 'E-machine-value')]),
        'c.machine': ('machine = pipeline\npromises = sc + lin-adr\nstage L2 per device order any\ndurable\non clwbb : move own L2\non sfence : await\n',
                      [((4, 3, 4, 8), 2, 'E-machine-unknown')]),
        'd.machine': ('units = 1\n', [((0, 0, 0, 0), 1, 'E-machine-syntax')]),
        # `clwb` takes one location.
        'a.map': ('uses "lin.def"\npragma p {\n  after store X : clwb(X, X);\n}\n', [((2, 18, 2, 22), 1, 'E-lit-mapping')]),
        # A promise of a model that there is not: at the promise.
        'b.map': ('pragma p {\n  promises sc + epohc under sc + strict;\n  at end : p_barrier_wi;\n}\n', None),
    }
    for name, (text, wanted) in texts.items():
        uri = uri_of(put('parts/' + name, ''))
        server.open(uri, text, 'plaintext')
        found = server.await_diagnostics(uri, lambda p: True)
        if wanted is not None:
            same([(span(d), d['severity'], d['code']) for d in found], wanted, 'what is wrong with %s' % name)
        else:
            holds(any(span(d)[0] == 1 and d['code'] == 'E-lit-mapping' for d in found), 'a promise of no model', found)
        # The same as the command says, as far as that can be asked of the file alone.
        with open(os.path.join(folder, 'parts', name), 'w') as file:
            file.write(text)
        command = {'machine': 'machines', 'map': 'mappings'}.get(name.rpartition('.')[2])
        if command:
            said = subprocess.run([os.environ['CRASHLIT'], command, os.path.join(folder, 'parts', name)], capture_output=True, text=True)
            holds(all(d['message'] in said.stderr for d in found), 'the words of %s' % command, (found, said.stderr))
    # A mapping finds definition files beside it, as the command does; a text that was never saved has what is built in alone.
    put('parts/own.def', 'flush(X)  { p_barrier_wi; }\n')
    text = 'uses "own.def"\npragma p {\n  after store X : flush(X);\n}\n'
    for uri, wanted in ((uri_of(put('parts/own.map', '')), []), ('untitled:own.map', [(0, 'E-file-reach')])):
        server.open(uri, text, 'crashlit-map')
        same([(span(d)[0], d['code']) for d in server.await_diagnostics(uri, lambda p: True)], wanted, 'what %s finds' % uri)
    # By an editor's word where the name says nothing; every word of a pipeline and of a mapping can be asked about.
    server.open('untitled:1', 'machine = nvw-fifo\nplacement = in-turn\n', 'crashlit-machine')
    same(server.await_diagnostics('untitled:1', lambda p: True), [], 'a machine without a fault')
    holds(server.at('hover', 'untitled:1', 1, 14)['contents']['value'].startswith('**in-turn**: '), 'a word with a hyphen')
    holds({'evict_l1', 'stage', 'one-unit'} <= {i['label'] for i in server.at('completion', 'untitled:1', 0, 0)}, 'words of machines')
    server.open('untitled:2', 'pragma p {\n  promises sc + epoch under sc + lin-wpq;\n  at end : p_barrier_wi;\n}\n', 'crashlit-map')
    holds(server.at('hover', 'untitled:2', 1, 3)['contents']['value'].startswith('**promises**: '), 'a word of mappings')
    holds(server.at('hover', 'untitled:2', 1, 33)['contents']['value'].startswith('**lin-wpq**, a persistency model'), 'a model in a promise')
    server.open('untitled:3', 'F(X)  { atomic_store(X, 1); }\n', 'crashlit-def')
    holds(server.at('hover', 'untitled:3', 0, 10)['contents']['value'].startswith('**atomic_store**: '), 'a word of tests in a definition')
    same(server.at('codeLens', 'untitled:3', 0, 0), [], 'no lenses')
    same(server.ask('workspace/executeCommand', {'command': 'crashlit.check', 'arguments': ['untitled:1']})['error']['code'], -32602,
         'no test, no check')
    same(server.leave(), 0, 'the status')


def verdicts():
    server = Server()
    uri = uri_of(put('a b é/lost.litmus', LOST))
    server.open(uri, LOST)
    found = server.await_diagnostics(uri, lambda p: p['diagnostics'])
    same(sorted((d['range']['start']['line'], d['severity'], d['code']) for d in found),
         [(6, 1, 'violated'), (7, 1, 'violated')], 'the condition and the expectation')
    holds('key=1; val=0' in found[0]['message'], 'the state that breaks it', found[0]['message'])
    hover = server.at('hover', uri, 6, 10)['contents']['value']
    holds('**violated** under sc + epoch' in hover, 'the verdict of a condition', hover)
    # Two writes that nothing orders: each is durable or not.
    holds('Crash states 4' in hover and 'key=1; val=0' in hover, 'its states', hover)
    hover = server.at('hover', uri, 7, 0)['contents']['value']
    holds(hover.startswith('**violated**, ok expected'), 'the verdict of an expectation', hover)
    hover = server.at('hover', uri, 7, 13)['contents']['value']
    holds(hover.startswith('**epoch**, a persistency model'), 'a model of an expectation', hover)
    hover = server.at('hover', uri, 1, 3)['contents']['value']
    holds(hover.startswith('**nvm**: '), 'a word', hover)
    same(server.at('hover', uri, 3, 1), None, 'nothing is said of nothing')
    same(server.at('hover', uri, 4000000000, 4000000000), None, 'nothing is past the end')
    lenses = server.ask('textDocument/codeLens', {'textDocument': {'uri': uri}})['result']
    same([(l['command']['command'], l['range']['start']['line']) for l in lenses],
         [('crashlit.check', 0), ('crashlit.explain', 0), ('crashlit.narrow', 0)], 'lenses')
    same(lenses[0]['command']['title'], 'check: violated', 'the first lens has the verdict')
    fixes = server.ask('textDocument/codeAction', {
        'textDocument': {'uri': uri}, 'context': {'diagnostics': []},
        'range': {'start': {'line': 0, 'character': 0}, 'end': {'line': 0, 'character': 0}}})['result']
    # Between the two writes is the one place, and a work-item's own barrier is the narrowest there is.
    same([f['edit']['changes'][uri] for f in fixes],
         [[{'range': {'start': {'line': 4, 'character': 0}, 'end': {'line': 4, 'character': 0}},
            'newText': '  p_barrier_wi;\n'}]], 'the one repair')
    same([(f['kind'], f['isPreferred']) for f in fixes], [('quickfix', True)], 'it is a quick fix')
    mended = LOST.replace('  *key', '  p_barrier_wi;\n  *key')
    server.change(uri, mended, 2)
    same(server.await_diagnostics(uri, lambda p: p['version'] == 2), [], 'it mends the test: no fault')
    hover = server.at('hover', uri, 7, 10)['contents']['value']
    holds('**ok** under sc + epoch' in hover, 'it mends the test: the verdict', hover)
    server.change(uri, mended.replace('barrier_wi', 'barrier_dev'), 3)
    said = server.ask('workspace/executeCommand', {'command': 'crashlit.narrow', 'arguments': [uri]})['result']
    same(said['summary'], 'less will do', 'a barrier of the device is wider than needed')
    automatic = server.ask('textDocument/codeAction', {
        'textDocument': {'uri': uri}, 'context': {'diagnostics': [], 'triggerKind': 2},
        'range': {'start': {'line': 0, 'character': 0}, 'end': {'line': 0, 'character': 0}}})['result']
    same([e['newText'] for e in automatic[0]['edit']['changes'][uri]], ['  p_barrier_wi;'], 'what it found is a fix')
    explained = server.ask('workspace/executeCommand', {'command': 'crashlit.explain', 'arguments': [uri]})['result']
    holds('Holds: no state satisfies it' in explained['text'] and 'line 5' in explained['text'], 'why', explained['text'])
    checked = server.ask('workspace/executeCommand', {'command': 'crashlit.check', 'arguments': [uri]})['result']
    same(checked['summary'], 'ok, as expected', 'what a check says in a line')
    holds(checked['text'].startswith('Holds: ') and 'Test lost, ' in checked['text'], 'what a check says', checked['text'])
    for wrong in ({'command': 'crashlit.nothing', 'arguments': [uri]}, {'command': 'crashlit.check'},
                  {'arguments': [uri]}, {'command': 'crashlit.check', 'arguments': [7]}):
        same(server.ask('workspace/executeCommand', wrong)['error']['code'], -32602, 'no command: %s' % wrong)
    labels = {i['label'] for i in server.at('completion', uri, 4, 2)}
    holds({'p_barrier_wg', 'memory_order_release', 'dev_scope', 'key', 'atomic_fetch_add_explicit'} <= labels,
          'words of the language and of the text')
    labels = {i['label'] for i in server.at('completion', uri, 8, 10)}
    holds({'hrf-direct', 'buffered-epoch', 'violated'} <= labels and 'dev_scope' not in labels, 'behind `expect` models')
    server.change(uri, 'expect sc + epoch : ok\n' + LOST, 4)
    labels = {i['label'] for i in server.at('completion', uri, 4294967295, 0)}
    holds('dev_scope' in labels and 'hrf-direct' not in labels, 'past the last line there can be, which is not the first')
    same(server.leave(), 0, 'the status')


def models():
    server = Server()
    put('m/part.cat', '"a part"\nlet behind = po; [PB]; po\n')
    uri = uri_of(put('m/own.cat', ''))
    text = '"a model of one\'s own"\ninclude "part.cat"\nlet durable-before = [W & NVM]; behind\nlet f(x) = x | po\nlet persist-before = f(co)\n'
    server.open(uri, text, 'cat')
    same(server.await_diagnostics(uri, lambda p: True), [], 'a model without faults, with what it includes')
    hover = server.at('hover', uri, 2, 5)['contents']['value']
    holds(hover.startswith('**durable-before**: relation') and '[W & NVM]; behind' in hover, 'a definition', hover)
    hover = server.at('hover', uri, 2, 32)['contents']['value']
    holds(hover.startswith('**behind**: relation') and 'po; [PB]; po' in hover, 'one of a file included', hover)
    hover = server.at('hover', uri, 3, 4)['contents']['value']
    holds(hover.startswith('**f**: function'), 'a function', hover)
    hover = server.at('hover', uri, 3, 15)['contents']['value']
    holds(hover.startswith('**po**: a base relation'), 'a base relation', hover)
    same(server.at('definition', uri, 2, 32)['uri'], uri_of(os.path.join(folder, 'm/part.cat')), 'where it is defined')
    same(span(server.at('definition', uri, 2, 32)), (1, 4, 1, 10), 'where in that file')
    same(server.at('definition', uri, 3, 15), None, 'what is built in has no file')
    server.change(uri, text + 'acyclic nothing\n', 2)
    found = server.await_diagnostics(uri, lambda p: p['version'] == 2)
    same([(span(d), d['code']) for d in found], [((5, 8, 5, 15), 'E-cat-unbound')], 'an unknown name')
    # What a model includes is in its folder or below, for an editor's text as for a file (docs/using/security.md).
    put('secret.cat', '"secret"\nlet secret = po\n')
    server.change(uri, '"m"\ninclude "../secret.cat"\n', 3)
    found = server.await_diagnostics(uri, lambda p: p['version'] == 3)
    same([d['code'] for d in found], ['E-file-reach'], 'a file out of reach')
    # The same of a test's models; and a text without a file names what is built in alone.
    test = uri_of(put('m/t.litmus', ''))
    server.open(test, LOST.replace('sc + epoch', '../secret.cat + epoch'))
    found = server.await_diagnostics(test, lambda p: p['diagnostics'])
    holds('out of reach' in found[0]['message'], 'a test names no file elsewhere', found)
    put('m/own.cat', '"own"\nlet durable-before = [W & NVM]; po\n')
    server.change(test, LOST.replace('sc + epoch', 'sc + ./own.cat'), 2)
    same(server.await_diagnostics(test, lambda p: p['version'] == 2), [], 'a model beside the test')
    # Every write is durable before what follows it: key is never durable without val.
    holds('**ok** under sc + ' in server.at('hover', test, 6, 10)['contents']['value'], 'and what it says')
    loose = 'untitled:Untitled-1'
    server.open(loose, LOST.replace('sc + epoch', 'sc + ./own.cat'))
    holds(server.await_diagnostics(loose, lambda p: p['diagnostics']), 'a text without a file has no folder')
    for odd in ('file://elsewhere/x.litmus', 'file:///x%00.litmus', 'file:///x%zz.litmus', 'file:x.litmus', '', '%'):
        server.open(odd, LOST)
        found = server.await_diagnostics(odd, lambda p: p['diagnostics'])
        same(found[0]['code'], 'violated', 'a test under the URI %r' % odd)
        server.tell('textDocument/didClose', {'textDocument': {'uri': odd}})
    same(server.leave(), 0, 'the status')


# Six work-items, each with eight pairs of a write and a read of one location: more executions than anybody lists,
# and a question about their values that no solver answers, in the time of this test.
HEAVY = 'OPENCL heavy\n{ atomic_int x = 0; }\n' + ''.join(
    'P%d@wg %d (global atomic_int* x) {\n  int r0 = 1;\n%s}\n' % (i, i, ''.join(
        '  int r%d = x.fetch_xor(r%d * %d + %d, mo_rlx, dev_scope);\n' % (k + 1, k, 7919 + 2 * i, 10 * i + k + 1)
        for k in range(8)))
    for i in range(6)) + 'final ~exists (0:r8 = 77 /\\ 1:r8 = 78 /\\ 2:r8 = 79 /\\ 3:r8 = 80 /\\ x = 12345)\n'


def patience():
    """What takes long holds nobody up, is cancelled, and leaves no process."""
    server = Server('--timeout', '600', settings={'check': 'never'})
    uri, other = uri_of(put('heavy.litmus', '')), uri_of(put('quick.litmus', ''))
    server.open(uri, HEAVY)
    server.open(other, LOST)
    long = server.begin('workspace/executeCommand', {'command': 'crashlit.explain', 'arguments': [uri]})
    second = server.begin('workspace/executeCommand', {'command': 'crashlit.explain', 'arguments': [other]})
    holds(server.at('hover', other, 1, 3)['contents'], 'a hover is answered meanwhile')
    holds(long not in server.replies, 'while the long question is open')
    server.tell('$/cancelRequest', {'id': long})
    same(server.await_reply(long)['error']['code'], -32800, 'it is cancelled')
    same(server.await_reply(second)['result']['summary'], 'explained', 'what waited behind it is answered')
    server.tell('$/cancelRequest', {'id': 'never asked'})
    server.tell('$/cancelRequest', {})
    long = server.begin('workspace/executeCommand', {'command': 'crashlit.check', 'arguments': [uri]})
    server.change(uri, LOST, 2)
    same(server.await_reply(long)['error']['code'], -32801, 'a newer text ends a question about the older one')
    server.change(uri, HEAVY, 3)
    waiting = [server.begin('workspace/executeCommand', {'command': 'crashlit.check', 'arguments': [uri]})
               for _ in range(400)]
    codes = [server.await_reply(w)['error']['code'] for w in waiting[-50:]]
    same(set(codes), {-32803}, 'no more requests wait than may')
    same(server.leave(), 0, 'shutdown ends what is open')
    same(settled(server.process.pid), [], 'no process is left')
    server = Server('--timeout', '600')
    server.open(uri, HEAVY)
    server.process.kill()
    server.process.wait()
    same(settled(server.process.pid), [], 'none is left of a server that was killed')


def settled(session):
    for _ in range(600):
        left = alive(session)
        if not left:
            break
        time.sleep(0.1)
    return left


def hostile():
    """Frames that are none end the server with status 2; contents that are none are errors of their own."""
    frames = {
        'a length that is negative': b'Content-Length: -1\r\n\r\n{}',
        'a length past all bounds': b'Content-Length: 99999999999999999999999\r\n\r\n{}',
        'a length that is too large': b'Content-Length: 1000000000\r\n\r\n{}',
        'a length that is no number': b'Content-Length: 0x10\r\n\r\n{}',
        'no digits': b'Content-Length: \r\n\r\n{}',
        'two lengths': b'Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
        'no length': b'Content-Type: x\r\n\r\n{}',
        'no header at all': b'\r\n\r\n{}',
        'JSON without a header': b'{"jsonrpc":"2.0"}\r\n\r\n',
        'a header without end': b'A: ' + b'b' * 100000,
        'bytes': bytes(range(256)) * 20,
    }
    for name, data in frames.items():
        server = Server(initialize=False)
        server.raw(data)
        same(server.process.wait(60), 2, 'the status after %s' % name)
        holds(server.process.stderr.read().startswith(b'crashlit: lsp: '), 'a word on %s' % name)
    for name, data in {'a header': b'Content-Le', 'a content': b'Content-Length: 100\r\n\r\n{"id"'}.items():
        server = Server(initialize=False)
        server.raw(data)
        same(server.end(), 1, 'the status when input ends in %s' % name)
    server = Server()
    contents = {
        'nothing': b'', 'no JSON': b'{', 'a batch cut off': b'[{"id": 1', 'deep JSON': b'[' * 1000000,
        'deep objects': b'{"a":' * 100000, 'no UTF-8': b'{"method":"\xff\xfe"}', 'half a surrogate': b'{"m":"\\ud800"}',
        'NULs': b'\0' * 1000,
    }
    for name, data in contents.items():
        server.raw(frame(data))
        reply = server.await_reply(None)
        same(reply['error']['code'], -32700, 'content that is %s' % name)
    # JSON-RPC 2.0, section 5.1: what is JSON and no request is -32600. LSP has no batches (section 7's one answer to what is
    # no batch either), so none of what is in one is answered for itself.
    batch = b'[{"jsonrpc":"2.0","id":7,"method":"shutdown"},{"jsonrpc":"2.0","id":8,"method":"shutdown"}]'
    for name, data in {'an empty array': b'[]', 'a batch': batch, 'a number': b'7', 'a string': b'"x"', 'null': b'null'}.items():
        server.raw(frame(data))
        same(server.await_reply(None)['error']['code'], -32600, 'content that is %s' % name)
    for ident in (None, {}, [], True, 1.5):
        server.send({'id': ident, 'method': 'shutdown'})
        if isinstance(ident, float):
            continue
        same(server.await_reply(None)['error']['code'], -32600, 'the id %r' % (ident,))
    same(server.await_reply(1.5)['result'], None, 'an id that is any number')
    same(server.end(), 0, 'the status at the end of input after shutdown')
    server = Server(settings={'check': 'never'})
    for params in (None, [], 7, {}, {'textDocument': 7}, {'textDocument': {'uri': 7, 'text': 8}},
                   {'textDocument': {'uri': 'file:///x.litmus'}}, {'textDocument': {'uri': 'a\0b', 'text': ''}},
                   {'textDocument': {'uri': 'file:///x.litmus'}, 'contentChanges': 'x'},
                   {'textDocument': {'uri': 'file:///x.litmus'}, 'contentChanges': [7]}):
        for method in ('didOpen', 'didChange', 'didSave', 'didClose'):
            server.tell('textDocument/' + method, params)
        for method in ('hover', 'definition', 'completion', 'codeLens', 'codeAction'):
            same(server.ask('textDocument/' + method, params)['error']['code'], -32602, '%s of %r' % (method, params))
    uri = uri_of(put('odd.litmus', ''))
    server.open(uri, '')
    same(server.await_diagnostics(uri, lambda p: True)[0]['code'], 'E-lit-empty', 'an empty text')
    for text, what in (('OPENCL x\n' + '{' * 500000, 'deep'), ('OPENCL ' + 'x' * 1000000, 'a long name'),
                       ('OPENCL a\0b\n', 'a NUL'), ('(*' * 100000, 'comments that never end'),
                       ('x' * (4 << 20) + 'x', 'more than a source has')):
        server.change(uri, text, 2)
        found = server.await_diagnostics(uri, lambda p: p['version'] == 2)
        holds(found and all(len(d['message']) < 5000 for d in found), 'something short is said of %s' % what)
        server.at('hover', uri, 0, 9)
        server.at('completion', uri, 0, 0)
    server.send({'jsonrpc': '2.0', 'id': 'a reply to nothing', 'result': {}})
    for position in ({}, {'line': -1, 'character': -1}, {'line': 1e300, 'character': 'x'}, None):
        reply = server.ask('textDocument/hover', {'textDocument': {'uri': uri}, 'position': position})
        holds('result' in reply, 'a hover at %r' % (position,), reply)
    for _ in range(1100):
        server.open('file:///many/%d.txt' % _, 'x', 'plaintext')
    server.tell('textDocument/didClose', {'textDocument': {'uri': uri}})
    server.open(uri, '')
    holds(server.await_message('too many'), 'no more texts are open than may be')
    same(server.leave(), 0, 'it lives')


for part in (life, diagnostics, typos, parts, verdicts, models, patience, hostile):
    try:
        part()
    except (EOFError, TimeoutError, KeyError, TypeError, IndexError) as fault:
        traceback.print_exc()
        holds(False, '%s comes to its end' % part.__name__, fault)
tally.end()
